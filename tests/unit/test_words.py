"""Plain words: the source, the documentation and the examples use the field's terms.

Each rule is a regular expression and the plain words to use instead. Rules of `EVERYWHERE` apply to the text of a file,
those of `SUMMARIES` to the first line of a docstring.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ITEM = "label|document|topic|category|core|line|file|row|column|fold|word|term|feature|bin|block|piece|pair|test|day"

EVERYWHERE = {
    r"\bdrawn by lot\b|\bof all lots\b|\bleft to chance\b": "random, at random; random seed",
    r"\bstands? twice\b": "duplicate",
    r"\b(is|are) not there\b": "missing, not found",
    r"\blongest run of words\b": "n-gram length",
    r"\bcannot be parted\b": "too few documents to split",
    r"\bcannot be told apart\b": "ambiguous, indistinguishable",
    r"\bis no (number|file|model|term|label|document|matrix|probability)\b": "is not a ..., invalid ...",
    r"\btelling terms?\b|\bmost telling\b": "most informative terms",
    r"\bspeaks? (for|against) (it|a label|the label|one another)\b": "positive (negative) terms; is evidence for",
    r"\b(is|are|was|were) told\b|\bunless told otherwise\b|\btold of\b": "by default; receives; is labelled",
    r"\bhonest": "calibrated, unbiased",
    rf"\bone (\w+ )?an? ({ITEM})\b": "one ... per ...",
    rf"\b(numbers?|fields|seconds|entry|entries|slots) an? ({ITEM})\b": "... per ...",
    r"\banew\b": "again, from scratch",
    r"\bnobody judged\b": "unlabelled",
    r"\bthat which\b": "what, the one that",
    r"\bmend(s|ed|ing)?\b": "fix, correct",
    r"\b(is|are|was|were|gets) refused\b|\brefuses?\b": "raises, is an error, is rejected",
    r"\bhalf-written\b": "incomplete",
    r"\b(classifier|model) as it comes\b": "with default settings",
    r"\b(predicted|learned|fitted|margins) ahead\b|\bone-step ahead\b": "prequential, one-step-ahead",
    r"\bspeaks? of\b": "describes, mentions",
    r"\bnobody is named\b": "no account, no name",
    r"\bbest (two|three|four) or more\b": "preferably ... or more",
    r"\bwhatever (it|a topic) believes\b|\banswers (have )?told\b": "regardless of the probability; given the answers",
}
SUMMARIES = {
    r"^Gives?\b": "Return ...",
    r"^Refuses?\b": "Raise ...",
    r"^Says?\b|^Tells?\b": "Print ..., Return ..., Warn ...",
}
FOLDERS = [
    ("src", "*.py"),
    ("src", "*.html"),
    ("src", "*.js"),
    ("docs", "*.md"),
    ("examples", "*.py"),
    ("benchmarks", "*.py"),
]
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
LEFT_OUT = ("docs/RESULTS.md",)  # generated


def found_in(text: str, rules: dict[str, str]) -> list[tuple[int, str, str]]:
    """Return (line number, phrase, remedy) for each match; a phrase may go on in the next line."""
    flat = re.sub(r"\n[ \t]*#?[ \t]*", lambda match: " " * len(match[0]), text)
    hits = [
        (text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), remedy)
        for rule, remedy in rules.items()
        for match in re.finditer(rule.replace(" ", r"\s+"), flat, re.IGNORECASE)
    ]
    return sorted(hits)


def summaries(source: str) -> list[tuple[int, str]]:
    """Return the line and the summary of each docstring of a module."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    return [(node.body[0].lineno, doc.split("\n")[0]) for node in nodes if (doc := ast.get_docstring(node))]


def problems(name: str, text: str) -> list[str]:
    """Return a line `file:line: phrase -> remedy` for each phrase to replace."""
    hits = found_in(text, EVERYWHERE)
    if name.endswith(".py"):
        hits += [(line, p, r) for line, summary in summaries(text) for _, p, r in found_in(summary, SUMMARIES)]
    return [f"{name}:{line}: {phrase!r} -> {remedy}" for line, phrase, remedy in hits]


def files() -> list[str]:
    """Return the files to check, relative to the root."""
    paths = [ROOT / page for page in PAGES] + [p for f, ending in FOLDERS for p in (ROOT / f).rglob(ending)]
    names = sorted(path.relative_to(ROOT).as_posix() for path in paths)
    return [name for name in names if name not in LEFT_OUT]


@pytest.mark.parametrize("name", files())
def test_plain_words(name):
    wrong = problems(name, (ROOT / name).read_text("utf-8"))
    assert not wrong, "\n".join(["", *wrong])


@pytest.mark.parametrize(
    ("bad", "line"),
    [
        ("# all is well\nseed: of all that is drawn by lot\n", 2),
        ("raise BadInput(f'term {t!r} stands twice')", 1),
        ("x = 1  # one weight a\n# label, at most", 1),
        ("x = 1  # one a label", 1),
        ("the vocabulary is learned anew", 1),
        ("Honest probabilities", 1),
        ("F1 unless told\notherwise", 1),
        ("an unknown language is refused", 1),
    ],
)
def test_a_bad_phrase_is_found_with_its_line(bad, line):
    (found,) = problems("x.md", bad)
    assert found.startswith(f"x.md:{line}: ")
    assert " -> " in found


@pytest.mark.parametrize("summary", ["Give the mean.", "Gives the mean.", "Refuse a name.", "Say what is odd."])
def test_a_bad_summary_is_found(summary):
    source = f'"""Module."""\n\n\ndef f():\n    """{summary}\n\n    More.\n    """\n'
    first = summary.split()[0]
    remedies = [line for line in problems("x.py", source) if line.startswith(f"x.py:5: {first!r} -> ")]
    assert any(remedy in remedies[-1] for remedy in ("Return", "Raise", "Warn"))


@pytest.mark.parametrize(
    "good",
    [
        "One weight per label. Return a number for a label.",
        "the old model tells nothing new; a document once judged",
        "def refuse_unused(): ...",
        "a forgiven label; amended rows; one of a few labels",
    ],
)
def test_plain_words_pass(good):
    assert problems("x.md", good) == []


def test_the_files_are_there():
    names = files()
    assert {"README.md", "CHANGELOG.md", "src/bayesift/errors.py", "examples/quickstart.py"} <= set(names)
    assert {"src/bayesift/service/templates/base.html", "src/bayesift/service/static/bayesift.js"} <= set(names)
    assert "docs/RESULTS.md" not in names
