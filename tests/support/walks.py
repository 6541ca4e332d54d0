"""Matches of every game played at random through all options, and every action there could be."""

import random
from dataclasses import replace

from hypothesis import strategies as st

from game import (
    RULES,
    CoasterHand,
    apply,
    dice_to_roll,
    hides_dice,
    laid_open,
    legal_actions,
    new_match,
    table_actions,
)
from game import actions as act
from game.bluff.rules import DICE, PLACE, RANKING
from game.record import Record
from game.rules import FAMILIES
from tests.support.rules_table import NAMES

BLUFF = tuple(game for game, rules in RULES.items() if FAMILIES[rules.family].hides_dice)
OPEN = tuple(game for game in RULES if game not in BLUFF)
OPTIONS = {
    "maxen": ({}, {"coasters": 4}),
    "chicago": ({}, {"levelling": True}),
    "sevens": ({}, {"seven_dice": True}, {"rounds": 2}),
}
"""Few coasters bring the rare phases of ``maxen`` sooner."""
DISTURBANCE = 0.03
"""How often the table acts instead of the seat that is to act."""
LONGEST = 900
"""A walk is cut off here; matches with drinks or eight players can be long."""


class Walk:
    """A match played at random: ``matches[i]`` is moved by ``actions[i]``; ``match`` is the end."""

    def __init__(self, rules, players, first, seed):
        chance = random.Random(seed)
        self.rules, self.players, self.first = rules, NAMES[:players], first
        self.matches, self.actions, self.events = [], [], []
        self.match = new_match(rules, self.players, first)
        while self.match.to_act is not None and len(self.actions) < LONGEST:
            action = self.choose(chance)
            if isinstance(action, act.Roll):
                action = any_roll(self.match, chance)
            action = laid_open(self.match, action)
            self.matches.append(self.match)
            self.actions.append(action)
            self.match, events = apply(self.match, action)
            self.events.append(events)

    def choose(self, chance):
        if chance.random() < DISTURBANCE:
            options = table_actions(self.match)
            stays = not hides_dice(self.match) and chance.random() < 0.9  # they are long enough
            return chance.choice([a for a in options if not (stays and a == act.StopMatch())])
        options = legal_actions(self.match)
        if self.rules.game == "class" or not hides_dice(self.match):
            return chance.choice(options)
        # One kind of action is as likely as another, and a low announcement is rare; otherwise
        # nobody would roll twice or survive his first announcement.
        kind = chance.choice(sorted({type(option) for option in options}, key=str))
        options = [option for option in options if type(option) is kind]
        if kind is act.Announce and self.match.announced is not None and chance.random() < 0.9:
            standing = PLACE[self.match.announced]
            high = [o for o in options if PLACE[o.value] >= standing and not o.wrong_way]
            options = high or options
        return chance.choice(options)

    @property
    def after(self):
        """The matches that the actions led to."""
        return [*self.matches[1:], self.match]

    def record(self):
        return Record(self.rules, self.players, self.first, tuple(self.actions))


def any_roll(match, chance):
    """A roll at random in which what is rare comes often.

    Every fourth of a bluff game is a Mäxchen, and every fourth a tower where there are any.
    """
    if not hides_dice(match):
        faces = (1, 6) if chance.random() < 0.4 else range(1, 7)
        return act.Roll(tuple(chance.choices(faces, k=dice_to_roll(match))))
    dice = (2, 1) if chance.random() < 0.25 else chance.choice(DICE)
    return act.Roll(dice, tower=bool(match.rules.tower_one_in) and chance.random() < 0.25)


def other_hidden_dice(match, chance):
    """The match with other dice wherever they are covered."""
    if hides_dice(match):
        other = any_roll(match, chance)
        return match.replace(dice=match.dice and other.dice, tower=match.tower and other.tower)
    hands = tuple(
        hand._replace(dice=tuple(chance.choices(range(1, 7), k=len(hand.dice))))
        if isinstance(hand, CoasterHand) and hand.covered
        else hand
        for hand in match.hands
    )
    return match.replace(hands=hands)


@st.composite
def rule_sets(draw, game):
    if game in OPTIONS:
        return replace(RULES[game], **draw(st.sampled_from(OPTIONS[game])))
    if game == "class":
        return replace(
            RULES[game],
            **draw(st.sampled_from([{}, {"ends": "last_standing"}, {"stakes": "drinks"}])),
            understating=draw(st.sampled_from(["no_lie", "lie"])),
        )
    if game == "holy-family":
        return replace(
            RULES[game], points=draw(st.integers(1, 10)), losers=draw(st.sampled_from([1, 2]))
        )
    return RULES[game]


@st.composite
def walks(draw, games=tuple(RULES)):
    rules = draw(rule_sets(draw(st.sampled_from(games))))
    fewest = max(rules.fewest_players, getattr(rules, "losers", 0) + 1)
    players = draw(st.integers(fewest, rules.most_players))
    first = draw(st.integers(0, players - 1))
    return Walk(rules, players, first, draw(st.integers(0, 2**32)))


_BAD_DICE = [(0, 1), (7, 1), (6,), (1, 2, 3), (), "21", [1, 2], 21, "x", [1]]
_SEATS = (*range(-2, 10), None, "Ana")
_UNIVERSE = (
    *(act.Roll(dice, tower) for tower in (False, True) for dice in (None, *DICE, *_BAD_DICE)),
    act.Look(),
    *(act.Announce(value) for value in (*range(-1, 78), None)),
    *(
        act.Announce(value, flourish, wrong_way)
        for value in (*RANKING, 36)
        for flourish in (None, *act.Flourish, "loud")
        for wrong_way in (False, True)
        if flourish or wrong_way
    ),
    *(act.Say(words, wrong_way) for words in (*act.Words, "more") for wrong_way in (False, True)),
    act.Believe(),
    act.Doubt(),
    act.Refuse(),
    *(act.Lift(dice, tower) for tower in (False, True) for dice in (None, *DICE, *_BAD_DICE)),
    act.ShowMaexchen(),
    *(act.ShowTower(dice) for dice in (None, *DICE, *_BAD_DICE)),
    act.GiveIn(),
    act.OwnUp(),
    *(
        act.Keep(aside, turned)
        for aside in ((), *((die,) for die in range(8)), *DICE, (0, 8), (1, 2, 3), [1])
        for turned in range(-1, 4)
    ),
    act.Stop(),
    *map(act.GiveCoaster, _SEATS),
    act.EndMatch(),
    *map(act.Leave, _SEATS),
    act.VoidRound(),
    act.StopMatch(),
    *(act.Fault(kind, seat) for kind in (*act.FaultKind, "cough") for seat in _SEATS),
    "roll",
)


def universe(match):
    """Every kind of action of every game, with what makes sense in it and much that makes none."""
    number = dice_to_roll(match)
    dice = ((1,) * number, (6,) * number, (1,) * (number - 1), (7,) * number)
    return (*_UNIVERSE, *map(act.Roll, dice), *map(act.Lift, dice))
