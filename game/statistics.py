"""Counts of a match by player: throws, looks, doubts, lies that were caught.

>>> from game import RULES
>>> from game.actions import Announce, Doubt, Lift, Roll
>>> from game.record import Record, replay
>>> record = Record(
...     RULES["class"],
...     ("Ana", "Ben", "Cem"),
...     0,
...     (Roll((3, 1)), Announce(62), Doubt(), Lift()),
... )
>>> ana, ben, _ = statistics(3, replay(record))
>>> ana.lies_caught, ben.right_doubts
(1, 1)
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from game import events
from game.engines import AnyStep


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts of one player in a match.

    ``throws`` are rolls, covered and open; ``looks`` are peeks at the player's own roll. Only
    doubted ``announcements`` are ever checked: ``lies_caught`` counts the false ones among them,
    ``truths_doubted`` the true ones. ``right_doubts`` are the ``doubts`` that uncovered a lie.
    ``penalties`` are the player's charges, in the unit that the game counts. ``faults`` counts the
    charges for a mistake in play (R-PHYS-7, R-HF-5). ``rounds_won`` and ``rounds_lost`` are the
    rounds of open dice in which the player threw best and worst.
    """

    throws: int = 0
    looks: int = 0
    announcements: int = 0
    lies_caught: int = 0
    truths_doubted: int = 0
    doubts: int = 0
    right_doubts: int = 0
    penalties: int = 0
    faults: int = 0
    rounds_won: int = 0
    rounds_lost: int = 0


def statistics(players: int, steps: Iterable[AnyStep]) -> tuple[Statistics, ...]:
    """Return the counts of every player in a match, by seat.

    ``players`` is the number of seats. ``steps`` are the results of the match's actions, as
    ``game.record.replay`` yields them.
    """
    counted = [Counter[str]() for _ in range(players)]
    for step in steps:
        for event in step.events:
            for seat, name, amount in _counts(event):
                counted[seat][name] += amount
    return tuple(Statistics(**each) for each in counted)


def _counts(event: events.Event) -> tuple[tuple[int, str, int], ...]:
    """Return the changes of an event: a seat, the field that counts it, and by how much."""
    match event:
        case events.Rolled(seat) | events.Threw(seat):
            return ((seat, "throws", 1),)
        case events.Looked(seat):
            return ((seat, "looks", 1),)
        case events.Announced(seat):
            return ((seat, "announcements", 1),)
        case events.Doubted(seat):
            return ((seat, "doubts", 1),)
        case events.Revealed(seat, announcer=announcer, lied=True):
            return ((seat, "right_doubts", 1), (announcer, "lies_caught", 1))
        case events.Revealed(announcer=announcer):
            return ((announcer, "truths_doubted", 1),)
        case events.Penalised(seat, cost):
            return ((seat, "penalties", cost),)
        case events.Mishandled(seat) | events.Inadmissible(seat) | events.WentWrongWay(seat):
            return ((seat, "faults", 1),)
        case events.RoundDecided(best, worst):
            return ((best, "rounds_won", 1), (worst, "rounds_lost", 1))
        case _:
            return ()
