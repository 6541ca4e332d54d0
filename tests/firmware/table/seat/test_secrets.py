"""The dice are nobody's business: swap them, and nothing that anybody else can see changes."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.display.screens import LookPage as LookScreen
from firmware.effects import Show
from firmware.input.controls import LocalChoice
from firmware.input.gestures import Covered, Shaken, Uncovered
from firmware.journal import Append, Put
from firmware.table.handover import Cup, Where
from firmware.table.protocol import HEADER_BYTES
from firmware.table.protocol.messages import EMPTY, Give
from firmware.table.seat.cup_custody import Position
from game import Phase
from game import actions as act
from game.bluff.rules import DICE
from tests.support import core_table as cores
from tests.support.net import S
from tests.support.seats import offer


class Twins:
    """Two tables at which the same is done, and which differ in the dice that fall alone."""

    def __init__(self, **each):
        """``each``: by argument of a table, the values of both."""
        self.tables = [
            cores.CoreTable(3, **dict(zip(each, values))) for values in zip(*each.values())
        ]

    def do(self, seat, *reports):
        for table in self.tables:
            table.do(seat, *reports)

    def wait(self, duration_us):
        for table in self.tables:
            table.wait(duration_us)

    def choose(self, seat, choice, **more):
        for table in self.tables:
            table.choose(seat, choice, **more)

    def choices(self, seat):
        """Return the entries of the dial; the same at both tables."""
        one, other = (table[seat].dial.entries for table in self.tables)
        assert one == other
        return [entry.choice for entry in one if entry.choice is not None]

    def check(self):
        """Nothing that leaves a handheld, and nothing on a closed cup's panel, tells the dice."""
        one, other = self.tables
        assert one.now_us == other.now_us
        for left, right in zip(one.places, other.places):
            assert list(map(said, left.left)) == list(map(said, right.left))
            assert list(public_disk(left)) == list(public_disk(right))
            assert left.position is right.position
            check_outside(left, right)

    def check_from_outside(self):
        """An observer learns a frame's header, its length and its time; the same at both."""
        one, other = self.tables
        for left, right in zip(one.places, other.places):
            assert list(map(outline, left.left)) == list(map(outline, right.left))
            sizes = [[item_size(i) for batch in p.stored for i in batch] for p in (left, right)]
            assert sizes[0] == sizes[1]
            check_outside(left, right)
        assert one.now_us == other.now_us


def check_outside(left, right):
    """What a handheld shows with its cup closed, what it sounds, and when it is due."""
    assert list(public_panel(left)) == list(public_panel(right))
    assert left.heard == right.heard
    assert left.handheld.next_timer_us == right.handheld.next_timer_us


def outline(leaving):
    to, _, frame = leaving
    return to, frame[:HEADER_BYTES], len(frame)


def item_size(item):
    """How much is written; of entries only that one is, for the own disk alone has a tower's."""
    return len(item.value) if isinstance(item, Put) else None


def said(leaving):
    """What an observer sees of a frame; of a sealed cup its header and length."""
    to, message, frame = leaving
    if isinstance(message, Give):
        return to, frame[:HEADER_BYTES], len(frame)
    return to, frame


def public_panel(place):
    """All that a panel showed, the dice of a look left out."""
    for effect in place.shown:
        match effect:
            case Show(LookScreen(), generation):
                yield "look", generation
            case _:
                yield effect


def public_disk(place):
    """All that was written; the dice that lie in this cup, and fell here, left out."""
    for batch in place.stored:
        for item in batch:
            match item:
                case Put(key, value):
                    cup = Cup.decode(value)
                    frame = cup.frame
                    if cup.where is Where.OFFERED:
                        frame = frame[:HEADER_BYTES], len(frame)
                    has_dice = cup.contents != EMPTY
                    yield key, cup._replace(frame=b"", contents=EMPTY), frame, has_dice, len(value)
                case Append(index, entry):
                    yield index, b"roll" if entry[0] in ROLLS else entry


ROLLS = (*range(0x40, 0x64), 0xA8, 0xC3)
"""First bytes of rolls with their dice, towers among them; only the own disk ever has these."""
PAIRS = st.lists(st.sampled_from(DICE), min_size=8, max_size=8)
LEFT_OUT = (act.Doubt, act.ShowMaexchen, act.ShowTower)
"""What shows dice."""


def thrown_by_all(dice):
    return dict.fromkeys(range(3), dice)


def play_blindly(twins, chance, check, decisions=12):
    """Do the same at both tables, nothing that shows dice; ``check`` after each decision."""
    for _ in range(decisions):
        seat = twins.tables[0].acting.seat
        for table in twins.tables:
            table.wait_until_armed(seat)
        choices = [c for c in twins.choices(seat) if not isinstance(c, LEFT_OUT)]
        choices.remove(LocalChoice.MORE)  # nothing of the game is done in the menu
        choice = chance.choice(choices)
        if isinstance(choice, act.Announce) and chance.random() < 0.8:
            choice = min((c for c in choices if isinstance(c, act.Announce)), key=lambda c: c.value)
        if choice == act.Look() and chance.random() < 0.5:
            twins.do(seat, Uncovered(0))
            twins.wait(S)
            twins.do(seat, Covered(0))
        elif choice == act.Roll() and chance.random() < 0.5:
            twins.do(seat, Shaken(0, S))
        else:
            twins.choose(seat, choice)
        twins.wait(7 * S)
        check()
        if any(table.over for table in twins.tables):
            break


@pytest.mark.whole
@settings(max_examples=15)
@given(
    game=st.sampled_from(["class", "physicist", "holy-family"]),
    one=PAIRS,
    other=PAIRS,
    seed=st.integers(0, 2**32),
)
def test_swapped_dice_change_nothing_that_leaves_a_handheld(game, one, other, seed):
    twins = Twins(game=(game, game), dice=(thrown_by_all(one), thrown_by_all(other)))
    play_blindly(twins, Random(seed), twins.check)


def swap_all(games, decisions=12):
    differ = 0
    for seed, game in enumerate(games):
        twins = Twins(game=(game, game), seed=((seed, 0), (seed, 1)))
        play_blindly(twins, Random(seed), twins.check_from_outside, decisions)
        thrown = [[a for p in t.places for a in p.actions if a != act.Roll()] for t in twins.tables]
        differ += thrown[0] != thrown[1]
    assert differ > len(games) // 2, "most tables have thrown other dice"


GAMES = ("class", "physicist", "holy-family")


def test_a_recorder_on_the_air_learns_nothing_of_fair_dice():
    """It holds every byte of some matches; of all dice swapped, none changes a length or a time."""
    swap_all(2 * GAMES)


@pytest.mark.soak
def test_a_recorder_on_the_air_learns_nothing_of_fair_dice_in_100_matches():
    swap_all((34 * GAMES)[:100], decisions=40)


def test_the_swap_test_would_notice_a_difference():
    twins = Twins(dice=(thrown_by_all([(6, 5)]), thrown_by_all([(3, 1)])))
    offer(twins)
    twins.check()
    twins.choose(1, act.Doubt())
    with pytest.raises(AssertionError):
        twins.check()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("one", "other", "seed"), [((1, 2, 3), (5, 5, 4), 0), ((2, 2, 2), (1, 3, 5), 1)]
)
def test_a_covered_third_throw_is_nobodys_business(one, other, seed):
    """T-5: until it is lifted, no frame, no panel and no length tells anything of it."""
    others = {1: [(6, 6, 5), (5, 4, 2)], 2: [(6, 5, 5), (5, 3, 2)]}
    leads = [(1, 1, 2), (6, 5, 3), (6, 5, 3)]
    dice = tuple({0: [*leads, third], **others} for third in (one, other))
    twins = Twins(game=("maxen", "maxen"), dice=dice)
    chance = Random(seed)
    for seat in range(3):
        twins.choose(seat, act.Roll())
        if twins.tables[0][seat].position is Position.TO_PASS:
            twins.choose(seat, LocalChoice.GO_ON)
    twins.wait(S)
    for _ in range(3):
        if chance.random() < 0.5:
            twins.do(0, Shaken(0, S))
        else:
            twins.choose(0, act.Roll())
    for seat in (1, 2):
        twins.choose(seat, act.Roll())
        twins.choose(seat, act.Stop())
    twins.wait(7 * S)
    assert {table[0].match.phase for table in twins.tables} == {Phase.TO_LIFT}
    twins.check()
    twins.choose(0, act.Lift())
    told = [table[2].actions[-1].dice for table in twins.tables]
    assert [sorted(dice) for dice in told] == [sorted(one), sorted(other)]
