"""Markdown as HTML: headings, lists, paragraphs and emphasis, and nothing of the text is markup."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesift.display.markdown import markdown_html

ALLOWED = {"h3", "p", "ul", "ol", "li", "strong", "em"}


class Nested(HTMLParser):
    """Check that only our tags are there, without attributes, and that each is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED
        assert not attrs or (tag == "ol" and attrs[0][0] == "start")
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@given(st.text(st.sampled_from("ab <>&\"'-*#\n1."), max_size=80))
def test_only_our_tags_are_there(text: str) -> None:
    html = markdown_html(text)
    tags = Nested()
    tags.feed(html)
    assert not tags.open
    kept = re.sub(r"</?(?:h3|p|ul|ol|li|strong|em)(?: start=\"\d+\")?>", "", html)
    assert "<" not in kept
    assert set(re.sub(r"[#*\-+\d.)\s]", "", text)) == set(re.sub(r"[#*\-+\d.)\s]", "", unescape(kept)))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("one\ntwo\n\nthree", "<p>one two</p><p>three</p>"),
        ("## Exclude ##\n* animals\n  only\n1. letters", "<h3>Exclude</h3><ul><li>animals only</li></ul>"
         '<ol start="1"><li>letters</li></ol>'),
        ("*n* = 2 * 3 * 4, **at *least***", "<p><em>n</em> = 2 * 3 * 4, <strong>at *least</strong>*</p>"),
        ("**a *b** c*", "<p><strong>a *b</strong> c*</p>"),
        ("<script>x</script>\n[x](javascript:1)", "<p>&lt;script&gt;x&lt;/script&gt; [x](javascript:1)</p>"),
    ],
)  # fmt: skip
def test_what_is_shown(text: str, html: str) -> None:
    assert markdown_html(text) == html
