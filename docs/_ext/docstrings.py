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

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

CODE = re.compile(r"``[^`]+``|`[^`]+`")
ARRAY = ["ndarray", "[", "tuple", "[", "Any", ",", "...", "]", ",", "dtype", "["]  # before the type of its numbers
SHORT = 80  # characters of a line that holds a type
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
    >>> converted(["Parameters", "----------", "seed : int", "    Random seed."])
    ['**Parameters**', '', '* ``seed`` (int): Random seed.']
    >>> converted(["Examples", "--------", ">>> 1 + 2", "3"])
    ['**Examples**', '', '>>> 1 + 2', '3']
    """
    blocks = [list(block) for empty, block in groupby(lines, lambda line: not line.strip()) if not empty]
    return [line for i, block in enumerate(blocks) for line in ([""] if i else []) + list(_block(block, parameters))]


def _block(lines: list[str], parameters: Sequence[str]) -> Iterator[str]:
    if lines[0].lstrip().startswith(">>>"):
        yield from lines
    elif len(lines) > 2 and set(lines[1].strip()) == {"-"}:
        yield from (f"**{lines[0].strip()}**", "")
        yield from lines[2:] if lines[2].lstrip().startswith(">>>") else _section(lines[2:])
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
    """Yield one item of a list for each line of a section that is not indented; indented lines go on with it.

    A short line before an indented one holds a type: a sentence that goes on fills its line.
    """
    items: list[list[str]] = []
    for line in lines:
        if line.startswith(" ") and items:
            items[-1].append(line.strip())
        else:
            items.append([line.strip()])
    for head, *rest in items:
        name, colon, text = head.partition(" : ")
        if rest and len(head) < SHORT and not head.endswith(","):
            term = f"``{name}`` ({escaped(text)})" if colon else escaped(head)
            yield f"* {term}: {escaped(' '.join(rest))}"
        else:
            text = " ".join([text if colon else head, *rest])
            yield f"* ``{name}``: {escaped(text)}" if colon else f"* {escaped(text)}"


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


def _shorten(_app: Sphinx, doctree: nodes.document) -> None:
    """Write arrays in signatures as people say them: ndarray[float64]."""
    for signature in doctree.findall(addnodes.desc_signature):
        for node in list(signature.findall(nodes.Element)):
            parts = [(i, text) for i, child in enumerate(node.children) if (text := _shown(child).strip())]
            dropped: set[int] = set()
            for start in range(len(parts) - len(ARRAY) - 2):
                indices, texts = zip(*parts[start : start + len(ARRAY) + 3])  # the type of the numbers, two brackets
                if list(texts[: len(ARRAY)]) == ARRAY:
                    dropped |= {*range(indices[2], indices[-3]), *range(indices[-3] + 1, indices[-1])}
            node.children = [child for i, child in enumerate(node.children) if i not in dropped]


def _shown(node: nodes.Node) -> str:
    """Return the text of a part of a signature; a reference holds its text twice, with and without a target."""
    return node.children[0].astext() if isinstance(node, addnodes.pending_xref) else node.astext()


def setup(app: Sphinx) -> dict[str, bool]:
    """Convert each docstring and signature when it is read."""
    app.connect("autodoc-process-docstring", _process)
    app.connect("doctree-read", _shorten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
