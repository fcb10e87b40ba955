"""Every example runs, and says what it promises."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
SAYS = {
    "prior_terms.py": "with prior terms: P(crude) = ",
    "quickstart.py": "micro F1 0.9",
    "search.py": "by cross-validation",
    "stream.py": "of the last 100",
}


def test_all_are_known():
    assert {e.name for e in EXAMPLES} == set(SAYS)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.stem)
def test_an_example_runs(example, capsys):
    runpy.run_path(str(example), run_name="__main__")
    assert SAYS[example.name] in capsys.readouterr().out


def test_the_readme_runs(tmp_path, monkeypatch, capsys):
    """Its first block of Python, as it stands."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    code = readme.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert "micro F1" in capsys.readouterr().out
    assert list(tmp_path.iterdir())  # a model was saved
