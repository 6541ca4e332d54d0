"""Fixtures of the rules core's tests: a table to play at, and the two naive programs."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from game import RULES, IllegalAction, apply, illegality, new_match

NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gesa", "Hans")


def load(name):
    """Import a module that lies beside this file; tests are not a package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
    return load("open_table").OpenTable


@pytest.fixture(scope="session")
def naive_checker():
    return load("naive_checker")


@pytest.fixture(scope="session")
def naive_glasses_checker():
    return load("naive_glasses_checker")


@pytest.fixture(scope="session")
def naive_class_game():
    return load("naive_class_game")
