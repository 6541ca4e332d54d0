"""Lines about a table for its spectators."""

from firmware.audience.checking import Checked
from firmware.display.text.games import GAME_NAMES
from firmware.display.text.words import Words, words
from firmware.story.telling import tell
from game import AnyMatch, AnyStep
from game.events import MatchEnded, RoundBegan
from game.spoken import Language
from game.status import Status

WAITS = Words("Wartet, bis der Tisch etwas erzählt.", "Waits for what the table tells.")
_BEGINS = Words(
    "Spiel {number}: {game}, {names}; {first} beginnt.",
    "Match {number}: {game}, {names}; {first} opens.",
)
_TAKEN_BACK = Words(
    "Der Tisch nimmt {count} Einträge zurück.", "The table takes {count} entries back."
)
_HOLDS = Words("Geprüft: alle {count} Einträge halten.", "Checked: all {count} entries hold.")
_LIES = Words(
    "Was Platz {seat} erzählt, hält nicht: {why}.", "What seat {seat} tells does not hold: {why}."
)
_DIFFER = Words(
    "Die Plätze {one} und {other} erzählen Verschiedenes.",
    "Seats {one} and {other} tell different stories.",
)
_CAUGHT = Words(
    "{name} hat beides unterschrieben: das kann nur, wer betrügt.",
    "{name} has signed both: only a cheat does.",
)
_STATUS = {
    Status.SWIMS: Words("schwimmt", "swims"),
    Status.OUT: Words("raus", "out"),
    Status.LEFT: Words("gegangen", "left"),
    Status.SAFE: Words("außer Gefahr", "safe"),
}


class Teller:
    """Puts the events of a match into one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def begins(self, number: int, checked: Checked) -> str:
        """Report that a match is followed from here on."""
        match = checked.log.match
        names, first = ", ".join(match.players), match.players[checked.first]
        game = words(GAME_NAMES[match.rules.game].value, self._language)
        return self._say(_BEGINS, number=number, game=game, names=names, first=first)

    def happened(self, step: AnyStep) -> list[str]:
        """Describe the effects of an entry; after a round, all standings."""
        told = [f"{each[:1].upper()}{each[1:]}." for each in tell(step, self._language)]
        if any(isinstance(event, RoundBegan | MatchEnded) for event in step.events):
            told.append(f"  {self.standings(step.match)}")
        return told

    def standings(self, match: AnyMatch) -> str:
        """Return matches left, penalties or coasters of all players, in one line."""
        rows = (
            f"{name} {count}{self._status(status)}"
            for name, count, status in zip(match.players, match.score, match.status)
        )
        return " · ".join(rows)

    def taken_back(self, count: int) -> str:
        """Report that the last entries no longer count: the table voted to continue from before."""
        return self._say(_TAKEN_BACK, count=count)

    def holds(self, count: int) -> str:
        """Report that a finished match passed all checks."""
        return self._say(_HOLDS, count=count)

    def lies(self, seat: int, why: object) -> str:
        """Report that a seat's messages fail a check."""
        return self._say(_LIES, seat=seat, why=why)

    def differ(self, one: int, other: int) -> str:
        """Report that two seats publish different things, each of which passes by itself."""
        return self._say(_DIFFER, one=one, other=other)

    def caught(self, name: str) -> str:
        """Report that a seat signed two stories."""
        return self._say(_CAUGHT, name=name)

    def _status(self, status: Status) -> str:
        return f" ({words(_STATUS[status], self._language)})" if status in _STATUS else ""

    def _say(self, what: Words, **places: object) -> str:
        return words(what, self._language).format(**places)
