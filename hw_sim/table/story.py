"""The events of a table in words, as far as they are public."""

from firmware.display.text.language import Language
from firmware.story.telling import tell
from firmware.table.log.entries import decode_entries
from game import AnyMatch, apply, new_match, public
from game.events import Event, Revealed
from hw_sim.story.moments import Moment, moments_of
from hw_sim.table.table import SimulatedTable


class Story:
    """The public events of a table.

    Attributes:
        lines: what has happened so far, a sentence for each event.
        moments: what all looked up for so far.
        events: what happened so far.
        match: how the match stands.
        before_lift: how it stood before a cup was lifted for the last time.
    """

    def __init__(self, table: SimulatedTable, language: Language) -> None:
        self.lines: list[str] = []
        self.moments: list[Moment] = []
        self.events: list[Event] = []
        self._table = table
        self._language = language
        setup = table.setup
        self.match: AnyMatch = new_match(setup.rules, setup.names, table.first)
        self.before_lift = self.match
        self._heard = 0

    def update(self) -> None:
        """Add the entries of the seats here since the last call.

        An open throw waits until its cup is lifted: before that one seat knows it.
        """
        own_seats = (seat.handheld.own_seat for seat in self._table.seats)
        knows = max(own_seats, key=lambda own_seat: own_seat.public_end)
        new = knows.log.since(self._heard)[: max(0, knows.public_end - self._heard)]
        self._heard += len(new)
        for action in decode_entries(b"".join(new)):
            step = apply(self.match, public(action, self.match))
            if any(isinstance(each, Revealed) for each in step.events):
                self.before_lift = self.match
            self.match = step.match
            self.moments += moments_of(step)
            self.events += step.events
            self.lines += [_sentence(clause) for clause in tell(step, self._language)]


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."
