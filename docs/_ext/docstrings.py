"""Turn the plain text of docstrings into reStructuredText, which Sphinx reads.

Docstrings are written to be read in an editor: `name` is code, |x| is a modulus, a block that is indented by four is a
formula, and `name: what it is` describes a parameter, alone or in a section that is underlined. In reStructuredText the
first three are a reference, a substitution and a quotation; parameters become a list.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"``[^`]+``|`[^`]+`")
ARRAY = re.compile(r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+)\]\]")  # how Python writes a matrix of such numbers
NEW_SENTENCE = r"(?:^|(?<=[.;)]\s))"  # where the description of a parameter may begin


def converted(lines: Sequence[str], parameters: Sequence[str] = ()) -> list[str]:
    """Return the lines of a docstring as reStructuredText.

    >>> converted(["The mean of |x|, see `fit`.", "", "    a += b", "", ">>> 1 | 2", "3"])
    ['The mean of \\\\|x\\\\|, see ``fit``.', '', '::', '', '    a += b', '', '>>> 1 | 2', '3']
    >>> converted(["Learn.", "", "seed: of the order. passes: how many."], ["seed", "passes"])
    ['Learn.', '', '* ``seed``: of the order.', '* ``passes``: how many.']
    >>> converted(["Two ways:", "- one that", "  goes on,", "- another."])
    ['Two ways:', '', '- one that goes on,', '- another.']
    >>> converted(["Parameters", "----------", "seed : of the order,", "    and of folds."])
    ['**Parameters**', '', '* ``seed``: of the order, and of folds.']
    """
    blocks = [list(block) for empty, block in groupby(lines, lambda line: not line.strip()) if not empty]
    return [line for i, block in enumerate(blocks) for line in ([""] if i else []) + list(_block(block, parameters))]


def _block(lines: list[str], parameters: Sequence[str]) -> Iterator[str]:
    if lines[0].lstrip().startswith(">>>"):
        yield from lines
    elif len(lines) > 2 and set(lines[1].strip()) == {"-"}:
        yield from (f"**{lines[0].strip()}**", "", *_section(lines[2:]))
    elif all(line.startswith("    ") for line in lines):
        yield from ("::", "", *lines)
    elif described := _described(" ".join(line.strip() for line in lines), parameters):
        yield from (f"* ``{name}``: {escaped(text)}" for name, text in described)
    else:
        yield from _text(lines)


def _text(lines: list[str]) -> Iterator[str]:
    """Yield a paragraph, and the items of a list that follows it, each on a line of its own."""
    items = [" "]
    for line in map(str.strip, lines):
        if line.startswith("- "):
            items.append(line)
        else:
            items[-1] += f" {line}"
    paragraph, *rest = (escaped(item.strip()) for item in items)
    yield from [paragraph] * bool(paragraph) + [""] * bool(paragraph and rest) + rest


def _section(lines: list[str]) -> Iterator[str]:
    """Yield one item of a list for each line of a section that is not indented; indented lines go on with it."""
    items: list[str] = []
    for line in lines:
        if line.startswith(" ") and items:
            items[-1] += f" {line.strip()}"
        else:
            items.append(line.strip())
    for item in items:
        name, colon, text = item.partition(" : ")
        yield f"* ``{name}``: {escaped(text)}" if colon else f"* {escaped(item)}"


def _described(text: str, parameters: Sequence[str]) -> list[tuple[str, str]]:
    """Return the parameters that a paragraph describes, each with its description, if it begins with one."""
    if not parameters:
        return []
    parts = re.split(rf"{NEW_SENTENCE}({'|'.join(map(re.escape, parameters))}): ", text)
    return [] if parts[0] else [(name, text.strip()) for name, text in zip(parts[1::2], parts[2::2])]


def escaped(line: str) -> str:
    """Return a line of text with its code marked and its other characters taken literally.

    >>> escaped("`a_` is a_ * b")
    '``a_`` is a\\\\_ \\\\* b'
    """
    parts, end = [], 0
    for match in CODE.finditer(line):
        joined = "\\ " if line[match.end() : match.end() + 1].isalnum() else ""  # as in `Document`s
        parts += [_literal(line[end : match.start()]), f"``{match.group().strip('`')}``{joined}"]
        end = match.end()
    return "".join([*parts, _literal(line[end:])])


def _literal(text: str) -> str:
    return re.sub(r"([*|\\`])|(_)(?=\W|$)", lambda m: "\\" + m.group(), text)


def _process(_app: Sphinx, _what: str, _name: str, obj: Any, _options: Any, lines: list[str]) -> None:
    try:
        parameters = list(inspect.signature(obj).parameters)
    except (TypeError, ValueError):  # not a function or a class
        parameters = []
    lines[:] = converted(lines, parameters)


def _shorten(
    _app: Sphinx, _what: str, _name: str, _obj: Any, _options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Return the signature with arrays written as people say them: ndarray[float64]."""
    return tuple(part and ARRAY.sub(r"ndarray[\1]", part) for part in (signature, returned))


def setup(app: Sphinx) -> dict[str, bool]:
    """Convert each docstring and signature when it is read."""
    app.connect("autodoc-process-docstring", _process)
    app.connect("autodoc-process-signature", _shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
