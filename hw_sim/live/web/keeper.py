"""What a table keeps on the disk, so that a match goes on when its server is started again.

In a folder: ``table.json`` (what is played), ``claims.json`` (whose seats are whose), and a folder
for every match with the handhelds' journals and the sessions that were played.
"""

import json
from dataclasses import replace
from pathlib import Path

from firmware.cli.console import CommandError, because
from hw_sim.live.web.claims import Claims
from hw_sim.live.world.session import Session
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World


class Keeper:
    """The folder of a table.

    Args:
        folder: is made if need be. A match that is in it goes on, if it is the one asked for.
        wanted: what to play.
        any_seed: the seed does not matter: a match that goes on keeps its own.

    Raises:
        CommandError: the folder cannot be used.
    """

    def __init__(self, folder: Path, wanted: WorldSetup, *, any_seed: bool) -> None:
        self._folder = folder
        self.setup = wanted
        self._number = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            known = self._known()
            if known is not None:
                self._number, setup = known
                if any_seed:
                    seed = replace(wanted.table, seed=setup.table.seed)
                    wanted = replace(wanted, table=seed)
                if replace(setup, boot=0).to_json() == wanted.to_json():
                    self.setup = replace(setup, boot=setup.boot + 1)
                else:
                    self._number += 1
            self._begin()
        except OSError as error:
            raise CommandError(
                f"folder {error.filename or folder}: {because(error)}: name one that may be "
                "written to with --folder"
            ) from None
        self.claims = Claims(folder / "claims.json", wanted.people)

    def world(self) -> World:
        """Set up the match that is to be played."""
        return World(self.setup, self._match)

    def keep(self, session: Session) -> Path:
        """Write a session that was played; returns its file, one for each boot."""
        path = self._match / f"session{self.setup.boot}.jsonl"
        path.write_text(session.text(), encoding="utf-8")
        return path

    def next(self) -> World:
        """Set up the next match of the same people."""
        self._number += 1
        self.setup = self.setup.next_match()
        self._begin()
        return self.world()

    @property
    def _match(self) -> Path:
        return self._folder / f"match{self._number}"

    def _begin(self) -> None:
        self._match.mkdir(exist_ok=True)
        draft = self._folder / "table.new"
        known = {"number": self._number, "setup": self.setup.to_json()}
        draft.write_text(json.dumps(known), encoding="utf-8")
        draft.replace(self._folder / "table.json")

    def _known(self) -> tuple[int, WorldSetup] | None:
        path = self._folder / "table.json"
        if not path.exists():
            return None
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            return int(known["number"]), WorldSetup.from_json(known["setup"])
        except (ValueError, KeyError, TypeError):
            raise CommandError(
                f"folder {self._folder}: its table.json is no table of this program: name another "
                "folder with --folder"
            ) from None
