"""The small faults that can be put into Python code, one at a time, and a sample of them.

Docstrings, types, texts for people and decorators stay. The kind of an exception stays too, but not
the raising of it. Outside of functions only numbers change.
"""

import ast
import difflib
import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.labs.mutants.areas import AREAS, ROOT

SWAPS = {
    "compare": "Eq NotEq, NotEq Eq, Is IsNot, IsNot Is, In NotIn, NotIn In, "
    "Lt GtE, LtE Gt, Gt LtE, GtE Lt",
    "boundary": "Lt LtE, LtE Lt, Gt GtE, GtE Gt",
    "arithmetic": "Add Sub, Sub Add, Mult FloorDiv, Div Mult, FloorDiv Mult, Mod FloorDiv, "
    "LShift RShift, RShift LShift, BitOr BitAnd, BitAnd BitOr, BitXor BitAnd",
    "logic": "And Or, Or And",
}
"""By operator of mutation: which operator of Python takes the place of which."""
PAIRS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SMALL = 100
"""From here on one more or less is hardly another number: it is doubled and halved."""
FOR_PEOPLE = {"print", "logging", "logger", "_log"}
"""Calls of these, or of what belongs to them, print something."""
LEFT_ALONE = {"__repr__", "__str__", "overload", "abstractmethod", "Protocol", "TYPE_CHECKING"}
"""Functions, decorators, bases and conditions below which nothing changes."""


class Fault(NamedTuple):
    """One change: in the lines and columns of ``node``, ``mutated`` takes the place of ``text``.

    A fault is known by ``id``, which depends on its area, the name of its function without its
    class, the texts, and how many equal ones come before it there: code that moves to another file
    or class keeps its faults.
    """

    id: str
    area: str
    file: str
    function: str
    line: int
    operator: str
    text: str
    mutated: str
    span: tuple[int, int]

    def into(self, source: bytes) -> bytes:
        """The source of its file, with the fault in it."""
        return source[: self.span[0]] + self.mutated.encode() + source[self.span[1] :]

    def difference(self, source: bytes) -> list[str]:
        """Return the change line by line."""
        old, new = (text.decode().splitlines() for text in (source, self.into(source)))
        lines = list(difflib.unified_diff(old, new, lineterm="", n=0))[3:]
        return [f"{line[0]} {line[1:].strip()}" for line in lines]


def sample(area: str) -> list[Fault]:
    """The faults of an area with the least ids, as many as its share."""
    files: list[Path] = []
    for name in AREAS[area].sources:
        files += sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]
    seen: Counter[tuple[str, ...]] = Counter()
    faults = [fault for file in files for fault in _faults(area, file, seen)]
    return sorted(faults)[: AREAS[area].share]


def _faults(area: str, file: Path, seen: Counter[tuple[str, ...]]) -> Iterator[Fault]:
    source = file.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    path = file.relative_to(ROOT).as_posix()
    for node, function, operator, mutated in _changes(ast.parse(source), ""):
        text = ast.unparse(node)
        if mutated.strip("()") == text:
            continue
        key = function.lstrip("_"), text, mutated
        seen[key] += 1
        known = hashlib.sha256("\0".join((area, *key, str(seen[key]))).encode()).hexdigest()
        start, end = (
            starts[line - 1] + column
            for line, column in (
                (node.lineno, node.col_offset),
                (node.end_lineno or 0, node.end_col_offset or 0),
            )
        )
        yield Fault(
            known[:8], area, path, function, node.lineno, operator, text, mutated, (start, end)
        )


Change = tuple[ast.expr | ast.stmt, str, str, str]
"""A node, the function that it stands in ("" for none), the operator, and the text instead."""


def _changes(node: ast.AST, function: str) -> Iterator[Change]:
    """Every change of a node and below it, from the top down."""
    if _is_left_alone(node):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        function = node.name
    if isinstance(node, ast.expr):
        for operator, other in _expressions(node, inside=bool(function)):
            yield node, function, operator, f"({ast.unparse(other)})"
    if isinstance(node, ast.stmt) and function:
        for operator, text in _statements(node, function):
            yield node, function, operator, text
    if function and isinstance(node, ast.If | ast.While | ast.IfExp):
        for value in (True, False)[isinstance(node, ast.While) :]:
            yield node.test, function, "condition", f"({value})"
    for field, below in ast.iter_fields(node):
        if field not in ("decorator_list", "annotation", "returns", "bases"):
            for each in below if isinstance(below, list) else [below]:
                if isinstance(each, ast.AST):
                    yield from _changes(each, function)


def _expressions(node: ast.expr, *, inside: bool) -> Iterator[tuple[str, ast.expr]]:
    """What may stand in place of an expression; outside of functions another number alone."""
    if isinstance(node, ast.Constant):
        yield from (("constant", ast.Constant(value)) for value in _numbers_beside(node.value))
    if not inside:
        return
    for operator, swaps in SWAPS.items():
        for one, other in (swap.split() for swap in swaps.split(",")):
            old, new = getattr(ast, one), getattr(ast, other)()
            match node:
                case ast.Compare(left, [kind], right) if type(kind) is old:
                    yield operator, ast.Compare(left, [new], right)
                case ast.BinOp(left, kind, right) if type(kind) is old:
                    yield operator, ast.BinOp(left, new, right)
                case ast.BoolOp(kind, values) if type(kind) is old:
                    yield operator, ast.BoolOp(new, values)
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            yield "not", operand
        case ast.Call(ast.Name(name), args, keywords) if name in PAIRS:
            yield "pair", ast.Call(ast.Name(PAIRS[name]), args, keywords)


def _statements(node: ast.stmt, function: str) -> Iterator[tuple[str, str]]:
    """What may stand in place of a whole statement."""
    match node:
        case ast.Return(value) if value is not None and getattr(value, "value", value) is not None:
            yield "return", "return None"
        case ast.Raise():
            yield "drop", "pass"
        case ast.Expr(ast.Call() | ast.Await() | ast.Yield()):
            yield "drop", "pass"
        case ast.Assign(targets=targets) if function != "__init__":
            if all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets):
                yield "drop", "pass"


def _numbers_beside(value: object) -> tuple[object, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, float):
        return (value * 2, value / 2) if value else (1.0,)
    if isinstance(value, int):
        return (value + 1, value - 1) if abs(value) < SMALL else (value * 2, value // 2)
    return ()


def _is_left_alone(node: ast.AST) -> bool:
    """Whether nothing below may change: what is for people or for types, and assertions."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return bool({node.name, *map(_name_of, node.decorator_list)} & LEFT_ALONE)
        case ast.ClassDef():
            return bool(set(map(_name_of, node.bases)) & LEFT_ALONE)
        case ast.If():
            return _name_of(node.test) in LEFT_ALONE
        case ast.BinOp(left, ast.BitOr(), right):  # a union of types
            return any(_name_of(side)[:1].isupper() for side in (left, right))
        case ast.Expr(ast.Call(called)):
            while isinstance(called, ast.Attribute):
                called = called.value
            return _name_of(called) in FOR_PEOPLE
        case ast.Expr(ast.Constant()) | ast.JoinedStr() | ast.Assert() | ast.Raise(exc=None):
            return True
    return False


def _name_of(node: ast.AST) -> str:
    """The last name of what is called or derived from; "" if it has none."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
