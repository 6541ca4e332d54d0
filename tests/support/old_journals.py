"""A table of cores at which one seat's journal is swapped for another: an old, or a foreign one."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from firmware.device.open import open_match
from firmware.journal.sqlite import Journal, JournalError
from firmware.settings import SettingsError
from tests.support import core_table as cores

Files = dict[str, bytes]
"""The contents of a folder, by name."""


def files_of(path: Path) -> Files:
    """The file and all that lie beside it under its name, as a power cut would leave them now."""
    return {file.name: file.read_bytes() for file in path.parent.glob(path.name + "*")}


def put(folder: Path, files: Files, stem: str = "journal") -> None:
    """Have these files lie in a folder, and no others whose names begin so."""
    folder.mkdir(exist_ok=True)
    for file in folder.glob(stem + "*"):
        file.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def losses(files: Files) -> Iterator[tuple[str, Files]]:
    """Every set of files that may be missing, but all of them."""
    names = sorted(files)
    for chosen in range(1, 2 ** len(names) - 1):
        lost = [name for place, name in enumerate(names) if chosen >> place & 1]
        yield f"lost {lost}", {name: files[name] for name in names if name not in lost}


def mixtures(newer: Files, older: Files) -> Iterator[tuple[str, Files]]:
    """Files of two times or of two places in one folder; a file of one alone may be missing."""
    names = sorted(newer | older)
    for chosen in range(1, 2 ** len(names) - 1):
        kept = [name for place, name in enumerate(names) if chosen >> place & 1]
        mixed = {name: (newer if name in kept else older).get(name) for name in names}
        present = {name: data for name, data in mixed.items() if data is not None}
        if present not in (newer, older):
            yield f"only {kept} are new", present


def spoilt(files: Files, chance: Random, number: int) -> Iterator[tuple[str, Files]]:
    """Yield ``number`` times one file with a flipped bit, zeros from a byte on, or cut there."""
    places = [(name, at) for name in sorted(files) for at in range(len(files[name]))]
    for name, at in chance.sample(places, min(number, len(places))):
        data = files[name]
        bit = 1 << chance.randrange(8)
        how, changed = chance.choice(
            (
                (f"bit {bit}", data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]),
                ("zeros", data[:at] + bytes(len(data) - at)),
                ("cut", data[:at]),
            )
        )
        if changed != data:
            yield f"{how} at {at} of {name}", {**files, name: changed}


S = 1_000_000


class WatchedTable(cores.CoreTable):
    """Keeps what was on every seat's disk after each write."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.disks = [[files_of(place.journal.path)] for place in self.places]
        self.after_write = self._keep

    def _keep(self, place):
        self.disks[place.seat].append(files_of(place.journal.path))
        return False

    def come_back(self, seat, files):
        """Switch a seat off, put other files in place of its journal, and switch it on again.

        Returns what it said when it refused them; None where it took them.
        """
        place = self.places[seat]
        path = place.journal.path
        self.cup_gone = True
        place.journal.close()
        put(path.parent, files, path.name)
        try:
            with Journal(path) as journal:
                open_match(self.settings(seat), journal, bytes)
        except (JournalError, SettingsError) as problem:
            return problem
        place.open(begin=False)
        self.start(place)
        return None

    def play_on(self, rng, most=12):
        """Let whoever can act do something, a few times, and time pass between."""
        for _ in range(most):
            self.wait(5 * S)
            for place in self.places:
                if place.position in cores.ACTING:
                    legal = cores.legal_actions(place.match)
                    if legal and place.position is not cores.Position.TO_PASS:
                        self.choose(place.seat, rng.choice(legal))
