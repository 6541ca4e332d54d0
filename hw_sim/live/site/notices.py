"""The licences of all that the site carries along."""

import json
import re
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[2]
LICENCES: Final = re.compile(r"(LICEN[CS]E|COPYING)", re.IGNORECASE)
"""Begins the names of files with a licence."""


def notice(modules: Path, packages: Path) -> str:
    """Return the licences of all that the site carries along."""
    fonts = ROOT / "firmware" / "display" / "oled" / "fonts"
    told = [(HERE / "front" / "notice.txt").read_text("utf-8")]
    files = (ROOT / "LICENSE", fonts / "LICENSE.txt", HERE / "psf.txt")
    told += map(_licence, ("The program", "Its fonts", "The library of CPython"), files)
    locked = json.loads((HERE / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = {
        name.removeprefix("node_modules/"): each["version"]
        for name, each in locked.items()
        if name and not each.get("dev") and "@types/" not in name
    }
    homes = [modules / name for name in wanted] + sorted(packages.glob("*.dist-info"))
    for home in homes:
        name = home.name.removesuffix(".dist-info")
        if home.is_relative_to(modules):
            name = f"{home.relative_to(modules)} {wanted[str(home.relative_to(modules))]}"
        for path in sorted(home.rglob("*")):
            if path.is_file() and LICENCES.match(path.name):
                told.append(_licence(name, path))
    return "\n".join(told)


def _licence(name: str, path: Path) -> str:
    return f"{'-' * 80}\n{name}: {path.name}\n\n{path.read_text('utf-8')}"
