"""Lines about a table for its spectators."""

from collections.abc import Sequence

from firmware.audience.checking import Checked
from firmware.display.text.games import GAME_NAMES
from firmware.display.text.language import Language, say
from firmware.story.telling import tell
from game import AnyMatch, AnyStep, Match
from game.events import MatchEnded, RoundBegan
from game.status import Status

_STATUS = frozenset((Status.SWIMS, Status.OUT, Status.LEFT, Status.SAFE))


class Teller:
    """Puts the events of a match into one language."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def begins(self, number: int, checked: Checked) -> str:
        """Report that a match is followed from here on."""
        match = checked.log.match
        names, first = ", ".join(match.players), match.players[checked.first]
        game = say(GAME_NAMES[match.rules.game], self._language)
        return self._say("audience.BEGINS", number=number, game=game, names=names, first=first)

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
            for name, count, status in zip(match.players, counts(match), match.status)
        )
        return " · ".join(rows)

    def taken_back(self, count: int) -> str:
        """Report that the last entries no longer count: the table voted to continue from before."""
        return self._say("audience.TAKEN_BACK", count=count)

    def holds(self, count: int) -> str:
        """Report that a finished match passed all checks."""
        return self._say("audience.HOLDS", count=count)

    def lies(self, seat: int, why: object) -> str:
        """Report that a seat's messages fail a check."""
        return self._say("audience.LIES", seat=seat, why=why)

    def differ(self, one: int, other: int) -> str:
        """Report that two seats publish different things, each of which passes by itself."""
        return self._say("audience.DIFFER", one=one, other=other)

    def caught(self, name: str) -> str:
        """Report that a seat signed two stories."""
        return self._say("audience.CAUGHT", name=name)

    def _status(self, status: Status) -> str:
        return f" ({say(status, self._language)})" if status in _STATUS else ""

    def _say(self, key: str, **places: object) -> str:
        return say(key, self._language, **places)


def counts(match: AnyMatch) -> Sequence[int]:
    """Return by seat the matches left if those are played for, else penalties or coasters."""
    if not isinstance(match, Match):
        return match.coasters
    return match.matches if match.rules.stakes == "matches" else match.tally
