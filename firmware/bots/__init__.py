"""Decisions of a bot, from what its display shows and a personality. Pure, seeded.

Here is what all bots share: personalities, their knowledge, and public evidence about the others.

May import: play.presenter, play.turn, table.seat.cup_custody, settings, input.controls, game.
Begin with ``intent``.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import NamedTuple, Self

from firmware.input.controls import Choice
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from game import AnyMatch, Match, Phase
from game.bluff.rules import rank, value_of
from game.dice import Dice


class Answered(NamedTuple):
    """An offer that was answered.

    Attributes:
        seat, announcer: the seat that answered, and the seat that had announced.
        value, stood: the announced value, and the value before it, as ``game.strategy.Known`` has
            it.
        rolls: the announcer's number of rolls, 0 for dice handed on.
        doubted: it was doubted, not believed.
        lied: it was a lie; None while nobody knows.
    """

    seat: int
    announcer: int
    value: int
    stood: int | None
    rolls: int
    doubted: bool = False
    lied: bool | None = None


@dataclass
class Tells:
    """The evidence since the match began.

    Attributes:
        answered: the offers so far, in order.
        opened: by round, its opener and the penalties by seat at that time.
        made: the observer's conclusions, for as long as the match lasts.
    """

    answered: list[Answered] = field(default_factory=list)
    opened: dict[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    made: dict[object, object] = field(default_factory=dict)
    _offer: tuple[int, Answered] | None = None

    def watch(
        self, match: Match, ended: BluffRoundEnd | OpenRoundEnd | None, stood: int | None
    ) -> None:
        """Take note of the display of a bluff game; the same display may come again.

        ``ended`` is how the last round ended, ``stood`` as in ``Answered``.
        """
        self.opened.setdefault(match.round, (match.opener, match.tally))
        if self._offer is not None and not self._stands(match):
            self._note(*self._offer, match, ended)
        if match.phase is Phase.OFFERED and self._offer is None:
            value, announcer, seat = match.announced, match.announcer, match.to_act
            assert value is not None, "something is announced"
            assert announcer is not None, "somebody has"
            assert seat is not None, "to somebody"
            offer = Answered(seat, announcer, value, stood, match.announcer_rolls)
            self._offer = match.round, offer

    def _stands(self, match: Match) -> bool:
        """Return whether the offer still stands, or the doubted cup is not lifted yet."""
        assert self._offer is not None, "there was one"
        number, offer = self._offer
        same = match.round == number and match.announcer == offer.announcer
        return same and match.phase in (Phase.OFFERED, Phase.DOUBTED, Phase.ROLL_AGAIN)

    def _note(
        self,
        number: int,
        offer: Answered,
        match: Match,
        ended: BluffRoundEnd | OpenRoundEnd | None,
    ) -> None:
        self._offer = None
        if match.round == number and match.phase is not Phase.OVER:
            self.answered.append(offer)
        elif isinstance(ended, BluffRoundEnd) and ended.dice and ended.lifter == offer.seat:
            lied = rank(value_of(ended.dice)) < rank(offer.value)
            self.answered.append(offer._replace(doubted=True, lied=lied))


NO_TELLS = Tells()
"""No evidence yet; read only."""


ROUNDS_OF_DRINKS = 6
"""A match without an end of its own is ended after this many rounds (B-8)."""


class Sight(NamedTuple):
    """The knowledge of a player at a decision.

    Attributes:
        match: the match as everybody at the table may know it; covered dice are not in it.
        options: the choices of the dial, in its order.
        seen: the dice of the present throw as seen on the player's panel; None if not seen.
        tower: they lay on top of each other (R-HF-8).
        own: dice that the player rolled and saw and that lie under a cup that has come back; else
            None.
        stood: as ``game.strategy.Known`` has it.
        tells: the public play of the table so far.
    """

    match: AnyMatch
    options: tuple[Choice, ...]
    seen: Dice | None = None
    tower: bool = False
    own: Dice | None = None
    stood: int | None = None
    tells: Tells = NO_TELLS


class Manner(StrEnum):
    """The aim of a player of open dice."""

    MEAN = "mean"
    """The best mean of one more throw."""
    SAFE = "safe"
    """Not to be the lowest: a hand that beats another one is enough."""
    EARLY = "early"
    """To be done soon: a fair hand is enough, and holds the others to few throws."""
    CHASE = "chase"
    """Three ones, in ``maxen`` three alike, or a low score. It turns no six and is never lazy."""


@dataclass(frozen=True)
class Personality:
    """A way to play; every value but ``rounds`` and ``manner`` is a chance from 0 to 1.

    Attributes:
        trust: to believe an unlikely announcement.
        daring: to lie instead of rolling again or owning up.
        lazy: to hand on without rolling, or without looking.
        careless: to make a mistake in a game that allows it (R-HF-5).
        rounds: the number of rounds after which the player ends a match that has no end of its own.
        manner: of playing with open dice.
    """

    trust: float
    daring: float
    lazy: float
    careless: float = 0.03
    rounds: int = ROUNDS_OF_DRINKS
    manner: Manner = Manner.MEAN

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw trust, daring and laziness; carelessness and rounds are the defaults."""
        return cls(
            trust=rng.uniform(0.0, 0.35),
            daring=rng.uniform(0.3, 0.8),
            lazy=rng.uniform(0.0, 0.2),
        )
