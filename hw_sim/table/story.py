"""What happened at a table, in words, as far as it is public."""

from firmware.table.log.entries import decode_entries
from game import AnyMatch, apply, covers_next, new_match, public
from game.actions import Roll
from game.spoken import Language
from hw_sim.story.telling import tell
from hw_sim.table.table import SimulatedTable


class Story:
    """``lines``: what is public of a table so far, a sentence for each event."""

    def __init__(self, table: SimulatedTable, language: Language) -> None:
        self.lines: list[str] = []
        self._table = table
        self._language = language
        setup = table.setup
        self._match: AnyMatch = new_match(setup.rules, setup.names, table.first)
        self._heard = 0

    def update(self) -> None:
        """Add what was added to the logs since the last call.

        An open throw waits until a second log has it: before its cup is lifted one seat knows it.
        """
        logs = [seat.log for seat in self._table.seats]
        *_, known_to_two, longest = sorted(logs, key=lambda log: log.index)
        for action in decode_entries(b"".join(longest.since(self._heard))):
            open_throw = isinstance(action, Roll) and not covers_next(self._match)
            if open_throw and self._heard >= known_to_two.index:
                return
            step = apply(self._match, public(action, self._match))
            self._match = step.match
            self._heard += 1
            self.lines += [_sentence(clause) for clause in tell(step, self._language)]


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."
