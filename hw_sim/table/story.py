"""The events of a table in words, as far as they are public."""

from dataclasses import dataclass

from firmware.display.text.language import Language
from firmware.story.telling import tell
from firmware.table.log.entries import decode_entries
from game import AnyMatch, AnyStep, apply, events, new_match, public
from game.dice import Dice
from hw_sim.table.table import SimulatedTable


@dataclass(frozen=True)
class Moment:
    """An event for which everybody looks up: an open cup, a Mäxchen, a player who swims or is out.

    ``dice``: the dice under the lifted cup, else empty. ``announced`` is the announcement of
    ``announcer``, both None if there was none. ``payers`` are the players who pay; those in
    ``swims`` have lost their last match, those in ``out`` are out now.
    """

    dice: Dice
    announced: int | None
    announcer: int | None
    lied: bool
    payers: tuple[int, ...]
    swims: tuple[int, ...]
    out: tuple[int, ...]


class Story:
    """The public events of a table.

    Attributes:
        lines: what has happened so far, a sentence for each event.
        moments: what all looked up for so far.
        match: how the match stands.
    """

    def __init__(self, table: SimulatedTable, language: Language) -> None:
        self.lines: list[str] = []
        self.moments: list[Moment] = []
        self._table = table
        self._language = language
        setup = table.setup
        self.match: AnyMatch = new_match(setup.rules, setup.names, table.first)
        self._heard = 0

    def update(self) -> None:
        """Add the entries of the seats here since the last call.

        An open throw waits until its cup is lifted: before that one seat knows it.
        """
        knows = max((seat.handheld.own_seat for seat in self._table.seats), key=lambda s: s.told)
        new = knows.log.since(self._heard)[: max(0, knows.told - self._heard)]
        self._heard += len(new)
        for action in decode_entries(b"".join(new)):
            step = apply(self.match, public(action, self.match))
            self.match = step.match
            self.moments += moments(step)
            self.lines += [_sentence(clause) for clause in tell(step, self._language)]


def moments(step: AnyStep) -> list[Moment]:
    """Return the moments of a step, if there are any."""
    payers = tuple(each.seat for each in step.events if isinstance(each, events.Penalised))
    swims = tuple(each.seat for each in step.events if isinstance(each, events.Swam))
    out = tuple(each.seat for each in step.events if isinstance(each, events.WentOut))
    for event in step.events:
        match event:
            case events.Revealed(_, dice, announced, announcer, lied):
                return [Moment(dice, announced, announcer, lied, payers, swims, out)]
            case events.MaexchenShown():
                return [Moment((2, 1), None, None, False, payers, swims, out)]
    return [Moment((), None, None, False, payers, swims, out)] if swims or out else []


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."
