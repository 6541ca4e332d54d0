"""The table of a page that shows a file: a record, or a session that is played again."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from time import perf_counter
from typing import Any, Final

from firmware.display.text.language import preferred
from hw_sim.live.page.page_table import DroppedError, judge, kind_answer, opened
from hw_sim.live.page.streams import PageLines, Post
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.answers import JSON, NOT_FOUND, WRONG, Query, answered
from hw_sim.live.web.bench import PLOTTED_US, SAMPLE_US, Bench
from hw_sim.live.web.client import Client, NoAnswerError, Rights, serve
from hw_sim.live.web.director import RevealPause
from hw_sim.live.web.incoming import MALFORMED
from hw_sim.live.web.live_match import Broadcaster, Shown, welcome_to
from hw_sim.live.web.seating import Claims, RoomSettings
from hw_sim.live.world.replay import Past
from hw_sim.live.world.session import RecordedSession

TICK_S: Final = 0.04
"""Real time between two steps while it plays."""
LONGEST_S: Final = 0.25
"""The most real time that one step makes up for."""


class SessionTable:
    """Plays a session again for one page of the bench, which may see all and change nothing.

    It stands still at first. It is a `PageHandler`.

    Args:
        text: of the session's file.
        tell: gets how far a moment is that is looked for, from 0 to 1.

    Attributes:
        clients: the page, as it comes and goes.
        bench: reads what goes on at the moment that is shown.

    Raises:
        DroppedError: it is no session that can be played again.
    """

    def __init__(self, text: str, tell: Callable[[float], None]) -> None:
        self.clients: list[Client] = []
        self._text, self._tell = text, tell
        self._speed, self._paused = 1.0, True
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._seen_s = 0.0
        with ExitStack() as files:
            session = files.enter_context(opened(text))
            if not isinstance(session, RecordedSession):
                raise DroppedError("a record has no sensors: open a session on the bench")
            self._session = session
            self._past = Past(session)
            self._files = files.pop_all()
        world = self._past.world
        self.bench = Bench(world)
        everybody = Claims([True] * world.setup.people)
        self._broadcaster = Broadcaster(
            world,
            self._shown,
            self._readings,
            self.clients,
            lambda: everybody,
            RevealPause(lambda: 0, lambda: None),
            RoomSettings,
        )

    def handle(self, client: Client, message: incoming.AnyIncoming) -> None:
        """Do what the page asks for, as `SESSION_HANDLERS` have it."""
        SESSION_HANDLERS.get(type(message), SessionTable._refuse)(self, client, message)

    def _refuse(self, client: Client, _message: incoming.AnyIncoming) -> None:
        client.send(outgoing.RequestRefused("rights"))

    def _answer_alive(self, client: Client, _message: incoming.AskAlive) -> None:
        client.send(outgoing.Alive())

    def _welcome(self, client: Client, message: incoming.Hello) -> None:
        setup = self._past.world.setup
        everybody = frozenset(range(setup.table.players))
        client.rights = Rights("bench", message.language, None, everybody, bench=True)
        client.send(welcome_to(setup, client.rights))
        self._soon(lambda: None)

    def _set_speed(self, speed: float) -> None:
        self._speed = speed

    def leave(self, client: Client) -> None:
        """Remove the page, and put the session away."""
        self.clients.remove(client)
        if self._timer is not None:
            self._timer.cancel()
        self._broadcaster.close()
        self.bench.close()
        self._past.close()
        self._files.close()

    def export(self, what: str, seat: int) -> tuple[str, bytes] | None:
        """Return the type and the bytes of a file of a seat, as `Bench.export` does."""
        if what == "session.jsonl":
            return "application/jsonl", self._text.encode()
        return self.bench.export(what, seat)

    def _soon(self, order: Callable[[], None]) -> None:
        def carry_out() -> None:
            if self.clients:
                order()
                self._broadcaster.plan()

        self._loop.call_soon(carry_out)

    def _pause(self, on: bool) -> None:
        self._paused = on
        if not on:
            self._seen_s = perf_counter()
            self._tick()

    def _tick(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        now_s = perf_counter()
        passed_s, self._seen_s = min(now_s - self._seen_s, LONGEST_S), now_s
        self._advance(round(passed_s * self._speed * 1e6))
        self._paused = self._paused or self._past.world.now_us >= self._session.end_us
        self._broadcaster.plan()
        if not self._paused:
            self._timer = self._loop.call_later(TICK_S, self._tick)

    def _step(self, ms: float) -> None:
        world = self._past.world
        due_us = world.loop.due_us
        self._advance(round(ms * 1000) if ms or due_us is None else due_us - world.now_us)

    def _advance(self, by_us: int) -> None:
        self._past.advance(min(self._past.world.now_us + by_us, self._session.end_us))

    def _seek(self, s: float) -> None:
        self._paused = True
        wanted_us = min(round(s * 1e6), self._session.end_us)
        if wanted_us - PLOTTED_US < self._past.world.now_us:
            self._past.close()
            self._past = Past(self._session)
        begins_us = max(self._past.world.now_us, wanted_us - PLOTTED_US)
        for share in self._past.shares(begins_us):
            self._tell(share)
        probed = self.bench.probed
        for looks, world in enumerate(self._past.looks(wanted_us, PLOTTED_US, SAMPLE_US)):
            if looks == 0:
                self.bench.follow(world)
            else:
                self.bench.probe(probed)

    def _shown(self) -> Shown:
        return Shown(self._past.world, True, self._speed, self._paused)

    def _readings(self, seats: frozenset[int] | None) -> dict[str, Any] | None:
        return self.bench.readings(seats, self._session.end_us / 1e6)


Handle = Callable[[SessionTable, Client, Any], None]


def _soon(work: Callable[[SessionTable, Any], None], value: str) -> Handle:
    """Return what soon does some work with a value of the message of that name."""

    def handle(table: SessionTable, _client: Client, message: Any) -> None:
        table._soon(lambda: work(table, getattr(message, value)))

    return handle


SESSION_HANDLERS: Final[Mapping[type, Handle]] = {
    incoming.Hello: SessionTable._welcome,
    incoming.AskAlive: SessionTable._answer_alive,
    incoming.Pause: _soon(SessionTable._pause, "on"),
    incoming.SetSpeed: _soon(SessionTable._set_speed, "factor"),
    incoming.StepTime: _soon(SessionTable._step, "ms"),
    incoming.Seek: _soon(SessionTable._seek, "s"),
}
"""The messages of a page that shows a session; any other one is refused."""


class PageFile:
    """The text of a file, and the page that shows it. It may take long: no table waits for it.

    Args:
        text: of a record or a session.
        post: gets what is sent to the page.
        tell: gets how far a replay is, from 0 to 1.
    """

    def __init__(self, text: str, post: Post, tell: Callable[[float], None]) -> None:
        self._text = text
        self._lines = PageLines(post)
        self._tell = tell
        self._shown: SessionTable | None = None

    def open(self, line: str) -> None:
        """Open a line of this name for the bench, which shows the session."""
        try:
            self._shown = SessionTable(self._text, self._tell)
        except DroppedError as error:
            self._lines.end(line, MALFORMED, str(error))
        else:
            self._lines.open(line, partial(serve, self._shown))

    def take(self, line: str, text: str | None) -> None:
        """Take a message of the page; None when it is gone."""
        self._lines.take(line, text)

    def read(self, text: str) -> tuple[int, str, bytes]:
        """Return the kind of another file, as `kind_answer` does."""
        return kind_answer(text)

    def ask(self, address: str) -> tuple[int, str, bytes]:
        """Return the status of an answer as in HTTP, its media type and its bytes.

        ``address``: ``/judged.json`` for the coach's report, or an export of the bench.
        """
        return answered(address, self._work)

    def _work(self, path: str, query: Query) -> tuple[str, bytes]:
        return self._judge(query) if path == "judged.json" else self._export(path, query)

    def _judge(self, query: Query) -> tuple[str, bytes]:
        try:
            return JSON, judge(self._text, preferred(query.get("language")), self._tell)
        except DroppedError as error:
            raise NoAnswerError(WRONG, str(error)) from None

    def _export(self, path: str, query: Query) -> tuple[str, bytes]:
        seat = query.get("seat", "0")
        number = int(seat) if seat.isdecimal() else -1
        what = path.removeprefix("export/")
        found = None if self._shown is None else self._shown.export(what, number)
        if found is None:
            raise NoAnswerError(NOT_FOUND, "")
        return found
