"""How a world runs: as real time passes, or once more as its session tells.

Numbers without a source are chosen.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from firmware.cli.console import DONE, WRONG, CommandError
from firmware.display.screens import AlertPage, StartingPage
from firmware.display.text.labels import Alert
from firmware.display.text.language import Language
from hw_sim.live.world.session import MOST_BYTES, RecordedSession, load
from hw_sim.live.world.setup import FORMAT, WorldSetup
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table.headless import Story, journal_folder

FEELS_US, LONGEST_WAKE_US, LOOKS_EVERY_US = 500_000, 3_000_000, 50_000
"""A handheld feels a shake so long after its first page, in µs: its light sensor has converted by
then. One that comes back asks the others how things stand first: 1.4 s at a table of three."""


def wake(world: World) -> None:
    """Advance a world, before anybody sees it, until a shake of a person throws: 3.5 s at most.

    Nothing happens at a table with others elsewhere, who live in real time.
    """
    if world.setup.table.part is not None:
        return
    ends_us = world.now_us + LONGEST_WAKE_US
    world.advance(world.now_us + LOOKS_EVERY_US)
    while world.now_us < ends_us and any(_wakes(world, seat) for seat in range(world.setup.people)):
        world.advance(world.now_us + LOOKS_EVERY_US)
    world.advance(world.now_us + FEELS_US)


def _wakes(world: World, seat: int) -> bool:
    """Whether a seat's handheld, which has power, shows that it only begins."""
    screen = world.screens.get(seat)
    is_back = isinstance(screen, AlertPage) and screen.alert is Alert.RETURNING
    return world.power.is_on(seat) and (is_back or isinstance(screen, StartingPage))


USUAL_SPEED = 2.5
"""Time goes this much faster than life while no person is to act, until somebody chooses another
speed. A bot's turn takes about 4 s then."""
TICK_S = 0.010
"""Least real time between two steps of the world. A command takes its step at once."""
LONGEST_TICK_S = 0.05
"""Most real time between two steps of the world."""
BUDGET_S = 0.015
"""Most real time of one step: then it is the browsers' turn, and virtual time goes slower."""


class WorldRunner:
    """Advances a world as real time passes.

    Args:
        world: the first world.
        on_step: is called after each step.
    """

    def __init__(self, world: World, on_step: Callable[[], None]) -> None:
        self.world = world
        self.speed = USUAL_SPEED
        self.paused = False
        self.held = False
        """A room looks at something else: nothing moves until it has seen that."""
        self.asleep = True
        """Nobody looks: nothing moves."""
        self._on_step = on_step
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._seen_s = self._loop.time()
        self._orders: list[Callable[[], None]] = []
        self._closed = False

    @property
    def rate(self) -> float:
        """How fast time goes now: no faster than life while a person is to act."""
        is_slower = self.speed > 1.0 and self.world.asks_person
        return 1.0 if is_slower else self.speed

    def do(self, order: Callable[[], None]) -> None:
        """Call ``order`` soon, between two steps of the world; ``on_step`` follows.

        Nothing happens once it is closed.
        """
        if self._closed:
            return
        self._orders.append(order)
        self._again(0.0)

    def wake(self) -> None:
        """Let time go on, if it is asleep: the time it slept is left out."""
        if self.asleep:
            self.asleep = False
            self.hold(on=self.held)

    def hold(self, *, on: bool) -> None:
        """Let time stand still, or go on: the time in between is left out."""
        self.held = on
        self._seen_s = self._loop.time()
        if not self._closed:
            self._again(0.0)

    def close(self) -> None:
        """Cancel the next step, and every order."""
        self._closed = True
        self._orders.clear()
        if self._timer is not None:
            self._timer.cancel()

    @property
    def _moves(self) -> bool:
        return not (self.paused or self.asleep or self.held) and self.world.trouble is None

    def _again(self, after_s: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(after_s, self._step)

    def _step(self) -> None:
        self._timer = None
        now_s = self._loop.time()
        passed_s, self._seen_s = now_s - self._seen_s, now_s
        world = self.world
        if self._moves:
            until_us = world.now_us + round(min(passed_s, 0.25) * self.rate * 1e6)
            world.advance(until_us, BUDGET_S)
        orders, self._orders = self._orders, []
        for order in orders:
            order()
        self._on_step()
        if self._moves and not self._closed:
            due_us = self.world.loop.due_us
            ahead_s = LONGEST_TICK_S
            if due_us is not None:
                ahead_s = (due_us - self.world.now_us) / 1e6 / self.rate
            self._again(min(max(ahead_s, TICK_S), LONGEST_TICK_S))


MOST_WORK_S: Final = 120.0
"""The most processor time of a session that anybody may have written, as `work_of` estimates it: an
hour of eight players by infrared, five hours of three over a broker."""
PART_US: Final = 2_000_000
"""Virtual time of one part of a replay that tells how far it is."""
_SEAT_MS: Final = {"bluetooth": 2.2, "mqtt": 2.2, "ir": 4.0}
"""Processor time of a seat in a virtual second, by medium: the most that matches of bots took on a
machine of 2026, in each game with three to eight seats."""
_FEW_PLAYERS: Final = 3
"""A smaller table costs as much as one of so many."""
_COMMAND_MS, _CUT_MS = 0.3, 5.0
"""Processor time of a command, and of a handheld that starts anew, measured likewise."""


def is_session(path: Path) -> bool:
    """Whether the first line of a file is that of a session; False if it cannot be read."""
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline(MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(head, dict) and head.get("format") == FORMAT


def load_bounded(path: Path) -> RecordedSession:
    """Read a session that anybody may have written, and play it again in bounded time.

    Raises:
        CommandError: it cannot be read, is none, or takes more than `MOST_WORK_S` to play again.
    """
    session = load(path)
    setup = _setup_of(session)
    work_s = work_of(session, setup)
    if work_s > MOST_WORK_S:
        lasts = f"{session.end_us / 3.6e9:.1f} h of {setup.table.players} players"
        raise CommandError(
            f"session {path}: {lasts} and {session.count:,} commands are "
            f"{work_s / MOST_WORK_S:.1f} times what is played again: give a shorter one"
        )
    return session


def work_of(session: RecordedSession, setup: WorldSetup) -> float:
    """Estimate the processor time in s that a session takes to play again on a desktop.

    The estimate is for bots that play all the time; a table where people think takes a quarter.
    """
    table = setup.table
    seats_s = max(table.players, _FEW_PLAYERS) * session.end_us / 1e6
    media_ms = max(_SEAT_MS[medium] for medium in table.link)
    return (seats_s * media_ms + session.count * _COMMAND_MS + session.cuts * _CUT_MS) / 1000


class Replay(World):
    """A session that is played again, as far as somebody looks. Close it.

    Args:
        session: what was done; its journals are in a folder of their own.
        ends_us: the virtual time in µs at which it stands still; None for the session's end.

    Raises:
        CommandError: no table is set up like that, or it is no session.
    """

    asks_person = False

    def __init__(self, session: RecordedSession, ends_us: int | None = None) -> None:
        self._recorded = session
        self._ends_us = session.end_us if ends_us is None else ends_us
        self._stimuli = session.stimuli()
        self._next = next(self._stimuli, None)
        setup = _playable_setup_of(session)
        with ExitStack() as files:
            folder = files.enter_context(journal_folder())
            session.unpack(folder)
            super().__init__(setup, folder)
            self._files = files.pop_all()

    @property
    def ends_us(self) -> int:
        """The virtual time in µs at which it stands still."""
        return self._ends_us

    def advance(self, until_us: int, budget_s: float | None = None) -> bool:
        """Let it go on as a `World` does, with what was done on the way.

        Raises:
            CommandError: nobody can do that so.
        """
        until_us = min(until_us, self.ends_us)
        while self._next is not None and self._next.t_us <= until_us:
            t_us, command = self._next
            if not super().advance(t_us, budget_s):
                return False
            self._next = next(self._stimuli, None)
            try:
                self.apply(command)
            except (ValueError, LookupError):
                self.close()
                path = self._recorded.path
                raise CommandError(f"session {path}: nobody can do {command} so") from None
        return super().advance(until_us, budget_s)

    def shares(self, until_us: int) -> Iterator[float]:
        """Let it go on as `advance` does; yield the share of the way after each part of it."""
        begun_us = self.now_us
        for part_us in range(begun_us + PART_US, until_us, PART_US):
            self.advance(part_us)
            yield (part_us - begun_us) / (until_us - begun_us)
        self.advance(until_us)

    def close(self) -> None:
        """Close the world, and remove its folder."""
        super().close()
        self._files.close()


def _setup_of(session: RecordedSession) -> WorldSetup:
    try:
        return WorldSetup.from_json(session.setup)
    except ValueError as error:
        why = " ".join(str(error).split())
        raise CommandError(f"session {session.path}: no table is set up like that: {why}") from None


def _playable_setup_of(session: RecordedSession) -> WorldSetup:
    """Return the set-up of a session whose bots all are of this program.

    A session that others send must not run a program of theirs.
    """
    setup = _setup_of(session)
    for bot in setup.bots:
        if bot not in KINDS:
            raise CommandError(
                f"session {session.path}: the bot {bot} has played in it: only sessions with "
                "bots of this program can be played again"
            )
    return setup


def play_again(path: Path, language: Language, *, as_json: bool) -> int:
    """Play a session again; print its story, and whether it came out the same.

    Returns DONE if every bus, every panel and the air were the same to the byte, or if the session
    does not say how they were; else WRONG.

    Raises:
        CommandError: the file cannot be read, or is no session.
    """
    session = load_bounded(path)
    replay = Replay(session)
    replay.advance(session.end_us)
    story = Story(replay.table, language)
    story.update()
    digest = replay.digest()
    replay.close()
    same = digest == session.digest if session.digest else None
    if as_json:
        report = {
            "setup": session.setup,
            "stimuli": session.count,
            "virtual_s": session.end_us / 1e6,
            "told": story.lines,
            "digest": digest,
            "same": same,
        }
        print(json.dumps(report, ensure_ascii=False))
        return WRONG if same is False else DONE
    print("\n".join(story.lines))
    print(f"\n{session.count} stimuli in {session.end_us / 1e6:.1f} s: {_VERDICTS[same]}")
    return WRONG if same is False else DONE


_VERDICTS = {
    True: "buses, panels and air are the same to the byte.",
    False: "it came out differently; it was played with another version of the program.",
    None: "the session does not say how it came out.",
}
