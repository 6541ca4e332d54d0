"""The director of a match: what the big screens are shown, and for how long time stands still.

Bots think before they speak, smile before they doubt and comment; a lifted cup is a scene.
Phones show the verdict of a lift when the big screen has.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any, Final

import msgspec

from game import AnyMatch
from game.bluff.rules import rank, value_of
from game.events import Announced, Event, Revealed
from game.status import Status, Unit
from hw_sim.live.web.match_plan import RoomSettings
from hw_sim.live.web.outgoing import PublicEvents
from hw_sim.live.web.voices import SMILE_S, Decks, Voices
from hw_sim.live.world.world import World
from hw_sim.table.headless import Story

BEATS_S: Final = 2.4
"""From the end of the drum until the verdict: silence, the cup tips, one die, the other; chosen."""
LAG_S: Final = 1.5
"""A screen that is later than this holds nobody up; chosen."""
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


@dataclass
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

    screens: Callable[[], int]
    changed: Callable[[], None]

    def __post_init__(self) -> None:
        self.stops_time = False
        self.hides_verdict = False
        self.number = 0
        self._missing = 0
        self._rest_s = 0.0
        self._late_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def has_screen(self) -> bool:
        """Whether somebody looks at a big screen."""
        return self.screens() > 0

    def begin(self, drum: float, rest_s: float = 0.0) -> None:
        """Begin the scene of a lifted cup whose drum rolls this long, if there is a screen.

        ``rest_s``: how long time stands still after the verdict.
        """
        self._missing, self._rest_s = self.screens(), rest_s
        if self._missing:
            self.hides_verdict = True
            self.number += 1
            self._late_s = drum + BEATS_S + LAG_S
            self._hold(self._late_s, self.end)

    def wait_for_late(self) -> None:
        """Wait for a screen that comes in the middle of a lift, and shows it from its beginning.

        The lift takes longer once: pages that come again and again do not hold the match up.
        """
        self._missing = min(self._missing + 1, self.screens())
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
            self.changed()

    def close(self) -> None:
        """Wait for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hold(self, after_s: float, then: Callable[[], None]) -> None:
        self.close()
        self.stops_time = True
        self._timer = asyncio.get_running_loop().call_later(after_s, then)
        self.changed()


@dataclass
class Director:
    """Directs one match for the big screens.

    Args:
        world: of the match.
        scene: holds time, and the phones while a cup is lifted.
        room: returns how the big screen is set.
        decks: what is left of the evening's lines.
        smile: shows the screens the smile of a seat's bot.

    Attributes:
        lift: the last lift of a cup, for a screen that comes in the middle of it.
    """

    world: World
    scene: RevealPause
    room: Callable[[], RoomSettings]
    decks: Decks
    smile: Callable[[int], None]

    def __post_init__(self) -> None:
        people, bots = self.world.setup.people, self.world.setup.bots
        self.lift: list[PublicEvents] = []
        self._voices = Voices((*[None] * people, *bots), Random(), self.decks)
        self._happened: int | None = None
        self._thinks = False

    def news(self, story: Story) -> list[PublicEvents] | None:
        """Return what has just happened, or None while a bot thinks of what it says, or smiles.

        With a big screen, that begins the scene of a lifted cup, and time rests before a bot acts.
        """
        known, scene = self._happened, self.scene
        if known is None or known == len(story.events) or not scene.has_screen:
            self._happened = len(story.events)
            return []
        fresh = story.events[known:]
        lied = {each.seat: self._lied(each) for each in fresh if isinstance(each, Announced)}
        if not self._thinks and not scene.stops_time:
            think_s = sum(self._voices.think_s(seat, lied=lies) for seat, lies in lied.items())
            smiles = self._voices.smiles(fresh)
            think_s += SMILE_S if smiles else 0.0
            if think_s:
                self._thinks = True
                scene.rest(think_s)
                for seat in smiles:
                    self.smile(seat)
        if self._thinks and scene.stops_time:
            return None
        self._thinks, self._happened = False, len(story.events)
        turn, people = story.match.to_act, self.world.setup.people
        rests = 0.0 if turn is None or turn < people else rest_s(fresh)
        drum = drum_s(fresh, story.before_lift)
        if drum:
            scene.begin(drum, rests)
        elif rests:
            scene.rest(rests)
        room = self.room()
        lines = [] if room.silent else self._voices.lines(fresh, lied, room.language, monotonic())
        self.lift = [PublicEvents(told_events(fresh), drum, lines)]
        return self.lift

    def _lied(self, announced: Announced) -> bool:
        """Whether a bot's announcement is false for all it knows; an unseen one counts as such."""
        if announced.seat < self.world.setup.people or announced.value is None:
            return False
        own = self.world.table.player_at(announced.seat).own
        return own is None or rank(value_of(own)) < rank(announced.value)


def told_events(happened: Sequence[Event]) -> list[dict[str, Any]]:
    """Return events as pages get them: ``kind`` is the name of the class in `game.events`."""
    return [msgspec.to_builtins(each) | {"kind": type(each).__name__} for each in happened]
