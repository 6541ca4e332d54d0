"""Names for bots: nobody at the table mistakes one for a person's, neither written nor called."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from firmware.lobby.choices import NAMES, names_of_bots, players_alone, sounds_of
from game import RULES

LIKE = {
    "Ana": ("Anna", "ANNA", "Hannah", "Änn", "Annie", "Anna-Lena", "Tante Anna", "Anna 🎲"),
    "Ben": ("Benn", "Benny", "ben"),
    "Cem": ("Sam", "Zem", "Cem"),
    "Dea": ("Thea", "Dee"),
    "Eli": ("Elli", "Ella", "Ellie", "Ali"),
    "Fay": ("Faye", "Phay", "Fee"),
    "Gus": ("Guss", "Guß", "Kuss"),
    "Hal": ("Hall", "Halle"),
}  # fmt: skip
"""The names of guests, by the bot's name that sounds like it."""


@pytest.mark.parametrize(("bot", "guest"), [(bot, one) for bot, all in LIKE.items() for one in all])
def test_no_bot_is_called_what_sounds_like_a_guest(bot, guest):
    assert bot in names_of_bots((), 8)
    bots = names_of_bots((guest,), 7)
    assert bot not in bots
    assert len(set(bots)) == 7


@pytest.mark.parametrize(
    ("one", "other"),
    [("Chris", "Kris"), ("Klara", "Clara"), ("Philipp", "Filip"), ("Max", "Macks"),
     ("Mats", "Matz"), ("Stefan", "Stephan"), ("Achim", "Akim"), ("Rhea", "Rea")],
)  # fmt: skip
def test_what_is_spelled_otherwise_sounds_the_same(one, other):
    assert sounds_of(one) == sounds_of(other) != frozenset()


def test_the_sounds_of_the_published_example():
    assert sounds_of("Müller-Lüdenscheidt") == {"657", "52682"}
    assert sounds_of("Breschnew") == {"17863"}
    assert sounds_of("🎲 42") == frozenset()


def test_the_usual_table_keeps_its_names():
    assert ("Ana", *names_of_bots(("Ana",), 7)) == NAMES[:8]
    assert names_of_bots(("Ben",), 2) == ("Ana", "Cem")
    assert players_alone("Anna", RULES["class"]) == ("Anna", "Ben", "Cem")


@pytest.mark.whole
@given(some.lists(some.text(min_size=1, max_size=12), max_size=7))
def test_there_are_always_enough_and_none_is_a_persons(people):
    bots = names_of_bots(people, 8 - len(people))
    assert len(set(bots)) == 8 - len(people)
    assert not {bot.casefold() for bot in bots} & {name.casefold() for name in people}
    heard = frozenset().union(*map(sounds_of, people))
    quiet = [name for name in NAMES if not sounds_of(name) & heard]
    assert len(quiet) < len(bots) or set(bots) <= set(quiet)
