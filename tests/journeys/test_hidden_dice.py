"""Other dice under the same cup: as long as nobody has seen them, nothing at the table differs.

A match is played again with the same seed, but one roll at which nobody looks falls otherwise.
Every write to every panel and every packet on the air must stay the same, in what it shows, in its
size and in its time, until the cup is lifted on that roll; for ever, if it never is.
"""

from typing import NamedTuple

import pytest

from game import new_match
from game.actions import Announce, Believe, Doubt, Roll
from game.record import replay
from hw_sim.manners import Manners

SEED = 75
"""Three players who count drinks: a match of few minutes."""
CARELESS = Manners(trust=0.6, daring=0.5, lazy=0.7, physical=0.9, nosy=0.0)
"""Players who roll, do not look, announce something all the same, and believe it."""
USED_BYTES = 252
"""A die takes a byte from the source of chance; one that is not below this is drawn again."""


class Blind(NamedTuple):
    """A roll that nobody looked at: its place in the record, whose how many-th it is."""

    index: int
    seat: int
    throw: int
    dice: tuple[int, int]

    @property
    def others(self):
        """Dice that could have fallen instead, and mean something else."""
        return (2, 1) if self.dice != (2, 1) else (3, 1)


class LoadedDice:
    """A source of chance in which one throw falls otherwise, and no other."""

    def __init__(self, entropy, throw, dice):
        self._entropy = entropy
        self._instead = {2 * throw: dice[0], 2 * throw + 1: dice[1]}
        self._dice = 0

    def __call__(self, count):
        drawn = self._entropy(count)
        assert count == 1, "a die takes one byte at a time"
        if drawn[0] >= USED_BYTES:
            return drawn
        pips = self._instead.get(self._dice)
        self._dice += 1
        return drawn if pips is None else bytes((pips - 1,))


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
        hear = table.air.observe

        def observe(heard):
            hear(heard)
            self.packets.append((self._turn, heard))

        table.air.observe = observe

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
    throws = [0] * len(record.players)
    found = {Believe: [], Doubt: []}
    for index, step in enumerate(replay(record)):
        seat, match = match.to_act, step.match
        roll, *after = record.actions[index : index + 4]
        if not isinstance(roll, Roll):
            continue
        throws[seat] += 1
        kinds = [type(action) for action in after]
        if kinds in ([Announce, Believe, Roll], [Announce, Doubt, kinds[-1] if kinds else None]):
            found[kinds[1]].append(Blind(index, seat, throws[seat] - 1, roll.dice))
    return found


@pytest.fixture
def play_carelessly(play, setup_of):
    """Play the match, with one roll falling otherwise if one is given; return what was seen."""

    def play_it(instead=None):
        watched = []

        def prepare(table):
            for player in table.players:
                player.manners = CARELESS
            if instead is not None:
                chance = table.seats[instead.seat].handheld._chance
                chance.entropy = LoadedDice(chance.entropy, instead.throw, instead.others)
            watched.append(Watched(table))

        return play(setup_of(SEED), prepare=prepare), watched[0]

    return play_it


@pytest.mark.usefixtures("untraced")
def test_dice_that_nobody_has_seen_change_nothing(play_carelessly, complaints):
    played, seen = play_carelessly()
    assert complaints(played) == []
    actions = played.outcome.record.actions
    blind = blind_rolls(played.outcome.record)

    never_lifted = blind[Believe][0]
    again, seen_again = play_carelessly(instead=never_lifted)
    changed = again.outcome.record.actions
    assert changed[never_lifted.index] == Roll(never_lifted.others)
    same = (*actions[: never_lifted.index], changed[never_lifted.index])
    assert changed == (*same, *actions[never_lifted.index + 1 :])
    assert seen_again.panels == seen.panels
    for seat, seat_again in zip(played.table.seats, again.table.seats):
        assert seat_again.board.bus.digest == seat.board.bus.digest
    assert [outline(p) for _, p in seen_again.packets] == [outline(p) for _, p in seen.packets]
    # The content of the cup travels sealed for its receiver; nothing else may depend on it.
    depending = [
        (one.sender, one.receiver)
        for (_, one), (_, other) in zip(seen.packets, seen_again.packets)
        if one.payload != other.payload
    ]
    receiver = (never_lifted.seat + 1) % played.setup.players
    assert depending == [(never_lifted.seat, receiver)]

    doubted = blind[Doubt][0]
    lift = doubted.index + 3
    again, seen_again = play_carelessly(instead=doubted)
    assert again.outcome.record.actions[doubted.index] == Roll(doubted.others)
    assert seen_again.shown_until(lift) == seen.shown_until(lift)
    heard, heard_again = seen.heard_until(lift), seen_again.heard_until(lift)
    assert [outline(packet) for packet in heard_again] == [outline(packet) for packet in heard]
    assert seen_again.panels != seen.panels
