"""A match played action by action, without any handheld."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from game import (
    OPTIONS,
    RULES,
    IllegalAction,
    Phase,
    SetupError,
    apply,
    dice_to_roll,
    illegality,
    laid_open,
    legal_actions,
    new_match,
    rule_set,
)
from game.actions import Announce, Doubt, Keep, Lift, Roll, ShowTower, Stop
from game.dice import FACES
from game.rules import FAMILIES
from game.status import freeze

LIE = (Roll((3, 1)), Announce(32), Doubt(), Lift())
"""The opener lies and is caught."""
TRUTH = (Roll((3, 1)), Announce(31), Doubt(), Lift())
"""The opener is doubted wrongly: the next one pays."""
NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fritz", "Gesa", "Hans", "Ida")


def drawn(chance, tables, most=6):
    """Return house rules by lot: up to ``most`` options on top of one of the ``tables``."""
    while True:
        table = chance.choice(tables)
        options = OPTIONS[rule_set(table, {}).game]
        asked = {}
        for option in chance.sample(options, chance.randint(1, min(most, len(options)))):
            span = range(option.least, min(option.greatest or 6, 6) + 1)
            asked[option.name] = chance.choice(option.choices or (*option.steps, *span))
        try:
            return rule_set(table, asked)
        except SetupError:
            continue


class Table:
    """A match; ``match`` is where it stands."""

    def __init__(self, players=3, first=0, game="class", **options):
        self.match = new_match(replace(RULES[game], **options), NAMES[:players], first)

    def do(self, *actions):
        """Apply the actions and return the events of the last one."""
        for action in actions:
            self.match, events = apply(self.match, action)
        return events

    def after(self, *actions):
        """Apply the actions and return the table."""
        self.do(*actions)
        return self

    def refusal(self, action):
        """Check that an action is refused with the match untouched; return the reason."""
        before = self.match
        with pytest.raises(IllegalAction) as caught:
            apply(before, action)
        assert self.match is before
        assert caught.value.action is action
        assert illegality(before, action) in (None, caught.value.reason)
        return caught.value.reason

    def refusals(self, *actions):
        """Check that all of these are refused; return the reasons."""
        return {self.refusal(action) for action in actions}


class OpenTable(Table):
    """A match whose throws lie open: maxen, chicago or sevens; ``events`` is what happened last."""

    def __init__(self, game, players=3, lead=0, **options):
        """Begin a match and throw for the lead so that seat ``lead`` has it; None: do not yet."""
        self.match = new_match(replace(RULES[game], **options), NAMES[:players], 0)
        self.events = ()
        if lead is not None:
            for seat in range(players):
                self.do(Roll((1 if seat == lead else 6,) * dice_to_roll(self.match)))
            assert self.match.leader == lead

    def do(self, *actions):
        """Apply the actions and return all that happened."""
        happened = ()
        for action in actions:
            self.match, events = apply(self.match, action)
            happened += events
        self.events = happened
        return happened

    def turn(self, *throws):
        """Let the seat that is to act throw so often, all dice again each time, and stop."""
        seat, happened = self.match.to_act, ()
        for dice in throws:
            assert self.match.to_act == seat
            happened += self.do(Roll(dice))
        if self.match.phase is Phase.THROWN and self.match.to_act == seat:
            happened += self.do(Stop())
        self.events = happened
        return happened

    def round(self, *throws):
        """Play a round of one throw each, in playing order."""
        happened = ()
        for dice in throws:
            happened += self.turn(dice)
        self.events = happened
        return happened

    def lift(self, dice=None):
        """Lift the covered dice."""
        return self.do(Lift(dice) if dice else laid_open(self.match, Lift()))

    def keeps(self):
        """Return what can be set aside now."""
        return {action for action in legal_actions(self.match) if isinstance(action, Keep)}

    def set(self, **fields):
        """Put the match where it would take long to play to, such as other coasters."""
        self.match = self.match.replace(**fields)
        return self


_MOST_TABLED = 6
"""The most dice rolled from a table of all outcomes; a seventh die is added to them."""


def playout(rules, players, rng, first=0):
    """Play a match to its end; return its actions, dice filled in, and the final match.

    Every seat picks among its legal actions with equal chance: ``rng.random()``. That exercises the
    rules, and is no model of how people play.
    """
    family = FAMILIES[rules.family]
    towers, random = rules.tower_one_in, rng.random
    start = new_match(rules, players, first)
    draft = start.draft()
    number, varies = family.dice_to_roll(draft), Keep in family.checks
    always = () if varies or towers or number > _MOST_TABLED else _rolls(number, False)
    actions = []
    while draft.to_act is not None:
        legal = family.legal_actions(draft)
        action = legal[int(random() * len(legal))]
        kind = type(action)
        if kind is Roll and always:
            action = always[int(random() * len(always))]
        elif kind is Roll:
            number = family.dice_to_roll(draft)
            rolls = _rolls(min(number, _MOST_TABLED), towers > 0 and random() * towers < 1)
            action = rolls[int(random() * len(rolls))]
            if number > _MOST_TABLED:
                action = Roll((*(action.dice or ()), 1 + int(random() * len(FACES))))
        elif kind is Lift or kind is ShowTower:
            action = family.laid_open(draft, action)
        actions.append(action)
        draft.turn += 1  # as ``advance`` does
        family.moves[kind](draft, draft.to_act, action)
    return actions, freeze(draft, type(start))


@cache
def _rolls(number, tower):
    return tuple(Roll(dice, tower) for dice in product(FACES, repeat=number))
