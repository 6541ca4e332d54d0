"""Every room says what it is, the documents say the same, and nothing in one grows too large."""

import ast

import pytest

from tests.project.rooms import DOCUMENTS, PACKAGES, ROOT, document, rooms

MOST_LINES = 400
"""The most lines of a file."""
MOST_LINES_OF_A_CLASS = 250
REASON = "Whole because"
"""A docstring that says this, and why, may be of something larger."""
FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def too_large():
    """Yield every file and class with too many lines, with their number."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        name = path.relative_to(ROOT).as_posix()
        sizes = [(tree, text.count("\n"), MOST_LINES, name)]
        sizes += [
            (node, node.end_lineno - node.lineno + 1, MOST_LINES_OF_A_CLASS, f"{name}:{node.name}")
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
        ]
        for node, lines, most, name in sizes:
            if lines > most and REASON not in (ast.get_docstring(node) or ""):
                yield name, lines


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_rooms_in_the_documents_are_what_they_say_of_themselves(name):
    text, wanted = document(name)
    assert text == wanted, "python -m tests.project.rooms --write"


def test_every_room_says_in_one_line_what_it_is():
    assert [room for room, told in rooms().items() if not told.endswith(".")] == []


def test_no_file_and_no_class_is_larger_than_it_must_be():
    assert dict(too_large()) == {}
