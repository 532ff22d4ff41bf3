"""The one strict YAML loader (spec 1.2): YAML 1.2 core scalars, no duplicate keys, bounded aliases, no foreign tags.

PyYAML's C parser gives events; the values are built here, without recursion, because PyYAML's own constructors follow
YAML 1.1 (`no` is false, `1:20` is 80) and keep silent about a key that stands twice.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from famulus_kernel.errors import Where, YamlError, bold
from famulus_kernel.language.lines import line_starts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_DEPTH = 100
"""Levels of nesting; far below what would exhaust the stack of anything that later walks the value."""
MAX_EXPANDED = 100_000
"""Values that all aliases of one text may stand for, taken together."""
MAX_DIGITS = 4000
"""Digits of one whole number; Python refuses to convert more than 4300."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE = "tag:yaml.org,2002:"
_TAGGED: dict[str, tuple[type, ...]] = {
    f"{_CORE}int": (int,),
    f"{_CORE}float": (int, float),
    f"{_CORE}bool": (bool,),
    f"{_CORE}null": (type(None),),
}
_CONSTANTS: dict[str, bool | float | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((sign + word for sign in ("", "+") for word in (".inf", ".Inf", ".INF")), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
# A leading zero is not a number: 007 is a shelf mark, not seven.
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_ODD_BREAKS = re.compile("[\x85\u2028\u2029]")
_NUMBER_START = frozenset("+-.0123456789")


@dataclass(frozen=True, slots=True)
class StrictYaml:
    """A loaded piece of YAML.

    Attributes
    ----------
    value
        Plain Python: dict with text keys, list, str, int, float, bool, None.
    lines
        Dotted key (`partiturs.0.input.sql`) to the line of the file that it stands in.
    sources
        Dotted key to the source text of a number that Python would write otherwise (`1.10`, `0x1F`, `1e3`).
    """

    value: Any
    lines: dict[str, int]
    sources: dict[str, str]

    def line_of(self, key: str) -> int | None:
        """Return the line of a dotted key, or of the nearest key around it."""
        while key and key not in self.lines:
            key = key.rpartition(".")[0]
        return self.lines.get(key)


def load_strict(
    text: str, *, line: int = 1, file: str | None = None, block: str | None = None, foreign_tags: bool = False
) -> StrictYaml:
    """Load one YAML document by the rules of spec 1.2.

    Parameters
    ----------
    text
        The YAML, without the `---` lines around it.
    line
        Line of `file` (1-based) that the first line of `text` is.
    file, block
        What errors name, where known.
    foreign_tags
        Read a tag that is not YAML's own as if it were not there: Quarto's front matter has some (`!expr`).

    Raises
    ------
    YamlError
        With file, line of the file, block and key.
    """
    builder = _Builder(text, line, Where(file=file, block=block), foreign_tags=foreign_tags)
    try:
        return builder.build(yaml.parse(text, _LOADER))
    except yaml.MarkedYAMLError as error:
        raise _marked(error, text, builder.line_at, Where(file=file, block=block)) from None
    except yaml.reader.ReaderError as error:
        where = Where(file, line + text.count("\n", 0, error.position), block)
        raise YamlError.of(
            f"the character U+{ord(error.character) if isinstance(error.character, str) else error.character:04X}"
            f" may not stand in YAML ({error.reason})",
            hint="delete it, or write it as an escape in double quotes",
            where=where,
        ) from None
    except UnicodeEncodeError as error:
        where = Where(file, line + text.count("\n", 0, error.start), block)
        raise YamlError.of("half of a surrogate pair is not text", hint="delete it", where=where) from None


def _marked(error: yaml.MarkedYAMLError, text: str, line_at: Callable[[Any], int], where: Where) -> YamlError:
    mark = error.problem_mark or error.context_mark
    problem = (error.problem or "not YAML").replace("*", "\\*")
    if error.context:
        begun = f" (from line {line_at(error.context_mark)})" if error.context_mark else ""
        problem = f"{problem} {error.context}{begun}"
    bad = text[text.rfind("\n", 0, mark.index) + 1 :].partition("\n")[0] if mark else ""
    hint = "check indentation, brackets and quotes there"
    if "\t" in bad[: len(bad) - len(bad.lstrip())] or ("\t" in bad and "any token" in problem):
        hint = "YAML indents with blanks, never with tabs"
    elif "mapping values" in problem:
        hint = "a value that holds a colon and a blank needs quotes"
    return YamlError.of(problem, hint=hint, where=where.filled(Where(line=line_at(mark))))


def plain_scalar(text: str) -> str | float | bool | None:
    """Return what an unquoted scalar is in YAML 1.2's core schema, with leading zeros kept as text.

    Raises
    ------
    ValueError
        For a whole number too long to convert.
    """
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INTEGER.match(text):
        if len(text) > MAX_DIGITS:
            raise ValueError(f"a number of {len(text)} digits")
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    if _BASED.match(text):
        return int(text, 0)
    return text


@dataclass(slots=True)
class _Frame:
    """A mapping or sequence under construction."""

    value: Any
    path: str
    anchor: str | None
    size_before: int
    line: int
    is_map: bool
    key: str | None = None
    first_lines: dict[str, int] = field(default_factory=dict)


class _Builder:
    """Builds one value out of parser events, iteratively."""

    def __init__(self, text: str, line: int, where: Where, *, foreign_tags: bool) -> None:
        self.first_line = line
        # PyYAML counts these as line breaks too, editors do not
        self.starts = line_starts(text) if _ODD_BREAKS.search(text) else None
        self.where = where
        self.foreign_tags = foreign_tags
        self.lines: dict[str, int] = {}
        self.sources: dict[str, str] = {}
        self.stack: list[_Frame] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.size = 0
        self.expanded = 0
        self.root: Any = None

    def build(self, events: Iterator[Any]) -> StrictYaml:
        documents = 0
        for event in events:
            kind = event.__class__
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._close()
            elif kind is yaml.MappingStartEvent:
                self._open(event, {}, is_map=True)
            elif kind is yaml.SequenceStartEvent:
                self._open(event, [], is_map=False)
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise self._error("a second YAML document begins here", "keep one", event)
        return StrictYaml(self.root, self.lines, self.sources)

    def line_at(self, mark: Any) -> int:
        """Return the line of the file that a mark of PyYAML stands in."""
        if self.starts is None or mark is None:
            return self.first_line + (mark.line if mark else 0)
        return self.first_line + min(bisect_right(self.starts, mark.index) - 1, len(self.starts) - 2)

    def _error(self, problem: str, hint: str, event: Any, key: str | None = None) -> YamlError:
        line = self.line_at(event.start_mark)
        return YamlError.of(problem, hint=hint, where=self.where.filled(Where(line=line, key=key)))

    def _place(self, event: Any) -> str:
        """Return the dotted path of the value that begins here, and note the line of a sequence item."""
        if not self.stack:
            return ""
        frame = self.stack[-1]
        if frame.is_map:
            name = frame.key or ""
            return f"{frame.path}.{name}" if frame.path else name
        path = f"{frame.path}.{len(frame.value)}" if frame.path else str(len(frame.value))
        self.lines[path] = self.line_at(event.start_mark)
        return path

    def _put(self, value: Any) -> None:
        if not self.stack:
            self.root = value
            return
        frame = self.stack[-1]
        if frame.is_map:
            frame.value[frame.key] = value
            frame.key = None
        else:
            frame.value.append(value)

    def _wants_key(self) -> bool:
        return bool(self.stack) and self.stack[-1].is_map and self.stack[-1].key is None

    def _scalar(self, event: Any) -> None:
        if self._wants_key():
            self._key(event)
            return
        self.size += 1
        path = self._place(event)
        text: str = event.value
        tag = event.tag
        if tag is None:
            # implicit[0] is true for what stands there without quotes
            value = self._resolved(text, event, path) if event.implicit[0] else text
        else:
            value = self._tagged(text, tag, event, path)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1)
        self._put(value)

    def _resolved(self, text: str, event: Any, path: str) -> Any:
        try:
            value = plain_scalar(text)
        except ValueError as error:
            raise self._error(str(error), "put it in quotes if it is text", event, path) from None
        if value is not text and value.__class__ in (int, float) and str(value) != text:
            self.sources[path] = text
        return value

    def _tagged(self, text: str, tag: str, event: Any, path: str) -> Any:
        if tag in ("!", f"{_CORE}str"):
            return text
        wanted = _TAGGED.get(tag)
        if wanted is None:
            if self.foreign_tags:
                return self._resolved(text, event, path) if event.style in (None, "") else text
            raise self._foreign(tag, event, path)
        value = self._resolved(text, event, path)
        if type(value) not in wanted:
            name = tag.removeprefix(_CORE)
            raise self._error(f"{bold(text)} is not of the type {name}", "take the tag away", event, path)
        return float(value) if tag == f"{_CORE}float" else value

    def _foreign(self, tag: str, event: Any, path: str) -> YamlError:
        shown = f"!!{tag.removeprefix(_CORE)}" if tag.startswith(_CORE) else tag
        return self._error(f"the tag {bold(shown)} is not allowed", "write the value without a tag", event, path)

    def _key(self, event: Any) -> None:
        frame = self.stack[-1]
        if event.tag not in (None, "!", f"{_CORE}str") and not self.foreign_tags:
            raise self._foreign(event.tag, event, frame.path)
        key: str = event.value
        path = f"{frame.path}.{key}" if frame.path else key
        line = self.line_at(event.start_mark)
        if key in frame.value:
            where = self.where.filled(Where(line=line, key=path))
            raise YamlError.duplicate_key(key, frame.first_lines[key], where)
        # the place is taken now, so that the order is that of the text
        frame.value[key] = None
        frame.first_lines[key] = self.lines[path] = line
        frame.key = key
        if event.anchor is not None:
            self.anchors[event.anchor] = (key, 1)

    def _open(self, event: Any, value: Any, *, is_map: bool) -> None:
        if self._wants_key():
            raise self._error("a list or mapping cannot be a key", "a key is text", event, self.stack[-1].path)
        path = self._place(event)
        if event.tag not in (None, "!", f"{_CORE}{'map' if is_map else 'seq'}") and not self.foreign_tags:
            raise self._foreign(event.tag, event, path)
        if len(self.stack) >= MAX_DEPTH:
            raise self._error(f"more than {MAX_DEPTH} levels of nesting", "make it flatter", event, path)
        self.size += 1
        self.stack.append(_Frame(value, path, event.anchor, self.size - 1, self.line_at(event.start_mark), is_map))

    def _close(self) -> None:
        frame = self.stack.pop()
        if frame.anchor is not None:
            self.anchors[frame.anchor] = (frame.value, self.size - frame.size_before)
        self._put(frame.value)

    def _alias(self, event: Any) -> None:
        name = event.anchor
        if name not in self.anchors:
            inside = any(frame.anchor == name for frame in self.stack)
            problem = "stands inside what it names" if inside else "names nothing above it"
            hint = f"write &{name} before the value it is for"
            raise self._error(f"the alias {bold('*' + name)} {problem}", hint, event)
        value, size = self.anchors[name]
        if self._wants_key():
            raise self._error(f"the alias {bold('*' + name)} cannot be a key", "write the key out", event)
        self._place(event)
        self.size += size
        self.expanded += size
        if self.expanded > MAX_EXPANDED:
            raise self._error(
                f"the aliases stand for more than {MAX_EXPANDED} values", "write out what is needed", event
            )
        self._put(value)
