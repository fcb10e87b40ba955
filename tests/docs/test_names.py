"""What the pages name exists: modules, classes and functions of bayesift, and files of the repository."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WRITTEN = [p for p in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "CONTRIBUTING.md"] if p.name != "RESULTS.md"]
NAME = re.compile(r"`(bayesift(?:\.\w+)+)")
FILE = re.compile(r"(?<![\w/])((?:tests|benchmarks|examples|docs|src/bayesift)/[\w./-]*\w/?)")
FOLDERS = re.compile(r"^  ([a-z_]+)/ ", re.MULTILINE)


def resolves(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_names_are_told_apart():
    assert resolves("bayesift.decide.document_confidence")
    assert not resolves("bayesift.decide.no_such_name")
    assert not resolves("bayesift.no_such_module")


@pytest.mark.parametrize("page", WRITTEN, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_page_names_what_exists(page):
    text = page.read_text("utf-8")
    assert [name for name in NAME.findall(text) if not resolves(name)] == []
    assert [name for name in FILE.findall(text) if not (ROOT / name).exists()] == []


def test_the_code_map_has_every_package():
    text = (ROOT / "docs" / "contributing" / "code-map.md").read_text("utf-8")
    packages = {p.parent.name for p in (ROOT / "src" / "bayesift").glob("*/__init__.py")}
    assert set(FOLDERS.findall(text.split("tests/ ")[0])) == packages


def test_the_format_of_model_files_is_described_as_it_is():
    from bayesift.model_file import VERSION

    text = (ROOT / "docs" / "reference" / "model-file.md").read_text("utf-8")
    assert text.startswith(f"# Model file, format version {VERSION}\n")
    assert f'| `"bayesift model"`, {VERSION} |' in text


def test_the_guide_lists_every_learner_and_rule():
    from bayesift.classify.registry import RULES, TARGETS
    from bayesift.learn.registry import LEARNERS

    learners, rules = (ROOT / "docs" / "guides" / "choosing.md").read_text("utf-8").split("## Rules")
    assert {name for name in LEARNERS if f"| `{name}`" not in learners} == set()
    assert {name for name in RULES if f"`{name}`" not in rules} == set()
    assert {name for name in TARGETS if f"| `{name}=" not in rules} == set()


def test_the_code_map_is_in_the_order_of_the_layers():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    height = {name: i for i, layer in enumerate(layers) for name in re.split(r" [|:] ", layer)}
    text = (ROOT / "docs" / "contributing" / "code-map.md").read_text("utf-8")
    shown = [height[name] for name in FOLDERS.findall(text.split("tests/ ")[0])]
    assert shown == sorted(shown)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_the_links_of_a_file_lead_to_files(name):
    links = re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text("utf-8"))
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
