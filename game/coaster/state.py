"""The state of a coaster match: frozen, hashable, and moved by ``apply`` alone."""

from typing import NamedTuple

from game.coaster.rules import CoasterRules
from game.coaster.values import CUP
from game.dice import Dice
from game.options import check_seat
from game.status import Outcome, Phase, Status

MOST_THROWS = 3
"""How often a leader may throw, a bonus not counted (T-1)."""


class Hand(NamedTuple):
    """What a player has thrown in a round, once it is the next one's turn.

    ``aside`` are the dice set aside, ``dice`` those of his last throw. They are ``covered`` until
    they are lifted (T-5): then ``dice`` are None where this copy of the match does not know them.
    """

    aside: Dice
    dice: Dice | None
    covered: bool = False


class CoasterMatch(NamedTuple):
    """A match of ``maxen`` or ``chicago`` between two actions.

    What a whole round leaves alone comes first. ``players`` are names by seat; they play clockwise,
    seats ascending. ``half`` counts the halves of ``maxen`` from 1 (R-MAX-5), ``stage`` is 1 while
    coasters are dealt from the pile and 2 after that. ``pile`` coasters are not dealt yet,
    ``coasters`` lie before the players by seat, and ``gone`` are out of the game. ``status`` tells
    by seat who is in; ``lost`` lists who lost the halves so far, ``safe`` who got out of danger, in
    order. ``outcome`` is None until the match is over.

    ``round`` counts from 1 through the match, 0 while the first leader is thrown for; ``leader`` is
    None then. ``order`` are the seats that throw in this round, in playing order, and ``limit`` is
    how often the seat that is to act may throw (T-1). ``hands`` are by seat, None for who has not
    finished. ``turn`` is the number of actions so far, ``to_act`` the seat that acts next, None
    when the match is over, ``phase`` what is due from it. ``throws`` counts its throws in this
    round, a bonus too; ``aside`` are the dice it has set aside, and ``dice`` those of its last
    throw, open: None before the first one, and while a throw is due.
    """

    rules: CoasterRules
    players: tuple[str, ...]
    half: int
    stage: int
    pile: int
    coasters: tuple[int, ...]
    gone: int
    status: tuple[Status, ...]
    lost: tuple[int, ...]
    safe: tuple[int, ...]
    outcome: Outcome | None
    round: int
    leader: int | None
    order: tuple[int, ...]
    limit: int
    hands: tuple[Hand | None, ...]
    turn: int
    phase: Phase
    to_act: int | None
    throws: int
    aside: Dice
    dice: Dice | None

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that play now, those that sit out not counted."""
        return tuple(seat for seat, status in enumerate(self.status) if status is Status.IN)

    @property
    def at_table(self) -> tuple[int, ...]:
        """The seats that are in the match, those that sit out for now too."""
        return tuple(s for s, status in enumerate(self.status) if status in _AT_TABLE)

    @property
    def in_play(self) -> int:
        """How many dice the next throw of the seat that is to act throws (T-2)."""
        return CUP - len(self.aside)


_AT_TABLE = (Status.IN, Status.WAITS)


def covers_next(match: CoasterMatch) -> bool:
    """Tell whether the next throw stays under the cup: a third one of ``maxen`` (T-5)."""
    return match.throws == MOST_THROWS - 1 and match.rules.game == "maxen"


def view(match: CoasterMatch, seat: int | None) -> CoasterMatch:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    Covered dice are unknown to everybody, their thrower too (T-5). Everything else is public.
    Raises ValueError for a seat nobody has.
    """
    check_seat(match.players, seat)
    hands = match.hands
    if not any(hand and hand.covered and hand.dice for hand in hands):
        return match
    return match._replace(
        hands=tuple(h._replace(dice=None) if h is not None and h.covered else h for h in hands)
    )
