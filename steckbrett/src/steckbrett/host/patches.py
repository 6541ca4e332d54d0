"""Put functions in the place of others, everywhere, and back.

A program may have bound ``sleep`` by ``from time import sleep``. `Patches` looks for the originals
in each module that is loaded, by their identity. A type written in C stays: extensions, registries
and pickles keep it. Its methods change within it.
"""

import ctypes
import gc
import sys
from collections.abc import Callable, Mapping
from functools import partial
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

OWN = __name__.rpartition(".")[0].rpartition(".")[0]
"""The package of the bench, under whatever name it is installed."""
LEFT_ALONE = (
    OWN, "_pytest", "pytest", "pluggy", "xdist", "execnet", "pytest_timeout", "hypothesis",
    "slipcover", "coverage", "subprocess",
)  # fmt: skip
"""Modules that measure and wait in real time, whatever the program does."""

_MISSING = object()


class Patches:
    """A list of what was replaced; ``undo`` puts all of it back."""

    def __init__(self) -> None:
        self._done: list[tuple[Any, str, object]] = []
        self._swapped: dict[int, tuple[object, object]] = {}
        self._then: list[Callable[[], object]] = []

    def put(self, owner: Any, name: str, value: object) -> None:
        """Let ``owner`` have ``value`` as ``name``, in place of what it had, if anything."""
        self._done.append((owner, name, vars(owner).get(name, _MISSING)))
        setattr(owner, name, value)

    def swap(self, owner: ModuleType, replacements: Mapping[str, Callable[..., object]]) -> None:
        """Replace functions of a module, there and wherever else they are bound by `rebind`."""
        for name, value in replacements.items():
            original = getattr(owner, name, None)
            if original is None:
                continue
            if isinstance(original, BuiltinFunctionType) and isinstance(value, FunctionType):
                # A class may keep it, as logging.Formatter does with localtime: no method there.
                value = staticmethod(value)
            self._swapped[id(original)] = (original, value)
            self.put(owner, name, value)

    def put_in_type(self, kind: type, name: str, value: object) -> None:
        """Let a type written in C have ``value`` as its attribute ``name``."""
        before = vars(kind).get(name, _MISSING)
        _set_in(kind, name, value)
        self.at_undo(partial(_set_in, kind, name, before))

    def at_undo(self, call: Callable[[], object]) -> None:
        """Let ``undo`` do ``call``, too."""
        self._then.append(call)

    def rebind(self) -> None:
        """Replace what was swapped in every module that has bound it under any name."""
        _rebind({key: value for key, (_, value) in self._swapped.items()})

    def undo(self) -> None:
        """Put everything back, in modules that were loaded since, too."""
        _rebind({id(value): original for original, value in self._swapped.values()})
        while self._done:
            owner, name, before = self._done.pop()
            if before is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
        while self._then:
            self._then.pop()()


def _set_in(kind: type, name: str, value: object) -> None:
    """Set an attribute of a type that refuses ``setattr``: in the dictionary below its proxy."""
    space: Any = gc.get_referents(vars(kind))[0]
    if value is _MISSING:
        del space[name]
    else:
        space[name] = value
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _rebind(by_identity: Mapping[int, object]) -> None:
    # A copy is made at once; a list of items lets finalizers change the dictionary meanwhile.
    for name, module in sys.modules.copy().items():
        if not isinstance(module, ModuleType) or name.startswith(LEFT_ALONE):
            continue
        space = module.__dict__
        for key, value in space.copy().items():
            replacement = by_identity.get(id(value), _MISSING)
            if replacement is not _MISSING:
                space[key] = replacement
