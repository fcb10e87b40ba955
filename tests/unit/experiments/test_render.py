"""The pages and figures are what the stored results give, and every stored figure is shown."""

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bayesift.errors import BadInput
from bayesift.experiments import EXPERIMENTS, render
from bayesift.experiments.figures import FIGURES
from bayesift.experiments.headline import PUBLISHED, headline
from bayesift.experiments.layouts import LAYOUTS
from bayesift.experiments.layouts.zhang2010 import CORPORA
from bayesift.experiments.result import Result, Row, read_result

ROOT = Path(render.__file__).parents[3]
STORED = {name: read_result(ROOT / "docs" / "results" / f"{name}.json") for name in EXPERIMENTS}


def test_every_experiment_has_a_layout_and_a_heading():
    assert set(LAYOUTS) == set(EXPERIMENTS)
    assert all(any(name.startswith(paper) for paper in render.PAPERS) for name in EXPERIMENTS)
    assert set(FIGURES) <= set(EXPERIMENTS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_stored_figure_is_in_a_cell(name):
    result = STORED[name]
    keys = [row.key for row in result.rows]
    assert len(keys) == len(set(keys))
    shown = set().union(*(layout.keys() for layout in LAYOUTS[name]))
    assert {(*key[:2], key[2].removesuffix(" sd")) for key in keys} <= shown
    assert all(layout.table(result).rows for layout in LAYOUTS[name])


def test_the_pages_and_figures_are_those_of_the_stored_results(tmp_path):
    docs, readme = tmp_path / "docs", tmp_path / "README.md"
    docs.mkdir()
    shutil.copytree(ROOT / "docs" / "results", docs / "results", ignore=shutil.ignore_patterns("*.svg"))
    shutil.copy(ROOT / "README.md", readme)
    render.render(docs, readme)
    for path in (readme, docs / "RESULTS.md", *(docs / "results").glob("*.svg")):
        assert path.read_text("utf-8") == (ROOT / path.relative_to(tmp_path)).read_text("utf-8")


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_a_file_of_its_own_in_light_and_dark(name):
    drawn = FIGURES[name](STORED[name])
    assert "prefers-color-scheme:dark" in drawn
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    assert "nan" not in drawn


def test_published_figures_are_of_corpora_here_and_named_with_their_source():
    assert {corpus for figures in PUBLISHED.values() for corpus in figures} <= set(CORPORA)
    assert "arXiv:1904.08398" in headline(STORED["zhang2010-f1"], STORED["best"])


def test_the_headline_shows_micro_macro_and_seconds():
    rows = [Row("bayesift predict", "TMC2007", *each) for each in (
        ("micro_f1", None, 64.99), ("macro_f1", None, 60.89), ("seconds", None, 1.234)
    )]  # fmt: skip
    best = [Row("best, predict", "TMC2007", row.metric, None, row.ours + 1) for row in rows]
    table = headline(Result("zhang2010-f1", "all", rows=rows), Result("best", "all", rows=best)).splitlines()
    line = next(line for line in table if "TMC2007" in line)
    assert "| 64.99 / 60.89, 1.2 s | 65.99 / 61.89, 2.2 s |" in line
    assert line.count("–") == 3  # systems without a result


def test_a_section_says_when_slow_rows_were_computed():
    result = Result("chai2002-table2", "c", optional={"SVM_a-2": "2026-01-02", "SVM_b-2": "2026-01-02"})
    assert "Computed on 2026-01-02 with `--kernel-svm`: SVM_a-2, SVM_b-2." in render.section(result)


def test_the_table_is_put_between_the_marks(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(f"before\n{render.BEGIN}\nold\n{render.END}\nafter\n")
    render.write_readme(path, "| new |")
    assert path.read_text() == f"before\n{render.BEGIN}\n| new |\n{render.END}\nafter\n"


@pytest.mark.parametrize("text", ["no marks", f"{render.END} {render.BEGIN}", render.BEGIN])
def test_a_file_without_marks_is_left_alone(tmp_path, text):
    path = tmp_path / "README.md"
    path.write_text(text)
    with pytest.raises(BadInput, match="marks"):
        render.write_readme(path, "| new |")
    assert path.read_text() == text


def test_what_was_not_run_stays(run, tmp_path):
    """A run renews its own section and figure; stored results of others keep theirs."""
    (tmp_path / "results").mkdir()
    name = "zhang2010-shards"
    shutil.copy(ROOT / "docs" / "results" / f"{name}.json", tmp_path / "results")
    code, _, err = run("reproduce", "chai2002-figure1", "--docs", tmp_path)
    assert code == 0, err
    text = (tmp_path / "RESULTS.md").read_text("utf-8")
    assert text.count("\n### ") == 2
    assert render.section(STORED[name]) in text
    assert (tmp_path / "results" / "chai2002-figure1.svg").exists()
    before = text
    assert run("reproduce", "--render", "--docs", tmp_path).code == 0
    assert (tmp_path / "RESULTS.md").read_text("utf-8") == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--render",), "--render needs --docs"),
        (("chai2002-figure1", "--readme", "README.md"), "--readme needs --docs"),
        (("--all", "--json", "r.json"), "--json takes one experiment"),
        (("chai2002-figure1", "--docs", "no-such-folder"), "is not a folder"),
        (("chai2002-figure1", "--docs", ".", "--categories", "2"), "--docs stores whole tables"),
        (("chai2002-figure1", "chai2002-table99"), "no experiment 'chai2002-table99'"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_anything_runs(run, arguments, message):
    code, out, err = run("reproduce", *arguments)
    assert (code, out) == (2, "")
    assert message in err
