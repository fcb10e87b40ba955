"""The verbs of `bayesift screen` in the order in which a reviewer meets them."""

import json

import pytest
from tests.service.literature import is_relevant

from bayesift.filtering.screening.records import read_records
from bayesift.filtering.screening.review import Review

QUESTION = "statins for adults with hiv"


def read_all(path, who="ada", n=1000, list="abstract", wrong=()):
    """Decide about records by the truth, which their titles hold; those of `wrong` places the other way round."""
    read = []
    with Review.open(path) as review:
        while len(read) < n and (found := review.next(list, who=who)):
            record = found[0].record
            truth = is_relevant(f"r{record.title.split()[-1]}") != (len(read) in wrong)
            review.decide(record.id, "include" if truth else "exclude", list=list, who=who)
            read.append(record.id)
    return read


def test_the_whole_way(run, files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ("--question", QUESTION, "--criteria", files / "criteria.md", "--reasons", files / "reasons.txt")
    created = run("screen", "new", "hiv.db", files / "found.ris", files / "more.csv", *options, "--reviewers", 2)
    assert (created.code, created.out) == (0, "")
    assert "hiv.db: 42 records" in created.err
    assert "2 pairs of possible duplicates: bayesift screen duplicates hiv.db" in created.err
    shown = run("screen", "duplicates", "hiv.db")
    assert len(shown.out.splitlines()) == 1 + 2 * 2
    assert run("screen", "duplicates", "hiv.db", "--merge-all").err == "2 pairs merged\n"
    assert run("screen", "duplicates", "hiv.db").err == "no such pairs\n"
    pair = json.loads(run("screen", "duplicates", "hiv.db", "--state", "merged", "--json").out.splitlines()[0])
    ids = pair["first"]["id"], pair["second"]["id"]
    assert run("screen", "duplicates", "hiv.db", "--apart", *ids).code == 0
    assert "are merged" not in run("screen", "duplicates", "hiv.db", "--merge", *ids).err
    read_all("hiv.db", "ada")
    read_all("hiv.db", "bob", wrong=(0, 5))
    status = run("screen", "status", "hiv.db")
    assert "hiv.db: 40 records, 2 merged" in status.out
    assert "2 in conflict: bayesift screen conflicts hiv.db" in status.out
    assert "ada and bob: kappa" in status.out
    assert "Stop: all 40 records are read." in status.out
    numbers = json.loads(run("screen", "status", "hiv.db", "--json").out)
    assert (numbers["people"], numbers["lists"][0]["conflicts"], numbers["agreement"][0]["records"]) == (
        ["ada", "bob"], 2, 40,
    )  # fmt: skip
    conflicts = [json.loads(line) for line in run("screen", "conflicts", "hiv.db", "--json").out.splitlines()]
    assert len(run("screen", "conflicts", "hiv.db").out.splitlines()) == 3
    reason = ("--reason", "wrong drug", "--who", "eve")
    settled = run("screen", "settle", "hiv.db", conflicts[0]["record"], "exclude", *reason)
    assert settled.err == f"{conflicts[0]['record']}: exclude, settled by eve\n"
    assert run("screen", "settle", "hiv.db", conflicts[1]["record"], "include", "--who", "eve").code == 0
    assert run("screen", "conflicts", "hiv.db").err == "no conflicts in the list abstract\n"
    read_all("hiv.db", "ada", list="full-text")
    assert "full-text" in run("screen", "status", "hiv.db").out

    out = ("--ris", "out.ris", "--csv", "out.csv", "--jsonl", "out.jsonl.gz", "--report", "prisma.html")
    assert run("screen", "export", "hiv.db", *out).code == 0
    assert run("screen", "export", "hiv.db", *out).code == 0  # over files of the same kind
    assert "PRISMA 2020" in (tmp_path / "prisma.html").read_text()
    assert run("screen", "import", "other.db", "out.jsonl.gz").err == "other.db: 42 records, 40 of them read\n"
    assert run("screen", "export", "other.db", "--jsonl", "again.jsonl.gz").code == 0
    assert (tmp_path / "again.jsonl.gz").read_bytes() == (tmp_path / "out.jsonl.gz").read_bytes()
    for name in ("out.ris", "out.csv"):
        assert run("screen", "new", f"{name}.db", name, "--reviewers", 2).code == 0
        with Review.open("hiv.db") as one, Review.open(f"{name}.db") as two:
            before, after = one.progress(), two.progress()
            assert (after.included, after.excluded, after.conflicts) == (before.included, before.excluded, 0)
            assert two.progress("full-text").included == one.progress("full-text").included
    assert sum(bool(record.given) for record in read_records("out.csv").records) == 40


def test_records_come_later(run, files, hiv):
    read = read_all(hiv, n=10)
    added = run("screen", "add", hiv, files / "more.csv", "--deduplicate")
    assert f"{hiv}: 12 new records, 0 known ones, 2 duplicates merged" in added.err
    again = run("screen", "add", hiv, files / "more.csv")
    assert "0 new records, 12 known ones" in again.err
    assert set(read).isdisjoint(read_all(hiv))
    numbers = json.loads(run("screen", "status", hiv, "--json").out)
    assert (numbers["merged"], numbers["lists"][0]["read"]) == (2, 40)


def test_settings(run, files, hiv):
    assert run("screen", "set", hiv, "--question", "asthma", "--reviewers", 2, "--open").code == 0
    rule = ("--stop", "in-a-row", "--in-a-row", 7)
    assert run("screen", "set", hiv, *rule, "--criteria", files / "criteria.md").code == 0
    with Review.open(hiv) as review:
        now = review.settings
    assert (now.question, now.reviewers, now.blind) == ("asthma", 2, False)
    assert (now.rule, now.criteria) == ({"method": "in-a-row", "in_a_row": 7}, "- adults\n- any statin")
    assert "7 in a row" in run("screen", "status", hiv).out


def test_bad_records_are_named_and_the_others_kept(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.csv").write_text("title,abstract\nStatins,A trial\n,\nAsthma,B,too,many,cells\nMalaria,nets\n")
    done = run("screen", "new", "odd.db", "odd.csv")
    assert done.code == 0
    assert "odd.csv:" in done.err
    assert "skipped" in done.err
    with Review.open("odd.db") as review:
        assert len(review) >= 2
        summary = review.summary()
    assert summary.flow.unreadable == len([line for line in done.err.splitlines() if line.endswith("; skipped")])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("new", "{hiv}", "{files}/found.ris"), "hiv.db: already exists; choose another name, or add to it"),
        (("new", "new.db", "missing.ris"), "missing.ris: no such file; check the name"),
        (("new", "new.db", "{files}"), "is a folder"),
        (("new", "no/new.db", "{files}/found.ris"), "no such folder"),
        (("new", "new.db", "{files}/criteria.md"), "criteria.md"),
        (("new", "new.db", "{files}/found.ris", "--criteria", "no.md"), "no.md: no such file"),
        (("new", "new.db", "{files}/found.ris", "--recall", "1.5"), "recall is 1.5"),
        (("new", "new.db", "{files}/found.ris", "--reasons", "twice.txt"), "twice.txt:3: duplicate reason 'a'"),
        (("new", "new.db", "{files}/found.ris", "--reasons", "empty.txt"), "empty.txt: no reasons"),
        (("add", "missing.db", "{files}/found.ris"), "missing.db: no such review; create it: bayesift screen new"),
        (("add", "{hiv}", "missing.ris"), "missing.ris: no such file"),
        (("set", "{hiv}"), "no setting is given"),
        (("set", "{hiv}", "--certainty", "0.2"), "certainty is 0.2"),
        (("status", "missing.db"), "missing.db: no such review"),
        (("status", "{files}"), "is a folder"),
        (("status", "{files}/found.ris"), "found.ris: is not a review"),
        (("settle", "{hiv}", "x", "include"), "no record 'x'"),
        (("duplicates", "{hiv}", "--merge", "x", "y"), "no record 'x'"),
        (("duplicates", "{hiv}", "--merge", "x", "y", "--merge-all"), "more than one of"),
        (("export", "{hiv}"), "nothing to write"),
        (("export", "{hiv}", "--ris", "{files}/criteria.md"), "already exists and is not a file of exported records"),
        (("export", "{hiv}", "--csv", "no/out.csv"), "is in a folder that does not exist"),
        (("export", "{hiv}", "--jsonl", "{hiv}"), "is both input and output"),
        (("import", "new.db", "missing.jsonl"), "missing.jsonl: no such file"),
        (("import", "new.db", "{files}/found.ris"), "is not an export of a review"),
        (("import", "{hiv}", "{files}/found.ris"), "already exists"),
    ],
)
def test_bad_input(run, hiv, files, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.txt").write_text("a\nb\na\n")
    (tmp_path / "empty.txt").write_text("\n")
    done = run("screen", *(str(part).format(hiv=hiv, files=files) for part in arguments))
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "new.db").exists()


def test_a_workspace_is_no_review(run, hiv, files, tmp_path):
    news = tmp_path / "news.db"
    assert run("filter", "new", news).code == 0
    assert "is a workspace, not a review; use it with bayesift filter" in run("screen", "status", news).err
    assert "is a review, not a workspace; use it with bayesift screen" in run("filter", "status", hiv).err


def test_help_is_plain(run):
    assert "review a literature" in run("--help").out
    verbs = "new add set duplicates review serve conflicts settle status export import"
    for verb in verbs.split():
        done = run("screen", verb, "--help")
        assert (done.code, "REVIEW" in done.out) == (0, True)


def test_a_wrong_order_of_arguments_and_a_picture_are_named(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "all.jsonl").write_text("{}\n")
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    code, _, err = run("screen", "import", "all.jsonl", "new.db")
    assert code == 2
    assert "all.jsonl: already exists and is not a review; name the new review first, then files" in err
    code, _, err = run("screen", "new", "new.db", "picture.csv")
    assert code == 2
    assert "picture.csv: is not text; formats are: " in err
