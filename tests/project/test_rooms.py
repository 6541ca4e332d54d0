"""Every room says what it is, the documents say the same, and no class hides its size in bases."""

import ast
import re

import pytest

from tests.project.rooms import DOCUMENTS, document, rooms, sources
from tests.project.words import LIMITS

MOST_LINES_OF_A_CLASS = LIMITS["lines_of_a_class"]
"""Without docstrings, also of a class with its bases."""
REASON = "Whole because"
"""A docstring that says this, and why, may be of something larger."""
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sources()}


def lines_of_code(node):
    """How many lines something begins on in a class, docstrings apart."""
    texts = (one for one in ast.walk(node) if isinstance(one, ast.Expr))
    texts = {id(one.value) for one in texts if isinstance(one.value, ast.Constant)}
    code = (one for one in ast.walk(node) if id(one) not in texts and not isinstance(one, ast.Expr))
    return len({one.lineno for one in code if hasattr(one, "lineno")})


def classes():
    """The lines of code of every class that gives no reason for its size, and the names of its
    bases, by its name and file.
    """
    return {
        (node.name, path): (lines_of_code(node), [ast.unparse(base) for base in node.bases])
        for path, tree in TREES.items()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and REASON not in (ast.get_docstring(node) or "")
    }


def with_bases(known):
    """The lines of every class together with those of all its bases, by its name."""
    by_name = {}
    for (name, _), found in known.items():
        by_name.setdefault(name, []).append(found)

    def lineage(bases):
        """The lines of these bases; of several classes of one name, of the largest."""
        names = (re.split(r"[\[(]", base)[0].split(".")[-1] for base in bases)
        found = (by_name.get(name, [(0, [])]) for name in names)
        return sum(max(lines + lineage(more) for lines, more in each) for each in found)

    return {name: lines + lineage(bases) for (name, _), (lines, bases) in known.items()}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_rooms_in_the_documents_are_what_they_say_of_themselves(name):
    text, wanted = document(name)
    assert text == wanted, "python -m tests.project.rooms --write"


def test_every_room_says_in_one_line_what_it_is():
    assert [room for room, told in rooms().items() if not told.endswith(".")] == []


def test_no_class_is_split_into_bases_to_be_small():
    sizes = with_bases(classes())
    assert {name: lines for name, lines in sizes.items() if lines > MOST_LINES_OF_A_CLASS} == {}
    ladder = {
        ("Low", "a"): (150, []),
        ("Middle", "b"): (80, ["Low"]),
        ("High", "c"): (40, ["one.Middle[int]", "Enum"]),
    }
    assert with_bases(ladder)["High"] == 270
