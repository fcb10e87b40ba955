"""HTML is stripped, what only looks like it is not, and no text takes long."""

from pathlib import Path

import pytest

from bayesift import TextClassifier, load
from bayesift.corpora import load_corpus
from bayesift.errors import BadInput
from bayesift.text import TextVectorizer
from bayesift.text.markup import markup, places, strip_markup


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<p>Fish &amp; chips</p>", " Fish & chips "),
        ("caf&eacute; &#233; &#xE9;&nbsp;x", "café é é x"),
        ('<a href="/x?a=1&b=2">link</a>', " link "),
        ("a<br>b<BR/>c<br />d<hr>", "a b c d "),
        ("<script type=x>if (a<b) evil()</SCRIPT >ok<style>p{}</style>", " ok "),
        ("<!-- not\nshown --> shown", "  shown"),
        ("<?xml version='1.0'?><jats:p>JATS</jats:p><note id='1'/>", "  JATS  "),
        ("<!DOCTYPE html><html><body>x</body></html>", "   x  "),
        ('<img src="a.png" alt="b">c', " c"),
    ],
)
def test_markup_is_stripped(text, plain):
    assert strip_markup(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "a < b and c > d", "x<y", "x<y and z>w", "a<b and c>d", "a<b and c==d>e", "List<String> Map<K,V> vector<int>",
        "p<0.05 and r>0.3", "AT&T R&D; &unknown; a&b", "<john@x.com> <http://a.b/c>", "<IBM> <NAV> <DD>",
        "open <!-- for ever", "<Response status=200>", "if i<n: print(n>i)",
    ],
)  # fmt: skip
def test_what_only_looks_like_markup_is_kept(text):
    assert strip_markup(text) == text


@pytest.mark.parametrize(
    "part",
    ["<", "<!--", "<a ", "<a =", "<script>", "<script x=1>", "&", "&amp", "</a", "<a:", "<p>", "<a\n=", "<style><!--"],
)
def test_hostile_text_is_read_at_once(part):
    text = part * (400_000 // len(part))  # less than a second; many minutes if the time grew with the square
    assert len(places(text)) == len(strip_markup(text))


def test_the_vectoriser_strips_by_default():
    text = ["<b>caf&eacute;</b> <script>var x</script> strong"]
    assert list(TextVectorizer(stem=None).fit(text).get_feature_names_out()) == ["café", "strong"]
    assert "eacute" in TextVectorizer(stem=None, html="keep").fit(text).get_feature_names_out()
    assert list(TextVectorizer(stem=None).fit([{"title": "R&amp;D &lt;x&gt;"}]).get_feature_names_out()) == []
    with pytest.raises(BadInput, match="html is 'maybe'"):
        TextVectorizer(html="maybe").fit(text)


@pytest.mark.parametrize("name", ["docstrings", "reuters21578", "ohsumed91"])
def test_published_corpora_have_no_markup(name, corpus_folder):
    if name != "docstrings":
        corpus_folder(name)
    found = {t[a:b] for d in load_corpus(name).documents() for t in (d.title, d.body) for a, b, _ in markup(t)}
    assert found <= {"<P>"}  # a ticker; one letter is no word


def test_highlighting_shows_the_original_text(tmp_path):
    model = TextClassifier().fit(["blé exports", "oil fell"] * 9, ["grain", "crude"] * 9)
    text = "<i>bl&eacute;</i> &amp; more<br>exported"
    model.save(tmp_path / "m")
    for m in (model, load(tmp_path / "m")):
        found = m.explain([text], ["grain"])[0].text
        assert "".join(part.text for part in found) == text
        assert [part.text for part in found if part.amount > 0] == ["bl&eacute;", "exported"]


def test_a_model_from_before_reads_html_as_it_learned_it():
    old = Path(__file__).parent.parent / "classify" / "data" / "version-1-multilabel.model"
    assert load(old).vectorizer_.html == "keep"
