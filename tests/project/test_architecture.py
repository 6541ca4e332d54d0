"""The picture of the rooms is what the imports are."""

import re
from functools import cache
from pathlib import Path

import grimp

from tests.project import architecture
from tests.project.words import LIMITS

FORBIDDEN = re.compile(r"wait_for_function\(")


def test_the_picture_of_the_rooms_is_up_to_date():
    drawn = architecture.WHERE.read_text(encoding="utf-8")
    assert drawn == architecture.draw(), "run make drawing"


def test_arrows_that_follow_from_others_are_left_out():
    edges = {("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")}
    assert architecture.reduced(edges) == {("a", "b"), ("b", "c"), ("a", "d")}


def test_the_floors_are_those_of_the_contracts():
    assert ["drivers"] not in architecture.floors_of("firmware")
    assert architecture.floors_of("firmware")[0] == ["cli"]
    assert ["board", "air"] in architecture.floors_of("hw_sim")
    assert architecture.floors_of("drivers") == []


def test_no_test_lets_a_page_evaluate_strings():
    """Their policy forbids it, so Playwright's wait works only where it need not wait."""
    files = Path(__file__).parents[1].rglob("*.py")
    assert not [each for each in files if FORBIDDEN.search(each.read_text("utf-8"))]


def test_no_chain_of_imports_grows():
    graph = grimp.build_graph(*architecture.PACKAGES, cache_dir=None)

    @cache
    def chain(module):
        below = map(chain, graph.find_modules_directly_imported_by(module))
        return (module, *max(below, key=len, default=()))

    longest = max(map(chain, graph.modules), key=len)
    assert len(longest) <= LIMITS["modules_in_a_chain_of_imports"], "\n".join(longest)
