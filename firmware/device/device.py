"""A handheld from power on: the lobby, then matches at the table that stands. No I/O, no clock.

It is in one state at a time: in the lobby, or at a match, of a table or on this handheld alone.
Each state is a core of its own; this module decides which one comes next. It alone puts the screen
of a core on the panel. The data to resume a table is on the disk before the others hear that it
stands.
"""

from collections.abc import Mapping
from dataclasses import replace

from firmware.device import SeatMaker
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
from firmware.table.pairing.standing import StandingTable

State = Lobby | TableMatch | HotSeat


class Device:
    """A ``Core``: one handheld, in whichever state.

    Args:
        device: the six bytes that name it to others.
        maker: makes its seats.
        name: the player's; None makes the lobby ask.
        resumed: the match that the journal has; None begins in the lobby.
        volume: of its sounds, 0, silence, to 3.
        rules: the player's own house rules, as the journal has them; empty for none.
        afar: a broker carries frames: there are rooms for distant players.
    """

    def __init__(
        self,
        device: bytes,
        maker: SeatMaker,
        name: str | None = None,
        resumed: TableMatch | HotSeat | None = None,
        *,
        volume: int = USUAL_VOLUME,
        rules: bytes = b"",
        afar: bool = False,
    ) -> None:
        self.device = device
        self._maker = maker
        self._name = name
        self._afar = afar
        self.shell = Shell(volume, rules)
        """Its volume and rules, failed parts and screen, in whichever state."""
        self._room: str | None = None
        """The room in which the table was formed, since power on."""
        self._state: State = self._new_lobby() if resumed is None else resumed
        self._next: TableMatch | HotSeat | None = None
        """A match that is being written to the journal; None for none. Nothing else is decided
        meanwhile: a frame for the earlier match would overwrite the write, and a gesture could
        choose something else."""
        self._is_stopped = False
        """Whether the journal did not take a write that must be on the disk: a restart helps."""
        self._now_us = 0

    @property
    def core(self) -> Lobby | Handheld | HotSeat:
        """The core of the current state; at a table, its seat."""
        return self._state.handheld if isinstance(self._state, TableMatch) else self._state

    @property
    def standing(self) -> StandingTable | None:
        """The table of the match that is played, or begins; None in the lobby."""
        state = self._next or self._state
        return state.standing if isinstance(state, TableMatch) else None

    @property
    def screen(self) -> Screen | None:
        """The screen on the display; None before ``start``."""
        return self.shell.screen

    @property
    def dial(self) -> Dial | None:
        """The dial on the display; None if there is none."""
        return None if self._is_stopped else self._state.dial

    def pick(self, item: Item) -> Pick | None:
        """The entry of a question's dial with the label ``item``; None if there is none."""
        return None if isinstance(self._state, HotSeat) else self._state.pick(item)

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due, in µs on the handheld's clock; None while nothing waits."""
        return self._state.next_timer_us if self._decides else None

    def start(self, now_us: int) -> list[Effect]:
        """Begin; return the effects, in order."""
        self._now_us = now_us
        return self._settled(self._started(self._state))

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to what happened; return the effects, in order. See ``Core``."""
        self._now_us = max(self._now_us, now_us)
        effects: list[Effect] = []
        if isinstance(what, PartFailed | PartWell):
            self.shell.part_alerts.report(what)
        match what:
            case _ if self._is_stopped:
                pass
            case Stored(OwnStore(), str()):
                self._is_stopped = True
            case Stored(OwnStore.BEGIN) if self._next is not None:
                effects = self._enter(self._next)
            case Stored(OwnStore()):
                pass
            case _ if self._next is None or isinstance(what, Stored | PartFailed | PartWell):
                effects = self._state.handle(what, self._now_us)
        return self._settled(effects)

    @property
    def _decides(self) -> bool:
        """Whether the core of the state gets gestures and frames."""
        return self._next is None and not self._is_stopped

    # The order of states

    def _settled(self, effects: list[Effect]) -> list[Effect]:
        """Go on to the next state, and put its screen on the panel after ``effects``."""
        if self._decides:
            effects = self._followed(effects)
        screen = AlertPage(Alert.STORE) if self._is_stopped else self._state.screen
        if isinstance(screen, MatchOverPage):
            screen = replace(screen, more=True)  # a tap leads on
        if screen is not None:
            effects = self.shell.show(screen, effects)
        asks = self._decides and isinstance(self._state, TableMatch) and self._state.is_asking
        if asks and not any(isinstance(each, Sense) for each in effects):
            effects.append(Sense(fully=True))  # the seat behind the question may want to sleep
        return effects

    def _followed(self, effects: list[Effect]) -> list[Effect]:
        """Leave a state that has ended; return ``effects`` with those of the change."""
        match self._state:
            case Lobby(agreed=agreed, rooms=rooms) if agreed is not None:
                self._room = rooms.code
                effects = [*self._begin(StandingTable.of(agreed)), *effects]
            case Lobby(one_handheld=wanted) if wanted is not None:
                begun = HotSeat(wanted, self._maker)
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
        return effects

    def _new_lobby(self, lost: Mapping[bytes, int] | None = None, room: str | None = None) -> Lobby:
        entropy, afar = self._maker.entropy, self._afar
        return Lobby(self.device, entropy, self._name, lost, afar=afar, room=room)

    def _begin(self, standing: StandingTable) -> list[Effect]:
        return self._write(*TableMatch.new(standing, self._maker))

    def _write(self, match: TableMatch | HotSeat, writes: tuple[Write, ...]) -> list[Effect]:
        """Write a match to the journal; it is played once that is done."""
        self._next = match
        return [Store(OwnStore.BEGIN, writes)]

    def _enter(self, state: State) -> list[Effect]:
        """Change to another state."""
        self._state, self._next = state, None
        return self._started(state)

    def _started(self, state: State) -> list[Effect]:
        started = state.start(self._now_us, self.shell)
        if isinstance(state, Lobby):
            return started
        return [
            ListenAt(state.standing.table_address if isinstance(state, TableMatch) else None),
            *started,
        ]
