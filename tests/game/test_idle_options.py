"""Every option changes something under the others set: the same play is compared with and without.

A value that changes nothing would be agreed on for nothing. The sheet says where an option is idle.
"""

import random
from contextlib import suppress
from dataclasses import replace

import pytest

from game import (
    OPTIONS,
    RULES,
    apply,
    dice_to_roll,
    laid_open,
    legal_actions,
    new_match,
    rolls,
    rule_set,
    table_actions,
)
from game.actions import Announce, EndMatch, Fault, Leave, Lift, Roll, ShowTower
from game.bluff.rules import MAEXCHEN
from game.options import ClashError
from tests.support.nights import whole
from tests.support.rules_table import NAMES

MOST_ACTIONS = 10_000
"""Two rules that no play of so many actions tells apart are the same."""
SPECIAL = ((2, 1), (3, 1), (3, 2), (4, 2), (1, 1))
"""Dice of two that some custom is about."""
FEW = 6
"""A number of lives, rounds or coasters that a walk plays to its end."""


def values_of(option):
    """Return the values of an option that walks can tell apart."""
    if option.choices:
        return option.choices
    numbers = {option.least, option.least + 1, FEW, option.default}
    return tuple(sorted(number for number in numbers if number <= option.greatest))


def sheet_by_lot(game, chance):
    """Return rules of a game, of which some options are not as usual."""
    while True:
        varied = [option for option in OPTIONS[game] if chance.random() < 1 / 2]
        with suppress(ClashError):
            return rule_set(game, {each.name: chance.choice(values_of(each)) for each in varied})


def shown(match):
    """Return all by which players can tell one play from another."""
    possible = (*legal_actions(match), *table_actions(match))
    falls = rolls(match) if Roll() in possible else ()
    return (match.phase, match.to_act, match.tally, match.status, match.outcome, possible, falls)


def some_action(match, chance):
    """Return an action by lot, rare ones as often as others, with dice that are rolled often."""
    faults = [each for each in table_actions(match) if isinstance(each, Fault)]
    if faults and chance.random() < 1 / 12:
        return chance.choice(faults)
    if len(match.players) > 3 and chance.random() < 1 / 100:
        return Leave(chance.choice(match.playing))
    kinds = {}
    for action in legal_actions(match):
        kinds.setdefault(type(action), []).append(action)
    if chance.random() < 9 / 10:
        kinds.pop(EndMatch, None)
    kind = chance.choice(list(kinds))
    if kind is Roll:
        number = dice_to_roll(match)
        dice = tuple(chance.choices(range(1, 7), k=number))
        if number == 2 and chance.random() < 1 / 2:
            dice = chance.choice(SPECIAL)
        return Roll(dice, match.rules.tower_one_in > 0 and chance.random() < 1 / 6)
    if kind is Announce:
        values = [action.value for action in kinds[kind]]
        most = [value for value in values if value == MAEXCHEN]
        return Announce(chance.choice(chance.choice((values, values[:3], most or values))))
    action = chance.choice(kinds[kind])
    return laid_open(match, action) if kind in (Lift, ShowTower) else action


def tell_apart(one, other, chance):
    """Return whether some play shows which of two rules are played."""
    played = 0
    while played < MOST_ACTIONS:
        players = NAMES[: chance.randint(max(3, one.fewest_players), 4)]
        here, there = (new_match(rules, players, 0) for rules in (one, other))
        while shown(here) == shown(there):
            if here.outcome is not None:
                break
            action = some_action(here, chance)
            here, there = (apply(match, action).match for match in (here, there))
            played += 1
        else:
            return True
    return False


@pytest.mark.parametrize(("seed", "sheets"), [("idle", 3), whole("idle", 12)])
@pytest.mark.parametrize("game", RULES)
def test_no_option_is_idle_beside_others(game, seed, sheets):
    chance = random.Random(f"{seed} {game}")
    for _ in range(sheets):
        rules = sheet_by_lot(game, chance)
        for option in OPTIONS[game]:
            value = chance.choice([each for each in values_of(option) if each != option.default])
            try:
                pair = [replace(rules, **{option.name: each}) for each in (option.default, value)]
            except ClashError:
                continue
            assert tell_apart(*pair, chance), f"{option.name} = {value} is idle beside {rules}"


@pytest.mark.parametrize("game", RULES)
def test_every_whole_number_has_a_greatest_value(game):
    assert all(option.choices or option.greatest for option in OPTIONS[game])
