"""Every example runs, and says what it promises."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
SAYS = {
    "own_knowledge.py": "with knowledge: P(crude) = ",
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


def test_the_tutorials_commands_run(run, tmp_path, monkeypatch):
    """Every line of its shell blocks that is a command of ours and waits for nothing."""
    tutorial = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text()
    lines = [line for block in tutorial.split("```sh\n")[1:] for line in block.split("```")[0].splitlines()]
    commands = [line.partition("#")[0].split() for line in lines if line.startswith("bayesift ")]
    verbs = {"cross-validate", "train", "inspect", "evaluate", "explain", "update", "compare"}
    assert {c[1] for c in commands} == verbs
    monkeypatch.chdir(tmp_path)
    assert run("corpus", "export", "docstrings", "mine.jsonl").code == 0
    whole = (tmp_path / "mine.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "mine.jsonl").write_bytes(b"".join(whole[::6]))
    (tmp_path / "held-out.jsonl").write_bytes(b"".join(whole[1::6]))
    (tmp_path / "judged.jsonl").write_bytes(b"".join(whole[2::30]))
    for _, *arguments in commands:
        if arguments[0] == "update":
            (tmp_path / "old.model").write_bytes((tmp_path / "mine.model").read_bytes())
        text = " ".join(arguments).partition(' --text "')
        if text[1]:
            arguments = [*text[0].split(), "--text", text[2].rstrip('"')]
        result = run(*arguments)
        assert (result.code, "Traceback" in result.err) == (0, False), (arguments, result.err)
