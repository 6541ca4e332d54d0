"""The rules of prose, names and commits that a program can hold; CONTRIBUTING.md says them."""

import ast
import subprocess
from collections import defaultdict

import pytest

from tests.project import commit_subject, words

MOST_DOUBLE_NAMES = 4
LAST_BEFORE_THE_RULES = "3fb2d9b9bb3fec99b37c90dd33c1fdc61202179c"


def test_every_sentence_of_the_documents_is_short():
    long = [str(one) for one in words.prose() if words.word_count(one.text) > words.MOST_WORDS]
    assert long == []


def test_no_sentence_of_the_documents_opens_with_a_relative_clause():
    assert [str(one) for one in words.prose() if words.is_headless(one.text)] == []


def test_no_docstring_and_no_comment_opens_with_a_relative_clause():
    assert [str(one) for one in words.docstrings() if words.is_headless(one.text)] == []


@pytest.mark.parametrize(
    ("room", "most"), [("", words.MOST_WORDS_ELSEWHERE), *words.MOST_WORDS_OF_ROOMS.items()]
)
def test_the_documents_of_a_room_together_are_short(room, most):
    counts = {
        path.relative_to(words.ROOT).as_posix(): words.word_count(path.read_text(encoding="utf-8"))
        for path in words.documents()
        if words.room_of(path) == room
    }
    assert sum(counts.values()) <= most, counts


def test_every_document_links_to_the_glossary():
    outside = ("docs/glossary.md", "firmware/display/oled/fonts/README.md")
    missing = [
        name
        for path in words.documents()
        if (name := path.relative_to(words.ROOT).as_posix()) not in outside
        and "glossary.md)" not in path.read_text(encoding="utf-8")
    ]
    assert missing == []


def test_public_class_names_with_two_meanings_only_become_fewer():
    homes = defaultdict(list)
    for package in words.PACKAGES:
        for path in sorted((words.ROOT / package).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    name = path.relative_to(words.ROOT).as_posix()
                    # The test bench is a distribution of its own, with words of its own.
                    homes[node.name, "steckbrett" in name].append(name)
    double = {name: paths for (name, _), paths in homes.items() if len(paths) > 1}
    assert len(double) <= MOST_DOUBLE_NAMES, double


def test_commit_subjects_name_their_area_and_what_they_change():
    log = subprocess.run(
        ["git", "log", "--no-merges", "--format=%s", f"{LAST_BEFORE_THE_RULES}..HEAD"],
        cwd=words.ROOT,
        capture_output=True,
        text=True,
    )
    if log.returncode:
        pytest.skip("this copy has no history")
    faults = {one: commit_subject.fault(one) for one in log.stdout.splitlines()}
    assert {one: why for one, why in faults.items() if why} == {}


@pytest.mark.parametrize(
    ("subject", "is_well"),
    [
        ("bots: update table build times in docstring", True),
        ("soak tests: kill and partition the broker in separate runs", True),
        ("Tell of the tables' times as they are now", False),
        ("docs: tell of what changed", False),
        (f"docs: {'long ' * 13}", False),
        ("docs: full stop.", False),
    ],
)
def test_a_subject_is_judged(subject, is_well):
    assert (commit_subject.fault(subject) is None) == is_well


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("One fact. Another fact.", ["One fact.", "Another fact."]),
        ("Version 3.11 or newer. Yes.", ["Version 3.11 or newer.", "Yes."]),
        ("See `a. B`. `make test` runs it.", ["See `x`.", "`x` runs it."]),
        ("A [link here](x.md). End.", ["A link here.", "End."]),
    ],
)
def test_a_paragraph_is_split_into_sentences(text, split):
    assert words.sentences(text) == split


@pytest.mark.parametrize(
    ("sentence", "is_headless"),
    [
        ("Who comes late is seated.", True),
        ("Where a browser opens no socket the page polls.", True),
        ("What is it?", False),
        ("Latecomers get a seat.", False),
        ("Whether the seat is open.", False),
    ],
)
def test_an_opening_is_judged(sentence, is_headless):
    assert words.is_headless(sentence) is is_headless
