"""Import modules from one file of bytecode: looks at folders are slow in a page.

The methods that `dataclasses` and `collections` write for each class are there as bytecode, too: to
compile them takes two fifths of all imports. Runs inside Pyodide, as a module at the top of
``app.zip``; so it imports nothing of ours.
"""

import collections
import dataclasses
import gc
import inspect
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from marshal import loads
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

NAME = "modules.bin"
"""The file in the folder of the app: marshal's dict of (path below that folder, bytecode), and its
dict of the bytecode of methods by the digest of their source."""


class PackedLoader(SourcelessFileLoader):
    """Loads one module, whose data lie beside the file that it would have been."""

    def __init__(self, name: str, path: str, packed: bytes) -> None:
        super().__init__(name, path)
        self._packed = packed

    def get_code(self, _fullname: str) -> CodeType:
        """Return the module's code."""
        code: CodeType = loads(self._packed)
        return code


class PackedFinder:
    """Finds the modules of the file; each is given away once, so that its bytes are freed."""

    def __init__(self, folder: str, packed: dict[str, tuple[str, bytes]]) -> None:
        self._folder = folder
        self._packed = packed

    def find_spec(
        self, name: str, _path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        """Return where a module comes from; None if it is not in the file."""
        if (found := self._packed.pop(name, None)) is None:
            return None
        path = f"{self._folder}/{found[0]}"
        is_package = path.endswith("/__init__.pyc")
        spec = ModuleSpec(name, PackedLoader(name, path, found[1]), is_package=is_package)
        spec.origin, spec.has_location = path, True
        if is_package:
            spec.submodule_search_locations = [path.removesuffix("/__init__.pyc")]
        return spec


def digest(source: str) -> bytes:
    """Return the key of methods of this source."""
    return sha256(source.encode()).digest()


def replace_compiler(compiled: Callable[[str, str], CodeType | str]) -> None:
    """Make methods of what ``compiled`` returns for a source and the mode of `compile`."""

    def execute(source: str, *scopes: dict[str, Any]) -> None:
        exec(compiled(source, "exec"), *scopes)

    def evaluate(source: str, *scopes: dict[str, Any]) -> object:
        return eval(compiled(source, "eval"), *scopes)

    vars(dataclasses)["exec"] = execute
    vars(collections)["eval"] = evaluate


def entered(folder: str, name: str) -> ModuleType:
    """Return a module, imported as all are from now on: from the file in this folder.

    Modules stay for good: nothing looks for garbage in them, now or later.
    """
    packed, methods = loads(Path(folder, NAME).read_bytes())

    def compiled(source: str, _mode: str) -> CodeType | str:
        found = methods.get(digest(source))
        code: CodeType | str = loads(found) if found else source
        return code

    replace_compiler(compiled)
    bare = {"unwrap": inspect.unwrap, "signature": lambda *_, **__: ""}
    vars(dataclasses)["inspect"] = SimpleNamespace(**bare)  # no page reads the docs of a class
    sys.meta_path.insert(0, PackedFinder(folder, packed))
    gc.disable()
    module = import_module(name)
    gc.freeze()
    gc.enable()
    return module
