"""The picture of the rooms is what the imports are."""

from tests.project import architecture


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
