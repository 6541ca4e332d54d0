"""A test bench for programs of a Raspberry Pi: virtual time, an I2C bus, pins, strict parts.

May import: nothing of ours; its modules import each other relatively.
Begin with ``board.board``.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Board": ".board.board",
    "Field": ".parts.registers",
    "Offence": ".parts.part",
    "PartModel": ".parts.part",
    "PlanError": ".board.plan",
    "Register": ".parts.registers",
    "RegisterPart": ".parts.registers",
}


def __getattr__(name: str) -> Any:
    """Load one of the names above when somebody asks for it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)
