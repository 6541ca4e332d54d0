"""Numbers by which a handheld behaves: each has a unit, and a source or the word "chosen"."""

import ast
import re

import pytest

from tests.project.grain import ROOT

POLICIES = (
    *("adxl345", "bh1750", "gpio", "panel", "piezo", "ssd1306", "ttp223", "veml7700"),
    *("input", "link/several", "link/infrared/medium_access", "link/infrared/coding", "runtime"),
    *("link/infrared/__init__", "link/infrared/link", "link/bluetooth", "link/broker", "hand"),
    *("table/handover", "table/pairing", "table/seat", "table/log", "table/commitment/ledger"),
    *("table/protocol/room_line", "audience", "device", "lobby", "play", "players", "upkeep"),
)
"""Drivers, and rooms and modules of the firmware and the simulator."""
UNIT = re.compile(
    r"_(ms|s|us|hz|m|mps2|deg|share|times|up|down|counts|lux|bytes|digits|samples|reversals|dice|steps"
    r"|percent|contrast|per_\w+)\b"
    r"|\b(µs|ms|s|g|lx|hz|counts|bytes|rows|columns|conversions|samples|levels|readings|reversals"
    r"|attempts|frames|hosts|tables|lines|letters?|digits?|throws|tries|times|marks|pixels|step|mtreg"
    r"|nudges|numbers|brokers|matches|entries|pages|pictures|presses|ratio|dice|volume)\b",
    re.IGNORECASE,
)
SOURCE = re.compile(
    r"\b([Cc]hosen|measured|recorded|sheets?|table|note|decision|RFC)\b|\b[RTB]-[A-Z\d]|`\w"
    r"|\d (g|lx)\b"
)
"""Words of a source. A number in backticks is what another one follows from."""
SOURCE_OF_ALL = re.compile(r"\b([Ss]heet|Technical Note|([Nn]umbers\b|They were)[^.]*\bchosen)\b")
"""Words by which a module's docstring gives one source for all its numbers."""
NUMBERS = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
NUMBERS += (ast.Name, ast.Load, ast.Tuple)


def is_number(node):
    """Whether an expression is numbers and names, and has a number in it."""
    parts = list(ast.walk(node)) if node is not None else []
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    plain = all(isinstance(part, NUMBERS) for part in parts)
    return plain and bool(values) and all(type(each) in (int, float) for each in values)


def numbers(text):
    """Yield the public numbers of a module: names, their line, and what is said of them.

    What is joined by "…" is said of all of them.
    """
    body, lines = ast.parse(text).body, text.splitlines()
    joined = ""
    for node, after in zip(body, [*body[1:], None]):
        match node:
            case ast.Assign([target], value) | ast.AnnAssign(target, _, value) if is_number(value):
                names = ast.unparse(target)
            case _:
                continue
        said = ast.unparse(value) + lines[node.end_lineno - 1].partition("#")[2]
        match after:
            case ast.Expr(ast.Constant(str(words))):
                said += f" {words}"
                joined = f"{joined} {words}" if words.startswith("…") else words
        if not names.lstrip("(").startswith("_"):
            yield names, said + (joined if "…" in said else "")


def unfounded(text):
    """Yield the numbers of a module that lack a unit or a source."""
    module = ast.get_docstring(ast.parse(text)) or ""
    for names, said in numbers(text):
        if not UNIT.search(names) and not UNIT.search(said) and "COUNTS_PER_G" not in said:
            yield f"{names} has no unit"
        if not SOURCE.search(said) and not SOURCE_OF_ALL.search(module):
            yield f"{names} has no source: say it here or in the module's docstring, or 'chosen'"


@pytest.mark.parametrize("policy", POLICIES)
def test_every_number_has_a_unit_and_a_source_or_is_chosen(policy):
    places = [ROOT / package / policy for package in ("drivers", "firmware", "hw_sim")]
    paths = [path for each in places if (path := each.with_suffix(".py")).is_file()]
    paths += [path for place in places for path in place.rglob("*.py")]
    assert paths
    assert [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in paths
        for fault in unfounded(path.read_text(encoding="utf-8"))
    ] == []


def test_numbers_without_unit_or_source_are_found():
    assert [*unfounded('LONG = 3\n"""As the sheet has it."""\n')] == ["LONG has no unit"]
    (fault,) = unfounded('PAUSE_S = 3\n"""Between two looks."""\n')
    assert fault.startswith("PAUSE_S has no source")
    assert [*unfounded('A_S = 3\n"""From here …"""\nB_S = 4\n"""… to there; chosen."""\n')]
    assert not [*unfounded('"""All numbers are chosen."""\nA_S, B_S = 3, 2 * 4\n_OWN = 3\n')]
