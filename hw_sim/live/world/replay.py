"""A session that a table has kept, done again: the same handhelds and hands, no browser."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from firmware.cli.console import DONE, WRONG, CommandError
from firmware.display.text.language import Language
from hw_sim.live.world.session import MOST_BYTES, RecordedSession, load
from hw_sim.live.world.setup import FORMAT, WorldSetup
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table.headless import Story, journal_folder

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


class Replay:
    """A session that is played again in an empty folder.

    Raises:
        CommandError: no table is set up like that, or it is no session.
    """

    def __init__(self, session: RecordedSession, folder: Path) -> None:
        self._session = session
        self._stimuli = session.stimuli()
        self._next = next(self._stimuli, None)
        self.world = _world_of(session, folder)

    def advance(self, until_us: int) -> None:
        """Let it go on until a virtual time in µs, with what was done on the way.

        Raises:
            CommandError: nobody can do that so.
        """
        world = self.world
        while self._next is not None and self._next.t_us <= until_us:
            t_us, command = self._next
            self._next = next(self._stimuli, None)
            world.advance(t_us)
            try:
                world.apply(command)
            except (ValueError, LookupError):
                world.close()
                path = self._session.path
                raise CommandError(f"session {path}: nobody can do {command} so") from None
        world.advance(until_us)

    def shares(self, until_us: int) -> Iterator[float]:
        """Let it go on as `advance` does; yield the share of the way after each part of it."""
        begun_us = self.world.now_us
        for part_us in range(begun_us + PART_US, until_us, PART_US):
            self.advance(part_us)
            yield (part_us - begun_us) / (until_us - begun_us)
        self.advance(until_us)


class Past:
    """A session that is played again in a folder of its own, as far as somebody looks.

    Raises:
        CommandError: as `Replay` does.
    """

    def __init__(self, session: RecordedSession) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="maexchen-past-"))
        try:
            self._replay = Replay(session, self._folder)
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    @property
    def world(self) -> World:
        """The world as it was."""
        return self._replay.world

    def advance(self, until_us: int) -> None:
        """Let it go on until a virtual time in µs."""
        self._replay.advance(until_us)

    def shares(self, until_us: int) -> Iterator[float]:
        """Let it go on as `Replay.shares` does."""
        return self._replay.shares(until_us)

    def looks(self, wanted_us: int, before_us: int, every_us: int) -> Iterator[World]:
        """Yield the world ``before_us`` before a time, then after every ``every_us`` until then."""
        self.advance(max(self.world.now_us, wanted_us - before_us))
        yield self.world
        while self.world.now_us < wanted_us:
            self.advance(min(wanted_us, self.world.now_us + every_us))
            yield self.world

    def close(self) -> None:
        """Close the world and remove the folder."""
        self.world.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class TimeTravel:
    """Looks at a match as it was earlier, while the present one stands still.

    Args:
        present: returns the world that is played in.
    """

    def __init__(self, present: Callable[[], World]) -> None:
        self._present = present
        self._past: Past | None = None

    @property
    def past(self) -> World | None:
        """The earlier moment that is looked at; None in the present."""
        return None if self._past is None else self._past.world

    @property
    def shown(self) -> World:
        """The world that is looked at."""
        return self.past or self._present()

    def step(self, ms: float) -> None:
        """Let some virtual time pass in a world that stands still; 0 is until something happens."""
        world = self.shown
        due_us = world.loop.due_us
        until_us = world.now_us + round(ms * 1000) if ms or due_us is None else due_us
        if self._past is None:
            world.advance(until_us)
        else:
            self._past.advance(min(until_us, self._present().now_us))

    def seek(self, s: float, before_us: int, every_us: int) -> Iterator[World]:
        """Look at the match as it was at a virtual time in s.

        Yields the world ``before_us`` earlier, and then after every ``every_us`` until that time.
        Yields nothing if the session is not known to its end.
        """
        live = self._present()
        wanted_us = min(round(s * 1e6), live.now_us)
        if live.session is None or not live.session.is_open:
            return
        self.leave()
        self._past = Past(load(live.session.path))
        yield from self._past.looks(wanted_us, before_us, every_us)

    def leave(self) -> None:
        """Leave the past, if it is looked at."""
        if self._past is not None:
            self._past.close()
            self._past = None


def replayed(session: RecordedSession, folder: Path, until_us: int | None = None) -> World:
    """Play a session again in an empty folder, until a virtual time in µs or to its end.

    Raises:
        CommandError: no table is set up like that, or it is no session.
    """
    replay = Replay(session, folder)
    replay.advance(session.end_us if until_us is None else until_us)
    return replay.world


def _setup_of(session: RecordedSession) -> WorldSetup:
    try:
        return WorldSetup.from_json(session.setup)
    except ValueError as error:
        why = " ".join(str(error).split())
        raise CommandError(f"session {session.path}: no table is set up like that: {why}") from None


def _world_of(session: RecordedSession, folder: Path) -> World:
    setup = _setup_of(session)
    foreign = [bot for bot in setup.bots if bot not in KINDS]
    if foreign:  # whoever sends a session must not have a program of his run
        raise CommandError(
            f"session {session.path}: the bot {foreign[0]} has played in it: only sessions with "
            "bots of this program can be played again"
        )
    session.unpack(folder)
    return World(setup, folder)


def play_again(path: Path, language: Language, *, as_json: bool) -> int:
    """Play a session again; print its story, and whether it came out the same.

    Returns DONE if every bus, every panel and the air were the same to the byte, or if the session
    does not say how they were; else WRONG.

    Raises:
        CommandError: the file cannot be read, or is no session.
    """
    session = load_bounded(path)
    with journal_folder() as folder:
        world = replayed(session, folder)
        story = Story(world.table, language)
        story.update()
        digest = world.digest()
        world.close()
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
