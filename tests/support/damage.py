"""Folders of files, and what can happen to them: damage, cuts, losses, and older copies."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

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
