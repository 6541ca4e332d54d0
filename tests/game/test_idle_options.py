"""Every option changes something under the others set: the same play is compared with and without.

A value that changes nothing would be agreed on for nothing. The sheet says where an option is idle.
"""

import random
from collections import Counter
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
from tests.support.nights import at_night
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
    """Return rules of a game, of which some options are not as usual.

    Whatever is refused contradicts another option, and both are named.
    """
    while True:
        asked = {
            option.name: chance.choice(values_of(option))
            for option in OPTIONS[game]
            if chance.random() < 1 / 2
        }
        try:
            return rule_set(game, asked)
        except ClashError as error:
            clash = error
        assert dict(clash.options).keys() & asked.keys()
        assert all(f"{name} = " in str(clash) for name in dict(clash.options))


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
        return Announce(value_by_lot(match, kinds[kind], chance))
    action = chance.choice(kinds[kind])
    return laid_open(match, action) if kind in (Lift, ShowTower) else action


def value_by_lot(match, announcements, chance):
    """Return a value that may be announced: often a Mäxchen, or little more than what stands."""
    values = [action.value for action in announcements]
    place = match.rules.place.get(match.announced, -1)
    little = [value for value in values if 0 <= match.rules.place[value] - place <= 2]
    most = [value for value in values if value == MAEXCHEN]
    return chance.choice(
        chance.choice((values, most or values, little or values, little or values))
    )


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


def idle_options(game, sheets, chance):
    """Count the options that change nothing, by their names and the options that are not usual."""
    found = Counter()
    for _ in range(sheets):
        rules = sheet_by_lot(game, chance)
        for option in OPTIONS[game]:
            value = chance.choice([each for each in values_of(option) if each != option.default])
            try:
                pair = [replace(rules, **{option.name: each}) for each in (option.default, value)]
            except ClashError:
                continue
            if not tell_apart(*pair, chance):
                others = {
                    each.name: getattr(rules, each.name)
                    for each in OPTIONS[game]
                    if each is not option and getattr(rules, each.name) != each.default
                }
                found[f"{option.name} = {value} beside {others}"] += 1
    return found


@pytest.mark.parametrize(("seed", "sheets"), [("idle", 3), at_night("many", 300)])
@pytest.mark.parametrize("game", RULES)
def test_no_option_is_idle_beside_others(game, seed, sheets):
    assert not idle_options(game, sheets, random.Random(f"{seed} {game}"))


@pytest.mark.parametrize("game", RULES)
def test_every_whole_number_has_a_greatest_value(game):
    assert all(option.choices or option.greatest for option in OPTIONS[game])
