"""A handheld from power on: the lobby, then matches at the table that stands. No I/O, no clock.

It has the face that the runtime knows: it takes gestures and reports, and returns effects. What a
table needs to be resumed is on the disk before the others hear that it stands.
"""

from collections.abc import Callable
from dataclasses import replace

from firmware.device.hot_seat import HotSeat
from firmware.device.hot_seat_cores import ONE_KEY
from firmware.device.new_match import new_handheld
from firmware.display.screens import AlertPage, Item, MatchOverPage, Screen
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text
from firmware.effects.effects import Blank, Effect, Listen, Send, Sense, Show, Store, Tell
from firmware.effects.part_alerts import PartAlerts
from firmware.effects.reports import PartFailed, PartWell, Received, Report, Stored, Tick
from firmware.effects.sounds import USUAL_VOLUME
from firmware.input.controls.choice import Pick
from firmware.input.controls.dial import Dial
from firmware.input.gestures.gesture import Gesture, Held, Released, Tap
from firmware.journal.writes import Put
from firmware.lobby.lobby import Lobby
from firmware.lobby.one_handheld import OneHandheld
from firmware.lobby.rematch import Rematch, Wanted
from firmware.play.handheld import Handheld
from firmware.settings.table import Faults
from firmware.table.pairing.standing import TABLE_KEY, StandingTable
from firmware.table.protocol.invitations import is_invitation
from firmware.table.seat.position import Position
from firmware.table.seat.trouble import Accused, Caught

_OWN_TICKET = -1
"""The stores of a handheld's own have tickets from 0."""


class Device:
    """One handheld, whatever it is doing.

    Args:
        device: the six bytes that name it to others.
        entropy: returns that many random bytes; the only source of chance.
        name: the player's, if it is known.
        faults: what becomes of a fault that the sensors notice.
        resumed: what the journal knows: a table and its match, or a match on this handheld alone.
        fair: the dice of a match between handhelds are committed to.
        volume: of its sounds, 0, silence, to 3.
    """

    def __init__(
        self,
        device: bytes,
        entropy: Callable[[int], bytes],
        name: str | None = None,
        faults: Faults = "ask",
        resumed: tuple[StandingTable, Handheld] | HotSeat | None = None,
        *,
        fair: bool = True,
        volume: int = USUAL_VOLUME,
    ) -> None:
        self.device = device
        self.standing: StandingTable | None = None
        self.core: Lobby | Handheld | HotSeat
        """What this handheld is busy with."""
        self.screen: Screen | None = None
        self.stopped = False
        self._entropy = entropy
        self._name = name
        self._counted = faults
        self._fair = fair
        self._lost: dict[bytes, int] = {}
        """Matches lost at the table before, by device."""
        self._generation = 0
        self._base = 0
        self._rematch: Rematch | None = None
        self._asks = False
        """Whether the question after a match hides its end."""
        self._next: Handheld | HotSeat | None = None
        """A match that begins as soon as it is on the disk."""
        if resumed is None:
            self.core = Lobby(device, entropy, name)
        elif isinstance(resumed, HotSeat):
            self.core = resumed
        else:
            self.standing, self.core = resumed
            self.core.can_forget = True
        self.core.volume = volume

    @property
    def part_alerts(self) -> PartAlerts:
        """The parts that do not answer."""
        return self.core.part_alerts

    @property
    def volume(self) -> int:
        """Of its sounds: 0, silence, to 3."""
        return self.core.volume

    @property
    def dial(self) -> Dial | None:
        """The dial on the display; None where there is none."""
        if self._asks and self._rematch is not None:
            return self._rematch.dial
        return self.core.dial

    def pick(self, item: Item) -> Pick | None:
        """The entry of a question's dial that says ``item``; None where none does."""
        if self._asks and self._rematch is not None:
            return self._rematch.pick(item)
        return self.core.pick(item) if isinstance(self.core, Lobby) else None

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due; None if nothing is waiting for time to pass."""
        times = [self.core.next_timer_us]
        if self._rematch is not None:
            seen = self._asks
            times.append(
                self._rematch.timer_us(self._now_us) if seen else self._rematch.next_timer_us
            )
        return min((time for time in times if time is not None), default=None)

    _now_us = 0

    def start(self, now_us: int) -> list[Effect]:
        """Begin; return what is to be done."""
        self._now_us = now_us
        return self._done(self.core.start(now_us))

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Take in what happened, and return what is to be done, in order."""
        now_us = self._now_us = max(self._now_us, now_us)
        if self.stopped:
            return []
        match what:
            case Stored(ticket=ticket, trouble=trouble) if ticket == _OWN_TICKET:
                return self._stored(trouble)
            case Received() | Tick() if self._next is not None and self.standing is not None:
                return []  # the match before would write over what is being written
            case Received(frame=frame) if is_invitation(frame) and self.standing is not None:
                effects = self._invited(frame)
            case Received(seat=peer, frame=frame) if not is_invitation(frame):
                effects = [] if isinstance(self.core, Lobby) else self.core.handle(what, now_us)
                del peer
            case Received() | Stored() | PartFailed() | PartWell() | Tick():
                effects = self.core.handle(what, now_us)
            case Held() if self._is_stuck and isinstance(self.core, Handheld):
                effects = []
                self.core.forgot = True
            case Tap() if (
                self._is_over and not self._asks and isinstance(self._seen, MatchOverPage)
            ):
                effects = self.core.handle(Released(now_us), now_us)
                self._ask_for_more()
            case _ if self._asks and self._rematch is not None and not self.part_alerts:
                effects = []
                self._rematch.handle(what, now_us)
            case _:
                effects = self.core.handle(what, now_us)
        if self._rematch is not None:
            self._rematch.tick(now_us)
        return self._done(effects)

    # What comes after what

    def _done(self, effects: list[Effect]) -> list[Effect]:
        """Translate what the core wants, and go on to what comes next."""
        told = [self._translated(effect) for effect in effects]
        out: list[Effect] = [effect for effect in told if effect is not None]
        if isinstance(self.core, Lobby) and self._next is None:
            if self.core.agreed is not None:
                out[:0] = self._begin(StandingTable.of(self.core.agreed))
            elif self.core.one_handheld is not None:
                out[:0] = self._begin_alone(self.core.one_handheld)
        elif isinstance(self.core, HotSeat) and self.core.done:
            out.append(Store(_OWN_TICKET, (Put(ONE_KEY, b""),)))
            out += self._go_over(Lobby(self.device, self._entropy, self._name))
        elif isinstance(self.core, Handheld) and self.core.forgot:
            out += self._forget()
        out += self._after_match()
        return self._shown(out)

    def _after_match(self) -> list[Effect]:
        if not self._is_over or self.standing is None or not isinstance(self.core, Handheld):
            return []
        if self._rematch is None:
            ended = self.core.match.outcome
            losers = () if ended is None else ended.losers
            self._rematch = Rematch(self.standing.after(tuple(losers)))
        out: list[Effect] = list(self._rematch.take())
        outcome, self._rematch.outcome = self._rematch.outcome, None
        match outcome:
            case Wanted.AGAIN if self._next is None:
                out += self._begin(self._rematch.next_one)
            case Wanted.LOOK_BACK:
                self._asks = False
            case Wanted.OTHERS:
                self._lost = self._tally()
                out += self._to_the_lobby()
            case Wanted.FORGET:
                out += self._forget()
            case _:
                pass
        return out

    def _forget(self) -> list[Effect]:
        self._lost = {}
        return [Store(_OWN_TICKET, (Put(TABLE_KEY, b""),)), *self._to_the_lobby()]

    def _to_the_lobby(self) -> list[Effect]:
        if self.standing is not None:
            self._name = self.standing.agreed.people[self.standing.agreed.me].name
        self.standing = self._rematch = None
        self._asks = False
        return self._go_over(Lobby(self.device, self._entropy, self._name, self._lost))

    def _tally(self) -> dict[bytes, int]:
        """How many matches each device has lost so far."""
        assert self._rematch is not None, "a match is over"
        next_one = self._rematch.next_one
        return {next_one.device(seat): lost for seat, lost in enumerate(next_one.lost)}

    def _begin(self, standing: StandingTable) -> list[Effect]:
        """Write a table and its match down; it is played as soon as that is done."""
        seat = standing.agreed.me
        table = standing.table(self._counted)
        self._next, writes = new_handheld(table, seat, self._entropy, fair=self._fair)
        self.standing = standing
        return [Store(_OWN_TICKET, (Put(TABLE_KEY, standing.encode()), *writes))]

    def _begin_alone(self, wanted: OneHandheld) -> list[Effect]:
        """The same for a match on this handheld alone. A table that was known has no match now."""
        begun = self._next = HotSeat(wanted, self._entropy, self._counted)
        return [Store(_OWN_TICKET, (Put(TABLE_KEY, b""), *begun.begins))]

    def _stored(self, trouble: str | None) -> list[Effect]:
        if trouble is not None:
            self.stopped = True
            return self._shown([Show(AlertPage(Alert.STORE), self._base)])
        begun, self._next = self._next, None
        if begun is None:
            return []
        self._rematch = None
        self._asks = False
        return self._done(self._go_over(begun))

    def _go_over(self, core: Lobby | Handheld | HotSeat) -> list[Effect]:
        """Busy oneself with something else from now on."""
        core.part_alerts.add(self.core.part_alerts)
        core.volume = self.core.volume
        self.core = core
        if isinstance(core, Handheld):
            core.can_forget = True
        self._base = self._generation
        started = core.start(self._now_us)
        return started if isinstance(core, Lobby) else [Listen(on=False), *started]

    @property
    def _is_over(self) -> bool:
        return isinstance(self.core, Handheld) and self.core.position is Position.OVER

    @property
    def _is_stuck(self) -> bool:
        """Whether nothing can come of this match any more: somebody cheats, or records differ."""
        core = self.core
        return isinstance(core, Handheld) and isinstance(core.passing.trouble, Caught | Accused)

    @property
    def _seen(self) -> Screen | None:
        return self.core.screen

    def _ask_for_more(self) -> None:
        if self._rematch is not None:
            self._asks = True
            self._rematch.open(self._now_us)

    def _invited(self, frame: bytes) -> list[Effect]:
        """Answer what is said in clear words about the table that stands here."""
        assert self.standing is not None, "only a table that stands is spoken of"
        answer = self.standing.answer(frame)
        if answer is not None:
            return [Tell(self._sender(frame), answer)]
        wanted = self.standing.wanted(frame)
        if wanted is None:
            return []
        seat, number = wanted
        if number == self.standing.number and number > 0:
            return [Tell(self.standing.device(seat), self.standing.wants(number, seat))]
        if self._rematch is not None:
            self._rematch.hear(seat, number, self._now_us)
        return []

    @staticmethod
    def _sender(frame: bytes) -> bytes:
        return frame[2:8]

    # What the core says, in the words of this handheld

    def _translated(self, effect: Effect) -> Effect | None:
        match effect:
            case Send(seat, frame, after):
                assert self.standing is not None, "a match is played at a table"
                return Tell(self.standing.device(seat), frame, after)
            case Show(screen, generation):
                return Show(screen, generation + self._base)
            case Blank(generation):
                return Blank(generation + self._base)
            case _:
                return effect

    def _shown(self, effects: list[Effect]) -> list[Effect]:
        """Only one screen is to be seen: the last one, or the question that hides it."""
        out: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Show):
                self._generation = max(self._generation, effect.generation)
            elif isinstance(effect, Blank):
                self._generation = max(self._generation, effect.generation)
                out.append(effect)
            else:
                out.append(effect)
        screen = self._face()
        if self.stopped:
            screen = AlertPage(Alert.STORE)
        if screen is not None and screen != self.screen:
            self.screen = screen
            out.append(Show(screen, self._generation))
        if self._asks and not any(isinstance(effect, Sense) for effect in out):
            out.append(Sense(fully=True))
        return out

    def _face(self) -> Screen | None:
        if self._asks and self._rematch is not None and not self.part_alerts:
            return self._rematch.screen(self._now_us)
        screen = self.core.screen
        if isinstance(screen, MatchOverPage):
            return replace(screen, more=True)
        if isinstance(screen, AlertPage) and self._is_stuck:
            return replace(screen, hint=Text.HINT_FORGET)
        return screen
