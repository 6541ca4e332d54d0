"""A test bench for programs of a Raspberry Pi: virtual time, an I2C bus, pins, strict parts.

May import: nothing of ours; its modules import each other relatively.
Begin with ``board.board``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .board.board import Board
    from .board.plan import PlanError
    from .parts import Offence, PartModel
    from .parts.registers import Field, Register, RegisterPart
    from .testing.bench import Bench

__version__ = "0.1.0"
__all__ = [
    "Bench", "Board", "Field", "Offence", "PartModel", "PlanError", "Register", "RegisterPart",
]  # fmt: skip

_HOMES = {
    "Bench": ".testing.bench",
    "Board": ".board.board",
    "Field": ".parts.registers",
    "Offence": ".parts",
    "PartModel": ".parts",
    "PlanError": ".board.plan",
    "Register": ".parts.registers",
    "RegisterPart": ".parts.registers",
}

if not TYPE_CHECKING:  # who checks types is to know no other names

    def __getattr__(name: str) -> Any:
        """Load one of the names above when somebody asks for it."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name], __name__), name)
