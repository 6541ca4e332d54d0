"""Other dice under the same cup: as long as nobody has seen them, nothing at the table differs.

A match is played again with the same seed, but one roll at which nobody looks falls otherwise.
Every write to every panel and every packet on the air must stay the same, in what it shows, in its
size and in its time, until the cup is lifted on that roll; for ever, if it never is.

Dice are committed to, so for others to fall their roller must have had another secret from the
start, and have said another root. That is a number without a meaning, but it is in the record, and
so every sealed frame after it has other bytes.
"""

from hashlib import sha256
from typing import NamedTuple

import pytest

from firmware.table.commitment.fair_dice import UnbiasedDice, opening_of, root_of, source_of
from firmware.table.log.entries import read_entries
from game import dice_to_roll, new_match
from game.actions import Announce, Believe, Doubt, Roll
from game.record import replay
from hw_sim.players.player_hand import PlayerPersonality
from tests.support.matches import complaints, short_setup

pytestmark = pytest.mark.night

SEED = 2
"""In this match a roll that nobody looked at is believed, and another one doubted."""
CARELESS = PlayerPersonality(trust=0.6, daring=0.5, lazy=0.7, physical=0.9, nosy=0.0)
"""Players who roll, do not look, announce something all the same, and believe it."""


class Blind(NamedTuple):
    """A roll that nobody looked at: its place in the record, whose it is, what fell."""

    index: int
    seat: int
    dice: tuple[int, int]

    @property
    def others(self):
        """Dice that could have fallen instead, and mean something else."""
        return (2, 1) if self.dice != (2, 1) else (3, 1)


def tenure_of(table, blind):
    """The tenure that a blind roll fell in, if it was the first throw there; else None."""
    entry = table.seats[blind.seat].handheld.own_seat.log.since(0)[blind.index]
    ((_, note, _),) = read_entries(entry)
    return note.tenure


def seed_for(table, blind, before):
    """Another secret of the roller's, with which other dice would have fallen.

    All else that goes into the dice is left: what the giver of the cup adds to another root is his
    to say, and he says it as he would have.
    """
    fair = [seat.handheld.own_seat.fair.committer for seat in table.seats]
    tenure = tenure_of(table, blind)
    place = tenure.place(table.seats[0].handheld.own_seat.log.ledger.match, blind.seat)
    for number in range(10_000):
        seed = sha256(b"%d" % number).digest()
        root = root_of(seed, place)
        added = fair[tenure.contributor]._contribution(blind.seat, tenure.order, root)
        dice = UnbiasedDice(source_of(opening_of(seed, 1), added, 1, place))
        if dice.roll(dice_to_roll(before), before.rules.tower_one_in).dice == blind.others:
            return seed
    raise AssertionError("no such secret")


class Watched:
    """What can be seen at a table without lifting a cup: panels, and packets on the air.

    Each with how many actions had been taken by then.
    """

    def __init__(self, table):
        self._seats = table.seats
        self.panels = []
        self.packets = []
        for seat in table.seats:
            seat.board.display.on_write.append(self._sees(seat))
        table.air.observers.append(lambda heard: self.packets.append((self._turn, heard)))

    @property
    def _turn(self):
        return max(seat.handheld.match.turn for seat in self._seats)

    def _sees(self, seat):
        display = seat.board.display

        def sees(t_us):
            self.panels.append((self._turn, t_us, seat.seat, display.is_lit, display.memory))

        return sees

    def shown_until(self, turn):
        return [write for write in self.panels if write[0] <= turn]

    def heard_until(self, turn):
        return [heard for taken, heard in self.packets if taken <= turn]


def outline(packet):
    """What an observer sees of a packet that he cannot decrypt."""
    return packet.t_us, packet.sender, packet.receiver, len(packet.payload)


def blind_rolls(record):
    """Rolls that were announced unseen: by whether the next seat believed, and rolled over it."""
    match = new_match(record.rules, record.players, record.first)
    found = {Believe: [], Doubt: []}
    for index, step in enumerate(replay(record)):
        seat, before, match = match.to_act, match, step.match
        roll, *after = record.actions[index : index + 4]
        if not isinstance(roll, Roll):
            continue
        kinds = [type(action) for action in after]
        if kinds in ([Announce, Believe, Roll], [Announce, Doubt, kinds[-1] if kinds else None]):
            found[kinds[1]].append((Blind(index, seat, roll.dice), before))
    return found


@pytest.fixture
def play_carelessly(play):
    """Play the match, with one roll falling otherwise if one is given; return what was seen."""

    def play_it(instead=None, seed=None):
        watched = []

        def prepare(table):
            for player in table.players:
                player.personality = CARELESS
            if instead is not None:
                fair = table.seats[instead.seat].handheld.own_seat.fair.committer
                own, (tenure, other) = fair._seed, seed
                fair._seed = lambda key: other if key == tenure.order else own(key)
            watched.append(Watched(table))

        return play(short_setup(seed=SEED), prepare=prepare), watched[0]

    return play_it


def test_dice_that_nobody_has_seen_change_nothing(play_carelessly):
    played, seen = play_carelessly()
    assert complaints(played) == []
    actions = played.outcome.record.actions
    blind = blind_rolls(played.outcome.record)

    def other_seed(blind, before):
        return tenure_of(played.table, blind), seed_for(played.table, blind, before)

    def first(kind):
        return next(found for found in blind[kind] if tenure_of(played.table, found[0]))

    never_lifted, before = first(Believe)
    again, seen_again = play_carelessly(never_lifted, other_seed(never_lifted, before))
    changed = again.outcome.record.actions
    assert changed[never_lifted.index] == Roll(never_lifted.others)
    same = (*actions[: never_lifted.index], changed[never_lifted.index])
    assert changed == (*same, *actions[never_lifted.index + 1 :])
    assert seen_again.panels == seen.panels
    for seat, seat_again in zip(played.table.seats, again.table.seats):
        assert seat_again.board.bus.digest == seat.board.bus.digest
    assert [outline(p) for _, p in seen_again.packets] == [outline(p) for _, p in seen.packets]

    doubted, before = first(Doubt)
    lift = doubted.index + 3
    again, seen_again = play_carelessly(doubted, other_seed(doubted, before))
    assert again.outcome.record.actions[doubted.index] == Roll(doubted.others)
    assert seen_again.shown_until(lift) == seen.shown_until(lift)
    heard, heard_again = seen.heard_until(lift), seen_again.heard_until(lift)
    assert [outline(packet) for packet in heard_again] == [outline(packet) for packet in heard]
    assert seen_again.panels != seen.panels
