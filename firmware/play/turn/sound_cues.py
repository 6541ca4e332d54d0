"""The sounds of a seat: what it is told by ear, and when an idle player is nudged.

The most important of several sounds at once is heard; the runtime's `TONES` has its notes.

Numbers without a source are chosen.
"""

from typing import Final

from firmware.effects import Sound
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from firmware.table.seat.cup_custody import ACTING, Position
from game import AnyMatch, AnyStep
from game.bluff.rules import MAEXCHEN
from game.events import Announced, MaexchenShown

NUDGE_US: Final = 30_000_000
"""A player who is to act and does nothing for this long is nudged, …"""
NUDGE_AGAIN_US: Final = 60_000_000
"""… and every minute from then on, …"""
MOST_NUDGES: Final = 5
"""… this many times in all."""


class SoundCues:
    """The sounds that are due at one seat. Times in µs on the handheld's clock."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._due: set[Sound] = set()
        self._position: Position | None = None
        self._nudge_us: int | None = None
        self._nudges = 0
        self._announced: int | None = None

    @property
    def next_timer_us(self) -> int | None:
        """When the nudge is due; None while nobody waits, or after the last nudge."""
        return self._nudge_us

    def note(self, sound: Sound) -> None:
        """Queue a sound for the next ``take``."""
        self._due.add(sound)

    def player_active(self, now_us: int) -> None:
        """Restart the time to the nudge, if one is due."""
        if self._nudge_us is not None:
            self._nudges = 0
            self._nudge_us = now_us + NUDGE_US

    def position_changed(self, position: Position, now_us: int) -> None:
        """Queue OFFER, TURN or MAEXCHEN for the new position, and restart the time to the nudge."""
        before, self._position = self._position, position
        if position is Position.OFFERED:
            self.note(Sound.MAEXCHEN if self._announced == MAEXCHEN else Sound.OFFER)
        elif position is Position.MINE and before in (None, Position.WATCHING):
            self.note(Sound.TURN)
        self._nudge_us = now_us + NUDGE_US if position in ACTING else None
        self._nudges = 0

    def tick(self, now_us: int) -> None:
        """Queue the nudge when its time has come."""
        if self._nudge_us is not None and self._nudge_us <= now_us:
            self._nudges += 1
            more = self._nudges < MOST_NUDGES
            self._nudge_us = now_us + NUDGE_AGAIN_US if more else None
            self.note(Sound.NUDGE)

    def apply(self, step: AnyStep, ended: BluffRoundEnd | OpenRoundEnd | None) -> None:
        """Queue the sounds of a step; ``ended``: how it ended a round, None if it did not."""
        for event in step.events:
            if isinstance(event, Announced):
                self._announced = event.value
            is_announced = isinstance(event, Announced) and event.value == MAEXCHEN
            if is_announced or isinstance(event, MaexchenShown):
                self.note(Sound.MAEXCHEN)
        verdict = verdict_for(self._seat, step.match, ended)
        if verdict is not None:
            self.note(verdict)

    def take(self) -> Sound | None:
        """Return the most important sound queued, None if none is; all are dropped."""
        sound = min(self._due, default=None)
        self._due.clear()
        return sound


def verdict_for(
    seat: int, match: AnyMatch, ended: BluffRoundEnd | OpenRoundEnd | None
) -> Sound | None:
    """Return WON or LOST for a seat that has just won or lost; None for neither.

    At the end of a match every seat has. At the end of a round these are the seats that pay, those
    of the doubt, and those that threw best or worst.
    """
    if match.outcome is not None:
        if not match.outcome.losers:
            return None
        return Sound.LOST if seat in match.outcome.losers else Sound.WON
    match ended:
        case BluffRoundEnd() if ended.cost and seat in (ended.payer, ended.also):
            return Sound.LOST
        case BluffRoundEnd() if ended.cost and seat in (ended.announcer, ended.lifter):
            return Sound.WON
        case OpenRoundEnd(worst=(loser, _)) if loser == seat:
            return Sound.LOST
        case OpenRoundEnd(best=(winner, _)) if winner == seat:
            return Sound.WON
        case _:
            return None
