"""The rules of prose, names and commits that a program can hold; CONTRIBUTING.md says them."""

import ast
import subprocess
from collections import defaultdict

import pytest

from tests.project import commit_subject, words
from tests.project.grain import sources

LAST_BEFORE_THE_RULES = "3fb2d9b9bb3fec99b37c90dd33c1fdc61202179c"


def test_every_sentence_of_the_documents_is_short_and_opens_with_no_relative_clause():
    assert [*words.faults(words.prose(), words.MOST_WORDS)] == []


@pytest.mark.whole
def test_no_docstring_and_no_comment_opens_with_a_relative_clause():
    assert [*words.faults(words.docstrings())] == []


def test_a_long_sentence_is_found():
    long = words.Sentence(words.ROOT / "README.md", 1, "word " * (words.MOST_WORDS + 1))
    assert len([*words.faults([long], words.MOST_WORDS)]) == 1


def too_long(counts, limits):
    """Every document that has more words than its limit, or none, with both numbers."""
    return {
        name: f"{count} words, at most {limits.get(name, 0)}: shorten it, or raise limits.toml"
        for name, count in counts.items()
        if count > limits.get(name, 0)
    }


def test_every_document_has_a_limit_and_keeps_it():
    counts = words.words_of_documents()
    assert too_long(counts, words.LIMITS["words"]) == {}
    assert set(too_long(counts, {name: count - 1 for name, count in counts.items()})) == set(counts)
    assert set(too_long(counts, {})) == set(counts)


def test_every_document_links_to_the_glossary():
    outside = ("docs/glossary.md", "firmware/display/oled/fonts/README.md")
    missing = [
        name
        for path in words.documents()
        if (name := path.relative_to(words.ROOT).as_posix()) not in outside
        and not name.startswith("steckbrett/")  # a project of its own
        and "glossary.md)" not in path.read_text(encoding="utf-8")
    ]
    assert missing == []


def test_a_public_class_name_has_one_meaning_or_a_reason_for_two():
    homes = defaultdict(list)
    for path in sources():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                name = path.relative_to(words.ROOT).as_posix()
                # The test bench is a distribution of its own, with words of its own.
                homes[node.name, "steckbrett" in name].append(name)
    double = {name: paths for (name, _), paths in homes.items() if len(paths) > 1}
    assert {name: double[name] for name in set(double) - set(words.LIMITS["double_names"])} == {}


def test_commit_subjects_name_their_area_and_what_they_change():
    log = subprocess.run(
        ["git", "log", "--no-merges", "--format=%H %s", f"{LAST_BEFORE_THE_RULES}..HEAD"],
        cwd=words.ROOT,
        capture_output=True,
        text=True,
    )
    if log.returncode:
        pytest.skip("this copy has no history")
    assert bad_subjects(log.stdout.splitlines(), words.LIMITS["kept_subjects"]) == {}


def bad_subjects(commits, kept):
    """Return the faults of commit subjects by digest; ``commits`` are lines "digest subject"."""
    split = (commit.split(" ", 1) for commit in commits)
    found = {digest: commit_subject.fault(subject) for digest, subject in split}
    return {digest: why for digest, why in found.items() if why and digest not in kept}


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
def test_a_subject_is_judged_and_a_bad_one_that_is_merged_is_kept_by_its_digest(subject, is_well):
    assert (bad_subjects([f"a1 {subject}"], {}) == {}) == is_well
    assert bad_subjects([f"a1 {subject}"], {"a1": "merged"}) == {}


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
