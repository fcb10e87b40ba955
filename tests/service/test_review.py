"""A review in a database: lists, decisions, several reviewers, undo, duplicates, export and import."""

import threading

import msgspec
import numpy as np
import pytest
from tests.service.literature import is_relevant, literature

from bayesift.errors import BadInput, BayesiftError, NotFound
from bayesift.filtering.screening.records import Given, Record
from bayesift.filtering.screening.review import Review
from bayesift.filtering.screening.store.state import State
from bayesift.filtering.store import StoreFailed, Workspace, schema
from bayesift.filtering.store.locking import CATALOGUE

QUESTION = "statins for adults with hiv"


def read_on(review, n, who="ada", **options):
    """Let a person read n records and decide by the truth; return their ids."""
    read = []
    for _ in range(n):
        found = review.next(who=who, **options)
        if not found:
            break
        id = found[0].record.id
        review.decide(id, "include" if is_relevant(id) else "exclude", who=who, list=options.get("list", "abstract"))
        read.append(id)
    return read


def picture(state):
    """Return all that a state holds, to compare."""
    lists = {
        name: (
            found.status.tolist(), found.learned.tolist(), found.relevant.tolist(), found.first.tolist(),
            found.source.tolist(), {who: codes.tolist() for who, codes in found.persons.items() if codes.any()},
        )
        for name, found in state.lists.items()
    }  # fmt: skip
    return lists, state.merges.root.tolist(), state.settings, state.size, state.last, state.grown


def replayed(review):
    """Return the picture of a replay of all events, and check that it is that of the review."""
    state = State()
    state.fold(list(enumerate(review.events(), 1)))
    with review._live.reading():
        assert picture(review._live.state) == picture(state)
    return state


def test_a_review_finds_the_relevant_records_early(url):
    with Review.create(url, literature(300), question=QUESTION) as review:
        assert review.progress().remaining is None  # too few are read
        read = read_on(review, 60)
        assert len(set(read)) == 60
        relevant = sum(is_relevant(f"r{i}") for i in range(300))
        assert sum(map(is_relevant, read)) > 0.9 * relevant
        progress = review.progress(who="ada")
        assert (progress.records, progress.read, progress.unread) == (300, 60, 240)
        assert progress.included + progress.excluded == progress.mine == 60
        assert progress.left == 240
        assert progress.remaining.low <= relevant - progress.included <= progress.remaining.high
        replayed(review)
    with Review.open(url) as again:
        assert again.next(who="ada")[0].record.id not in read


def test_the_next_record_is_the_same_after_reopening(url):
    with Review.create(url, literature(120), question=QUESTION) as review:
        read_on(review, 25)
        before = review.next(who="ada", count=120)
    with Review.open(url, write=False) as again:
        assert again.next(who="ada", count=120) == before
        with pytest.raises(BadInput, match="opened for reading only"):
            again.decide(before[0].record.id, "include", who="ada")


def test_two_lists(url):
    with Review.create(url, literature(40)) as review:
        assert review.next("full-text", who="ada") == []
        read = read_on(review, 40)
        included = [id for id in read if is_relevant(id)]
        assert {found.record.id for found in review.next("full-text", who="ada", count=40)} == set(included)
        review.decide(included[0], "exclude", list="full-text", who="ada", reason="wrong outcome")
        assert review.progress("full-text").excluded == 1
        other = next(id for id in read if not is_relevant(id))
        with pytest.raises(BadInput, match="not in the list 'full-text'; include it by title and abstract first"):
            review.decide(other, "include", list="full-text", who="ada")
        seen = review.record(included[0])
        assert seen.status == {"abstract": "include", "full-text": "exclude"}
        assert seen.opinions["full-text"][0].reason == "wrong outcome"
        replayed(review)


def test_maybe_comes_back_at_the_end_and_teaches_nothing(url):
    with Review.create(url, literature(10)) as review:
        first = review.next(who="ada")[0].record.id
        review.decide(first, "maybe", who="ada", note="read again", tags=["unclear", "unclear", " "])
        assert not (review._live.state.lists["abstract"].learned >= 0).any()
        read = read_on(review, 9)
        assert first not in read
        (last,) = review.next(who="ada", count=5)
        assert (last.record.id, last.mine.decision, last.mine.note, last.mine.tags) == (
            first, "maybe", "read again", ("unclear",),
        )  # fmt: skip
        assert review.progress().maybe == 1
        review.decide(first, "include", who="ada")
        assert review.next(who="ada") == []
        assert review.progress().stopping.stop


def test_orders(url):
    with Review.create(url, literature(60), question=QUESTION) as review:
        dates = [found.record.year for found in review.next(who="ada", order="date", count=60)]
        assert dates == sorted(dates, reverse=True)
        drawn = review.next(who="ada", order="random", count=60)
        assert drawn == review.next(who="ada", order="random", count=60)
        assert len({found.record.id for found in drawn}) == 60
        assert [found.source for found in drawn] == 2 * ["random"] + 58 * ["other"]  # the next one is there at once
        review.decide(drawn[1].record.id, "exclude", who="ada")
        assert review.progress().certificate.draws == 0  # the one before it is not decided
        assert review.next(who="ada", order="random")[0].record == drawn[0].record  # it stays until it is decided
        review.decide(drawn[0].record.id, "exclude", who="ada")
        assert review.progress().certificate.draws == 2
        review.undo("ada")
        assert review.next(who="ada", order="random")[0].record == drawn[0].record
        with pytest.raises(BadInput, match="no order 'best'; choose one of: ranked, random, date"):
            review.next(who="ada", order="best")


def test_the_certified_rule_draws_at_random_and_stops(url):
    with Review.create(url, literature(400), question=QUESTION, rule={"recall": 0.8}) as review:
        sources = []
        while not review.progress().stopping.stop:
            (found,) = review.next(who="ada")
            sources.append(found.source)
            review.decide(found.record.id, "include" if is_relevant(found.record.id) else "exclude", who="ada")
        progress = review.progress()
        assert progress.certificate.holds
        assert progress.certificate.draws == sources.count("random") > 0
        assert progress.read < 400
        assert sources[0] == "ranked"


def test_persons_at_the_same_time_have_draws_of_their_own(url):
    with Review.create(url, literature(60)) as review, Review.open(url) as elsewhere:
        ada = [found.record.id for found in review.next(who="ada", order="random", count=2)]
        bob = [found.record.id for found in elsewhere.next(who="bob", order="random", count=2)]
        assert len({*ada, *bob}) == 4
        assert [type(event).__name__ for event in review.events()[-4:]] == ["Drawn"] * 4
        for id in bob:
            elsewhere.decide(id, "exclude", who="bob")
        assert review.progress().certificate.draws == 0  # ada's were drawn before, and may be the relevant ones
        read_on(elsewhere, 5, "bob", order="random")
        for id in ada:
            review.decide(id, "include", who="ada")
        proof = review.progress().certificate
        assert (proof.draws, proof.hits) == (9, review.reading().found)
        draws = review.reading().draws()
        assert draws.unread_before.tolist() == list(range(60, 51, -1))  # at the places where they were made
        assert draws.found_before.tolist()[:3] == [0, 1, 2]
        replayed(review)


def test_a_draw_that_another_person_has_by_rank_counts_as_a_draw(url):
    with Review.create(url, literature(6)) as review:
        (held,) = (found.record.id for found in review.next(who="ada"))
        read_on(review, 5, "bob", order="random")
        drawn = [e.record for e in review.events() if type(e).__name__ == "Drawn"]
        assert int(held[1:]) in drawn  # all were drawn, also the one that bob did not get
        review.decide(held, "include", who="ada")
        assert review.progress().certificate.draws == 6


def test_draws_lapse_when_records_are_added(url):
    with Review.create(url, literature(30)) as review:
        before = {found.record.id for found in review.next(who="ada", order="random", count=2)}
        review.add(literature(10, first=30))
        after = review.next(who="ada", order="random", count=2)
        review.decide(next(iter(before)), "exclude", who="ada")
        for found in after:
            review.decide(found.record.id, "exclude", who="ada")
        assert review.progress().certificate.draws == len(after)


def test_a_person_who_is_blind_counts_nothing_of_others(url):
    with Review.create(url, literature(40), question=QUESTION, reviewers=2) as review:
        bob = review.progress(who="bob")
        found = review.next(who="ada", count=12)
        for i, item in enumerate(found):
            review.decide(item.record.id, ("include", "exclude", "maybe")[i % 3], who="ada")
        seen = review.progress(who="bob")
        assert seen.remaining == bob.remaining
        assert (seen.stopping, seen.certificate) == (bob.stopping, bob.certificate)
        assert (seen.maybe, seen.waiting) == (0, 12)
        assert review.reading("bob").read == 0
        assert review.records(status="maybe", who="bob") == []
        assert {s.status["abstract"] for s in review.records(status="waiting", who="bob")} == {"waiting"}
        assert [item.record.id for item in review.next(who="bob", count=12)] == [item.record.id for item in found]
        assert review.reading("ada").found == review.reading().found == 8
        review.decide(found[0].record.id, "exclude", who="bob")
        assert (review.reading("bob").read, review.reading("bob").found) == (1, 1)  # a conflict: the first decision
        assert review.progress(who="ada").maybe == 4


def test_two_blind_reviewers(url):
    with Review.create(url, literature(80), question=QUESTION, reviewers=2) as review:
        read = read_on(review, 30, "ada")
        waiting = review.progress()
        assert (waiting.waiting, waiting.included, waiting.excluded) == (30, 0, 0)
        seen = review.record(read[0], who="bob")
        assert (seen.opinions["abstract"], seen.hidden["abstract"]) == ((), 1)
        assert review.history(read[0], who="bob") == []
        assert review.record(read[0], who="ada").opinions["abstract"][0].who == "ada"
        assert len(review.record(read[0]).opinions["abstract"]) == 1
        shown = review.next(who="bob", count=80)
        assert [found.record.id for found in shown][:30] == read  # in the order of reading, which reveals nothing
        assert shown[0].probability == review.events()[2].probability
        for id in read[:3]:
            review.decide(id, "exclude" if is_relevant(id) else "include", who="bob")
        read_on(review, 12, "bob")
        conflicts = review.conflicts()
        assert [conflict.record.id for conflict in conflicts] == read[:3]
        assert {o.who for o in conflicts[0].opinions} == {"ada", "bob"}
        (pair,) = review.agreement()
        assert (pair.records, pair.first, pair.second) == (15, "ada", "bob")
        assert pair.both_include + pair.both_exclude == 12
        assert pair.interval[0] < pair.kappa < pair.interval[1]
        with pytest.raises(BadInput, match="still waits for decisions"):
            review.settle(read[20], "include", who="eve")
        review.settle(read[0], "include", who="eve", note="talked about it")
        assert len(review.conflicts()) == 2
        assert review.record(read[0]).status["abstract"] == "include"
        review.decide(read[0], "include", who="ada")
        review.decide(read[0], "include", who="bob")
        assert review.agreement() == [pair]  # what was decided before it was settled counts
        review.withdraw(read[0], who="eve", settled=True)
        assert review.record(read[0]).status["abstract"] == "include"
        review.undo("eve")
        assert review.record(read[0], who="bob").opinions["abstract"][-1].settled
        replayed(review)


def test_the_first_decision_teaches_until_it_is_settled(url):
    with Review.create(url, literature(20), reviewers=2) as review:
        id = review.next(who="ada")[0].record.id
        learned = lambda: int(review._live.state.lists["abstract"].learned[int(id[1:])])  # noqa: E731
        review.decide(id, "maybe", who="ada")
        assert learned() == -1
        review.decide(id, "exclude", who="bob")
        assert learned() == 0
        review.decide(id, "include", who="ada")
        assert learned() == 1  # ada came to it first
        review.settle(id, "exclude", who="eve")
        assert learned() == 0


def test_one_reviewer_per_record_and_several_persons(url):
    with Review.create(url, literature(30)) as review:
        ada, bob = review.next(who="ada")[0].record.id, review.next(who="bob")[0].record.id
        assert ada != bob  # each has another one before him
        review.decide(ada, "include", who="ada")
        review.decide(ada, "exclude", who="bob")  # a second opinion makes a conflict
        assert [conflict.record.id for conflict in review.conflicts()] == [ada]


def test_undo_and_redo_without_limit(url):
    with Review.create(url, literature(30)) as review:
        empty = picture(review._live.state)[:2]
        read = read_on(review, 8, "ada")
        read_on(review, 4, "bob")
        review.decide(read[2], "maybe", who="ada")
        full = picture(review._live.state)[:2]
        undone = [review.undo("ada").event for _ in range(9)]
        assert undone[0].decision == "maybe"
        assert review.progress(who="ada").mine == 0
        assert review.progress(who="bob").mine == 4
        with pytest.raises(BadInput, match="ada has nothing to undo"):
            review.undo("ada")
        for _ in range(9):
            review.redo("ada")
        assert picture(review._live.state)[:2] == full
        with pytest.raises(BadInput, match="ada has nothing to redo"):
            review.redo("ada")
        for who, n in (("bob", 4), ("ada", 9)):
            for _ in range(n):
                review.undo(who)
        assert picture(review._live.state)[:2] == empty
        review.decide("r3", "include", who="ada")
        with pytest.raises(BadInput, match="nothing to redo"):
            review.redo("ada")
        replayed(review)


def test_the_same_decision_again_is_no_event(url):
    with Review.create(url, literature(5)) as review:
        review.decide("r1", "exclude", who="ada", reason="wrong population")
        n = len(review.events())
        review.decide("r1", "exclude", who="ada", reason="wrong population")
        assert len(review.events()) == n
        review.decide("r1", "exclude", who="ada", reason="wrong outcome")
        assert len(review.events()) == n + 1
        review.withdraw("r1", who="ada")
        assert review.record("r1").status["abstract"] == "unread"
        with pytest.raises(BadInput, match="r1 has no decision of ada"):
            review.withdraw("r1", who="ada")


def test_records_are_added_at_any_time(url):
    with Review.create(url, literature(50), question=QUESTION) as review:
        read = read_on(review, 20)
        added = review.add(literature(40, first=40), who="ada")
        assert (added.records, added.known) == (30, 10)
        assert len(review) == 80
        assert review.progress().read == 20
        assert set(read).isdisjoint(read_on(review, 30))
        after = [found.record.id for found in review.next(who="ada", count=80)]
        replayed(review)
    with Review.open(url) as again:
        assert [found.record.id for found in again.next(who="ada", count=80)] == after


def test_decisions_of_files_come_in(url):
    given = (Given("abstract", "include"), Given("full-text", "exclude", "bob", "too old", "a note", ("x",)))
    records = [msgspec.structs.replace(literature(1)[0], given=given), *literature(9, first=1)]
    with Review.create(url, records) as review:
        seen = review.record("r0")
        assert seen.status == {"abstract": "include", "full-text": "exclude"}
        assert seen.opinions["full-text"][0].reason == "too old"
        assert review.progress().read == 1
        assert review._live.state.lists["abstract"].learned[0] == 1
        assert "r0" not in read_on(review, 10)
        assert review.progress().certificate.draws == 0 or review.progress().read == 10


def test_merges_are_reversible(url):
    with Review.create(url, literature(20)) as review:
        review.decide("r2", "include", who="ada")
        review.merge("r1", "r2", who="bob")
        assert review.record("r1").status["abstract"] == "include"
        assert review.record("r1").merged == ("r2",)
        assert (review.record("r2").kept, review.record("r2").status["abstract"]) == ("r1", "merged")
        assert review.progress().records == 19
        with pytest.raises(BadInput, match="r2 was merged into r1; decide about r1"):
            review.decide("r2", "exclude", who="ada")
        with pytest.raises(BadInput, match="merged already"):
            review.merge("r2", "r1", who="bob")
        review.merge("r3", "r1", who="bob")
        assert review.record("r2").kept == "r3"
        with pytest.raises(BadInput, match="by way of another record"):
            review.keep_apart("r3", "r2", who="bob")
        assert len(review.duplicates("merged")) == 2
        review.keep_apart("r1", "r2", who="bob")
        assert review.record("r2").status["abstract"] == "include"
        assert review.record("r1").status["abstract"] == "merged"
        review.undo("bob")
        review.undo("bob")
        review.undo("bob")
        assert review.progress().records == 20
        assert review.record("r1").status["abstract"] == "unread"
        assert (review.record("r2").merged, review.record("r2").kept) == ((), None)
        replayed(review)


def test_search_and_lists(url):
    with Review.create(url, literature(50)) as review:
        hits = review.search("statins cholesterol")
        assert hits
        assert all("statins" in hit.record.title + hit.record.abstract for hit in hits)
        assert review.search('"') == []
        review.decide("r4", "exclude", who="ada")
        assert [seen.record.id for seen in review.records(status="exclude")] == ["r4"]
        assert [seen.record.id for seen in review.records(limit=3, skip=2)] == ["r2", "r3", "r4"]
        assert len(review.records(status="unread", limit=100)) == 49
        with pytest.raises(BadInput, match="status 'odd'"):
            review.records(status="odd")


def test_settings(url):
    with Review.create(url, literature(10), reasons=["too old", "no abstract"]) as review:
        with pytest.raises(BadInput, match="no reason 'x'; reasons are: too old, no abstract"):
            review.decide("r1", "exclude", who="ada", reason="x")
        with pytest.raises(BadInput, match="give reasons for exclusions only"):
            review.decide("r1", "include", who="ada", reason="too old")
        review.set(reasons=["x"], criteria="- adults", who="ada")
        review.decide("r1", "exclude", who="ada", reason="x")
        assert review.settings.criteria == "- adults"
        review.set(reviewers=2)
        assert review.record("r1").status["abstract"] == "waiting"
        for wrong, message in (
            ({"reviewers": 0}, "reviewers is 0"), ({"colour": 1}, "unknown setting 'colour'"),
            ({"reasons": ["a", "a"]}, "duplicate reason"), ({"rule": {"recall": 2}}, "recall is 2"),
            ({"rule": {"recal": 1}}, "invalid stopping rule"), ({"blind": "no"}, "invalid setting"),
        ):  # fmt: skip
            with pytest.raises(BadInput, match=message):
                review.set(**wrong)
        replayed(review)


def test_bad_input(url, new_url):
    with Review.create(url, literature(3)) as review:
        n = len(review.events())
        for call, message in (
            (lambda: review.decide("r9", "include", who="ada"), "no record 'r9'"),
            (lambda: review.decide("r1", "yes", who="ada"), "no decision 'yes'"),
            (lambda: review.decide("r1", "include", who=" "), "the person is ' '"),
            (lambda: review.decide("r1", "include", who="ada", list="third"), "no list 'third'"),
            (lambda: review.next("third", who="ada"), "no list 'third'"),
            (lambda: review.merge("r1", "r1", who="ada"), "r1 is one record"),
            (lambda: review.settle("r1", "maybe", who="ada"), "cannot be settled as maybe"),
            (lambda: review.add(["x"]), "a record is a str"),
        ):
            with pytest.raises(BayesiftError, match=message):
                call()
        assert len(review.events()) == n
    other = new_url()
    with pytest.raises(BadInput, match="reviewers is 0"):
        Review.create(other, literature(3), reviewers=0)
    with pytest.raises(BayesiftError):
        Review.open(other)


def test_a_workspace_is_not_a_review_and_the_other_way_round(url, new_url):
    Review.create(url, literature(3)).close()
    with pytest.raises(BadInput, match="is a review, not a workspace; use it with bayesift screen"):
        Workspace.open(url)
    other = new_url()
    Workspace.create(other).close()
    with pytest.raises(BadInput, match="is a workspace, not a review; use it with bayesift filter"):
        Review.open(other)
    with pytest.raises(BadInput, match="already"):
        Review.create(other, literature(3))
    with Review.open(url) as review:
        assert len(review) == 3
    with pytest.raises(NotFound, match=r"no such review.*bayesift screen new"):
        Review.open("missing.db")


def test_export_and_import(url, new_url, tmp_path):
    with Review.create(url, literature(80), question=QUESTION, reviewers=2) as review:
        read_on(review, 20, "ada")
        read_on(review, 10, "bob")
        review.undo("ada")
        review.merge("r70", "r71", who="ada")
        review.add(literature(10, first=80))
        review.set(criteria="- adults")
        before = {who: review.next(who=who, count=90) for who in ("ada", "bob")}
        review.export(tmp_path / "a.jsonl")
        state = picture(review._live.state)
    other = new_url()
    with Review.import_(tmp_path / "a.jsonl", other) as copy:
        assert picture(replayed(copy)) == state
        assert {who: copy.next(who=who, count=90) for who in ("ada", "bob")} == before
        copy.export(tmp_path / "b.jsonl.zst")
        copy.export(tmp_path / "b.jsonl")
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
        assert read_on(copy, 5, "bob")
    with pytest.raises(BadInput, match="already"):
        Review.import_(tmp_path / "a.jsonl", other)
    Review.import_(tmp_path / "b.jsonl.zst", new_url()).close()


def test_damaged_exports(new_url, tmp_path):
    with Review.create(new_url(), literature(5)) as review:
        read_on(review, 3)
        review.export(tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 5 + 2 + 3 + 1
    odd = b'{"event":{"type":"undone","event":1,"who":"ada"}}\n'
    end = lines[-1].replace(b'"events":5', b'"events":6')
    for damaged, message in (
        (lines[:-1], "is incomplete"), (lines[:8], "is incomplete"), ([], "is not an export of a review"),
        ([b"{}\n", *lines], "is not an export"), ([*lines[:3], b"[1]\n", *lines[3:]], ":4: cannot be read"),
        ([lines[0].replace(b'"version":1', b'"version":9'), *lines[1:]], "version 9"),
        ([*lines[:2], *lines[3:]], ":.*record that is missing"), ([*lines, b"{}\n"], "is incomplete"),
        ([*lines[:-1], odd, end], "does not follow"), ([*lines[:9], b"\xff\n"], "not utf-8"),
    ):  # fmt: skip
        (tmp_path / "damaged.jsonl").write_bytes(b"".join(damaged))
        empty = new_url()
        with pytest.raises(BadInput, match=message):
            Review.import_(tmp_path / "damaged.jsonl", empty)
        with pytest.raises(BayesiftError, match="review"):
            Review.open(empty)  # nothing stays


def test_texts_that_databases_do_not_store(url, tmp_path):
    odd = Record("a", "a\0b \ud800", "corn\0", authors=("x\0",), fields={"N1": ("\0",)})
    with Review.create(url, [odd, *literature(3)]) as review:
        assert review.record("a").record.authors == ("x\ufffd",)
        review.decide("a", "include", who="ada")
        review.export(tmp_path / "a.jsonl")
    with pytest.raises(BadInput, match="give records"):
        Review.create(tmp_path / "x.db", [{"title": "no record"}])


def test_an_empty_review(url):
    with Review.create(url) as review:
        assert review.next(who="ada") == []
        assert review.progress().records == 0
        review.add(literature(5))
        assert len(review.next(who="ada", count=9)) == 5


def test_records_of_two_places_with_the_same_data(url):
    same = literature(1)[0]
    other = msgspec.structs.replace(same, source="other.csv:1")
    with Review.create(url, [same, other, same]) as review:
        assert [seen.record.id for seen in review.records()] == ["r0", "r0-2"]
        assert review.add([other, msgspec.structs.replace(same, source="third.csv:9")]).records == 1
        assert review.record("r0-3").record.source == "third.csv:9"


def test_two_processes_see_each_other(url):
    with Review.create(url, literature(40), reviewers=2) as one, Review.open(url) as two:
        for _ in range(10):
            read_on(one, 1, "ada")
            read_on(two, 2, "bob")
        two.add(literature(5, first=40))
        assert one.progress().records == 45
        assert one.next(who="ada", count=45) == two.next(who="ada", count=45)
        assert np.array_equal(one._live.state.lists["abstract"].first, two._live.state.lists["abstract"].first)
        replayed(one)
        replayed(two)


def test_threads_take_turns(url):
    with Review.create(url, literature(60)) as review:
        problems = []

        def work(who):
            try:
                read_on(review, 12, who)
                review.progress(who=who)
                review.undo(who)
            except BaseException as problem:
                problems.append(problem)
                raise

        threads = [threading.Thread(target=work, args=(who,)) for who in ("ada", "bob", "eve")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not problems
        assert sum(review.progress(who=who).mine for who in ("ada", "bob", "eve")) == 33
        replayed(review)


def test_a_writer_that_does_not_finish_is_named(url):
    Review.create(url, literature(5)).close()
    with Review.open(url, wait=0.2) as review, Review.open(url) as other:
        before = review.events()
        with other.database.write(CATALOGUE), pytest.raises(StoreFailed, match=r"is being written by process \d+"):
            review.decide("r1", "include", who="ada")
        assert review.events() == before
        review.decide("r1", "include", who="ada")
        assert review.progress().included == 1


def test_vectors_of_another_bayesift_are_made_again(url):
    with Review.create(url, literature(30), question=QUESTION) as review:
        before = review.next(who="ada", count=30)
        with review.database.write(CATALOGUE) as connection:
            connection.execute(schema.screening_vectors.update().values(data=b"damaged"))
    with Review.open(url) as review:
        assert review.next(who="ada", count=30) == before
        with review.database.write(CATALOGUE) as connection:
            connection.execute(schema.screening_vectors.delete())
    with Review.open(url, write=False) as review:
        assert review.next(who="ada", count=30) == before


def test_the_summary_adds_up(url):
    with Review.create(url, literature(60), question=QUESTION, reviewers=2, bad=["made-up.ris:99: no title"]) as review:
        read_on(review, 40, "ada")
        read_on(review, 30, "bob")
        (first, *_), (second, *_) = ((s.record.id, s.status) for s in review.records(status="unread", limit=2))
        review.merge(first, second, who="ada")
        included = [seen.record.id for seen in review.records(status="include")]
        for who in ("ada", "bob"):
            review.decide(included[0], "exclude", list="full-text", who=who, reason="full text not available")
            review.decide(included[1], "exclude", list="full-text", who=who, reason="wrong outcome")
        summary = review.summary()
        flow = summary.flow
        assert (flow.identified, flow.duplicates, flow.unreadable) == ({"made-up.ris": 61}, 1, 1)
        assert flow.screened == 30
        assert flow.not_screened == 29
        assert (flow.not_retrieved, flow.full_text.excluded) == (1, {"wrong outcome": 1})
        assert len(summary.relevant) == len(summary.sources) == 40
        assert summary.estimates[-1].read == 40
        assert summary.agreement[0].kappa == 1.0
        assert summary.reviewers == ("ada", "bob")
        assert dict(summary.terms)


def test_decided_records_hold_what_holds(url, tmp_path):
    with Review.create(url, literature(12), reviewers=2) as review:
        for who, decision in (("ada", "include"), ("bob", "exclude")):
            review.decide("r1", decision, who=who, note="x")
        review.settle("r1", "include", who="eve")
        review.merge("r2", "r3", who="eve")
        records = {record.id: record for record in review.decided_records()}
        assert [(g.reviewer, g.decision, g.settled) for g in records["r1"].given] == [
            ("ada", "include", False), ("bob", "exclude", False), ("eve", "include", True),
        ]  # fmt: skip
        assert (records["r3"].duplicate_of, records["r2"].duplicate_of) == ("r2", "")
    with Review.create(tmp_path / "again.db", records.values(), reviewers=2) as again:
        assert again.record("r1").status["abstract"] == "include"
        assert again.record("r3").kept == "r2"
        assert again.agreement()[0].records == 1
