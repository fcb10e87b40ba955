"""Render formulas as MathML, which browsers show without a script or a font from elsewhere."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

FUNCTION = re.compile(r"(\\(?:ln|log)(?:_2)?) (?=[A-Za-z\\\d])")  # before a name docutils leaves no space: log Z
BAR = re.compile(r"<mo[^>]*>([|\u2016])</mo>")  # a modulus: both bars have the same height, and no space
logger = logging.getLogger(__name__)


def inline(writer: Any, node: nodes.math) -> None:
    """Write a formula within a sentence."""
    writer.body.append(_mathml(node, as_block=False))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own; a wide one scrolls within the page."""
    writer.body.append(f'<div class="formula">{_mathml(node, as_block=True)}</div>')
    raise nodes.SkipNode


def _mathml(node: nodes.Node, as_block: bool) -> str:
    try:
        made = tex2mathml(FUNCTION.sub(r"\1\,", node.astext()), as_block=as_block)
        return BAR.sub(r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>', str(made))
    except MathError as error:
        logger.warning("%s in the formula %r", error, node.astext(), location=node)
        return f"<code>{escape(node.astext())}</code>"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
