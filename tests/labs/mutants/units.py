"""The possible changes of Python code, one small fault at a time.

Docstrings, types, texts for people and decorators stay. The kind of an exception stays too, but not
the raising of it. Outside of functions only numbers change.
"""

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple


class Unit(NamedTuple):
    """A simple statement, a condition, or another expression that a statement is made of.

    ``kind`` tells what the text is of: "", "if", "x =" ...; a statement stands for itself.
    """

    file: str
    function: str
    line: int
    start: int
    end: int
    kind: str
    text: str
    changes: tuple[tuple[str, str], ...]


OPERATORS = {
    "compare": "Eq NotEq, NotEq Eq, Is IsNot, IsNot Is, In NotIn, NotIn In, "
    "Lt GtE, LtE Gt, Gt LtE, GtE Lt",
    "boundary": "Lt LtE, LtE Lt, Gt GtE, GtE Gt",
    "arithmetic": "Add Sub, Sub Add, Mult FloorDiv, Div Mult, FloorDiv Mult, Mod FloorDiv, "
    "LShift RShift, RShift LShift, BitOr BitAnd, BitAnd BitOr, BitXor BitAnd",
    "logic": "And Or, Or And",
}
SWAPS = [
    (operator, *(getattr(ast, name) for name in pair.split()))
    for operator, pairs in OPERATORS.items()
    for pair in pairs.split(",")
]
"""What is done, to which operator of Python's, and which takes its place."""
PAIRS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SMALL = 100
"""From here on one more or less is hardly another number: it is doubled and halved."""
TOLD = {"print", "logging", "logger", "_log"}
"""Calls of these, or of what is theirs, tell people something."""
FOR_PEOPLE = {"__repr__", "__str__"}
PROMISES = {"overload", "abstractmethod"}


def name_of(node: ast.AST) -> str:
    """The last name of what is called or derived from; "" if it has none."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_type(node: ast.AST) -> bool:
    name = name_of(node)
    return (name[:1].isupper() and not name.isupper()) or getattr(node, "value", node) is None


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str)


def is_left_alone(node: ast.AST) -> bool:
    """Whether nothing below can be mutated: texts, and what says types."""
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        is_union = isinstance(node.op, ast.BitOr) and any(map(is_type, sides))
        return is_union or any(map(is_text, sides))
    return isinstance(node, ast.JoinedStr)


def places(node: ast.AST) -> Iterator[tuple[ast.AST, str, ast.AST, Callable[[ast.AST], None]]]:
    """Every node below: its holder, the field, the node, and what puts another in its place."""
    if is_left_alone(node):
        return
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            yield node, field, value, partial(setattr, node, field)
            yield from places(value)
        elif isinstance(value, list):
            for place, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield node, field, item, partial(value.__setitem__, place)
                    yield from places(item)


def numbers_beside(value: object) -> tuple[object, ...]:
    if isinstance(value, bool):
        return (not value,)
    if not isinstance(value, int | float):
        return ()
    if isinstance(value, float):
        return (value * 2, value / 2) if value else (1.0,)
    return (value + 1, value - 1) if abs(value) < SMALL else (value * 2, value // 2)


def instead(holder: ast.AST, field: str, node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Return the possible replacements of ``node``."""
    yield from ((operator, swapped()) for operator, kind, swapped in SWAPS if kind is type(node))
    if isinstance(node, ast.Constant):
        for value in numbers_beside(node.value):
            yield "constant", ast.Constant(value)
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.Not):
            yield "not", node.operand
        elif isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            yield "arithmetic", node.operand
    if isinstance(holder, ast.Call) and field == "func" and isinstance(node, ast.Name):
        if node.id in PAIRS:
            yield "pair", ast.Name(PAIRS[node.id])
    elif isinstance(holder, ast.IfExp) and field == "test":
        yield "condition", ast.Constant(True)
        yield "condition", ast.Constant(False)
    elif isinstance(holder, ast.comprehension) and field == "ifs":
        yield "condition", ast.Constant(True)


def changes_below(root: ast.AST, top: ast.AST, only: set[str] | None) -> Iterator[tuple[str, str]]:
    """Change one node at a time; ``root`` holds ``top``, whose text is told."""
    for holder, field, node, put in list(places(root)):
        for operator, other in instead(holder, field, node):
            if only is None or operator in only:
                put(other)
                yield operator, ast.unparse(top)
                put(node)


def is_truth(node: ast.AST) -> bool:
    """Whether an expression is a bool by its form, and not a negated one."""
    if isinstance(node, ast.BoolOp):
        return all(map(is_truth, node.values))
    return isinstance(node, ast.Compare) or name_of(node).startswith("is_")


def changes_of_statement(node: ast.stmt, function: str) -> Iterator[tuple[str, str]]:
    """Return the other changes of a whole statement."""
    if isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield "return", "return None"
        if is_truth(node.value):
            yield "return", f"return not ({ast.unparse(node.value)})"
    elif isinstance(node, ast.Expr):
        called = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(called, ast.Call | ast.Yield) and name_of(called) != "__init__":
            yield "drop", "pass"
    elif isinstance(node, ast.Assign | ast.AugAssign) and not function.endswith("__init__"):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets):
            yield "drop", "pass"
    elif isinstance(node, ast.Raise):
        yield "drop", "pass"


def is_telling(node: ast.stmt) -> bool:
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return False
    called = node.value.func
    while isinstance(called, ast.Attribute):
        called = called.value
    return isinstance(called, ast.Name) and called.id in TOLD


class Units(ast.NodeVisitor):
    """The units of a file, in order."""

    def __init__(self, file: str, source: bytes) -> None:
        self.units: list[Unit] = []
        self._file = file
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._scope: list[str] = []
        self._in_function = False
        self.visit(ast.parse(source))

    def _add(self, node: Any, kind: str, text: str, changes: Iterator[tuple[str, str]]) -> None:
        different: dict[str, str] = {}
        for operator, mutated in changes:
            if mutated != text:
                different.setdefault(mutated, operator)
        start, end = (
            self._lines[line - 1] + column
            for line, column in (
                (node.lineno, node.col_offset),
                (node.end_lineno, node.end_col_offset),
            )
        )
        changed = tuple((operator, mutated) for mutated, operator in different.items())
        function = ".".join(self._scope)
        self.units.append(Unit(self._file, function, node.lineno, start, end, kind, text, changed))

    def _expression(self, node: ast.expr, kind: str, decides: tuple[bool, ...] = ()) -> None:
        """An expression; ``decides`` are the ways it could be decided for good."""

        def changes() -> Iterator[tuple[str, str]]:
            whole = ast.Expression(node)
            only = None if self._in_function else {"constant"}
            for operator, mutated in changes_below(whole, whole, only):
                yield operator, f"({mutated})"
            if not isinstance(node, ast.Constant):
                for value in decides:
                    yield "condition", f"({value})"

        self._add(node, kind, ast.unparse(node), changes())

    def _statement(self, node: ast.stmt) -> None:
        def changes() -> Iterator[tuple[str, str]]:
            yield from changes_below(node, node, None if self._in_function else {"constant"})
            if self._in_function:
                yield from changes_of_statement(node, self._scope[-1])

        if not is_telling(node):
            self._add(node, "", ast.unparse(node), changes())

    @contextmanager
    def _inside(self, name: str, *, is_function: bool) -> Iterator[None]:
        outside, self._in_function = self._in_function, is_function
        self._scope.append(name)
        yield
        self._scope.pop()
        self._in_function = outside

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name in FOR_PEOPLE or PROMISES & set(map(name_of, node.decorator_list)):
            return
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults = list(zip(reversed(positional), reversed(arguments.defaults)))[::-1]
        with self._inside(node.name, is_function=True):
            for argument, default in (*defaults, *zip(arguments.kwonlyargs, arguments.kw_defaults)):
                if default is not None:
                    self._expression(default, f"{argument.arg} =")
            self._block(node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if "Protocol" not in map(name_of, node.bases):
            with self._inside(node.name, is_function=False):
                self._block(node.body)

    def visit_If(self, node: ast.If) -> None:
        if name_of(node.test) != "TYPE_CHECKING":
            self._expression(node.test, "if", (True, False))
            self._block(node.body + node.orelse)

    def visit_While(self, node: ast.While) -> None:
        self._expression(node.test, "while", (False,))
        self._block(node.body + node.orelse)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self._expression(node.iter, "for")
        self._block(node.body + node.orelse)

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self._expression(item.context_expr, "with")
        self._block(node.body)

    visit_AsyncWith = visit_With  # noqa: N815

    def visit_Match(self, node: ast.Match) -> None:
        self._expression(node.subject, "match")
        for case in node.cases:
            if case.guard is not None:
                self._expression(case.guard, "case", (True, False))
            self._block(case.body)

    def visit_Raise(self, node: ast.Raise) -> None:
        text = f"raise {name_of(node.exc) if node.exc else ''}".strip()
        self._add(node, "", text, changes_of_statement(node, ""))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and "TypeAlias" not in ast.unparse(node.annotation):
            self._expression(node.value, f"{ast.unparse(node.target)} =")

    def visit_Return(self, node: ast.stmt) -> None:
        self._statement(node)

    visit_Assign = visit_AugAssign = visit_Delete = visit_Return  # noqa: N815

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._statement(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Is for the type checker."""

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.visit(statement)


def units_of(file: str, source: bytes) -> list[Unit]:
    return Units(file, source).units
