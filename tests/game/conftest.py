"""Fixtures of the rules core's tests: a table to play at, and the two naive programs."""

from dataclasses import replace

import pytest

from game import RULES, IllegalAction, apply, illegality, new_match
from tests.support.referees import naive_checker as class_checker
from tests.support.referees import naive_class_game as class_game
from tests.support.referees import naive_glasses_checker as glasses_checker
from tests.support.referees.open_table import OpenTable

NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gesa", "Hans")


class Table:
    """A match that is played action by action; ``match`` is where it stands."""

    def __init__(self, players=3, first=0, game="class", **options):
        rules = replace(RULES[game], **options)
        self.match = new_match(rules, NAMES[:players], first)

    def do(self, *actions):
        """Apply the actions and return the events of the last one."""
        for action in actions:
            self.match, events = apply(self.match, action)
        return events

    def refusal(self, action):
        """Check that an action is refused with the match untouched; return the reason."""
        before = self.match
        with pytest.raises(IllegalAction) as caught:
            apply(self.match, action)
        assert self.match is before
        assert caught.value.action is action
        assert caught.value.reason is illegality(self.match, action)
        return caught.value.reason


@pytest.fixture
def table():
    return Table


@pytest.fixture(scope="session")
def open_table():
    return OpenTable


@pytest.fixture(scope="session")
def naive_checker():
    return class_checker


@pytest.fixture(scope="session")
def naive_glasses_checker():
    return glasses_checker


@pytest.fixture(scope="session")
def naive_class_game():
    return class_game
