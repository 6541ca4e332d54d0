"""The house keeps its grain: rooms do not grow unasked, and modules are neither many nor thin."""

import statistics

import pytest

from tests.project.grain import (
    LIMITS,
    SPARE_LINES,
    SPARE_SHARE,
    TESTS,
    code_lines,
    import_lines,
    limits,
    modules,
    rooms,
    sizes,
)
from tests.project.words import LIMITS as OTHERS

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def texts():
    return modules()


@pytest.fixture(scope="module")
def lines(texts):
    return sizes(texts)


def test_code_is_counted_without_blanks_comments_and_docstrings():
    text = '"""A room."""\n\nimport os  # a comment\n# another\n\n\nX = (\n    1,\n)\n"""Of X."""\n'
    assert code_lines(text) == {3, 7, 8, 9}
    assert import_lines(text) == 1
    assert rooms({"game/bluff/moves.py": 5, "game/bluff/rules.py": 2, "game/dice.py": 1}) == {
        "game/bluff": 7,
        "game": 1,
    }


def test_no_room_grows_and_a_limit_follows_a_room_that_shrinks(lines):
    found, known = rooms(lines), limits()
    assert sorted(known) == sorted(found), "python -m tests.project.grain --write"
    grown = {room: count - known[room] for room, count in found.items() if count > known[room]}
    assert grown == {}, f"what can go there? See {LIMITS.name}"
    spare = {room: max(SPARE_LINES, SPARE_SHARE * most) for room, most in known.items()}
    loose = [room for room, most in known.items() if most - found[room] > spare[room]]
    assert loose == [], "python -m tests.project.grain --write"


def test_a_module_is_what_changes_together_and_no_thinner(texts, lines):
    shipped = {name: text for name, text in texts.items() if not name.startswith(TESTS)}
    counts = [lines[name] for name in shipped]
    assert statistics.median(counts) >= OTHERS["code_lines_of_the_median_module"]
    imports = sum(map(import_lines, shipped.values()))
    assert imports <= OTHERS["share_of_imports"] * sum(counts)
