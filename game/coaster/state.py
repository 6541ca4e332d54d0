"""The state of a coaster match: a position, frozen in a match, moved by ``apply`` alone."""

from dataclasses import dataclass
from typing import NamedTuple

from game.coaster.rules import CoasterRules
from game.coaster.values import CUP
from game.dice import Dice
from game.frozen import drafting
from game.open_dice import OpenMatch, OpenPosition
from game.options import check_seat
from game.status import LEVELLING

MOST_THROWS = 3
"""The number of throws a leader may have, without a bonus (T-1)."""
RICH = 3
"""The least number of coasters of a player who may give one away (R-CHI-4)."""


class CoasterHand(NamedTuple):
    """The throw of a player whose turn of the round is over.

    ``aside`` are the dice set aside, ``dice`` those of the last throw. ``covered`` dice stay so
    until they are lifted (T-5): ``dice`` is None if this copy of the match does not know them.
    """

    aside: Dice
    dice: Dice | None
    covered: bool = False


@drafting
@dataclass(slots=True, unsafe_hash=True, kw_only=True)
class CoasterPosition(OpenPosition):
    """The state of a match of ``maxen`` or ``chicago`` between two actions.

    See ``OpenPosition`` for most fields. ``half`` counts the halves of ``maxen`` from 1 (R-MAX-5).
    ``stage`` is 1 while coasters are dealt from the pile and 2 after that. ``pile`` is the number
    of coasters not dealt yet. ``lost`` lists the losers of the halves so far, ``safe`` the players
    out of danger, in order. ``throws`` counts a bonus too.
    """

    rules: CoasterRules
    hands: tuple[CoasterHand | None, ...]
    half: int = 1
    stage: int = 1
    pile: int
    lost: tuple[int, ...] = ()
    safe: tuple[int, ...] = ()

    def halves_lost(self, seat: int) -> int:
        """Return how many halves of the match a seat has lost (R-MAX-5)."""
        return self.lost.count(seat)

    def shown(self, seat: int) -> Dice | None:
        """Return all open dice of a seat whose turn is over; None for none."""
        hand = self.hands[seat]
        return None if hand is None else hand.aside + (hand.dice or ())

    @property
    def in_play(self) -> int:
        """The number of dice that the next throw of the seat to act throws (T-2)."""
        return CUP - len(self.aside)


class CoasterMatch(CoasterPosition, OpenMatch):
    """A match of ``maxen`` or ``chicago`` between two actions: a position that is frozen."""

    __slots__ = ()


def covers_next(match: CoasterPosition) -> bool:
    """Return whether the next throw stays under the cup: a third one of ``maxen`` (T-5)."""
    return match.throws == MOST_THROWS - 1 and match.rules.customs.third_covered


def receivers(match: CoasterPosition) -> tuple[int, ...]:
    """Return the seats that may get a coaster now: those with exactly one (R-CHI-4).

    A best throw that may give one away names itself; that coaster leaves the game (R-CHI-3).
    """
    if match.phase is LEVELLING and match.to_act is not None and match.hands[match.to_act]:
        return (match.to_act,)
    return tuple(seat for seat in match.playing if match.coasters[seat] == 1)


def view(match: CoasterMatch, seat: int | None) -> CoasterMatch:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    Covered dice are unknown to every seat, their thrower's too (T-5). Everything else is public.
    Raises ValueError for a seat that does not exist.
    """
    check_seat(match.players, seat)
    hands = match.hands
    if not any(hand and hand.covered and hand.dice for hand in hands):
        return match
    return match.replace(
        hands=tuple(h._replace(dice=None) if h is not None and h.covered else h for h in hands)
    )
