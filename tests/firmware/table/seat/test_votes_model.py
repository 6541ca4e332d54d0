"""An exhaustive exploration of how a table goes on without a handheld: one cup in every epoch.

Three or four whole handhelds below the screen (`firmware.table.seat.seat`: votes, log, the seals
and the cup) vote for going on without each other whenever they like, rightly or by mistake, while
the one with the cup may play on. They may lose their memory, and come back.

The network may lose, repeat, reorder and replay: every frame ever sent can be delivered at any
time, or never. A write is asynchronous, so anything can happen between a store and its fsync, a
crash too. Frames of the cup itself get lost: ``tests.support.chaos`` plays with its way. Every
reachable state must satisfy:

- no two handhelds hold a cup of one epoch, in their memory or on their disks;
- a seat votes once for an epoch, whatever happens to its memory, and no header ever stands over
  two different bodies (one nonce, two plaintexts);
- a holder of a cup of a new epoch has more than half of all votes behind it, on the disks, and a
  log as new as those of so many voters;
- an epoch on a disk never falls, and nobody takes an honest handheld for a cheat;
- if from here on every frame arrives and nobody crashes, all come to the same epoch, with one cup
  (unless one that lost its memory had it);
- any two of three, or three of four, who remember go on, if from here on their frames arrive and
  the other is gone, whatever was voted before: with the cup that one of them has, or once all of
  them have voted to go on without the other.

The checker is checked too: the ways of doing it wrong must each be found.
"""

from itertools import permutations

import pytest

from firmware.table.protocol import MessageKind
from firmware.table.seat.votes import Votes
from tests.support.nights import soaked
from tests.support.votes_exploring import NAMES, Bounds, Explorer, ViolationError

ANA, BEN, CEM, DORA = range(len(NAMES))

WITHOUT_BEN = ((ANA, BEN), (CEM, BEN))
EVERYBODY = tuple(permutations((ANA, BEN, CEM), 2))
FOUR_WITHOUT_BEN = (*WITHOUT_BEN, (DORA, BEN))
FOUR_MISTAKEN = ((ANA, BEN), (CEM, DORA))
MISTAKEN = ((ANA, CEM), (ANA, BEN))
EACH_OTHER = ((ANA, BEN), (BEN, ANA))
UNDECIDED = ((ANA, BEN), (BEN, ANA), (CEM, ANA), (CEM, BEN))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("bounds", "at_least"),
    [
        (Bounds(MISTAKEN, votes=2, crashes=1), 250),
        (Bounds(WITHOUT_BEN, crashes=1), 1_500),
        (Bounds(((ANA, BEN),), losses=1), 2_000),
        soaked(Bounds(WITHOUT_BEN, losses=1), 25_000),
        (Bounds(FOUR_MISTAKEN, seats=4), 100),
        soaked(Bounds(FOUR_WITHOUT_BEN, seats=4), 100_000),
        soaked(Bounds(((ANA, BEN),), losses=1, seats=4), 40_000),
        soaked(Bounds(UNDECIDED, crashes=1), 35_000),
        soaked(Bounds(EVERYBODY, crashes=1), 50_000),
        soaked(Bounds(WITHOUT_BEN, entries=1), 200_000),
        soaked(Bounds(WITHOUT_BEN, crashes=1, entries=1), 200_000),
        soaked(Bounds(UNDECIDED, votes=2), 2_000_000),
    ],
    ids=str,
)
def test_there_is_one_cup_in_every_epoch(bounds, at_least):
    assert Explorer(bounds).explore().states >= at_least


# Ways of doing it wrong


class TellsBeforeTheDiskHasIt(Explorer):
    def is_hasty(self, frame):
        return frame[0] & 0x0F == MessageKind.VOTE


class KeepsVotesInMemory(Explorer):
    """A crash makes a seat forget its vote."""

    def survived(self, votes):
        return ()


class CountsHalf(Votes):
    """One vote of three is enough."""

    def decided(self, epoch):
        for cast in self._cast.values():
            if epoch in cast:
                return self._ballot(epoch, cast[epoch].keeper, cast[epoch].gone)
        return None


class StandsByEveryVote(Votes):
    """Who was voted gone stays so, whether or not he is heard of."""

    def vote(self, seat, left, back, here, now_us):
        return super().vote(seat, left, frozenset(), here, now_us)

    def reconsider(self, left, back, here, now_us):
        return super().reconsider(left, frozenset(), here, now_us)


def with_votes(votes_class):
    return type(votes_class.__name__, (Explorer,), {"votes_class": votes_class})


@pytest.mark.whole
@pytest.mark.parametrize(
    ("wrong", "violation", "bounds"),
    [
        (TellsBeforeTheDiskHasIt, "two bodies under one header", Bounds(MISTAKEN, crashes=1)),
        (KeepsVotesInMemory, "a vote that a power cut takes back", Bounds(WITHOUT_BEN, crashes=1)),
        (with_votes(CountsHalf), "an epoch without a majority", Bounds(WITHOUT_BEN)),
        (with_votes(CountsHalf), "two holders", Bounds(EACH_OTHER)),
        (
            *(with_votes(StandsByEveryVote), "a majority that remembers is stuck"),
            Bounds(MISTAKEN, votes=2),
        ),
    ],
)
def test_the_checker_finds_what_is_known_to_be_wrong(wrong, violation, bounds):
    with pytest.raises(ViolationError, match=violation):
        wrong(bounds, looking_for=violation).explore()
