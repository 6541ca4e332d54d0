"""A table's files on the disk, from which a match goes on when its page is opened again.

A folder holds ``table.json`` (the game and the unfinished matches), ``claims.json`` (the tally),
and a folder for every match with the handhelds' journals and the played sessions. Its
owner alone may read them.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from firmware.cli.console import CommandError, because
from firmware.cli.errors import SPOKEN
from hw_sim.live.web import make_private_folder, replace_file
from hw_sim.live.world import setup
from hw_sim.live.world.running import wake
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table.handheld import SharedServices

STORE_ERRORS: Final[tuple[type[Exception], ...]] = (OSError, *SPOKEN)
"""Errors of a match that cannot be written to the disk, or no longer be read."""


class NewerStoreError(CommandError):
    """A folder is of a newer version of this program, which has to read it."""


class StartedMatch(NamedTuple):
    """A match that was begun: the number of its folder, and how it was set up last."""

    number: int
    setup: WorldSetup


class MatchStore:
    """The folder of a table.

    Args:
        folder: is made if need be. A match that was begun in it goes on, if it is the one asked
            for; else it waits there until it is.
        wanted: what to play; None goes on with what was played last, if there was anything.
        any_seed: the seed does not matter: a match that goes on keeps its own.

    Attributes:
        folder: the folder.
        customise: of its worlds; see `hw_sim.table.table.SimulatedTable`.

    Raises:
        CommandError: the folder cannot be used.
    """

    def __init__(self, folder: Path, wanted: WorldSetup | None, *, any_seed: bool) -> None:
        self.folder = folder
        self.customise: Callable[[SharedServices], SharedServices] = lambda services: services
        self._now: StartedMatch | None = None
        try:
            if not folder.exists():
                make_private_folder(folder)
            self._find(wanted, any_seed)
        except OSError as error:
            raise CommandError(f"folder {error.filename or folder}: {because(error)}") from None

    def _find(self, wanted: WorldSetup | None, any_seed: bool) -> None:
        """Go on with the match that is asked for, or begin it."""
        begun = self._begun()
        self._last = max((each.number for each in begun), default=-1)
        fit = begun if wanted is None else [e for e in begun if _is(e.setup, wanted, any_seed)]
        found = fit[0] if fit else None
        self._others = [each for each in begun if each is not found]
        if found is not None:
            self._begin(found._replace(setup=found.setup.next_boot()), self._others)
        elif wanted is not None:
            self._begin(StartedMatch(self._last + 1, wanted), self._others)

    @property
    def setup(self) -> WorldSetup:
        """The setup of the present match."""
        return self._played.setup

    @property
    def number(self) -> int | None:
        """The number of the match that is played now; None where none was begun."""
        return None if self._now is None else self._now.number

    @property
    def next_number(self) -> int:
        """The number that the next match will have."""
        return self._last + 1

    def world(self) -> World:
        """Set up the match that is to be played."""
        return self._world(self._played)

    def again(self) -> World:
        """Set up the same match once more, from its journals; its last world has to be closed.

        Raises:
            OSError: that cannot be written down.
            JournalError: or there is something wrong with the journals.
        """
        self._begin(self._played._replace(setup=self.setup.next_boot()), self._others)
        return self.world()

    def next(
        self, wanted: WorldSetup | None = None, prepare: Callable[[Path], None] | None = None
    ) -> World:
        """Set up the next match, in place of this one; None: of the same people.

        ``prepare``: puts the journals into its folder that it begins with.

        Raises:
            OSError, JournalError: that cannot be written down; then everything stays as it was.
        """
        setup = wanted or self.setup.next_match()
        return self._turn_to(StartedMatch(self.next_number, setup), self._others, prepare)

    def turn_to(self, wanted: WorldSetup, *, is_over: bool) -> World | None:
        """Set up the match that is asked for, whatever its seed, in place of this one.

        If it was begun it goes on. ``is_over``: this one is; else it waits until it is asked for.
        None: it is the one that is asked for.

        Raises:
            OSError, JournalError: that cannot be written down; then everything stays as it was.
        """
        if not is_over and _is(self.setup, wanted):
            return None
        found = next((e for e in self._others if _is(e.setup, wanted)), None)
        waiting = [each for each in self._others if each is not found]
        if not is_over:
            waiting.insert(0, self._played)
        if found is None:
            return self._turn_to(StartedMatch(self.next_number, wanted), waiting)
        return self._turn_to(found._replace(setup=found.setup.next_boot()), waiting)

    @property
    def _played(self) -> StartedMatch:
        assert self._now is not None, "no match was begun"
        return self._now

    def _world(self, begun: StartedMatch) -> World:
        match = self.folder / f"match{begun.number}"
        world = World(
            begun.setup, match, match / f"session{begun.setup.boot}.jsonl", self.customise
        )
        wake(world)
        return world

    def _turn_to(
        self,
        begun: StartedMatch,
        others: list[StartedMatch],
        prepare: Callable[[Path], None] | None = None,
    ) -> World:
        """Set up a match in place of this one, while others wait; or leave everything as it was."""
        match = self.folder / f"match{begun.number}"
        world = None
        try:
            make_private_folder(match)
            if prepare is not None:
                prepare(match)
            world = self._world(begun)
            self._begin(begun, others)
        except BaseException:
            if world is not None:
                world.close()
            if begun.number > self._last:
                shutil.rmtree(match, ignore_errors=True)
            raise
        return world

    def _begin(self, begun: StartedMatch, others: list[StartedMatch]) -> None:
        make_private_folder(self.folder / f"match{begun.number}")
        stored = [
            {"number": number, "setup": setup.to_json()} for number, setup in (begun, *others)
        ]
        table = {**stored[0], "others": stored[1:], "version": setup.TABLE_VERSION}
        replace_file(self.folder / "table.json", json.dumps(table))
        self._now, self._others = begun, others
        self._last = max(self._last, begun.number)

    def _begun(self) -> list[StartedMatch]:
        path = self.folder / "table.json"
        if not path.exists():
            return []
        try:
            stored = setup.table_decoder.decode(path.read_bytes())
            if stored.version > setup.TABLE_VERSION:
                raise NewerStoreError(
                    f"folder {self.folder}: version {stored.version}, this program writes "
                    f"{setup.TABLE_VERSION}: use a newer one"
                )
            return [
                StartedMatch(each.number, WorldSetup.from_json(each.setup))
                for each in (stored, *stored.others)
            ]
        except (msgspec.DecodeError, ValueError, RecursionError):
            raise CommandError(
                f"folder {self.folder}: its table.json is no table of this program"
            ) from None


def _is(setup: WorldSetup, wanted: WorldSetup, any_seed: bool = True) -> bool:
    """Whether a match that was begun is the one that is asked for."""
    table = setup.table
    same = replace(wanted.table, seed=table.seed if any_seed else wanted.table.seed)
    # nobody asks for the chance, and each page has a language of its own
    wanted = replace(wanted, table=replace(same, chance=table.chance, language=table.language))
    return replace(setup, boot=0).to_json() == wanted.to_json()
