"""Pin what a Pi installs: versions and hashes of every wheel, and the wheels in a folder.

    python install/pin.py                  # writes install/requirements.txt anew
    python install/pin.py wheels           # fetches what it names into wheels/

The pins hold for Pi OS Bookworm and Trixie (Python 3.11 and 3.13) on aarch64, and for the same
systems on a PC. setup-pi takes no other file, from any source. With a folder wheels/ beside
install/ it needs no network.
"""

import hashlib
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "install" / "requirements.txt"
WHEELS = ROOT / "wheels"
PYTHONS = ("3.11", "3.13")
MACHINES = ("aarch64", "x86_64")
EXTRAS = ("bluetooth", "broker")
"""The extras that a handheld needs."""
OWN = "steckbrett"
"""The package that lies in this folder: it comes from no index."""
GLIBCS = ("2_17", "2_27", "2_28", "2_31", "2_34", "2_35", "2_36")
"""Up to Bookworm's."""
HEAD = """\
# Made by install/pin.py: python install/pin.py
# Every version and file that setup-pi installs. Nothing is built but this project itself.
"""


def main(arguments: list[str]) -> int:
    """Write the pins, or fetch what they name; return the exit status."""
    if arguments == ["wheels"]:
        for python in PYTHONS:
            fetch(python, MACHINES[0], WHEELS, "--require-hashes", "-r", str(REQUIREMENTS))
        print(WHEELS)
    elif not arguments:
        draft = REQUIREMENTS.with_suffix(".new")
        draft.write_text(HEAD + pins(), encoding="utf-8")
        draft.replace(REQUIREMENTS.resolve())  # a link stays
        print(REQUIREMENTS)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


def fetch(python: str, machine: str, folder: Path, *what: str) -> None:
    """Fetch wheels for one system into a folder; raises CalledProcessError where one is missing."""
    platforms = [f"--platform=manylinux_{glibc}_{machine}" for glibc in GLIBCS]
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
         "--only-binary=:all:", "--implementation=cp", f"--python-version={python}",
         *platforms, f"--platform=manylinux2014_{machine}", "--dest", str(folder), *what],
        check=True,
    )  # fmt: skip


def wanted_by(project: dict[str, Any]) -> list[str]:
    """Return what a Pi needs, of the contents of pyproject.toml, and what builds it."""
    extras = project["project"]["optional-dependencies"]
    chosen = [line for name in EXTRAS for line in extras[name]]
    needed = [*project["project"]["dependencies"], *chosen, *project["build-system"]["requires"]]
    return [line for line in needed if not line.startswith(OWN)]


def pins() -> str:
    """Return the lines of requirements.txt: what the project needs, and what builds it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = wanted_by(project)
    hashes: dict[str, set[str]] = defaultdict(set)
    with tempfile.TemporaryDirectory() as scratch:
        # The newest version that the oldest Python accepts is pinned for all of them.
        agreed = Path(scratch) / "constraints.txt"
        agreed.touch()
        for python in PYTHONS:
            for machine in MACHINES:
                folder = Path(scratch) / f"{python}-{machine}"
                fetch(python, machine, folder, "--constraint", str(agreed), *wanted)
                for wheel in folder.iterdir():
                    name, version = wheel.name.split("-")[:2]
                    pin = f"{name.lower().replace('_', '-')}=={version}"
                    hashes[pin].add(hashlib.sha256(wheel.read_bytes()).hexdigest())
                agreed.write_text("\n".join(hashes), encoding="utf-8")
    pinned = (
        " \\\n    ".join([pin, *(f"--hash=sha256:{one}" for one in sorted(found))])
        for pin, found in sorted(hashes.items())
    )
    return "\n".join(pinned) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
