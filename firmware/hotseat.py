"""One handheld for all: it goes from hand to hand, and hides in between what only one may see.

Every seat has a core of its own, as if each had a handheld; what they send each other never leaves
this one. Nothing is kept: a match on one handheld does not outlive a power cut.
"""

from collections import deque
from collections.abc import Callable

from firmware.beginning import new_handheld
from firmware.dial import Dial
from firmware.effects import (
    Beep,
    Blank,
    Effect,
    KeepVolume,
    Part,
    PartFailed,
    PartWell,
    Received,
    Report,
    Send,
    Sense,
    Show,
    Store,
    Stored,
    Tick,
)
from firmware.faces import shows_dice
from firmware.gestures import Gesture, Held, Pressed, Released, Tap
from firmware.handheld import Handheld
from firmware.screens import Lobby, MatchOver, Phrase, Screen
from firmware.settings import KEY_BYTES, Faults, Seat, Table
from firmware.sounds import Sound
from firmware.texts import Text
from firmware.turn import Position
from game import AnyRules

_ACTING = (Position.OFFERED, Position.MINE, Position.TO_PASS)


class HotSeat:
    """All seats of a table on one handheld.

    Args:
        rules: the game with its options.
        names: the players by seat.
        first: the seat that opens.
        entropy: returns that many random bytes; the only source of chance.
        faults: what becomes of a fault that the sensors notice.
    """

    def __init__(
        self,
        rules: AnyRules,
        names: tuple[str, ...],
        first: int,
        entropy: Callable[[int], bytes],
        faults: Faults = "ask",
    ) -> None:
        seats = tuple(Seat(name, "") for name in names)
        table = Table(entropy(KEY_BYTES), rules, seats, first, 0, faults)
        self.names = names
        self.seats = tuple(
            new_handheld(table, at, entropy, fair=False)[0] for at in range(len(names))
        )
        self.turn = first
        """Whose hand it is in, or is to be in."""
        self.masked = True
        """Whether it is on its way to that hand, and shows nothing that is his."""
        self.screen: Screen | None = None
        self.done = False
        """Whether the match is over, and its end was read."""
        self.faults: dict[Part, Screen] = {}
        self._sounds: set[Sound] = set()
        self._kept_volume: int | None = None
        self._generation = 0
        self._inside = deque[tuple[int, Report]]()
        self._now_us = 0

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due; None if nothing is waiting for time to pass."""
        times = [core.next_timer_us for core in self.seats]
        return min((time for time in times if time is not None), default=None)

    def start(self, now_us: int) -> list[Effect]:
        """Begin; return what is to be done."""
        self._now_us = max(self._now_us, now_us)
        effects: list[Effect] = [Sense(fully=True)]
        for at, core in enumerate(self.seats):
            self._carry_out(at, core.start(self._now_us))
        return self._settled(effects)

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Take in what happened, and return what is to be done, in order."""
        self._now_us = max(self._now_us, now_us)
        effects: list[Effect] = []
        match what:
            case Tick() | PartFailed() | PartWell():
                for at, core in enumerate(self.seats):
                    self._carry_out(at, core.handle(what, self._now_us))
                self.faults = self.seats[self.turn].faults
            case Received() | Stored():
                pass
            case Tap() if self.masked and not self.faults:
                self.masked = False
            case Tap() if self._over and isinstance(self._mine.screen, MatchOver):
                self.done = True
            case Pressed() | Held() | Released() | Tap() if self.masked:
                pass
            case _ if not self.masked or self._mine.position not in _ACTING:
                self._carry_out(self.turn, self._mine.handle(what, self._now_us))
            case _:
                pass
        return self._settled(effects)

    @property
    def volume(self) -> int:
        """Of sounds: 0, silence, to 3; the same at every seat."""
        return self._mine.volume

    @volume.setter
    def volume(self, volume: int) -> None:
        for core in self.seats:
            core.volume = volume

    @property
    def dial(self) -> Dial | None:
        """The dial on the display; None where there is none."""
        return None if self.masked else self._mine.dial

    @property
    def _mine(self) -> Handheld:
        return self.seats[self.turn]

    @property
    def _over(self) -> bool:
        return all(core.position is Position.OVER for core in self.seats)

    def _carry_out(self, at: int, effects: list[Effect]) -> None:
        """Do what a seat wants: its stores and frames never leave this handheld."""
        for effect in effects:
            match effect:
                case Store(ticket):
                    self._inside.append((at, Stored(ticket)))
                case Send(seat, frame):
                    self._inside.append((seat, Received(at, frame)))
                case Beep(sound):
                    self._sounds.add(sound)
                case KeepVolume(volume):
                    self.volume = volume
                    self._kept_volume = volume
                case _:
                    pass

    def _settled(self, effects: list[Effect]) -> list[Effect]:
        while self._inside:
            at, report = self._inside.popleft()
            self._carry_out(at, self.seats[at].handle(report, self._now_us))
        self._hand_on()
        screen = self._face()
        if screen is not None and screen != self.screen:
            if self.screen is not None and shows_dice(self.screen) and not shows_dice(screen):
                self._generation += 1
                effects.insert(0, Blank(self._generation))
            self.screen = screen
            effects.append(Show(screen, self._generation))
        if self._kept_volume is not None:
            effects.append(KeepVolume(self._kept_volume))
            self._kept_volume = None
        if self._sounds:
            effects.append(Beep(min(self._sounds)))
            self._sounds.clear()
        return effects

    def _hand_on(self) -> None:
        """When somebody else is to act, the handheld goes to him, masked."""
        acting = [at for at, core in enumerate(self.seats) if core.position in _ACTING]
        if acting and self.turn not in acting:
            self.turn, self.masked = acting[0], True

    def _face(self) -> Screen | None:
        if self.faults:
            return next(iter(self.faults.values()))
        if self.masked:
            name = self.names[self.turn]
            return Lobby(Text.ONE_HANDHELD, (Phrase(Text.HAND_TO, name),), hint=Text.HINT_TAP)
        return self._mine.screen
