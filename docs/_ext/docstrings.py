"""Turn the plain text of docstrings into reStructuredText, which Sphinx reads.

Docstrings are written to be read in an editor: `name` is code, |x| is a modulus, a block that is indented by four is a
formula. In reStructuredText these are a reference, a substitution and a quotation.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"``[^`]+``|`[^`]+`")
SECTIONS = re.compile(r"(Parameters|Returns|Raises|Yields|Attributes|Examples|Notes|References)$")


def converted(lines: list[str]) -> list[str]:
    """Return the lines of a docstring as reStructuredText.

    >>> converted(["The mean of |x|, see `fit`.", "", "    a += b", "", ">>> 1 | 2", "3"])
    ['The mean of \\\\|x\\\\|, see ``fit``.', '', '::', '', '    a += b', '', '>>> 1 | 2', '3']
    """
    found: list[str] = []
    doctest = formula = False
    in_section = False  # of numpy style, where indented lines are descriptions
    for number, line in enumerate(lines):
        if SECTIONS.match(line) and number + 1 < len(lines) and set(lines[number + 1]) == {"-"}:
            in_section = True
        if not line.strip():
            doctest = False
            found.append(line)
            continue
        doctest = doctest or line.lstrip().startswith(">>>")
        indented = line.startswith("    ") and not doctest and not in_section
        if indented and not formula:
            found += ["::", ""]
        elif formula and not indented and found[-1].strip():
            found.append("")
        formula = indented
        found.append(line if doctest or indented or set(line) == {"-"} else escaped(line))
    return found


def escaped(line: str) -> str:
    """Return a line of text with its code marked and its other characters taken literally.

    >>> escaped("`a_` is a_ * b")
    '``a_`` is a\\\\_ \\\\* b'
    """
    parts, end = [], 0
    for match in CODE.finditer(line):
        end_of_word = "\\ " if line[match.end() : match.end() + 1].isalnum() else ""  # as in `Document`s
        parts += [_literal(line[end : match.start()]), f"``{match.group().strip('`')}``{end_of_word}"]
        end = match.end()
    return "".join([*parts, _literal(line[end:])])


def _literal(text: str) -> str:
    return re.sub(r"([*|\\`])|(_)(?=\W|$)", lambda m: "\\" + m.group(), text)


def _process(_app: Sphinx, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = converted(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Convert before napoleon reads sections such as Parameters."""
    app.connect("autodoc-process-docstring", _process, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
