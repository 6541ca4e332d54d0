"""The lift of a cup as a scene for a room: phones show its verdict when the big screen has."""

import asyncio
from collections.abc import Callable
from typing import Final

from game import AnyMatch
from game.events import Event, Revealed
from game.status import Status, Unit

BEATS_S: Final = 2.4
"""From the end of the drum until the verdict: silence, the cup tips, one die, the other."""
LAG_S: Final = 1.5
"""A screen that is later than this holds nobody up."""
_TOLD_OF_SOMEBODY: Final = (
    *("GaveIn", "OwnedUp", "WentOut", "GotSafe", "HalfLost", "TowerShown", "TowerSpared"),
    *("Mishandled", "WentWrongWay", "Inadmissible", "LeftTable"),
)
_TOLD_OF_ALL: Final = (
    *("Reversed", "PhaseTwoBegan", "HalfBegan", "DecidingRound", "RoundVoided", "Tied"),
)
RESTS_S: Final = {
    "Announced": 2.4,
    "Revealed": 2.8,
    "MaexchenShown": 4.2,
    "Swam": 3.2,
    "RoundDecided": 3.0,
    "Threw": 1.7,
    "Lifted": 1.7,
    **dict.fromkeys(_TOLD_OF_SOMEBODY, 2.2),
    **dict.fromkeys(_TOLD_OF_ALL, 1.8),
}
"""How long a room looks at an event before a bot goes on; a person may go on at once."""
_DRUM_S: Final = {1: 1.8, 2: 1.2}
_USUAL_DRUM_S, _SWIMMERS_DRUM_S = 0.9, 2.6


def drum_s(events: list[Event], before: AnyMatch) -> float:
    """Return how long the drum rolls for a cup lifted in these events; 0 if none is.

    The stake decides, which is public: the matches that the two have, in the match ``before``.
    """
    for event in events:
        if isinstance(event, Revealed):
            pair = (event.seat, event.announcer)
            if any(before.status[seat] is Status.SWIMS for seat in pair):
                return _SWIMMERS_DRUM_S
            if before.rules.unit is not Unit.MATCH:
                return _USUAL_DRUM_S
            return _DRUM_S.get(min(before.score[seat] for seat in pair), _USUAL_DRUM_S)
    return 0.0


def rest_s(events: list[Event]) -> float:
    """Return how long a room looks at what has just happened."""
    return sum(RESTS_S.get(type(each).__name__, 0.0) for each in events)


class RevealPause:
    """Holds the match while the screens show something: the lift of a cup, a bot that thinks.

    Args:
        screens: returns how many big screens are connected.
        changed: is called when anything begins or ends.

    Attributes:
        holds: whether time stands still.
        hushes: whether a cup is being lifted: phones are told nothing, and reactions are shut.
        number: how many cups have been lifted before screens; a screen shows each verdict once.
    """

    def __init__(self, screens: Callable[[], int], changed: Callable[[], None]) -> None:
        self.stops_time = False
        self.hides_verdict = False
        self.number = 0
        self._screens = screens
        self._changed = changed
        self._missing = 0
        self._rest_s = 0.0
        self._late_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def has_screen(self) -> bool:
        """Whether somebody looks at a big screen."""
        return self._screens() > 0

    def begin(self, drum: float, rest_s: float = 0.0) -> None:
        """Begin the scene of a lifted cup whose drum rolls this long, if there is a screen.

        ``rest_s``: how long time stands still after the verdict.
        """
        self._missing, self._rest_s = self._screens(), rest_s
        if self._missing:
            self.hides_verdict = True
            self.number += 1
            self._late_s = drum + BEATS_S + LAG_S
            self._hold(self._late_s, self.end)

    def wait_for_late(self) -> None:
        """Wait for a screen that comes in the middle of a lift, and shows it from its beginning.

        The lift takes longer once: pages that come again and again do not hold the match up.
        """
        self._missing = min(self._missing + 1, self._screens())
        if self._late_s:
            self._hold(self._late_s, self.end)
            self._late_s = 0.0

    def shown(self) -> None:
        """One screen has shown the verdict."""
        self._missing -= 1
        if self.hides_verdict and self._missing <= 0:
            self.end()

    def end(self) -> None:
        """Let phones show the verdict; time goes on after the rest."""
        rest_s, self._rest_s = self._rest_s, 0.0
        self.hides_verdict = False
        self.rest(rest_s)

    def rest(self, rest_s: float) -> None:
        """Let time stand still for so many real seconds; 0 lets it go on."""
        if rest_s > 0 and self.has_screen:
            self._hold(rest_s, lambda: self.rest(0.0))
            return
        self.close()
        if self.stops_time:
            self.stops_time = False
            self._changed()

    def close(self) -> None:
        """Wait for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hold(self, after_s: float, then: Callable[[], None]) -> None:
        self.close()
        self.stops_time = True
        self._timer = asyncio.get_running_loop().call_later(after_s, then)
        self._changed()
