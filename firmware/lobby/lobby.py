"""The lobby: from a handheld that knows nobody to a table that stands. No I/O, no clock.

A question stands on the display and its answers are on the dial: a tilt moves the highlight, a tap
takes the answer, and what cannot be taken back wants a hold. What handhelds say to each other is
``firmware.table.pairing.pairing``'s business.
"""

from collections.abc import Callable, Mapping

from firmware.display.screens import AlertPage, Item, Screen
from firmware.display.screens import QuestionPage as LobbyScreen
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text
from firmware.effects.effects import Beep, Effect, KeepVolume, Listen, Sense, Show, Tell
from firmware.effects.part_alerts import PartAlerts
from firmware.effects.reports import PartFailed, PartWell, Received, Report, Stored, Tick
from firmware.effects.sounds import USUAL_VOLUME, VOLUMES, Sound
from firmware.input.controls.choice import Pick
from firmware.input.controls.dial import Dial
from firmware.input.controls.question import QuestionDial
from firmware.input.gestures.gesture import Gesture, Held, Tap
from firmware.lobby.names import NAMES
from firmware.lobby.one_handheld import OneHandheld
from firmware.lobby.options import changed
from firmware.lobby.questions import question_of
from firmware.lobby.steps import Company, LobbyStep, TableNearby
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import PairingFailure, PairingPhase
from firmware.table.pairing.transcript import Agreed
from firmware.table.protocol.invitations import (
    KEY_BYTES,
    Head,
    InvitationError,
    InvitationKind,
    TableNotice,
    body_of,
    head_of,
)
from game import OPTIONS, RULES, AnyRules, SetupError, new_match
from game.dice import Dice

_MOST_NEARBY = 12
"""More tables than fit in a room are noise."""
HEARD_FOR_US = 6_000_000
"""A table that has not been heard of for so long is no longer offered."""


class Lobby:
    """Asks until a table stands.

    Args:
        device: the six bytes that name this handheld to the others.
        entropy: returns that many random bytes; the only source of chance.
        name: the player's, if it is known.
        lost: by device, how many matches were lost at the table before; None for none.
    """

    def __init__(
        self,
        device: bytes,
        entropy: Callable[[int], bytes],
        name: str | None = None,
        lost: Mapping[bytes, int] | None = None,
    ) -> None:
        self.device = device
        self.name = name
        self.step = LobbyStep.NAME if name is None else LobbyStep.START
        self.pairing: Pairing | None = None
        self.one_handheld: OneHandheld | None = None
        """What is to be played on this handheld alone, once it is settled."""
        self.rules: AnyRules = next(iter(RULES.values()))
        self.screen: Screen | None = None
        self.part_alerts = PartAlerts()
        self.volume = USUAL_VOLUME
        """Of sounds: 0, silence, to 3."""
        self.now_us = 0
        self.asking = QuestionDial()
        self.company = Company.SHARED
        self.players: tuple[str, ...] = ()
        """Who plays on this one handheld, as far as chosen."""
        self.nearby: dict[bytes, TableNearby] = {}
        """The tables that can be heard, by their host."""
        self._lost = lost
        self._entropy = entropy
        self._watches = False
        self._compared: Dice | None = None
        self._effects: list[Effect] = []

    @property
    def dial(self) -> Dial | None:
        """The dial with the answers; None while there is nothing to choose."""
        return self.asking.dial

    def pick(self, item: Item) -> Pick | None:
        """The entry of the dial that says ``item``; None where none does."""
        return None if self.dial is None else self.asking.pick(item)

    @property
    def agreed(self) -> Agreed | None:
        """The table, once it stands."""
        return None if self.pairing is None else self.pairing.agreed

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due; None if nothing is waiting for time to pass."""
        times = [self.asking.pad.armed_us, self.asking.next_timer_us(self.now_us)]
        if self.pairing is not None:
            times.append(self.pairing.next_timer_us)
        if self.step is LobbyStep.TABLES and self.nearby:
            times.append(min(each.heard_us for each in self.nearby.values()) + HEARD_FOR_US)
        if self._attends:
            times.append(self.asking.pad.next_step_us(self.now_us))
        return min((time for time in times if time is not None), default=None)

    def start(self, now_us: int) -> list[Effect]:
        """Ask the first question."""
        self.now_us = max(self.now_us, now_us)
        self._effects += [Sense(fully=True), Listen(on=True)]
        self._settle()
        return self._take()

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Take in what happened, and return what is to be done, in order."""
        self.now_us = max(self.now_us, now_us)
        match what:
            case Received(frame=frame):
                self._on_frame(frame)
            case PartFailed() | PartWell():
                self.part_alerts.report(what)
            case Stored() | Tick():
                pass
            case _:
                self._on_gesture(what)
        if self.pairing is not None:
            self.pairing.tick(self.now_us)
        self._settle()
        return self._take()

    # What the player does

    def _on_gesture(self, gesture: Gesture) -> None:
        if self.step is LobbyStep.BROKEN and isinstance(gesture, Tap) and not self.part_alerts:
            self.go(LobbyStep.START)
        elif self.pairing is not None and self._attends:
            if isinstance(gesture, Tap):
                self.pairing.tap(self.now_us)
            elif isinstance(gesture, Held):
                self.pairing.differ()
        self.asking.handle(gesture, self.now_us, attends=not self.part_alerts)

    @property
    def _attends(self) -> bool:
        """Whether the dice to compare have stood for a moment."""
        return self._compared is not None and self.asking.pad.armed and not self.part_alerts

    def go(self, step: LobbyStep) -> None:
        """Go to a step; back at the beginning, without a table."""
        self.step = step
        if step in (LobbyStep.NAME, LobbyStep.START, LobbyStep.TABLES):
            self.pairing = None
            self.company = Company.SHARED

    def call_me(self, name: str) -> None:
        """The player has chosen a name."""
        self.name = name
        self.go(LobbyStep.START)

    def change_volume(self) -> None:
        """Make sounds louder; after the loudest comes silence."""
        self.volume = (self.volume + 1) % len(VOLUMES)
        self._effects += [KeepVolume(self.volume), Beep(Sound.OFFER)]

    def begin(self, company: Company) -> None:
        """Ask what is to be played in this company."""
        self.go(LobbyStep.GAME)
        self.company = company

    def look_for_tables(self, *, watches: bool) -> None:
        """Listen for tables to play or to watch at."""
        self._watches = watches
        self.nearby.clear()
        self.go(LobbyStep.TABLES)

    def choose_game(self, game: str) -> None:
        """Take a game, with its usual options."""
        self.rules = RULES[game]
        if OPTIONS[game]:
            self.go(LobbyStep.OPTIONS)
        else:
            self.options_done()

    def options_done(self) -> None:
        """Ask who plays: those near, or on this handheld."""
        self.players = ()
        if self.company is Company.PRACTICE:
            assert self.name is not None, "nobody gets here without a name"
            others = [name for name in NAMES if name != self.name]
            self.players = (self.name, *others[: self.rules.fewest_players - 1])
        self.go(LobbyStep.GATHER if self.company is Company.SHARED else LobbyStep.PLAYERS)

    def change_option(self, number: int) -> None:
        """Set option ``number`` to its next value."""
        self.rules = changed(self.rules, number)

    def _open_table(self) -> None:
        assert self.name is not None, "nobody gets here without a name"
        self.pairing = Pairing.open_table(self.device, self.name, self._entropy)
        self.pairing.game = self.rules.game

    def join(self, nearby: TableNearby) -> None:
        """Ask for a place at a table."""
        assert self.name is not None, "nobody gets here without a name"
        self.pairing = Pairing.join(
            self.device, self.name, nearby.host, nearby.session, self._entropy,
            watches=self._watches,
        )  # fmt: skip
        self.go(LobbyStep.JOINING)

    def leave(self) -> None:
        """Leave the table, or give it up."""
        if self.pairing is not None:
            self.pairing.leave()
            self._send_invitations()
        self.go(LobbyStep.START)

    def move(self, seat: int) -> None:
        """Seat a player one place further; the highlight goes with him."""
        if self.pairing is None:
            return
        devices = [person.device for person in self.pairing.people if not person.watches]
        to = (seat + 1) % len(devices)
        devices[seat], devices[to] = devices[to], devices[seat]
        self.pairing.arrange(devices)
        self.asking.move(to - seat)

    def add_player(self, name: str) -> None:
        """One more plays on this handheld."""
        self.players = (*self.players, name)

    def remove_player(self) -> None:
        """The last one does not."""
        self.players = self.players[:-1]

    def open_round(self, first: int | None) -> None:
        """Seat ``first`` opens, or whom the lot falls on (None): that was the last question."""
        names = self.names
        if first is None:
            first = int.from_bytes(self._entropy(8), "big") % len(names)
        if self.company is not Company.SHARED:
            people = 1 if self.company is Company.PRACTICE else len(names)
            self.one_handheld = OneHandheld(
                self.rules, names, first, people, self._entropy(KEY_BYTES)
            )
        elif self.pairing is not None:
            self.pairing.close(self.rules, first, self.now_us, self._lost)
            self.go(LobbyStep.COMPARE)

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat, as far as there are any."""
        if self.company is not Company.SHARED:
            return self.players
        people = () if self.pairing is None else self.pairing.people
        return tuple(person.name for person in people if not person.watches)

    @property
    def enough(self) -> bool:
        """Whether a match can begin with those who are here."""
        try:
            new_match(self.rules, self.names, 0)
        except SetupError:
            return False
        return True

    # What others do

    def _on_frame(self, frame: bytes) -> None:
        try:
            head, body = head_of(frame), body_of(frame)
        except InvitationError:
            return
        if (
            isinstance(body, TableNotice)
            and head.kind is InvitationKind.TABLE
            and head.sender != self.device
        ):
            if body.is_open:
                self._hear(head, body)
            else:
                self.nearby.pop(head.sender, None)
        if self.pairing is not None:
            self.pairing.receive(frame, self.now_us)

    def _hear(self, head: Head, table: TableNotice) -> None:
        known = head.sender in self.nearby or len(self.nearby) < _MOST_NEARBY
        if known and table.game < len(RULES):
            game = tuple(RULES)[table.game]
            self.nearby[head.sender] = TableNearby(
                head.sender, head.session, table.name, game, table.people, self.now_us
            )

    # What stands on the display

    def _settle(self) -> None:
        self._forget_tables()
        if self.step is LobbyStep.GATHER and self.pairing is None:
            self._open_table()
        pairing = self.pairing
        if pairing is not None:
            if pairing.phase is PairingPhase.BROKEN:
                self.go(LobbyStep.BROKEN)
            elif pairing.phase is not PairingPhase.GATHERING and self.step is not LobbyStep.COMPARE:
                self.go(LobbyStep.COMPARE)
            if self.step is LobbyStep.SEATS and not self.enough:
                self.go(LobbyStep.GATHER)
        self.asking.ask(self.step, question_of(self), self.now_us)
        self._arm()
        self._send_invitations()

    def _forget_tables(self) -> None:
        self.nearby = {
            host: each
            for host, each in self.nearby.items()
            if each.heard_us + HEARD_FOR_US > self.now_us
        }

    def _arm(self) -> None:
        """Dice can be called the same or different once they have stood for a moment."""
        phase = None if self.pairing is None else self.pairing.phase
        compared = self.pairing.dice if self.pairing and phase is PairingPhase.COMPARING else None
        if compared != self._compared:
            self._compared = compared
            self.asking.pad.begin(self.now_us, offer=compared is not None)
        self.asking.pad.tick(self.now_us, hidden=bool(self.part_alerts))

    def _screen(self) -> Screen:
        if self.part_alerts.screen is not None:
            return self.part_alerts.screen
        if self.step is LobbyStep.COMPARE:
            return self._comparing()
        if self.step is LobbyStep.BROKEN:
            why = None if self.pairing is None else self.pairing.broken
            return AlertPage(_BROKEN[why or PairingFailure.GIVEN_UP])
        return self.asking.screen(self.now_us)

    def _comparing(self) -> Screen:
        pairing = self.pairing
        assert pairing is not None, "dice are compared while pairing"
        dice = pairing.dice or ()
        if pairing.phase is not PairingPhase.COMPARING:
            return LobbyScreen(Text.WAIT_FOR_TAPS, dice=dice, hint=Text.HINT_WAIT)
        hint = Text.HINT_SAME_DICE if self.asking.pad.armed else Text.HINT_NOT_YET
        progress = self.asking.pad.progress(self.now_us) if self._attends else None
        return LobbyScreen(Text.SAME_DICE, dice=dice, hint=hint, progress=progress)

    def _send_invitations(self) -> None:
        if self.pairing is not None:
            self._effects += [Tell(device, frame) for device, frame in self.pairing.take()]

    def _take(self) -> list[Effect]:
        screen = self._screen()
        if screen != self.screen:
            self.screen = screen
            self._effects.append(Show(screen, 0))
        effects, self._effects = self._effects, []
        return effects


_BROKEN = {
    PairingFailure.DIFFERS: Alert.DICE_DIFFER,
    PairingFailure.GIVEN_UP: Alert.TABLE_GIVEN_UP,
    PairingFailure.CLOSED: Alert.TABLE_CLOSED,
}
