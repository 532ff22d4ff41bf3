"""One block's text taken apart (spec 1.1): cell options, preamble, instruction. Nothing here knows the keys."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from famulus_kernel.errors import PreambleError, Where
from famulus_kernel.language.lines import split_lines, without_break
from famulus_kernel.language.yaml import StrictYaml, load_strict

_RULE = re.compile(r"---[ \t]*\Z")
_OPTION = re.compile(r"#[ \t]*\|[ \t]?(.*)\Z", re.DOTALL)
_ID = re.compile(
    r"""^id[ \t]*:[ \t]+(?:
        "(?P<double>[^"\r\n]+)" | '(?P<single>[^'\r\n]+)' | (?P<plain>[^\s"'&*!|>%@`#\[{][^\r\n#]*)
    )""",
    re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class BlockSource:
    """A block as written.

    Attributes
    ----------
    options
        What the `#| key: value` lines say.
    preamble_text, preamble_line
        The YAML between the two `---` lines, and the line of the file (1-based) that its first line is.
    yaml
        The same, loaded strictly; `yaml.value` is a mapping.
    instruction, instruction_line
        The free text after the preamble, without blank lines around it, and the line it begins in.
    """

    options: dict[str, Any]
    preamble_text: str
    preamble_line: int
    yaml: StrictYaml
    instruction: str
    instruction_line: int
    file: str | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The preamble's mapping, as set by the block."""
        value: dict[str, Any] = self.yaml.value
        return value

    @property
    def key_lines(self) -> dict[str, int]:
        """Dotted key of the preamble to the line of the file it stands in."""
        return self.yaml.lines


def parse_block(body: str, *, line: int = 1, file: str | None = None) -> BlockSource:
    """Take a block's body apart and load its YAML.

    Parameters
    ----------
    body
        The text between the fences.
    line
        Line of `file` (1-based) that the first line of `body` is.

    Raises
    ------
    PreambleError
        The body does not begin with a preamble, or it does not end, or is not a mapping.
    YamlError
        The options or the preamble are not strict YAML (spec 1.2).
    """
    lines = split_lines(body.removeprefix("\ufeff"))
    texts = [without_break(text) for text in lines]
    opening = _opening(texts)
    if opening == len(lines) or not _RULE.match(texts[opening]):
        raise PreambleError.no_preamble(Where(file, line + min(opening, max(len(lines) - 1, 0))))
    closing = next((i for i in range(opening + 1, len(lines)) if _RULE.match(texts[i])), None)
    if closing is None:
        raise PreambleError.unclosed_preamble(Where(file, line + opening))
    preamble_text = "".join(lines[opening + 1 : closing])
    block = guess_id(preamble_text)
    options = _options(texts[:opening], line, file, block)
    preamble = load_strict(preamble_text, line=line + opening + 1, file=file, block=block)
    if preamble.value is None:
        preamble = StrictYaml({}, {}, {})
    if not isinstance(preamble.value, dict):
        raise PreambleError.not_a_mapping("the preamble", Where(file, line + opening + 1, block))
    first = next((i for i in range(closing + 1, len(lines)) if texts[i].strip()), closing + 1)
    # a checkout with other line breaks is no other instruction
    instruction = "\n".join(texts[first:]).rstrip()
    return BlockSource(options, preamble_text, line + opening + 1, preamble, instruction, line + first, file)


def guess_id(preamble_text: str) -> str | None:
    """Return the id as far as it can be seen without loading the YAML, so that the YAML's errors can name the block."""
    match = _ID.search(preamble_text)
    return next((text.strip() for text in match.groups() if text), None) if match else None


def _opening(texts: list[str]) -> int:
    """Return the index of the first line that is neither blank nor a cell option."""
    return next((i for i, text in enumerate(texts) if text.strip() and not _OPTION.match(text)), len(texts))


def _options(lines: list[str], line: int, file: str | None, block: str | None) -> dict[str, Any]:
    # blank lines take the place of lines that hold no option, so that errors name the right line
    found = [_OPTION.match(text) for text in lines]
    if not any(found):
        return {}
    text = "\n".join(match.group(1) if match else "" for match in found)
    loaded = load_strict(text, line=line, file=file, block=block)
    if loaded.value is None:
        return {}
    if not isinstance(loaded.value, dict):
        raise PreambleError.not_a_mapping("the cell options", Where(file, line, block))
    return loaded.value
