"""A `.fam` file as the contents model of a notebook, and back, to the byte (spec 7.2).

A model is what the contents API of Jupyter speaks of: a dict with name, path, type, format and content. Text that is no
UTF-8 keeps its bytes as lone surrogates (PEP 383) on its way through the browser.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, MutableMapping
from typing import TYPE_CHECKING, Any

from famulus_kernel.language.info import LANGUAGE_INFO
from famulus_kernel.language.notebook import KEY, fam_to_notebook, notebook_to_fam

if TYPE_CHECKING:
    from nbformat import NotebookNode

NOTEBOOK = ".fam"
_ON_DEMAND = ".qmd"
_BREAK = re.compile(r"\r\n?")

Model = dict[str, Any]


def opens_as_notebook(path: str, kind: str | None) -> bool:
    """Say whether a path is to be shown as a notebook.

    Parameters
    ----------
    path
        As the contents API has it.
    kind
        The type that is asked for: "notebook", "file", "directory", or None for what the path says. A `.qmd` is a
        notebook for those who ask for one.
    """
    if kind is None:
        return path.endswith(NOTEBOOK)
    return kind == "notebook" and path.endswith((NOTEBOOK, _ON_DEMAND))


def as_notebook(model: Model) -> Model:
    """Return the model of a file as that of a notebook; one without content stays without."""
    shown = {**model, "type": "notebook", "mimetype": None}
    if model.get("content") is not None:
        shown |= {"content": _notebook(_text(model)), "format": "json"}
    return shown


def as_file(model: Model) -> Model:
    """Return the model of a notebook as that of the file to be written. Outputs stay behind.

    Raises
    ------
    TypeError
        When its content is no notebook.
    """
    content = model.get("content")
    if not isinstance(content, Mapping) or not isinstance(content.get("cells"), list):
        raise TypeError("the content is no notebook: it has no list of cells")
    if not all(map(_is_cell, content["cells"])) or not isinstance(content.get("metadata", {}), Mapping):
        raise TypeError("the content is no notebook: a cell has a type, metadata and text")
    cells = [_with_own_breaks(cell) for cell in content["cells"] if not _is_unused(cell)]
    text = notebook_to_fam({**content, "cells": cells})
    return {**model, "type": "file", **_content(text)}


def with_path(model: Model) -> Model:
    """Give the kernelspec of an `.ipynb` of our kernel the key that `quarto render --execute` needs; return the model.

    For a language that Quarto does not bring, its notebook.py reads `metadata.kernelspec.path`, to look there for a
    first cell. Quarto writes the key into the notebooks that it makes; JupyterLab writes name, language and
    display_name, which are enough for Python, R and Julia only.
    """
    spec = _spec_of(model)
    if spec is not None:
        spec.setdefault("path", "")
    return model


def without_path(model: Model) -> Model:
    """Take back :func:`with_path`: a frontend would find a kernelspec that is not its own, and ask to save that."""
    spec = _spec_of(model)
    if spec is not None and spec.get("path") == "":
        del spec["path"]
    return model


def _spec_of(model: Model) -> MutableMapping[str, Any] | None:
    """Return the kernelspec of a notebook where it is ours."""
    found = model.get("content") if model.get("type") == "notebook" else None
    for key in ("metadata", "kernelspec"):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, MutableMapping) and found.get("language") == LANGUAGE_INFO["name"] else None


def _text(model: Model) -> str:
    if model["format"] == "base64":
        return base64.b64decode(model["content"]).decode("utf-8", "surrogateescape")
    return str(model["content"])


def _content(text: str) -> Model:
    try:
        text.encode()
    except UnicodeEncodeError:
        try:
            data = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # half of a pair, which no file has: it was typed
            data = text.encode("utf-8", "replace")
        return {"format": "base64", "content": base64.b64encode(data).decode("ascii")}
    return {"format": "text", "content": text}


def _notebook(text: str) -> NotebookNode:
    notebook = fam_to_notebook(text)
    notebook["metadata"]["language_info"] = dict(LANGUAGE_INFO)  # as the kernel will say it: no change to be saved
    for cell in notebook["cells"]:
        _with_plain_breaks(cell)
        if cell["cell_type"] == "code":
            cell["metadata"]["trusted"] = True  # its outputs are drawn from the store, where everything is escaped
    return notebook


def _with_plain_breaks(cell: dict[str, Any]) -> None:
    """Give a cell whose lines end in several ways plain ones: an editor counts every break as one character."""
    source = cell["source"]
    if "\r" in source:
        cell["source"] = _BREAK.sub("\n", source)
        cell["metadata"][KEY]["breaks"] = {"source": source, "of": _digest(cell["source"])}


def _with_own_breaks(cell: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a cell with the line breaks of the file where it was not edited."""
    about = cell.get("metadata", {}).get(KEY)
    kept = about.get("breaks") if isinstance(about, Mapping) else None
    source = _source(cell)
    if isinstance(kept, Mapping) and isinstance(kept.get("source"), str) and kept.get("of") == _digest(source):
        return {**cell, "source": kept["source"]}
    return cell


def _is_cell(cell: Any) -> bool:
    if not isinstance(cell, Mapping) or not isinstance(cell.get("metadata"), Mapping):
        return False
    source = cell.get("source")
    is_text = isinstance(source, str | list) and all(isinstance(piece, str) for piece in source)
    return is_text and isinstance(cell.get("cell_type"), str)


def _is_unused(cell: Mapping[str, Any]) -> bool:
    """Say whether a cell is one that an editor made and nobody wrote in. It would be a block without an id."""
    return cell.get("cell_type") == "code" and not _source(cell).strip() and KEY not in cell.get("metadata", {})


def _source(cell: Mapping[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
