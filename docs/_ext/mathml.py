"""Render formulas as MathML, which browsers show without a script or a font from elsewhere."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx


def inline(writer: Any, node: nodes.math) -> None:
    """Write a formula within a sentence."""
    writer.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own; a wide one scrolls within the page."""
    writer.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
