"""A broker in memory, on the running loop: it treats messages like a real one, in virtual time.

It keeps the order of each client's messages, as TCP does; messages are lost only with a connection.
A test compares it with mosquitto. `BridgedSession` is at a real broker, for a world whose time
another loop deals out.
"""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from random import Random

from firmware.link.broker import FIRST_US, KEEPALIVE_S, LAST_US, Attendance, Message, Session
from firmware.table.protocol import Retry
from hw_sim.clock import PacedLoop

WAY_S = (0.01, 0.06)
"""The least and the most time of one way: from a client to the broker, or back to a client;
chosen."""
APART_S = 1e-6
"""The time between two messages that would arrive together. It keeps them in order; chosen."""
UNHEARD_S = 1.5 * KEEPALIVE_S
"""A client that is silent for this time is gone (MQTT 5, 3.1.2.10)."""


class MemoryBroker:
    """The clients of a broker, its retained messages, and their faults.

    ``observers`` get every message that reaches the broker.
    """

    def __init__(self, seed: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.chance = Random(f"broker {seed}")
        self.is_up = True
        self.observers: list[Callable[[Message], None]] = []
        self._clients: list[MemorySession] = []
        self._kept: dict[str, Message] = {}

    def session(self) -> "MemorySession":
        """A client that does not connect before it is started."""
        return MemorySession(self)

    def kill(self) -> None:
        """End at once, without connections and retained messages; publish nobody's will."""
        self.is_up = False
        clients, self._clients = self._clients, []
        self._kept.clear()
        for client in clients:
            client.lose()

    def start(self) -> None:
        """Run again, knowing nothing."""
        self.is_up = True

    def cut(self, number: int, for_s: float) -> bool:
        """Cut the network of one of the connected clients; False if it is cut, or if none is."""
        client = self._clients[number % len(self._clients)] if self._clients else None
        if client is None or client.is_cut:
            return False
        client.cut(for_s)
        return True

    def admit(self, client: "MemorySession") -> bool:
        """Connect a client, and send it the retained messages of its topics; False while down."""
        attendance = client.attendance
        if not self.is_up or client.is_cut or attendance is None:
            return False
        self._clients.append(client)
        for message in self._kept.values():
            if any(matches(topic, message.topic) for topic in attendance.kept):
                client.hear(Message(message.topic, message.payload, retained=True))
        return True

    def dismiss(self, client: "MemorySession", will: Message | None) -> None:
        """Disconnect a client, and publish its ``will``; None if it said farewell."""
        if client in self._clients:
            self._clients.remove(client)
            if will is not None:
                self.take(will)

    def take(self, message: Message) -> None:
        """Hand a message on, and retain it if its sender asks for that."""
        if not self.is_up:
            return
        for told in self.observers:
            told(message)
        if message.retained:
            kept = self._kept | {message.topic: message}
            self._kept = {at: it for at, it in kept.items() if it.payload}
        for client in tuple(self._clients):
            if client.wants(message.topic):
                client.hear(Message(message.topic, message.payload))

    def way_s(self) -> float:
        """Draw the time that the next message takes on one way."""
        return self.chance.uniform(*WAY_S)


class MemorySession:
    """A ``Session`` at a `MemoryBroker`. ``is_cut``: no network reaches it."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.attendance: Attendance | None = None
        self.is_cut = False
        self._broker = broker
        self._take: Callable[[Message], None] | None = None
        self._connected = False
        self._connection = 0
        """Counts connections: messages under way on an older one are lost."""
        self._due_s = [0.0, 0.0]
        """Arrival time of the last message each way: to the broker, and from it."""
        self._retained: dict[str, Message] = {}
        self._retry = Retry(FIRST_US, LAST_US)
        self._again: asyncio.TimerHandle | None = None

    async def start(self, take: Callable[[Message], None]) -> None:
        """Begin to connect."""
        self._take = take
        self._connect_later(self._broker.way_s())

    async def stop(self) -> None:
        """Part from the broker, once all messages under way have arrived."""
        self._take = None
        self._connect_later(None)
        await asyncio.sleep(max(0.0, self._due_s[0] - self._broker.loop.time()))
        self._end()

    def abandon(self) -> None:
        """Be gone at once; the broker publishes the will."""
        self._take = None
        self._connect_later(None)
        if self._connected and not self.is_cut:
            self._broker.dismiss(self, None if self.attendance is None else self.attendance.will)
        self._end()

    def cut(self, for_s: float) -> None:
        """Cut the network for this time; broker and client notice it by each other's silence."""
        self.is_cut = True
        loop, connection = self._broker.loop, self._connection
        loop.call_later(for_s, self._mend)
        loop.call_later(UNHEARD_S, self._unheard, connection)

    def attend(self, attendance: Attendance | None) -> None:
        """Connect anew, for something else, once all messages under way have arrived."""
        if attendance == self.attendance:
            return
        self._retained.clear()
        wait_s = max(0.0, self._due_s[0] - self._broker.loop.time())
        self.attendance = attendance
        self._broker.loop.call_later(wait_s, self._part, self._connection)
        self._connect_later(wait_s + self._broker.way_s())

    def publish(self, message: Message) -> None:
        """Send a message: lost without a connection, unless it is retained."""
        if message.retained:
            self._retained[message.topic] = message
        self._send(message)

    def wants(self, topic: str) -> bool:
        """Whether a topic is attended."""
        attendance = self.attendance
        wanted = () if attendance is None else (*attendance.topics, *attendance.kept)
        return any(matches(each, topic) for each in wanted)

    def hear(self, message: Message) -> None:
        """Get a message a little later, unless the connection is lost by then."""
        if not self.is_cut:
            self._later(1, self._arrive, self._connection, message)

    def lose(self) -> None:
        """Notice that the connection is lost, and try again."""
        if self._connected:
            self._end()
            self._retry = self._retry.answered()
            self._try_again()

    def _send(self, message: Message) -> None:
        if self._connected and not self.is_cut:
            self._later(0, self._reach, self._connection, message)

    def _later(self, way: int, call: Callable[..., None], *given: object) -> None:
        loop, way_s = self._broker.loop, self._broker.way_s()
        if way_s == 0.0:  # a page's loop takes no time that has just passed
            loop.call_soon(call, *given)
            return
        self._due_s[way] = max(self._due_s[way] + APART_S, loop.time() + way_s)
        loop.call_at(self._due_s[way], call, *given)

    def _reach(self, connection: int, message: Message) -> None:
        if connection == self._connection and not self.is_cut:
            self._broker.take(message)

    def _arrive(self, connection: int, message: Message) -> None:
        if connection == self._connection and not self.is_cut and self._take is not None:
            self._take(message)

    def _part(self, connection: int) -> None:
        if connection == self._connection:
            self._end()

    def _unheard(self, connection: int) -> None:
        if connection == self._connection and self._connected and self.is_cut:
            will = None if self.attendance is None else self.attendance.will
            self._broker.dismiss(self, will)
            self.lose()

    def _mend(self) -> None:
        self.is_cut = False

    def _end(self) -> None:
        self._broker.dismiss(self, None)
        self._connected = False
        self._connection += 1

    def _connect_later(self, after_s: float | None) -> None:
        if self._again is not None:
            self._again.cancel()
            self._again = None
        if after_s is not None and self._take is not None:
            self._again = self._broker.loop.call_later(after_s, self._connect)

    def _connect(self) -> None:
        if self._connected or self.attendance is None:
            return
        if not self._broker.admit(self):
            self._try_again()
            return
        self._connected = True
        self._retry = self._retry.answered()
        for message in self._retained.values():
            self._send(message)

    def _try_again(self) -> None:
        self._retry = self._retry.sent(0)
        self._connect_later(self._retry.wait_us / 1e6 * (0.5 + self._broker.chance.random()))


@lru_cache(maxsize=4096)
def matches(topics: str, topic: str) -> bool:
    """Whether a topic is one of ``topics``, which may have "+" and "#" (MQTT 5, 4.7.1)."""
    wanted, levels = topics.split("/"), topic.split("/")
    if wanted[-1] == "#":
        wanted.pop()
        levels = levels[: len(wanted)]
    return len(wanted) == len(levels) and all(
        one in ("+", level) for one, level in zip(wanted, levels)
    )


class BridgedSession:
    """A ``Session`` that is used in a paced world, and served by the loop around that.

    Args:
        world: the world's loop.
        session: made for the loop that runs the world.
    """

    def __init__(self, world: PacedLoop, session: Session) -> None:
        assert world.outer is not None, "a paced loop runs within another"
        self._world = world
        self._outer = world.outer
        self._session = session
        self._starting: asyncio.Task[None] | None = None

    async def start(self, take: Callable[[Message], None]) -> None:
        """Begin to connect, in a moment."""

        def came(message: Message) -> None:
            if not self._world.is_closed():
                self._world.inside(lambda: take(message))

        def begin() -> None:
            self._starting = self._outer.create_task(self._session.start(came))

        self._outer.call_soon(begin)

    async def stop(self) -> None:
        """Part from the broker, in a moment."""
        self._outer.call_soon(lambda: self._outer.create_task(self._session.stop()))

    def abandon(self) -> None:
        """Be gone in a moment."""
        self._outer.call_soon(self._session.abandon)

    def attend(self, attendance: Attendance | None) -> None:
        """As ``Session.attend``."""
        self._outer.call_soon(self._session.attend, attendance)

    def publish(self, message: Message) -> None:
        """As ``Session.publish``."""
        self._outer.call_soon(self._session.publish, message)
