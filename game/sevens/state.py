"""The state of a match of ``sevens``: frozen, hashable, and moved by ``apply`` alone."""

from typing import NamedTuple

from game.dice import Dice
from game.options import check_seat
from game.sevens.rules import SevensRules
from game.status import Outcome, Phase, Status


class SevensMatch(NamedTuple):
    """A match of ``sevens`` between two actions. All throws lie open (S-2).

    What a whole round leaves alone comes first. ``players`` are names by seat; they play clockwise,
    seats ascending. ``coasters`` are the rounds lost by seat, ``gone`` those that left the table
    with their players, ``lost`` lists who lost a round, in order. ``deciding``: this
    round decides the match (S-4). ``outcome`` is None until the match is over.

    ``round`` counts from 1, voided rounds too, 0 while the first leader is thrown for; ``leader``
    is None then. ``order`` are the seats that throw in this round, in playing order, and ``limit``
    is how often the seat that is to act may throw. ``hands`` are the last throws by seat, None for
    who has not finished. ``turn`` is the number of actions so far, ``to_act`` the seat that acts
    next, None when the match is over, ``phase`` what is due from it. ``throws`` counts its throws
    in this round; ``dice`` are those of the last one, None before the first.
    """

    rules: SevensRules
    players: tuple[str, ...]
    coasters: tuple[int, ...]
    gone: int
    lost: tuple[int, ...]
    deciding: bool
    status: tuple[Status, ...]
    outcome: Outcome | None
    round: int
    leader: int | None
    order: tuple[int, ...]
    limit: int
    hands: tuple[Dice | None, ...]
    turn: int
    phase: Phase
    to_act: int | None
    throws: int
    dice: Dice | None

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that play now, those that sit out not counted."""
        return tuple(seat for seat, status in enumerate(self.status) if status is Status.IN)

    @property
    def at_table(self) -> tuple[int, ...]:
        """The seats that are in the match, those that sit out a deciding round too."""
        gone = Status.LEFT
        return tuple(seat for seat, status in enumerate(self.status) if status is not gone)


def view(match: SevensMatch, seat: int | None) -> SevensMatch:
    """Return the match as ``seat`` may know it: all of it, nothing is hidden (S-2).

    ``seat`` None is a spectator. Raises ValueError for a seat nobody has.
    """
    check_seat(match.players, seat)
    return match
