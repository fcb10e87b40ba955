"""The documentation site builds without a warning, all its links lead somewhere, and it needs no other host."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import bayesift

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NEEDED = ("sphinx", "myst_parser", "furo")
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
PACKAGES = (
    "beliefs", "classify", "corpora", "decide", "evaluate", "filtering", "integrations", "learn", "model_file",
    "report", "text",
)  # fmt: skip


class Page(HTMLParser):
    """The anchors of a page, its links, and what a browser loads to show it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := given.get(key))}
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(str(given["href"]))
        if tag in LOADED and given.get(LOADED[tag]):
            self.loaded.append(str(given[LOADED[tag]]))
        self.loaded += re.findall(r"url\(['\"]?([^'\")]+)", given.get("style") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: pip install '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, str(DOCS / "build.py"), str(folder)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(bayesift.__file__).parents[1])},
    )
    assert (built.returncode, built.stdout, built.stderr) == (0, "", ""), built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    found = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    assert len(found) > 40
    return found


def is_elsewhere(address: str) -> bool:
    return bool(urlsplit(address).netloc) or urlsplit(address).scheme in ("http", "https")


def test_every_source_page_is_built(site, pages):
    sources = {p.relative_to(DOCS).with_suffix(".html") for p in DOCS.rglob("*.md")}
    assert sources <= {p.relative_to(site / bayesift.__version__) for p in pages if p.parent != site}


def test_every_link_leads_to_a_page_and_an_anchor(site, pages):
    broken = []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if is_elsewhere(link) or parts.scheme in ("mailto", "data") or link == "#":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                broken.append((path.name, link, "no such file"))
            elif parts.fragment and target.suffix == ".html":
                known = pages[target] if target in pages else Page(target.read_text("utf-8"))
                if unquote(parts.fragment) not in known.anchors:
                    broken.append((path.name, link, "no such anchor"))
    assert broken == []


def test_nothing_is_loaded_from_another_host(site, pages):
    loaded = {(path.name, address) for path, page in pages.items() for address in page.loaded if is_elsewhere(address)}
    for path in site.rglob("*.css"):
        text = path.read_text("utf-8")
        addresses = re.findall(r"url\(['\"]?([^'\")]+)", text) + re.findall(r"@import\s+['\"]([^'\"]+)", text)
        loaded |= {(path.name, address) for address in addresses if is_elsewhere(address)}
    assert loaded == set()
    assert any(page.loaded for page in pages.values())  # the parser does find what is loaded


def test_formulas_are_mathml_and_need_no_script(site, pages):
    page = (site / bayesift.__version__ / "models" / "perceptron.html").read_text("utf-8")
    assert page.count("<math") > 10
    assert "mathjax" not in page.lower()


def test_pages_show_the_version_and_the_start_page_leads_to_it(site, pages):
    version = bayesift.__version__
    for path in pages:
        if path.parent != site:
            assert f"Version {version}" in path.read_text("utf-8"), path
    assert f"url={version}/index.html" in (site / "index.html").read_text("utf-8")


def test_the_newest_version_comes_first(site, tmp_path):
    code = importlib.util.spec_from_file_location("build", DOCS / "build.py")
    build = importlib.util.module_from_spec(code)
    code.loader.exec_module(build)
    for name in ("0.9.0", "0.10.0", "0.2.1", "notes"):
        (tmp_path / name).mkdir()
    build.write_versions(tmp_path)
    assert re.findall(r"<li><a href=\"(.*?)/", (tmp_path / "versions.html").read_text()) == ["0.10.0", "0.9.0", "0.2.1"]
    assert "url=0.10.0/index.html" in (tmp_path / "index.html").read_text()


def test_the_command_line_page_has_every_verb_and_option(site):
    import typer.main

    from bayesift.cli.main import app

    page = (site / bayesift.__version__ / "reference" / "command-line.html").read_text("utf-8")
    for name, command in typer.main.get_command(app).commands.items():
        assert f'id="bayesift-{name}"' in page
        for option in (o for p in command.params for o in p.opts if o.startswith("--") and o != "--help"):
            assert option in page, (name, option)


def test_the_command_line_page_writes_options_as_they_are_typed(site):
    page = (site / bayesift.__version__ / "reference" / "command-line.html").read_text("utf-8")
    text = re.sub(r"<[^>]+>", "", page)
    assert "--empty none|unlabelled" in text  # a bar does not end the cell
    assert not re.findall(r"\u2013[a-z].*", text)  # two hyphens do not become a dash
    assert "`" not in text


def test_the_api_shows_examples_as_code_and_arrays_by_their_type(site):
    page = (site / bayesift.__version__ / "reference" / "api" / "learn.html").read_text("utf-8")
    text = re.sub(r"<[^>]+>", "", page)
    assert text.count("Examples") > 3
    assert not re.search(r"<li><p>(array|&gt;&gt;&gt;)|<li><div class=\"doctest", page)
    assert "ndarray[float64]" in text
    assert "ndarray[tuple" not in text


@pytest.mark.parametrize("package", PACKAGES)
def test_the_api_has_every_public_name(site, package):
    module = importlib.import_module(f"bayesift.{package}")
    page = (site / bayesift.__version__ / "reference" / "api" / f"{package}.html").read_text("utf-8")
    headings = set(re.findall(r"<h2>(\w+)<", page))
    assert headings == {name for name in module.__all__ if not name.startswith("_")}


def test_docstrings_become_restructured_text(site):
    checked = subprocess.run(
        [sys.executable, "-m", "doctest", str(DOCS / "_ext" / "docstrings.py")], capture_output=True, text=True
    )
    assert (checked.returncode, checked.stdout) == (0, "")
