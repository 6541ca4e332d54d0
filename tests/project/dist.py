"""``python -m tests.project.dist FOLDER``: install each built archive and play a match from it.

Each wheel and sdist of the game in the folder goes into an empty environment, with no extra.
Every match must have the digest of a match from this checkout. The exit status is 1 if one has not.
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

MATCH = ("match", "--players", "3", "--seed", "7", "--link", "ir", "--json")


def played(command: Path, folder: Path) -> object:
    """Play a match with the command, away from this checkout; return its digest."""
    report = subprocess.run([command, *MATCH], cwd=folder, check=True, capture_output=True)
    return json.loads(report.stdout)["digest"]


def installed(archive: Path, folder: Path) -> Path:
    """Install an archive into an empty environment; return its command."""
    venv.create(folder / "venv", with_pip=True)
    pip = [folder / "venv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "-q"]
    beside = ("--find-links", archive.resolve().parent)
    subprocess.run([*pip, "install", *beside, archive.resolve()], cwd=folder, check=True)
    return folder / "venv" / "bin" / "maexchen-sim"


def main() -> int:
    archives = sorted(Path(sys.argv[1]).glob("maexchen_handheld-*"))
    with tempfile.TemporaryDirectory() as folder:
        here = played(Path(sys.executable).with_name("maexchen-sim"), Path(folder))
    well = bool(archives)
    for archive in archives:
        with tempfile.TemporaryDirectory() as folder:
            command = installed(archive, Path(folder))
            same = played(command, Path(folder)) == here
        print(f"{archive.name}: a match of three, {'as' if same else 'NOT as'} from the checkout")
        well &= same
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
