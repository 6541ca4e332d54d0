"""The state of a match of ``sevens``: a position, frozen in a match, moved by ``apply`` alone."""

from dataclasses import dataclass

from game.frozen import drafting
from game.open_dice import OpenMatch, OpenPosition
from game.options import check_seat
from game.sevens.rules import SevensRules


@drafting
@dataclass(slots=True, unsafe_hash=True, kw_only=True)
class SevensPosition(OpenPosition):
    """The state of a match of ``sevens`` between two actions. All throws lie open (S-2).

    See ``OpenPosition`` for most fields. ``coasters`` are the rounds lost by seat. ``lost`` lists
    the losers of the rounds, in order. ``deciding``: this round decides the match (S-4). ``hands``
    are the last throws.
    """

    rules: SevensRules
    lost: tuple[int, ...] = ()
    deciding: bool = False


class SevensMatch(SevensPosition, OpenMatch):
    """A match of ``sevens`` between two actions: a position that is frozen."""

    __slots__ = ()


def view(match: SevensMatch, seat: int | None) -> SevensMatch:
    """Return the match as ``seat`` may know it: all of it, nothing is hidden (S-2).

    ``seat`` None is a spectator. Raises ValueError for a seat that does not exist.
    """
    check_seat(match.players, seat)
    return match
