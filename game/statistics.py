"""What a match was like: who threw, looked, doubted, and was caught.

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

from game.engines import AnyStep
from game.events import (
    Announced,
    Doubted,
    Event,
    Inadmissible,
    Looked,
    Mishandled,
    Penalised,
    Revealed,
    Rolled,
    RoundDecided,
    Threw,
    WentWrongWay,
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What one player did in a match, and what became of it.

    ``throws`` are rolls, covered and open; ``looks`` peeks at his own. Of his ``announcements``
    only those that were doubted have been seen: ``lies_caught`` counts the false ones among them,
    ``truths_doubted`` the true ones. Of his ``doubts``, ``right_doubts`` uncovered a lie.
    ``penalties`` are what he was charged, in what the game counts, ``faults`` how often for a
    mistake in play (R-PHYS-7, R-HF-5). ``rounds_won`` and ``rounds_lost`` are those of open dice in
    which he threw best and worst.
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
    """Count what everybody did in a match, by seat.

    ``players`` is how many sit at the table, ``steps`` are what its actions led to, such as
    ``game.record.replay`` gives them.
    """
    counted = [Counter[str]() for _ in range(players)]
    for step in steps:
        for event in step.events:
            for seat, name, amount in _counts(event):
                counted[seat][name] += amount
    return tuple(Statistics(**each) for each in counted)


def _counts(event: Event) -> tuple[tuple[int, str, int], ...]:
    """Return what an event adds: a seat, what it counts there, and how much."""
    match event:
        case Rolled(seat) | Threw(seat):
            return ((seat, "throws", 1),)
        case Looked(seat):
            return ((seat, "looks", 1),)
        case Announced(seat):
            return ((seat, "announcements", 1),)
        case Doubted(seat):
            return ((seat, "doubts", 1),)
        case Revealed(seat, announcer=announcer, lied=True):
            return ((seat, "right_doubts", 1), (announcer, "lies_caught", 1))
        case Revealed(announcer=announcer):
            return ((announcer, "truths_doubted", 1),)
        case Penalised(seat, cost):
            return ((seat, "penalties", cost),)
        case Mishandled(seat) | Inadmissible(seat) | WentWrongWay(seat):
            return ((seat, "faults", 1),)
        case RoundDecided(best, worst):
            return ((best, "rounds_won", 1), (worst, "rounds_lost", 1))
        case _:
            return ()
