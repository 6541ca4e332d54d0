"""Dice hidden at the time stay hidden in the judgement: other dice under the cup change none.

In every round each roll is replaced by others. A player who had not looked at it must be judged by
the same numbers, for as long as the dice are hidden.
"""

from dataclasses import replace
from random import Random

import pytest

from game import RULES, new_match
from game.actions import (
    Announce,
    Believe,
    Fault,
    FaultKind,
    Lift,
    Look,
    Roll,
    ShowMaexchen,
    ShowTower,
)
from game.coach import analyse
from game.record import Record, replay
from tests.support.bots import NINE, by_the_book
from tests.support.nights import nightly
from tests.support.rules_table import playout

GAMES = {
    "class": (RULES["class"], 3),
    "class, drinks, understating is a lie": (
        replace(RULES["class"], stakes="drinks", understating="lie"),
        4,
    ),
    "physicist": (RULES["physicist"], 2),
    "holy-family": (replace(RULES["holy-family"], tower_one_in=4), 3),
}
OTHERS = (Roll((3, 1)), Roll((2, 1)), Roll((6, 6)))


def rounds(rules, players):
    """First rounds of matches, by the book and at random: actions, each with who did it."""
    whole = [by_the_book(rules, players, seed, most_rounds=1).actions for seed in range(5)]
    whole += [playout(rules, NINE[:players], Random(seed))[0] for seed in range(15)]
    for actions in whole:
        match = new_match(rules, NINE[:players], 0)
        done = []
        for action, step in zip(actions, replay(Record(rules, match.players, 0, tuple(actions)))):
            if match.round == 1:
                done.append((match.to_act, action))
            match = step.match
        yield done


def judged(rules, players, actions):
    """Return the judgement of each decision, by line."""
    analysis = analyse(Record(rules, NINE[:players], 0, tuple(actions)))
    return {
        each.line: pytest.approx({**each.chances, "cost": each.cost}, rel=0, abs=1e-12)
        for each in analysis.decisions
    }


def hidden_until(actions, at):
    """Return where a roll is laid open or void, and whether it is laid open."""
    for until, action in enumerate(actions[at + 1 :], start=at + 1):
        if isinstance(action, Roll | Lift | ShowMaexchen | ShowTower):
            return until, not isinstance(action, Roll)
    return len(actions), False


@pytest.mark.whole
@pytest.mark.parametrize(
    ("rules", "players"), nightly(GAMES.values(), GAMES["class"], GAMES["holy-family"]), ids=GAMES
)
def test_dice_that_one_has_not_seen_change_nothing_in_how_one_is_judged(rules, players):
    compared = 0
    for played in rounds(rules, players):
        actions = [action for _, action in played]
        for at, action in enumerate(actions):
            if type(action) is not Roll:
                continue
            until, laid_open = hidden_until(actions, at)
            kept = actions[: until if laid_open else None]
            knows = {
                line
                for look in range(at + 1, until)
                if kept[look] == Look()
                for line in range(look + 3, until + 3)
                if line - 2 < len(kept) and played[line - 2][0] == played[look][0]
            }
            first = judged(rules, players, kept)
            for other in OTHERS:
                second = judged(rules, players, [*kept[:at], other, *kept[at + 1 :]])
                for line in first.keys() - knows:
                    assert first[line].expected == second[line], (actions, at, other, line)
                    compared += line > at + 2
    assert compared > 200


@pytest.mark.parametrize("game", ["physicist", "holy-family"])
def test_a_mistake_is_judged_by_what_could_be_known_of_the_dice(game):
    told = Look(), Announce(66)
    for after, seat in (
        ((Fault(FaultKind.DROP, 0),), 0),
        ((*told, Fault(FaultKind.OTHER, 1)), 1),
        ((*told, Believe(), Fault(FaultKind.DROP, 1)), 1),
    ):
        honest, lie = (
            analyse(Record(RULES[game], NINE[:2], 0, (Roll(dice), *after))).accounts[seat]
            for dice in ((6, 6), (3, 1))
        )
        assert honest.skill == pytest.approx(lie.skill, abs=1e-12)
        assert honest.skill <= 0
        assert abs(honest.result - sum(honest[:-1])) < 1e-9
