"""The lobby: from a handheld that knows nobody to a table that stands. No I/O, no clock.

A hold reports that they differ. While a player waits for others, before or after the numbers, a
hold leaves.

The display shows a question and the dial its answers: a tilt moves the highlight, a tap takes the
answer, and a final answer needs a hold. The question is a function of the lobby's state
(``firmware.lobby.questions``); an answer is a value, and ``Lobby.choose`` carries it out. The
frames between handhelds are those of ``firmware.table.pairing.pairing``.
"""

from collections.abc import Callable, Mapping
from typing import assert_never

from firmware.display.screens import AlertPage, Item, QuestionPage, Screen
from firmware.display.text.labels import Alert, Text
from firmware.effects import (
    Beep,
    Effect,
    PartFailed,
    PartWell,
    Presence,
    Received,
    Report,
    SendToDevice,
    Sense,
    Shell,
    Sound,
    Stored,
    Tick,
    earliest,
)
from firmware.input.controls import Dial, Pad, Pick, QuestionDial
from firmware.input.gestures import Gesture, Held, Tap
from firmware.lobby import choices as to
from firmware.lobby.choices import (
    Company,
    InRoom,
    LobbyChoice,
    LobbyStep,
    OneHandheld,
    Rooms,
    TablesNearby,
    changed,
    first_match,
    handicapped,
    packed,
    players_alone,
    unpacked,
)
from firmware.lobby.questions import LobbyView, question_of
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import Agreed, PairingFailure, PairingPhase
from firmware.table.protocol.invitations import (
    KEY_BYTES,
    InvitationError,
    TableNotice,
    body_of,
    head_of,
)
from game import RULES, AnyRules, rule_set

_STAND = (PairingPhase.REVEALING, PairingPhase.COMPARING, PairingPhase.TAPPED)


class Comparing:
    """Takes the player's answer to the five numbers, once they have stood for `ARMED_AFTER_US`.

    Args:
        pad: the pad of the previous dial: a finger may still lie on it.
    """

    def __init__(self, pad: Pad) -> None:
        self._pad = pad
        self._stands: tuple[PairingPhase, tuple[int, ...] | None] | None = None

    def next_timer_us(self, now_us: int) -> int | None:
        """Return when the bar of a hold moves on, in µs; None while a hold does nothing."""
        return self._pad.next_step_us(now_us) if self._pad.armed else None

    def handle(self, gesture: Gesture, pairing: Pairing, now_us: int) -> None:
        """Handle a gesture: once armed, a tap confirms the numbers; a hold rejects them or leaves.

        It ignores gestures while the host gives out places.
        """
        if not self._pad.armed or pairing.state.phase not in _STAND:
            return
        if isinstance(gesture, Tap):
            pairing.tap(now_us)
        elif isinstance(gesture, Held) and pairing.state.phase is PairingPhase.COMPARING:
            pairing.differ()
        elif isinstance(gesture, Held):
            pairing.leave()

    def tick(self, pairing: Pairing | None, now_us: int, *, hidden: bool) -> None:
        """Follow the pairing, and arm the pad once its page has stood for `ARMED_AFTER_US`.

        ``hidden``: something hides the page, and its time does not run.
        """
        state = None if pairing is None else pairing.state
        stands = state is not None and state.phase in _STAND
        shown = (state.phase, state.numbers) if state is not None and stands else None
        if shown != self._stands:
            self._stands = shown
            self._pad.begin(now_us, offer=shown is not None)
        self._pad.tick(now_us, hidden=hidden)

    def screen(self, pairing: Pairing, now_us: int) -> QuestionPage:
        """Return the page of the numbers; after the own tap, the page that waits for the others."""
        numbers = pairing.state.numbers or ()
        progress = self._pad.progress(now_us) if self._pad.armed else None
        if pairing.state.phase is not PairingPhase.COMPARING:
            hint = Text.HINT_LEAVE if self._pad.armed else Text.HINT_WAIT
            return QuestionPage(Text.WAIT_FOR_TAPS, numbers=numbers, hint=hint, progress=progress)
        hint = Text.HINT_SAME_NUMBERS if self._pad.armed else Text.HINT_NOT_YET
        lines = (Text.COMPARE_ALL,)
        return QuestionPage(Text.SAME_NUMBERS, lines, numbers=numbers, hint=hint, progress=progress)


_BROKEN = {
    PairingFailure.DIFFERS: Alert.DICE_DIFFER,
    PairingFailure.GIVEN_UP: Alert.TABLE_GIVEN_UP,
    PairingFailure.NO_PLACE: Alert.NO_PLACE,
    PairingFailure.OTHER_RULES: Alert.OTHER_RULES,
    PairingFailure.NO_ANSWER: Alert.NO_ANSWER,
}


class Lobby:
    """The core of the lobby: asks until ``agreed`` or ``one_handheld`` is set.

    Args:
        device: the six bytes that name this handheld to the others.
        entropy: returns that many random bytes; the only source of chance.
        name: the player's; None asks for one.
        lost: by device, how many matches were lost at the table before; None for none.
        afar: also meet people in a room at a broker.
        room: the code of the room to be in; None for none.
    """

    def __init__(
        self,
        device: bytes,
        entropy: Callable[[int], bytes],
        name: str | None = None,
        lost: Mapping[bytes, int] | None = None,
        *,
        afar: bool = False,
        room: str | None = None,
    ) -> None:
        self.device = device
        self.name = name
        self.step = LobbyStep.NAME if name is None else LobbyStep.START
        self.pairing: Pairing | None = None
        self.one_handheld: OneHandheld | None = None
        """The match on this handheld alone, once it is settled."""
        self.rules: AnyRules = next(iter(RULES.values()))
        self.screen: Screen | None = None
        """The screen for the display; None before ``start``."""
        self._shell = Shell()
        self._company = Company.SHARED
        self._players: tuple[str, ...] = ()
        """The chosen players on this handheld."""
        self._handicap: dict[str, int] = {}
        """The losses of players before the first round, by name."""
        self._nearby = TablesNearby()
        self.rooms = Rooms(afar, room)
        self._watches = False
        """Whether this player wants to watch the next table."""
        self._asking = QuestionDial[LobbyChoice]()
        self._comparing = Comparing(self._asking.pad)
        self._lost = lost
        self._entropy = entropy
        self._now_us = 0
        self._effects: list[Effect] = []

    @property
    def dial(self) -> Dial | None:
        """The dial with the answers; None while there is nothing to choose."""
        return self._asking.dial

    def pick(self, item: Item) -> Pick | None:
        """Return the entry of the dial with the label ``item``; None if there is none."""
        return None if self.dial is None else self._asking.pick(item)

    @property
    def agreed(self) -> Agreed | None:
        """The table, once it stands; else None."""
        return None if self.pairing is None else self.pairing.state.agreed

    @property
    def view(self) -> LobbyView:
        """The state that the question of this step depends on."""
        asking, table = self._asking, None if self.pairing is None else self.pairing.state
        return LobbyView(
            self.step, self.name, self.rules, self._company,
            people=() if table is None else table.people,
            players=self._players, nearby=self._nearby.tables,
            host=None if table is None else table.host_name or self._nearby.name_of(table.host),
            has_place=table is not None and table.place is not None,
            volume=self._shell.volume, kept=self._shell.rules, rooms=self.rooms.view,
            handicap=tuple(self._handicap.items()),
            place=asking.place if asking.key is self.step else 0,
            is_silent=self.pairing is not None and self.pairing.is_silent,
        )  # fmt: skip

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due, in µs on the handheld's clock; None while nothing waits."""
        asking, now_us = self._asking, self._now_us
        times = [asking.pad.armed_us, asking.next_timer_us(now_us)]
        times.append(self._comparing.next_timer_us(now_us))
        if self.pairing is not None:
            times.append(self.pairing.next_timer_us)
        if self.step is LobbyStep.TABLES:
            times.append(self._nearby.next_timer_us)
        return earliest(times)

    def start(self, now_us: int, shell: Shell) -> list[Effect]:
        """Ask the first question; return the effects, in order."""
        self._shell = shell
        self._now_us = max(self._now_us, now_us)
        self._effects.append(Sense(fully=True))
        return self._settled()

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to what happened; return the effects, in order. See ``Core``."""
        self._now_us = max(self._now_us, now_us)
        match what:
            case Received(frame):
                self._on_frame(frame)
            case Stored() | PartFailed() | PartWell() | Tick() | Presence():
                pass
            case _:
                self._on_gesture(what)
        if self.pairing is not None:
            self.pairing.tick(self._now_us)
        return self._settled()

    def choose(self, choice: LobbyChoice) -> None:
        """Carry an answer out."""
        match choice:
            case to.GoTo(step):
                self._go(step)
            case to.CallMe(name):
                self.name = name
                self._go(LobbyStep.START)
            case to.PlainChoice.LOUDER:
                self._shell.raise_volume()
                self._effects.append(Beep(Sound.OFFER))
            case to.Begin(company):
                self._go(LobbyStep.GAME)
                self._company = company
            case to.PlainChoice.LEARN:
                self.one_handheld = first_match(self.name or "", self._entropy(KEY_BYTES))
            case to.LookForTables(watches):
                self._watches = watches
                self._nearby.clear()
                self._go(LobbyStep.TABLES)
            case to.Join(table):
                self.pairing = Pairing.join(
                    self.device, self.name or "", table.host, table.session, self._entropy,
                    watches=self._watches,
                )  # fmt: skip
                self._go(LobbyStep.JOINING)
            case to.PlainChoice.LEAVE:
                if self.pairing is not None:
                    self.pairing.leave()
                    self._send_invitations()
                self._go(LobbyStep.START)
            case to.Game(name):
                self.rules = rule_set(name, {})
                self._go(LobbyStep.OPTIONS)
            case to.ChangeOption(number):
                self.rules = changed(self.rules, number)
            case to.PlainChoice.OUR_RULES:
                kept = unpacked(self._shell.rules)
                if kept is not None:
                    self.rules = kept
                    self._go(LobbyStep.OPTIONS)
            case to.PlainChoice.KEEP_RULES:
                self._shell.rules = packed(self.rules)
            case to.PlainChoice.RULES_SETTLED:
                self._handicap = {}
                self._ask_who_plays()
            case to.PutOut(device):
                if self.pairing is not None:
                    self.pairing.as_host.put_out(device)
            case to.MoveSeat(seat):
                if self.pairing is not None:
                    self._asking.move(self.pairing.as_host.move(seat) - seat)
            case to.MoreHandicap(name):
                more = self._handicap | {name: self._handicap.get(name, 0) + 1}
                fits = handicapped(self.rules, self.view.names, more) is not None
                self._handicap = more if fits else self._handicap | {name: 0}
            case to.AddPlayer(name):
                self._players = (*self._players, name)
            case to.PlainChoice.REMOVE_PLAYER:
                self._players = self._players[:-1]
            case InRoom():
                self._go(self.rooms.take(choice, self._entropy))
            case to.OpensRound(seat):
                self._open_round(seat)
            case _:
                assert_never(choice)

    def _on_gesture(self, gesture: Gesture) -> None:
        attends = not self._shell.part_alerts
        if self.step is LobbyStep.BROKEN and isinstance(gesture, Tap) and attends:
            self._go(LobbyStep.START)
        elif self.pairing is not None:
            self._comparing.handle(gesture, self.pairing, self._now_us)
        choice = self._asking.handle(gesture, self._now_us, attends=attends)
        if choice is not None:
            self.choose(choice)

    def _go(self, step: LobbyStep) -> None:
        """Go to a step; back at the beginning, without a table."""
        self.step = step
        if step in (LobbyStep.NAME, LobbyStep.START, LobbyStep.TABLES):
            self.pairing = None
            self._company = Company.SHARED

    def _ask_who_plays(self) -> None:
        """Gather neighbours, or ask for the players of this one handheld."""
        alone = self._company is Company.PRACTICE
        self._players = players_alone(self.name or "", self.rules) if alone else ()
        self._go(LobbyStep.GATHER if self._company is Company.SHARED else LobbyStep.PLAYERS)

    def _open_round(self, first: int | None) -> None:
        """Seat ``first`` opens; None draws a seat by lot. This is the last question."""
        names = self.view.names
        rules = handicapped(self.rules, names, self._handicap) or self.rules
        if first is None:
            first = int.from_bytes(self._entropy(8), "big") % len(names)
        if self._company is not Company.SHARED:
            people = 1 if self._company is Company.PRACTICE else len(names)
            key = self._entropy(KEY_BYTES)
            self.one_handheld = OneHandheld(rules, names, first, people, key)
        elif self.pairing is not None:
            carries = self.rooms.code is not None  # who met near has no broker, maybe
            host = self.pairing.as_host
            host.close(rules, first, self._now_us, self._lost, carries=carries)
            self._go(LobbyStep.COMPARE)

    def _on_frame(self, frame: bytes) -> None:
        try:
            head, body = head_of(frame), body_of(frame)
        except InvitationError:
            return
        if isinstance(body, TableNotice) and head.sender != self.device:
            self._nearby.add(head, body, self._now_us)
        if self.pairing is not None:
            self.pairing.receive(frame, self._now_us)

    def _settled(self) -> list[Effect]:
        """Ask the next question; return everything that is to be done."""
        self._nearby.tick(self._now_us)
        if self.step is LobbyStep.GATHER and self.pairing is None:
            self.pairing = Pairing.open_table(self.device, self.name or "", self._entropy)
            self.pairing.state.game = self.rules.game
        if self.pairing is not None:
            if self.pairing.state.phase is PairingPhase.BROKEN:
                self._go(LobbyStep.BROKEN)
            elif self.pairing.state.phase is not PairingPhase.GATHERING:
                self._go(LobbyStep.COMPARE)
            if self.step is LobbyStep.SEATS and not self.view.enough:
                self._go(LobbyStep.GATHER)
        self._asking.ask(self.step, question_of(self.view), self._now_us)
        self._comparing.tick(self.pairing, self._now_us, hidden=bool(self._shell.part_alerts))
        self._effects += self.rooms.listen(None if self.pairing is None else self.pairing.state)
        self._send_invitations()
        self.screen = self._page()
        effects, self._effects = self._effects, []
        return effects

    def _page(self) -> Screen:
        if self._shell.part_alerts.screen is not None:
            return self._shell.part_alerts.screen
        if self.step is LobbyStep.BROKEN:
            why = None if self.pairing is None else self.pairing.state.broken
            return AlertPage(_BROKEN[why or PairingFailure.GIVEN_UP])
        if self.step is LobbyStep.COMPARE and self.pairing is not None:
            return self._comparing.screen(self.pairing, self._now_us)
        return self._asking.screen(self._now_us)

    def _send_invitations(self) -> None:
        if self.pairing is not None:
            self._effects += [SendToDevice(device, frame) for device, frame in self.pairing.take()]
