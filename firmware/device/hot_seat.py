"""One handheld for all: it goes from hand to hand, masked in between.

Every seat has a core of its own, as if each had a handheld (``firmware.device``).
The handheld plays the seats without a person (``firmware.device.practice``); a lone player keeps it
in hand. All decisions of one call are one transaction of the journal: after a power cut the match
goes on, masked.
"""

from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from firmware.device import SeatMaker, begun, resumed
from firmware.display.screens import AlertPage, QuestionPage, Screen
from firmware.display.text.labels import Alert, Text
from firmware.effects import (
    Beep,
    Effect,
    PartFailed,
    PartWell,
    Presence,
    Received,
    Report,
    SendToSeat,
    Sense,
    Shell,
    Sound,
    Store,
    Stored,
    Tick,
    earliest,
)
from firmware.input.controls import Dial, Pad
from firmware.input.gestures import Gesture, Held, Pressed, Released, Tap
from firmware.journal import SharedJournal, Survived, Write
from firmware.lobby.choices import OneHandheld
from firmware.play.handheld import Handheld
from firmware.settings import Opponents
from firmware.table.seat.cup_custody import ACTING, Position
from game import Status
from game.actions import StopMatch

if TYPE_CHECKING:
    from firmware.device.practice import Hinting, Judging, Opponent, Teaching

_SEED_BYTES = 16


class HotSeatState(Enum):
    """The place of the handheld, and whether it goes on."""

    MASKED = auto()
    """On its way to the next player: it shows nothing of that player."""
    OPEN = auto()
    """In the hand of the player to act."""
    DONE = auto()
    """The end of the match was read, or the players gave the match up."""
    STOPPED = auto()
    """The journal did not take a write that must be on the disk."""


class HotSeat:
    """The core of all seats of a table on one handheld.

    Args:
        wanted: the match.
        maker: makes its seats.
        survived: the journal's data of this match; None begins it.

    Raises:
        OneHandheldError: the journal's data cannot be used.
    """

    def __init__(
        self,
        wanted: OneHandheld,
        maker: SeatMaker,
        survived: Survived | None = None,
    ) -> None:
        self.wanted = wanted
        self.begins: tuple[Write, ...] = ()
        """Writes that must be on the disk before it starts."""
        if survived is None:
            self.seats, self.begins = begun(wanted, maker)
        else:
            self.seats = resumed(wanted, survived, maker)
        self.turn = wanted.first if wanted.first < wanted.people else 0
        """The seat of the person who holds the handheld, or is to take it."""
        self.hand = HotSeatState.OPEN if self.is_practice else HotSeatState.MASKED
        self.screen: Screen | None = None
        """The screen for the display; None before ``start``."""
        for core in self.seats:
            core.own_seat.can_be_gone = False
        self._opponents: dict[int, Opponent] = {}
        self._teaching: Teaching | None = None
        if wanted.people < len(wanted.names):
            self._seat_opponents(maker.entropy, "honest" if wanted.learns else maker.opponent)
        self._kept = SharedJournal(self.seats[0].own_seat.log.index)
        self._ticket = 0
        self._pad = Pad()
        self._shell = Shell()
        self._sounds: set[Sound] = set()
        self._hint: tuple[int, Hinting] | None = None
        """The hint that a player asked for, and its turn of the match."""
        if self.is_practice:
            self.seats[0].play.can_hint = True
        self._judging: Judging | None = None
        """The coach, once the player in practice has read how the match ended."""
        self._inside = deque[tuple[int, Report]]()
        self._now_us = 0

    def _seat_opponents(self, entropy: Callable[[int], bytes], kind: Opponents) -> None:
        # Here and below: bots, solvers and coach take a Pi seconds to load; many matches have none.
        from firmware.device.practice import Opponent, Teaching

        for seat in range(self.wanted.people, len(self.wanted.names)):
            rng = Random(int.from_bytes(entropy(_SEED_BYTES), "big"))
            do = partial(self._handle_at, seat)
            self._opponents[seat] = Opponent(self.seats[seat], do, rng, kind)
        self._teaching = Teaching() if self.wanted.learns else None

    @property
    def is_practice(self) -> bool:
        """Whether one person plays alone, and the handheld all the others."""
        return self.wanted.people == 1

    @property
    def dial(self) -> Dial | None:
        """The dial on the display; None if there is none."""
        return None if self.hand is HotSeatState.MASKED else self._mine.dial

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due, in µs on the handheld's clock; None while nothing waits."""
        bar_us = self._pad.next_step_us(self._now_us) if self.hand is HotSeatState.MASKED else None
        played_us = [core.next_timer_us for core in self.seats]
        worked = (self._judging, self._hint and self._hint[1])
        worked_us = self._now_us if any(each and not each.done for each in worked) else None
        opponents_us = (each.due_us for each in self._opponents.values())
        return earliest((*played_us, *opponents_us, bar_us, worked_us))

    def start(self, now_us: int, shell: Shell) -> list[Effect]:
        """Begin, or go on; return the effects, in order."""
        self._now_us, self._shell = max(self._now_us, now_us), shell
        for at, core in enumerate(self.seats):
            self._carry_out(at, core.start(self._now_us, shell))
        return self._settled([Sense(fully=True)])

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to what happened; return the effects, in order. See ``Core``."""
        self._now_us = max(self._now_us, now_us)
        masked = self.hand is HotSeatState.MASKED
        for pieces in (self._judging, self._hint and self._hint[1]):
            if pieces is not None and isinstance(what, Tick):
                pieces.step()
        match what:
            case Tick() | PartFailed() | PartWell():
                for at in range(len(self.seats)):
                    self._handle_at(at, what)
            case Stored(trouble=str()):
                self.hand = HotSeatState.STOPPED
            case Stored() | Received() | Presence():
                pass
            case _ if self._teaching is not None and self._teaching.takes(what):
                pass
            case Pressed() | Held() | Released() | Tap() if masked:
                self._on_touch(what)
            case Pressed() | Released() if self._hint is not None:
                pass
            case Tap() | Held() if self._hint is not None:
                self._hint = None
            case Tap() if self._over and self._mine.shows_end:
                self._on_end_read()
            case _ if not masked or self._mine.position not in ACTING:
                self._handle_at(self.turn, what)
            case _:
                pass
        return self._settled([])

    @property
    def _mine(self) -> Handheld:
        return self.seats[self.turn]

    @property
    def _over(self) -> bool:
        return all(core.position is Position.OVER for core in self.seats)

    def _on_end_read(self) -> None:
        """Show the coach's verdict after a match in practice; then it is over."""
        ended = self._mine.match.outcome
        judged = self._judging is not None
        if judged or not self.is_practice or ended is None or ended.rule == "B-10":
            self.hand = HotSeatState.DONE
            return
        from firmware.device.practice import Judging, is_quick

        if is_quick(self._mine.match):
            self._judging = Judging(self.seats)
        else:
            self.hand = HotSeatState.DONE

    def _on_touch(self, touch: Pressed | Held | Released | Tap) -> None:
        """Hand the handheld to the player to act with a tap; give the match up with a hold."""
        match touch:
            case Pressed():
                self._pad.press(self._now_us)
            case Held():
                if not self._shell.part_alerts:
                    self.hand = HotSeatState.DONE
            case Tap() | Released():
                self._pad.release()
                if isinstance(touch, Tap) and not self._shell.part_alerts:
                    self.hand = HotSeatState.OPEN

    def _handle_at(self, at: int, what: Gesture | Report) -> None:
        self._carry_out(at, self.seats[at].handle(what, self._now_us))

    def _carry_out(self, at: int, effects: list[Effect]) -> None:
        """Queue the frames of a seat for the others here, and its stores for one transaction."""
        for effect in effects:
            match effect:
                case Store(int(ticket), batch):
                    self._kept.add(at, batch)
                    self._inside.append((at, Stored(ticket)))
                case SendToSeat(seat, frame):
                    self._inside.append((seat, Received(frame)))
                case Beep(sound):
                    self._sounds.add(sound)
                case _:
                    pass

    def _settled(self, effects: list[Effect]) -> list[Effect]:
        """Let the seats and the opponents go on; return all effects, in order."""
        self._deliver_frames()
        for opponent in self._opponents.values():
            opponent.act(self._now_us)
            self._deliver_frames()
        for opponent in self._opponents.values():
            opponent.plan(self._now_us)
        if self.hand in (HotSeatState.MASKED, HotSeatState.OPEN):
            self._hand_on()
        if self._hint is not None and self._hint[0] != self._mine.match.turn:
            self._hint = None
        if self._mine.play.asks_hint:
            from firmware.device.practice import Hinting

            self._mine.play.asks_hint = False
            bots = [each.bot for each in self._opponents.values()]
            self._hint = self._mine.match.turn, Hinting(self.seats, bots)
        if batch := self._kept.take():
            effects.append(Store(self._ticket, batch))
            self._ticket += 1
        self.screen = self._page()
        if self._sounds:
            effects.append(Beep(min(self._sounds)))
            self._sounds.clear()
        return effects

    def _deliver_frames(self) -> None:
        """Deliver queued frames and reports of stores until none is left."""
        while self._inside:
            at, report = self._inside.popleft()
            self._handle_at(at, report)

    def _hand_on(self) -> None:
        """Pass the handheld on, masked, when somebody else is to act."""
        people = range(self.wanted.people)
        acting = [at for at in people if self.seats[at].position in ACTING]
        if acting and self.turn not in acting:
            self.turn, self.hand = acting[0], HotSeatState.MASKED
        status = self._mine.match.status
        all_left = not self._over and all(status[at] is Status.LEFT for at in people)
        wishes = self._mine.own_seat.open_wishes if self.is_practice else ()
        stops_alone = any(isinstance(action, StopMatch) for _, action in wishes)
        if all_left or stops_alone:  # nobody is left to watch the others, or to be asked
            self.hand = HotSeatState.DONE

    def _page(self) -> Screen | None:
        if self.hand is HotSeatState.STOPPED:
            return AlertPage(Alert.STORE)
        if self._shell.part_alerts.screen is not None:
            return self._shell.part_alerts.screen
        if self.hand is HotSeatState.MASKED:
            name = self.wanted.names[self.turn]
            progress = self._pad.progress(self._now_us)
            return QuestionPage(Text.HAND_TO, hint=Text.HINT_HAND_TO, progress=progress, large=name)
        if self._hint is not None:
            return self._hint[1].page
        if self._judging is not None:
            return self._judging.page
        lesson = None if self._teaching is None else self._teaching.page(self._mine.screen)
        return self._mine.screen if lesson is None else lesson
