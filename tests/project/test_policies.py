"""Numbers by which a program behaves: each has a unit, and a source or the word "chosen"."""

import ast
import re

import pytest

from tests.project.grain import modules

SHIPPED = ("drivers", "firmware", "game", "hw_sim", "install", "hardware", "research")
SHIPPED += ("steckbrett/src",)
UNIT = re.compile(
    r"(?i)((?<!')\b|_)(µs|ns|ms|s|us|hz|mps2|g|mg|deg|lux|lx|m°C|mm[23]?|px|pixels?|rows?|columns?"
    r"|bits|bytes|share|chances?|odds|ratio|percent|times|steps?|digits?|letters?|characters|lines?|pages"
    r"|counts|samples|reversals|conversions|readings|levels|marks|cycles|intervals|days|worth|speed"
    r"|frames|packets|messages|requests|connections|hosts|brokers|tries|attempts|presses|nudges"
    r"|entries|actions|rounds|hops|throws|dice|coasters|matches|penalties|places|people|players"
    r"|contrast|volume|mtreg|per_\w+)(?![-\w])|_(m|up|down)\b"
    r"|\b(number of|numbers of|most|fewest|so many|times as) [^\W_]\w+"
)
"""Units, and nouns that are counted."""
KIND = re.compile(
    r"(?i)\b(address|codes?|colours?|date|direction|faces?|id|phase|pins?|ports?|seat|seeds?"
    r"|status(es)?|stream|values?|version)\b|0[xo][\dA-F]"
)
"""Kinds of numbers that only tell things apart, so they have no unit.

Code writes addresses, registers, requests and bits of a chip, a kernel or a frame in hex."""
SOURCE = re.compile(
    r"\b([Cc]hosen|definition|docs/|[Mm]easured|[Nn]ote|recorded|[Ss]heets?|wiring\.md|PROTOCOL"
    r"|Core \d|HTTP|IANA|ISO|linux/|of Linux|MQTT \d|POSIX|RFC \d|sysexits|UM10204"
    r"|[BCMRSTV]-[A-Z\d])|`\w|\d (g|lx)\b"
)
"""Words of a source. A number in backticks is what another one follows from."""
OF_ALL = re.compile(r"([Nn]umbers|They were)\b([^.]|\.(?=\w))*\.|.*([Ss]heet|Technical Note).*")
"""Words of a module's docstring that are said of all its numbers."""
NUMBERS = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
NUMBERS += (ast.Name, ast.Load, ast.Tuple)


def is_number(node):
    """Whether an expression is numbers and names, and has a number in it."""
    parts = list(ast.walk(node)) if node is not None else []
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    plain = all(isinstance(part, NUMBERS) for part in parts)
    return plain and bool(values) and all(type(each) in (int, float) for each in values)


def numbers(text):
    """Yield the public numbers of a module: names, and what is said of them in code and words.

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
        said = " ".join(lines[node.lineno - 1 : node.end_lineno])
        match after:
            case ast.Expr(ast.Constant(str(words))):
                said += f" {words}"
                joined = f"{joined} {words}" if words.startswith("…") else words
        if not names.lstrip("(").startswith("_"):
            yield names, said + (joined if "…" in said else "")


def unfounded(text):
    """Yield the numbers of a module that lack a unit or a source."""
    of_all = [each[0] for each in OF_ALL.finditer(ast.get_docstring(ast.parse(text)) or "")]
    for names, said in numbers(text):
        told = " ".join(" ".join((said, *of_all)).split())
        if not UNIT.search(told) and not KIND.search(told):
            yield f"{names} has no unit"
        if not SOURCE.search(told):
            yield f"{names} has no source: say it here or in the module's docstring, or 'chosen'"


@pytest.mark.parametrize("package", SHIPPED)
def test_every_number_has_a_unit_and_a_source_or_is_chosen(package):
    texts = {path: text for path, text in modules([package]).items() if "/tests/" not in path}
    assert any([*numbers(text)] for text in texts.values())
    found = [f"{path}: {fault}" for path, text in texts.items() for fault in unfounded(text)]
    assert found == []


def test_numbers_without_unit_or_source_are_found():
    assert [*unfounded('LONG = 3\n"""As the sheet has it."""\n')] == ["LONG has no unit"]
    assert not [*unfounded('LONG = 0x3\n"""As the sheet has it."""\n')]
    (fault,) = unfounded('PAUSE_S = 3\n"""Between two looks."""\n')
    assert fault.startswith("PAUSE_S has no source")
    assert [*unfounded('A_S = 3\n"""From here …"""\nB_S = 4\n"""… to there; chosen."""\n')]
    assert not [*unfounded('"""All numbers are chosen."""\nA_S, B_S = 3, 2 * 4\n_OWN = 3\n')]
    assert not [*unfounded('"""The numbers are rows; see PROTOCOL.md, which is law."""\nLOW = 3\n')]
