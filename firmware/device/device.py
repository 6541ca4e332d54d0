"""A handheld from power on: the lobby, then matches at the table that stands. No I/O, no clock.

It is in one state at a time: in the lobby, at a match (of a table, or on this handheld alone),
writing a match that begins, or stopped. Each state is a core of its own; this module decides which
one comes next. It alone puts the screen of a core on the panel. The data to resume a table is on
the disk before the others hear that it stands.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware.device.hot_seat import HotSeat, HotSeatState
from firmware.device.table_match import TableMatch
from firmware.display.screens import AlertPage, Item, MatchOverPage, Screen
from firmware.display.text.labels import Alert
from firmware.effects import (
    USUAL_VOLUME,
    Effect,
    ListenAt,
    OwnStore,
    PartFailed,
    PartWell,
    Report,
    Sense,
    Shell,
    Store,
    Stored,
)
from firmware.input.controls import Dial, Pick
from firmware.input.gestures import Gesture
from firmware.journal import ONE_HANDHELD_KEY, TABLE_KEY, Put, Write
from firmware.lobby.lobby import Lobby
from firmware.lobby.rematch import Wanted
from firmware.play.handheld import Handheld
from firmware.settings import BY_LIGHT, Faults, Media, Opponents
from firmware.table.pairing.standing import StandingTable


class Beginning:
    """A match is being written to the journal; the display shows the screen of ``before``.

    Nothing else is decided meanwhile: a frame for the earlier match would overwrite the write, and
    a gesture could choose something else.
    """

    def __init__(self, before: Lobby | TableMatch, match: TableMatch | HotSeat) -> None:
        self.before = before
        self.match = match
        self.dial = before.dial

    next_timer_us: int | None = None

    @property
    def screen(self) -> Screen | None:
        """The screen of ``before``, which may be the alert of a part."""
        return self.before.screen

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Pass on reports of stores and parts; drop the rest, as if frames were lost."""
        follows = isinstance(what, Stored | PartFailed | PartWell)
        return self.before.handle(what, now_us) if follows else []


class StoppedDevice:
    """The journal did not take a write that must be on the disk: only a restart helps."""

    def __init__(self, before: Lobby | TableMatch | HotSeat) -> None:
        self.before = before

    screen: Screen = AlertPage(Alert.STORE)
    dial: None = None
    next_timer_us: None = None

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Do nothing."""
        del what, now_us
        return []


State = Lobby | Beginning | TableMatch | HotSeat | StoppedDevice


class Device:
    """A ``Core``: one handheld, in whichever state.

    Args:
        device: the six bytes that name it to others.
        entropy: returns that many random bytes; the only source of chance.
        name: the player's; None makes the lobby ask.
        faults: the treatment of faults that the sensors notice.
        resumed: the match that the journal has; None begins in the lobby.
        fair: the dice of a match between handhelds are committed to.
        volume: of its sounds, 0, silence, to 3.
        rules: the player's own house rules, as the journal has them; empty for none.
        opponent: the opponent in practice.
        link: what carries frames. With a broker there are rooms for distant players.
    """

    def __init__(
        self,
        device: bytes,
        entropy: Callable[[int], bytes],
        name: str | None = None,
        faults: Faults = "ask",
        resumed: TableMatch | HotSeat | None = None,
        *,
        fair: bool = True,
        volume: int = USUAL_VOLUME,
        rules: bytes = b"",
        opponent: Opponents = "usual",
        link: Media = ("bluetooth",),
    ) -> None:
        self.device = device
        self._link: Media = link
        self._opponent: Opponents = opponent
        self._entropy = entropy
        self._name = name
        self._faults: Faults = faults
        self._fair = fair
        self.shell = Shell(volume, rules)
        """Its volume and rules, failed parts and screen, in whichever state."""
        self._room: str | None = None
        """The room in which the table was made up, since power on."""
        self._state: State = self._new_lobby() if resumed is None else resumed
        self._now_us = 0

    @property
    def core(self) -> Lobby | Handheld | HotSeat:
        """The core of the current state, or before a write or stop; at a table, its seat."""
        state = self._state
        if isinstance(state, Beginning | StoppedDevice):
            state = state.before
        return state.handheld if isinstance(state, TableMatch) else state

    @property
    def standing(self) -> StandingTable | None:
        """The table of the match that is played, or begins; None in the lobby."""
        state = self._state.match if isinstance(self._state, Beginning) else self._state
        return state.standing if isinstance(state, TableMatch) else None

    @property
    def screen(self) -> Screen | None:
        """The screen on the display; None before ``start``."""
        return self.shell.screen

    @property
    def dial(self) -> Dial | None:
        """The dial on the display; None if there is none."""
        return self._state.dial

    def pick(self, item: Item) -> Pick | None:
        """The entry of a question's dial with the label ``item``; None if there is none."""
        return self._state.pick(item) if isinstance(self._state, Lobby | TableMatch) else None

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due, in µs on the handheld's clock; None while nothing waits."""
        return self._state.next_timer_us

    def start(self, now_us: int) -> list[Effect]:
        """Begin; return the effects, in order."""
        self._now_us = now_us
        state = self._state
        return self._settled(
            [] if isinstance(state, Beginning | StoppedDevice) else self._started(state)
        )

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to what happened; return the effects, in order. See ``Core``."""
        self._now_us = max(self._now_us, now_us)
        state = self._state
        if isinstance(what, PartFailed | PartWell):
            self.shell.part_alerts.report(what)
        match what:
            case Stored(OwnStore(), None):
                effects = self._enter(state.match) if isinstance(state, Beginning) else []
            case Stored(OwnStore()):
                before = state.before if isinstance(state, Beginning | StoppedDevice) else state
                self._state = StoppedDevice(before)
                effects = []
            case _:
                effects = state.handle(what, self._now_us)
        return self._settled(effects)

    # The order of states

    def _settled(self, effects: list[Effect]) -> list[Effect]:
        """Go on to the next state, and put its screen on the panel after ``effects``."""
        match self._state:
            case Lobby(agreed=agreed, rooms=rooms) if agreed is not None:
                self._room = rooms.code
                effects = [*self._begin(StandingTable.of(agreed)), *effects]
            case Lobby(one_handheld=wanted) if wanted is not None:
                begun = HotSeat(wanted, self._entropy, self._faults, opponent=self._opponent)
                writes = (Put(TABLE_KEY, b""), *begun.begins)  # a table that was known has no match
                effects = [*self._write(begun, writes), *effects]
            case HotSeat(hand=HotSeatState.DONE):
                effects.append(Store(OwnStore.END, (Put(ONE_HANDHELD_KEY, b""),)))
                effects += self._enter(self._new_lobby())
            case TableMatch(wanted=Wanted.AGAIN) as over:
                effects += self._begin(over.next_one)
            case TableMatch(wanted=Wanted.OTHERS) as over:
                self._name = over.own_name
                effects += self._enter(self._new_lobby(over.tally, self._room))
            case TableMatch(wanted=Wanted.FORGET) as over:
                self._name = over.own_name
                effects.append(Store(OwnStore.END, (Put(TABLE_KEY, b""),)))
                effects += self._enter(self._new_lobby())
        screen = self._state.screen
        if isinstance(screen, MatchOverPage):
            screen = replace(screen, more=True)  # a tap leads on
        if screen is not None:
            effects = self.shell.show(screen, effects)
        asks = isinstance(self._state, TableMatch) and self._state.is_asking
        if asks and not any(isinstance(each, Sense) for each in effects):
            effects.append(Sense(fully=True))  # the seat behind the question may want to sleep
        return effects

    def _new_lobby(self, lost: Mapping[bytes, int] | None = None, room: str | None = None) -> Lobby:
        afar = "mqtt" in self._link
        return Lobby(self.device, self._entropy, self._name, lost, afar=afar, room=room)

    def _begin(self, standing: StandingTable) -> list[Effect]:
        match, writes = TableMatch.new(
            standing,
            self._entropy,
            self._faults,
            fair=self._fair,
            by_light=self._link == BY_LIGHT,
        )
        return self._write(match, writes)

    def _write(self, match: TableMatch | HotSeat, writes: tuple[Write, ...]) -> list[Effect]:
        """Write a match to the journal; it is played once that is done."""
        assert isinstance(self._state, Lobby | TableMatch), "matches follow lobbies or matches"
        self._state = Beginning(self._state, match)
        return [Store(OwnStore.BEGIN, writes)]

    def _enter(self, state: Lobby | TableMatch | HotSeat) -> list[Effect]:
        """Change to another state."""
        self._state = state
        return self._started(state)

    def _started(self, state: Lobby | TableMatch | HotSeat) -> list[Effect]:
        started = state.start(self._now_us, self.shell)
        if isinstance(state, Lobby):
            return started
        return [
            ListenAt(state.standing.table_address if isinstance(state, TableMatch) else None),
            *started,
        ]
