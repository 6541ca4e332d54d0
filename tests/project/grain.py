"""The rooms of the house: the first line of each one's docstring, and their grain.

The grain is the code lines of each room, the median module, and the share of imports.
``python -m tests.project.grain`` prints it, and advice on large files and classes. With ``--write``
it lowers the limits of the rooms in ``code_lines.toml`` to what there is. With ``--rooms`` it
writes the table of rooms in ``docs/rooms.md``.
"""

import argparse
import ast
import io
import re
import statistics
import tokenize
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("game", "drivers", "firmware", "hw_sim", "hardware", "research")
PACKAGES += ("steckbrett/src/steckbrett",)
HEADING = "| room | what it is |\n|---|---|\n"
TABLE = ROOT / "docs/rooms.md"
"""Has the table of rooms."""
LIMITS = Path(__file__).with_name("code_lines.toml")
HEAD = """\
# The most code lines of each room: no blanks, comments and docstrings. These numbers only fall:
# `python -m tests.project.grain --write` lowers them. A number that has to rise needs a decision
# record (docs/decisions) that names the room.

"""
SPARE_SHARE, SPARE_LINES = 0.05, 40
"""A room may have so many lines less than its limit before that has to be lowered."""
LARGE_FILE, LARGE_CLASS = 400, 250
"""Advice: code lines of a file, and lines of a class, beyond which it often holds two things."""
_BETWEEN = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def sources() -> list[Path]:
    """Return the modules of the packages, sorted; a package may have its tests in it."""
    found = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return [path for path in found if "tests" not in path.relative_to(ROOT).parts]


def rooms() -> dict[str, str]:
    """The packages by their paths, and what each says of itself."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("__init__.py")):
            told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            found[path.parent.relative_to(ROOT).as_posix()] = told
    return found


def first_lines() -> dict[str, str]:
    """The first line of what each package says of itself."""
    return {room: told.partition("\n")[0] for room, told in rooms().items()}


def table() -> str:
    """The document with the table of rooms, as it must be."""
    told = first_lines().items()
    rows = (f"| `{room}/` | {line.replace('``', '`').rstrip('.')} |\n" for room, line in told)
    before, _, after = TABLE.read_text(encoding="utf-8").partition(HEADING)
    return before + HEADING + "".join(rows) + re.sub(r"\A(\|.*\n)*", "", after)


# ---- grain


@cache
def code_lines(text: str) -> set[int]:
    """The numbers of the lines of a module that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _BETWEEN and token.type != tokenize.ENDMARKER:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines.difference_update(range(node.lineno, node.end_lineno + 1))
    return lines


def import_lines(text: str) -> int:
    """How many lines of a module are parts of an import."""
    found = (each for each in ast.walk(ast.parse(text)) if isinstance(each, IMPORTS))
    return sum(each.end_lineno - each.lineno + 1 for each in found)


IMPORTS = (ast.Import, ast.ImportFrom)
TESTS = ("tests", "steckbrett/tests", "hardware/tests", "research/tests")


def modules(packages=(*PACKAGES, *TESTS)) -> dict[str, str]:
    """The modules with code by path, and their texts."""
    paths = (path for package in packages for path in sorted((ROOT / package).rglob("*.py")))
    found = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    return {name: text for name, text in found.items() if code_lines(text)}


def sizes(texts: dict[str, str]) -> dict[str, int]:
    """The code lines of modules."""
    return {name: len(code_lines(text)) for name, text in texts.items()}


def lines_by_room(lines: dict[str, int]) -> Counter[str]:
    """The code lines by room: a folder of the first or the second floor."""
    found: Counter[str] = Counter()
    for name, count in lines.items():
        found["/".join(name.split("/")[:-1][:2])] += count
    return found


def limits() -> dict[str, int]:
    """The most code lines by room."""
    return tomllib.loads(LIMITS.read_text("utf-8")) if LIMITS.exists() else {}


def advice(texts: dict[str, str], lines: dict[str, int]):
    """Yield a line for each large file and class."""
    for name, text in texts.items():
        if lines[name] > LARGE_FILE:
            yield f"{name}: {lines[name]} code lines: does it hold two things?"
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                size = node.end_lineno - node.lineno + 1
                if size > LARGE_CLASS:
                    yield f"{name}: {node.name} has {size} lines: is it two things?"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.project.grain", description=__doc__)
    parser.add_argument("--write", action="store_true", help="lower the limits")
    parser.add_argument("--rooms", action="store_true", help="write the tables of rooms anew")
    asked = parser.parse_args()
    if asked.rooms:
        TABLE.write_text(table(), encoding="utf-8")
    texts = modules()
    lines = sizes(texts)
    shipped = {name: text for name, text in texts.items() if not name.startswith(TESTS)}
    counts = [lines[name] for name in shipped]
    imports = sum(map(import_lines, shipped.values()))
    print(f"{len(shipped)} shipped modules, {statistics.median(counts):g} code lines at the median")
    print(f"{100 * imports / sum(counts):.1f} % of them are imports")
    print(*advice(texts, lines), sep="\n")
    known, found = limits(), lines_by_room(lines)
    if asked.write:
        lowered = {room: min(count, known.get(room, count)) for room, count in found.items()}
        rows = "".join(f'"{room}" = {count}\n' for room, count in sorted(lowered.items()))
        LIMITS.write_text(HEAD + rows, "utf-8")


if __name__ == "__main__":
    main()
