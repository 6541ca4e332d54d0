"""The rooms of the project, by the first line of each one's docstring.

``python -m tests.project.rooms --write`` writes them into docs/rooms.md; a test keeps the table
true.
"""

import argparse
import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("game", "drivers", "firmware", "hw_sim", "hardware", "steckbrett/src/steckbrett")
HEADING = "| room | what it is |\n|---|---|\n"
DOCUMENTS = {"docs/rooms.md": 9}
"""Which documents have a table of rooms, and how deep the rooms in it lie at most."""


def sources() -> list[Path]:
    """Return the modules of the packages, sorted; a package may have its tests in it."""
    found = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return [path for path in found if "tests" not in path.relative_to(ROOT).parts]


def rooms() -> dict[str, str]:
    """The packages by their paths, and the first line of what each says of itself."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("__init__.py")):
            told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            found[path.parent.relative_to(ROOT).as_posix()] = told.partition("\n")[0]
    return found


def table(deepest: int) -> str:
    """The rooms as a table in Markdown, without those that lie deeper than so many folders."""
    rows = (
        f"| `{room}/` | {told.replace('``', '`').rstrip('.')} |\n"
        for room, told in rooms().items()
        if len(room.split("/")) <= deepest
    )
    return HEADING + "".join(rows)


def document(name: str) -> tuple[str, str]:
    """The text of a document as it is, and as it must be."""
    text = (ROOT / name).read_text(encoding="utf-8")
    pattern = re.escape(HEADING) + r"(?:\|.*\n)*"
    assert len(re.findall(pattern, text)) == 1, f"{name} has no table of rooms"
    return text, re.sub(pattern, lambda _: table(DOCUMENTS[name]), text)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.project.rooms", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the tables anew")
    asked = parser.parse_args()
    for name in DOCUMENTS:
        text, wanted = document(name)
        if asked.write:
            (ROOT / name).write_text(wanted, encoding="utf-8")
        elif text != wanted:
            print(f"{name}: its table of rooms is out of date")


if __name__ == "__main__":
    main()
