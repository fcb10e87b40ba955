"""The page "Try it" of the documentation, in a browser."""

from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_labels_follow_the_text(page, tmp_path):
    source = (DOCS / "guides" / "integrations" / "try.md").read_text("utf-8")
    part = source.partition("```{raw} html\n")[2].partition("```")[0]
    script = (DOCS / "_static" / "try.js").read_text("utf-8")
    file = tmp_path / "guides" / "integrations" / "try.html"
    file.parent.mkdir(parents=True)
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "try.js").write_text(script, "utf-8")
    file.write_text(f"<!doctype html><meta charset=utf-8><title>Try it</title>{part}", "utf-8")
    page.goto(file.as_uri())
    assert page.locator("#try-table tbody tr").count() == 8
    assert page.locator("#try-table tbody td").first.inner_text() == "stats"
    page.fill("#try-text", "Solve a system of linear equations by LU decomposition of the matrix")
    assert page.locator("#try-table tbody td").first.inner_text() == "linalg"
    page.fill("#try-text", "Cluster samples around centroids")
    assert page.locator("#try-table tbody td").first.inner_text() == "cluster"
