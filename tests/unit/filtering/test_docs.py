"""The code of docs/guides/filtering.md runs as written."""

from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "guides" / "filtering.md"


def test_the_first_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code = PAGE.read_text().split("```python\n")[1].split("```")[0]
    names = {}
    exec(compile(code, "docs/guides/filtering.md", "exec"), names)
    assert capsys.readouterr().out.startswith("delivered grain 0.")
    assert [type(event).__name__ for event in names["events"]] == ["Shown", "Judged", "Withdrawn"]
    assert list(names["loop"].waiting) == [("grain", "2504.01234")]
