"""Settings of the documentation site; `make docs` builds it.

Sphinx, because it generates the Python reference from the docstrings and checks every link while it builds. MyST,
because pages in Markdown are also readable on GitHub. Furo, because it is small, reads well on a phone, has a dark
mode, and loads no fonts or scripts from other hosts. Formulas are MathML, made by docutils at build time.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from bayesift import __version__  # noqa: E402

project = "bayesift"
copyright = "the bayesift contributors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "docstrings", "generated", "mathml"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_*"]
templates_path = ["_templates"]
nitpicky = False  # types of other packages have no page here

myst_enable_extensions = ["dollarmath", "attrs_inline", "attrs_block"]
myst_heading_anchors = 4
myst_update_mathjax = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
add_module_names = False

html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"bayesift {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": {"color-brand-primary": "#7cb3f0", "color-brand-content": "#7cb3f0"},
}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/versions.html",
        "sidebar/scroll-end.html",
    ]
}
