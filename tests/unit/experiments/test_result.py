"""A file of results is renewed section by section."""

from bayesift.experiments.result import Result, Row, put_section

ORDER = ["first", "second", "third"]


def result(name, ours):
    return Result(name, "corpus", rows=[Row("system", "setting", "metric", None, ours)], notes=["A note."])


def test_sections_are_renewed_in_place(tmp_path):
    path = tmp_path / "RESULTS.md"
    for name, ours in (("second", 10.0), ("first", 20.0), ("second", 30.0)):
        put_section(path, result(name, ours), ORDER)
    text = path.read_text()
    assert text.index("### first") < text.index("### second")
    assert text.count("###") == 2
    assert "20.00" in text
    assert "30.00" in text
    assert "10.00" not in text
    assert text.count("A note.") == 2
    before = text
    put_section(path, result("second", 30.0), ORDER)
    assert path.read_text() == before
