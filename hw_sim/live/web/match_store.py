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

    def anew(self) -> "StartedMatch":
        """The same match, set up once more."""
        return self._replace(setup=self.setup.next_boot())


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
        self._begun: list[StartedMatch] = []
        """The match that is played, and those that wait."""
        try:
            if not folder.exists():
                make_private_folder(folder)
            self._find(wanted, any_seed)
        except OSError as error:
            raise CommandError(f"folder {error.filename or folder}: {because(error)}") from None

    def _find(self, wanted: WorldSetup | None, any_seed: bool) -> None:
        """Go on with the match that is asked for, or begin it."""
        begun = self._read()
        if wanted is not None:
            begun = self._before(begun, wanted, any_seed)
        elif begun:
            begun[0] = begun[0].anew()
        if begun:
            self._begin(begun)

    def _before(
        self, begun: list[StartedMatch], wanted: WorldSetup, any_seed: bool = True
    ) -> list[StartedMatch]:
        """Return the match that is asked for, begun or new, and after it those that wait."""
        found = next((each for each in begun if _is(each.setup, wanted, any_seed)), None)
        first = StartedMatch(self.next_number, wanted) if found is None else found.anew()
        return [first, *(each for each in begun if each is not found)]

    @property
    def setup(self) -> WorldSetup:
        """The setup of the present match."""
        return self._played.setup

    @property
    def number(self) -> int | None:
        """The number of the match that is played now; None where none was begun."""
        return self._begun[0].number if self._begun else None

    @property
    def next_number(self) -> int:
        """The number that the next match will have: no match had it that has left a folder."""
        names = (path.name.removeprefix("match") for path in self.folder.glob("match*"))
        return max((int(name) for name in names if name.isdecimal()), default=-1) + 1

    def world(self) -> World:
        """Set up the match that is to be played."""
        return self._world(self._played)

    def again(self) -> World:
        """Set up the same match once more, from its journals; its last world has to be closed.

        Raises:
            OSError: that cannot be written down.
            JournalError: or there is something wrong with the journals.
        """
        self._begin([self._played.anew(), *self._begun[1:]])
        return self.world()

    def next(
        self,
        wanted: WorldSetup | None = None,
        prepare: Callable[[Path], None] = lambda _folder: None,
    ) -> World:
        """Set up the next match, in place of this one; None: of the same people.

        ``prepare``: puts the journals into its folder that it begins with.

        Raises:
            OSError, JournalError: that cannot be written down; then everything stays as it was.
        """
        setup = wanted or self.setup.next_match()
        return self._turn_to([StartedMatch(self.next_number, setup), *self._begun[1:]], prepare)

    def turn_to(self, wanted: WorldSetup, *, is_over: bool) -> World | None:
        """Set up the match that is asked for, whatever its seed, in place of this one.

        If it was begun it goes on. ``is_over``: this one is; else it waits until it is asked for.
        None: it is the one that is asked for.

        Raises:
            OSError, JournalError: that cannot be written down; then everything stays as it was.
        """
        if not is_over and _is(self.setup, wanted):
            return None
        return self._turn_to(self._before(self._begun[is_over:], wanted))

    @property
    def _played(self) -> StartedMatch:
        assert self._begun, "no match was begun"
        return self._begun[0]

    def _world(self, begun: StartedMatch) -> World:
        match = self.folder / f"match{begun.number}"
        world = World(
            begun.setup, match, match / f"session{begun.setup.boot}.jsonl", self.customise
        )
        wake(world)
        return world

    def _turn_to(
        self, begun: list[StartedMatch], prepare: Callable[[Path], None] = lambda _folder: None
    ) -> World:
        """Set up the first one of these matches, while others wait; or leave all as it was."""
        match = self.folder / f"match{begun[0].number}"
        is_new, world = not match.exists(), None
        try:
            make_private_folder(match)
            prepare(match)
            world = self._world(begun[0])
            self._begin(begun)
        except BaseException:
            if world is not None:
                world.close()
            if is_new:
                shutil.rmtree(match, ignore_errors=True)
            raise
        return world

    def _begin(self, begun: list[StartedMatch]) -> None:
        make_private_folder(self.folder / f"match{begun[0].number}")
        stored = [{"number": number, "setup": setup.to_json()} for number, setup in begun]
        table = {**stored[0], "others": stored[1:], "version": setup.TABLE_VERSION}
        replace_file(self.folder / "table.json", json.dumps(table))
        self._begun = begun

    def _read(self) -> list[StartedMatch]:
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
