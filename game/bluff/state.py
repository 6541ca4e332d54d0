"""The state of a bluff game: frozen, moved by ``game.apply`` alone."""

from typing import NamedTuple

from game.actions import Announce, Say
from game.bluff.rules import BluffRules
from game.dice import Dice
from game.options import check_seat
from game.status import PLAYING, Outcome, Phase, Status


class Match(NamedTuple):
    """A match between two actions.

    What a whole round leaves alone comes first. ``players`` are names by seat, ``direction`` is +1
    (clockwise, seats ascending) or -1. ``round`` counts from 1 and was opened by ``opener``.
    ``tally`` counts penalties and ``status`` is the standing, by seat; ``out`` lists who went
    out, in order. ``outcome`` is None until the match is over.

    ``turn`` is the number of actions so far. ``to_act`` is the seat that acts next, None when the
    match is over, and ``phase`` what is due from it. ``announced`` and ``announcer`` are the
    standing announcement and its seat, both None for none. ``dice`` lie under the cup:
    None if it is empty or this copy of the match does not know them. ``rolls`` counts the rolls of
    the seat that is to act since the cup is his; ``seen``: he looked at the last one.

    ``said`` is the standing announcement as it was made: what displays show of it are its words
    and its flourish (R-HF-9). ``announcer_rolls`` counts the rolls the announcer made before it, 0
    if he handed the dice on. ``tower``: the dice lie on top of each other (R-HF-8); it is
    as hidden as they are, and False in a copy of the match that does not know them.
    """

    rules: BluffRules
    players: tuple[str, ...]
    direction: int
    round: int
    opener: int
    tally: tuple[int, ...]
    status: tuple[Status, ...]
    out: tuple[int, ...]
    outcome: Outcome | None
    turn: int
    phase: Phase
    to_act: int | None
    announced: int | None
    announcer: int | None
    dice: Dice | None
    rolls: int
    seen: bool
    said: Announce | Say | None = None
    announcer_rolls: int = 0
    tower: bool = False

    @property
    def matches(self) -> tuple[int, ...]:
        """Matches left, by seat (R-CLASS-1); all 0 where the stakes are drinks (R-CLASS-3)."""
        credit = self.rules.credit if self.rules.stakes == "matches" else 0
        return tuple(max(0, credit - penalties) for penalties in self.tally)

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are still in, swimmers included."""
        return tuple(seat for seat, status in enumerate(self.status) if status in PLAYING)


def next_seat(match: Match, seat: int) -> int:
    """Return the next seat still in after ``seat``, in the direction of play (B-1, R-CLASS-8)."""
    direction, status = match.direction, match.status
    seat = (seat + direction) % len(status)
    while status[seat] not in PLAYING:
        seat = (seat + direction) % len(status)
    return seat


def view(match: Match, seat: int | None) -> Match:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    It is a copy of the match whose dice are unknown unless this seat has just looked at a roll of
    his own and still holds it. Everything else about a match is public. Raises ValueError for a
    seat nobody has.
    """
    check_seat(match.players, seat)
    entitled = match.seen and seat == match.to_act
    return match if entitled else match._replace(dice=None, tower=False)
