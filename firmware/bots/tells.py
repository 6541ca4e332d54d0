"""Public evidence about the players of a table: every offer, its answer, and its dice."""

from dataclasses import dataclass, field
from typing import NamedTuple

from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from game import Match, Phase
from game.bluff.values import rank, value_of


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
        made: the observer's conclusions, for as long as the match lasts; None for none.
    """

    answered: list[Answered] = field(default_factory=list)
    opened: dict[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    made: object = None
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
