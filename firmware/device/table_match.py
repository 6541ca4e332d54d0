"""A match at a standing table: its handheld, and the table's messages around it.

The handheld knows seats; this module maps them to devices. It answers clear frames about the table,
during and after a match, and then asks the players whether they play again.
"""

from dataclasses import replace

from firmware.device import SeatMaker
from firmware.display.screens import AlertPage, Item, Screen
from firmware.display.text.labels import Text
from firmware.effects import (
    Effect,
    PartFailed,
    PartWell,
    Presence,
    Received,
    Report,
    SendToDevice,
    SendToSeat,
    Shell,
    Stored,
    Tick,
    earliest,
)
from firmware.input.controls import Dial, Pick
from firmware.input.gestures import Gesture, Held, Released, Tap
from firmware.journal import TABLE_KEY, Put, Write
from firmware.lobby.rematch import Rematch, Wanted
from firmware.play.handheld import Handheld
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.invitations import is_invitation, sender_of
from firmware.table.seat.cup_custody import Accused, Accusing, LogsDiffer, Position


class TableMatch:
    """The core of one match at a standing table, until ``wanted`` is set.

    Args:
        standing: the table.
        handheld: this seat's.
    """

    def __init__(self, standing: StandingTable, handheld: Handheld) -> None:
        self.standing = standing
        self.handheld = handheld
        handheld.play.can_forget = not standing.is_fixed
        self.wanted: Wanted | None = None
        """The choice after this match; None until it is settled."""
        self._rematch: Rematch | None = None
        """The question after the match; None during it."""
        self._shell = Shell()
        self._now_us = 0

    @classmethod
    def new(
        cls,
        standing: StandingTable,
        maker: SeatMaker,
        *,
        lost: bool = False,
    ) -> "tuple[TableMatch, tuple[Write, ...]]":
        """Create a match; also return the writes that must be on the disk before it starts.

        ``lost``: see ``SeatMaker.new``.
        """
        handheld, writes = maker.new(standing, lost=lost)
        return cls(standing, handheld), (Put(TABLE_KEY, standing.encode()), *writes)

    @property
    def own_name(self) -> str:
        """The name of this handheld's player."""
        return self.standing.agreed.people[self.standing.agreed.me].name

    @property
    def tally(self) -> dict[bytes, int]:
        """Matches that each device has lost here, this one included if it is over."""
        last = self.standing if self._rematch is None else self._rematch.next_one
        return {last.device(seat): lost for seat, lost in enumerate(last.lost)}

    @property
    def next_one(self) -> StandingTable:
        """The table of the match after this one, which is over."""
        assert self._rematch is not None, "only a match that is over has a next one"
        return self._rematch.next_one

    @property
    def is_asking(self) -> bool:
        """Whether the question after the match hides its end."""
        return self._question is not None

    @property
    def dial(self) -> Dial | None:
        """The dial on the display; None if there is none."""
        question = self._question
        return self.handheld.dial if question is None else question.dial

    def pick(self, item: Item) -> Pick | None:
        """The entry of the question's dial with the label ``item``; None if there is none."""
        return None if self._question is None else self._question.pick(item)

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due, in µs on the handheld's clock; None while nothing waits."""
        rematch_us = None if self._rematch is None else self._rematch.next_timer_us
        return earliest((self.handheld.next_timer_us, rematch_us))

    @property
    def screen(self) -> Screen | None:
        """The screen on the display; None before ``start``."""
        if self._question is not None and not self._shell.part_alerts:
            return self._question.screen(self._now_us)
        screen = self.handheld.screen
        if isinstance(screen, AlertPage) and self._is_stuck:
            return replace(screen, hint=Text.HINT_FORGET)
        return screen

    def start(self, now_us: int, shell: Shell) -> list[Effect]:
        """Begin, or continue from the journal; return the effects, in order."""
        self._now_us, self._shell = now_us, shell
        return self._settled(self.handheld.start(now_us, shell))

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to what happened; return the effects, in order. See ``Core``."""
        self._now_us = now_us
        question = self._question
        effects: list[Effect] = []
        match what:
            case Received(frame) if is_invitation(frame):
                effects += self._answered(frame)
            case Received() | Stored() | PartFailed() | PartWell() | Presence() | Tick():
                effects = self.handheld.handle(what, now_us)
            case Held() if self._is_stuck:
                self.wanted = Wanted.FORGET
            case Tap() if (
                self._rematch is not None and question is None and self.handheld.shows_end
            ):
                effects = self.handheld.handle(Released(now_us), now_us)
                self._rematch.open(now_us)
            case _ if question is not None and not self._shell.part_alerts:
                self._choose(question.handle(what, now_us))
            case _:
                effects = self.handheld.handle(what, now_us)
        if self._rematch is not None:
            self._rematch.tick(now_us)
        return self._settled(effects)

    @property
    def _question(self) -> Rematch | None:
        """The question that hides the end of the match; None while there is none."""
        return self._rematch if self._rematch is not None and self._rematch.is_open else None

    @property
    def _is_stuck(self) -> bool:
        """Whether only leaving the table helps: a handheld cheats, or logs differ."""
        return not self.standing.is_fixed and isinstance(
            self.handheld.own_seat.trouble, LogsDiffer | Accusing | Accused
        )

    def _choose(self, wanted: Wanted | None) -> None:
        if wanted is Wanted.OTHERS or wanted is Wanted.FORGET:
            self.wanted = wanted

    def _settled(self, effects: list[Effect]) -> list[Effect]:
        """Address what is to be sent; if the match is over, ask for the next one."""
        out = [self._addressed(effect) for effect in effects]
        if self.handheld.play.forgot:
            self.wanted = Wanted.FORGET
        elif self.handheld.position is Position.OVER:
            if self._rematch is None:
                ended = self.handheld.match.outcome
                losers = () if ended is None else ended.losers
                self._rematch = Rematch(self.standing.after(tuple(losers)))
            out += self._rematch.take()
            if self._rematch.all_want:
                self.wanted = Wanted.AGAIN
        return out

    def _addressed(self, effect: Effect) -> Effect:
        if not isinstance(effect, SendToSeat):
            return effect
        return SendToDevice(self.standing.device(effect.seat), effect.frame, effect.after)

    def _answered(self, frame: bytes) -> list[Effect]:
        """Answer a clear frame about the table that stands here."""
        answer = self.standing.answer(frame)
        if answer is not None:
            return [SendToDevice(sender_of(frame), answer)]
        wanted = self.standing.wanted(frame)
        if wanted is None:
            return []
        seat, number = wanted
        if number == self.standing.number and number > 0:
            return [SendToDevice(self.standing.device(seat), self.standing.wants(number, seat))]
        if self._rematch is not None:
            self._rematch.add(seat, number, self._now_us)
        return []
