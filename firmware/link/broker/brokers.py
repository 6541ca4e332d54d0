"""A list of brokers: a handheld talks at the first and, once that is lost, at all of them.

All at a table have one list. Two who have lost the first broker meet at any other one that both
reach. Each handheld that misses a seat for long talks at all brokers, and so does the host of an
evening. Phones there miss nobody: their host tells them once it meets a guest elsewhere alone. A
frame that comes by several brokers counts once, as one that a single broker repeats. A handheld is
at the first broker alone again when it begins anew.

All numbers of seconds are chosen.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from firmware.link.broker import Attendance, Message, WireSession, topics
from firmware.link.broker.link import GONE

MOST: Final = 3
"""Nobody talks at more brokers: a link that names them has to fit into a code for cameras."""
LOOK_S: Final = 1.0
SLEPT_S: Final = 5.0
"""A handheld that looks so late has slept, and knows nothing of its broker."""
LOST_S: Final = 6.0
"""A broker counts as lost after so long without a connection."""
STEADY_S: Final = 9.0
"""A connection that is so old has held: broker.js ends one that is refused after 8 s."""
UNSTEADY_S: Final = 20.0
"""Likewise lost, after so long without one that has held."""
SILENT_S: Final = 20.0
"""Likewise, at a host that hears nothing for so long, not even what it says itself each 5 s."""
MISSED_S: Final = 20.0
"""Likewise, where seats are sought, after one of the table was missing there for so long."""
NewSession = Callable[[Callable[[], None]], WireSession]
"""Makes a session at one broker. It calls what it gets when a connection ends, or none begins."""


@dataclass
class Brokers:
    """The brokers of one handheld or tab, on the running loop.

    Args:
        ways: to at least one broker, the usual one first.
        seeks: whether seats that are missing at the first one are sought at the others.

    Attributes:
        is_wide: whether the first one is lost, and the others are used, too.
    """

    ways: Sequence[NewSession]
    seeks: bool = False
    is_wide: bool = False
    _sessions: "list[BrokersSession]" = field(default_factory=list)

    def session(self, silent_s: float = inf) -> "BrokersSession":
        """Return a session at the brokers.

        ``silent_s``: a first broker that brings nothing for so long is lost.
        """
        made = BrokersSession(self, silent_s)
        self._sessions.append(made)
        return made

    def widen(self) -> None:
        """Let all sessions talk at all brokers from now on."""
        if not self.is_wide:
            self.is_wide = True
            for each in tuple(self._sessions):
                each.widen()

    @property
    def is_split(self) -> bool:
        """Whether a seat talks at others alone, and so not to those at the first one alone."""
        return any(each.is_split for each in self._sessions)

    def forget(self, session: "BrokersSession") -> None:
        """Forget a session that is over."""
        if session in self._sessions:
            self._sessions.remove(session)


class BrokersSession:
    """A ``Session`` at a list of brokers.

    Args:
        brokers: that it belongs to.
        silent_s: see `Brokers.session`.
    """

    def __init__(self, brokers: Brokers, silent_s: float) -> None:
        self._brokers, self._silent_s = brokers, silent_s
        first, *others = brokers.ways[:MOST]
        self._first = first(self._failed)
        self._others = [each(lambda: None) for each in others]
        self._all = (self._first, *self._others)
        self._attendance: Attendance | None = None
        self._kept: dict[str, Message] = {}
        self._take: Callable[[Message], None] = lambda _message: None
        self._timer: asyncio.TimerHandle | None = None
        self._missed_s: dict[str, float] = {}
        """By the topics of seats: since when they are missing at the first broker; inf: present."""
        self._elsewhere: set[str] = set()
        """The topics of seats that are present at another one."""
        self._begin(0.0)

    @property
    def is_connected(self) -> bool:
        """Whether a broker has let this client in."""
        return any(each.is_connected for each in self._all)

    @property
    def is_apart(self) -> bool:
        """Whether other brokers alone have let this client in."""
        return self.is_connected and not self._first.is_connected

    @property
    def is_split(self) -> bool:
        """Whether a seat has for long been present at other brokers alone."""
        away_s = _now_s() - LOST_S
        return any(self._missed_s[each] <= away_s for each in self._elsewhere)

    async def start(self, take: Callable[[Message], None]) -> None:
        """Begin to connect; see ``Session.start``."""
        self._take = take
        await self._first.start(self._came)
        for each in self._others:
            await each.start(self._came_elsewhere)
        if self._others:
            self._look()

    async def stop(self) -> None:
        """Send waiting messages, and leave the brokers."""
        self._end()
        await asyncio.gather(*(each.stop() for each in self._all))

    def abandon(self) -> None:
        """Break all connections off."""
        self._end()
        for each in self._all:
            each.abandon()

    def attend(self, attendance: Attendance | None) -> None:
        """Change the attendance; see ``Session.attend``."""
        if attendance != self._attendance:
            self._attendance = attendance
            self._kept.clear()
            self._begin(_now_s())
        for each in self._used:
            each.attend(attendance)

    def publish(self, message: Message) -> None:
        """Publish a message; see ``Session.publish``."""
        if message.retained:
            self._kept[message.topic] = message
        for each in self._used:
            each.publish(message)

    def widen(self) -> None:
        """Talk at the other brokers, too."""
        for each in self._others:
            each.attend(self._attendance)
            for message in self._kept.values():
                each.publish(message)

    @property
    def _used(self) -> tuple[WireSession, ...]:
        return self._all if self._brokers.is_wide else (self._first,)

    def _came(self, message: Message) -> None:
        self._heard_s = _now_s()
        if self._brokers.seeks and topics.is_here(message.topic):
            since_s = self._missed_s.get(message.topic, inf)
            is_gone = message.payload == GONE
            self._missed_s[message.topic] = min(since_s, self._heard_s) if is_gone else inf
        self._take(message)

    def _came_elsewhere(self, message: Message) -> None:
        if self._brokers.seeks and topics.is_here(message.topic):
            if message.payload == GONE:
                self._elsewhere.discard(message.topic)
            else:
                self._elsewhere.add(message.topic)
                self._missed_s.setdefault(message.topic, _now_s())
        self._take(message)

    def _failed(self) -> None:
        self._away_s = _now_s()

    def _begin(self, now_s: float) -> None:
        """Know nothing of the first broker yet: whoever is sought is missing there from now on."""
        sought = self._attendance.sought if self._attendance and self._brokers.seeks else ()
        self._missed_s = dict.fromkeys(sought, now_s)
        self._elsewhere.clear()
        self._looked_s = self._heard_s = now_s
        self._away_s = self._there_s = self._steady_s = now_s

    def _look(self) -> None:
        """Look whether the first broker is lost."""
        if self._brokers.is_wide:
            return
        self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look)
        now_s = _now_s()
        if self._attendance is None or now_s - self._looked_s > SLEPT_S:
            self._begin(now_s)
        self._looked_s = now_s
        if self._first.is_connected:
            self._there_s = now_s
        if now_s - self._away_s >= STEADY_S:
            self._steady_s = now_s
        if (
            now_s - self._there_s >= LOST_S
            or now_s - self._steady_s >= UNSTEADY_S
            or now_s - self._heard_s >= self._silent_s
            or now_s - min(self._missed_s.values(), default=inf) >= MISSED_S
        ):
            self._brokers.widen()

    def _end(self) -> None:
        self._brokers.forget(self)
        if self._timer is not None:
            self._timer.cancel()


def _now_s() -> float:
    return asyncio.get_running_loop().time()
