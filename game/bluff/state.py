"""The state of a bluff game: a position, frozen in a match, moved by ``apply`` alone."""

from dataclasses import dataclass

from game.actions import Announce, Say
from game.bluff.rules import BluffRules
from game.dice import Dice
from game.frozen import Frozen, drafting
from game.options import check_seat
from game.status import OPENING, PLAYING, Outcome, Phase, Status, Unit

CLOCKWISE = 1


@drafting
@dataclass(slots=True, unsafe_hash=True)
class BluffPosition:
    """The state of a match between two actions.

    Fields that a whole round leaves alone come first. ``players`` are names by seat, ``direction``
    is +1 (clockwise, seats ascending) or -1. ``round`` counts from 1; ``opener`` opened it.
    ``tally`` counts penalties and ``status`` is the standing, by seat. ``out`` lists the players
    who went out, in order. ``outcome`` is None until the match is over.

    ``turn`` is the number of actions so far. ``to_act`` is the seat that acts next, None when the
    match is over, and ``phase`` is the decision due from it. ``announced`` and ``announcer`` are
    the standing announcement and its seat, both None for none. ``dice`` lie under the cup: None if
    it is empty or this copy of the match does not know them. ``rolls`` counts the rolls of the seat
    to act since it has the cup; ``seen``: it has looked at the last one.

    ``said`` is the standing announcement as it was made: displays show its words and its flourish
    (R-HF-9). ``announcer_rolls`` counts the rolls the announcer made before it, 0 for dice handed
    on unrolled. ``tower``: the dice lie on top of each other (R-HF-8). It is as hidden as the dice:
    False in a copy of the match that does not know them.
    """

    rules: BluffRules
    players: tuple[str, ...]
    opener: int
    tally: tuple[int, ...]
    status: tuple[Status, ...]
    to_act: int | None
    direction: int = CLOCKWISE
    round: int = 1
    out: tuple[int, ...] = ()
    outcome: Outcome | None = None
    turn: int = 0
    phase: Phase = OPENING
    announced: int | None = None
    announcer: int | None = None
    dice: Dice | None = None
    rolls: int = 0
    seen: bool = False
    said: Announce | Say | None = None
    announcer_rolls: int = 0
    tower: bool = False

    @property
    def matches(self) -> tuple[int, ...]:
        """Matches left, by seat (R-CLASS-1); all 0 if the stakes are drinks (R-CLASS-3)."""
        credit = self.rules.credit if self.rules.stakes == "matches" else 0
        return tuple(max(0, credit - penalties) for penalties in self.tally)

    @property
    def score(self) -> tuple[int, ...]:
        """The standing by seat, in the unit of the rules: matches left, or penalties."""
        return self.matches if self.rules.unit is Unit.MATCH else self.tally

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are still in, swimmers included."""
        return tuple(seat for seat, status in enumerate(self.status) if status in PLAYING)

    @property
    def aside(self) -> Dice:
        """The dice set aside: none in a bluff game."""
        return ()

    def halves_lost(self, _seat: int) -> int:
        """Return 0: a bluff match has no halves."""
        return 0


class Match(BluffPosition, Frozen):
    """A match between two actions: a position that is frozen."""

    __slots__ = ()


def next_seat(match: BluffPosition, seat: int, direction: int | None = None) -> int:
    """Return the next seat still in after ``seat`` (B-1, R-CLASS-8).

    ``direction`` None is that of play.
    """
    if direction is None:
        direction = match.direction
    status = match.status
    seat = (seat + direction) % len(status)
    while status[seat] not in PLAYING:
        seat = (seat + direction) % len(status)
    return seat


def view(match: Match, seat: int | None) -> Match:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    It is a copy of the match without dice. The dice are in it only if this seat has just looked at
    its own roll and still holds it. Everything else about a match is public. Raises ValueError for
    a seat that does not exist.
    """
    check_seat(match.players, seat)
    entitled = match.seen and seat == match.to_act
    return match if entitled else match.replace(dice=None, tower=False)
