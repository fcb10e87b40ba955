"""What a public repository has: the workflow, templates, a citation, and one version."""

import re
import tomllib
from pathlib import Path

import pytest

import bayesift

ROOT = Path(__file__).parents[2]
yaml = pytest.importorskip("yaml", reason="needs PyYAML, which the docs extra brings")


def read(name):
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_workflow_tests_every_python_that_is_supported():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    jobs = read(".github/workflows/test.yml")["jobs"]
    versions = jobs["test"]["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    assert project["requires-python"] == f">={versions[0]}"
    assert any("make test" in step.get("run", "") for step in jobs["test"]["steps"])
    assert jobs["smoke"]["strategy"]["matrix"]["system"] == ["macos-latest", "windows-latest"]
    steps = " ".join(step.get("run", "") for step in jobs["smoke"]["steps"])
    assert all(part in steps for part in ("pip install .", "bayesift train", "bayesift predict"))
    assert any(step.get("run") == "make docs" for step in jobs["docs"]["steps"])


def test_no_workflow_uses_a_secret():
    for file in (ROOT / ".github" / "workflows").glob("*.yml"):
        assert "secrets." not in file.read_text("utf-8")


def test_the_citation_names_the_four_papers():
    cited = read("CITATION.cff")
    assert [(r["authors"][0]["family-names"], r["year"]) for r in cited["references"]] == [
        ("Chai", 2002),
        ("Eyheramendy", 2003),
        ("Goutte", 2007),
        ("Zhang", 2010),
    ]


@pytest.mark.parametrize("name", [".pre-commit-config.yaml", ".github/ISSUE_TEMPLATE/bug.yml",
                                  ".github/ISSUE_TEMPLATE/feature.yml"])  # fmt: skip
def test_settings_can_be_read(name):
    assert read(name)


def test_the_version_is_written_once():
    pattern = re.compile(rf"\b{re.escape(bayesift.__version__)}\b")
    places = ["pyproject.toml", "CITATION.cff", "docs/conf.py", "src/bayesift/__init__.py"]
    assert [name for name in places if pattern.search((ROOT / name).read_text("utf-8"))] == ["src/bayesift/__init__.py"]


def test_pictures_are_small():
    pictures = list((ROOT / "docs" / "images").iterdir())
    own = {"report", "explanation", "filter", "inbox", "screening", "terminal"}
    of_tools = {"annotation", "asreview", "frames", "label-studio", "mcp", "onnx", "river", "scikit-learn", "try"}
    assert {p.stem for p in pictures} == own | of_tools
    assert all(p.stat().st_size < 150_000 for p in pictures)


def test_every_page_of_a_tool_has_a_picture():
    guides = ROOT / "docs" / "guides" / "integrations"
    for page in guides.glob("*.md"):
        found = re.findall(r"!\[.+?\]\((.+?)\)", page.read_text("utf-8"))
        assert found or page.stem in ("index", "try"), f"{page.name} has no picture"
        assert all((guides / name).is_file() for name in found)
