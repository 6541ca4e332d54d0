"""Pack all Python that a page loads: compiled, without what is never imported there.

Runs inside Pyodide, so that the bytecode is that of the page; `pack.mjs` calls `main`.
"""

import ast
import importlib
import sys
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, resolve_name
from marshal import dumps
from pathlib import Path
from types import CodeType
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from steckbrett.parts.catalogue import KINDS

from drivers.light_sensor import LIGHT_SENSORS
from drivers.panel import PANEL
from hw_sim.live.site.packed_modules import NAME, digest, replace_compiler

ENTRIES = (
    *("hw_sim.live.page.page_table", "hw_sim.live.page.phone_page", "hw_sim.live.page.evening"),
    "hw_sim.table.headless",
    PANEL.driver.partition(":")[0],
    *(part.driver.partition(":")[0] for part in LIGHT_SENSORS.values()),
    *(f"steckbrett.parts{KINDS[kind].partition(':')[0]}" for kind in (PANEL.kind, *LIGHT_SENSORS)),
)
OWN = dict.fromkeys(("game", "drivers", "firmware", "hw_sim"), "") | {
    "steckbrett": "steckbrett/src"
}
"""Own packages, and the folder that each lies in, below the project's."""
ABSENT = frozenset(("PIL", "aiohttp", "amqtt", "bumble", "cryptography", "lgpio", "paho"))
"""Packages that no page has; a module that cannot be imported without one is left out."""
LATE = (
    *("_colorize", "_strptime", "concurrent.futures.thread", "sqlite3.dump"),
    *("encodings.ascii", "encodings.cp437", "encodings.idna", "encodings.latin_1"),
    *("importlib.readers", "importlib.resources._adapters", "importlib.resources._itertools"),
    *("importlib.resources.readers", "importlib.resources.simple", "importlib.simple"),
    *("pyodide.http", "pyodide.webloop", "segno", "tokenize", "traceback", "vcd", "zipfile"),
)
"""Modules of the library and of packages that are imported where nothing here sees it."""
DATA = (".bdf", ".bin", ".json", ".toml")
LARGE_TABLES = (
    *("class-8.bin", "holy-family-4.bin"),
    *(f"maxen-{players}.bin" for players in range(4, 9)),
)
"""Tables that no page has; `game.strategy.standings.is_here` tells so."""
LEFT_OUT_DATA = (*LARGE_TABLES, "package.json", "package-lock.json")
NO_LINE = b"\xff"
"""An entry of a table of lines for eight instructions that have none (PEP 626)."""
LIBRARY = "/lib/python314.zip/"
DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file, so that equal files make equal archives; chosen, the earliest of the ZIP
format."""


def wanted(sources: Path) -> list[str]:
    """Import all own modules that the entries reach, however late; return their names."""
    found: dict[str, bool] = {}
    waiting = list(ENTRIES)
    while waiting:
        name = waiting.pop()
        if name in found or (path := source_of(name, sources)) is None:
            continue
        found[name] = True
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for node in run_nodes(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                waiting += [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = resolve_name("." * node.level + (node.module or ""), package)
                waiting += [base, *(f"{base}.{each.name}" for each in node.names)]
        waiting += [".".join(name.split(".")[:end]) for end in range(1, name.count(".") + 1)]
    loaded = []
    for name in sorted(found):
        try:
            importlib.import_module(name)
            loaded.append(name)
        except ImportError as error:
            if (error.name or "").split(".")[0] not in ABSENT:
                raise
    return loaded


def run_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module, without those for checkers of types alone."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        match child:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                for each in child.orelse:
                    yield from run_nodes(each)
            case _:
                yield from run_nodes(child)


def source_of(name: str, sources: Path) -> Path | None:
    """Return the file of an own module; None for any other name."""
    top = name.split(".")[0]
    if top not in OWN:
        return None
    path = sources.joinpath(OWN[top], *name.split("."))
    for each in (path / "__init__.py", path.with_suffix(".py")):
        if each.is_file():
            return each
    return None


def compiled(source: str, name: str, mode: str = "exec") -> bytes:
    """Return the bytecode of a source."""
    return dumps(bare(compile(source, name, mode, dont_inherit=True, optimize=2)))


def bare(code: CodeType) -> CodeType:
    """Return the code without its line numbers, a fifth of it; a traceback names functions."""
    parts = tuple(bare(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    units, rest = divmod(len(code.co_code) // 2, 8)  # of eight instructions without a line
    table = NO_LINE * units + (bytes((NO_LINE[0] - 8 + rest,)) if rest else b"")
    return code.replace(co_linetable=table, co_consts=parts)


def write(path: Path, files: dict[str, bytes]) -> None:
    """Write an archive that is the same whenever it is made; hosts compress it as a whole."""
    with ZipFile(path, "w", ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(ZipInfo(name, DATE), files[name])


def own_files(sources: Path) -> tuple[dict[str, tuple[str, bytes]], dict[str, bytes]]:
    """Return the project's modules by name, as `NAME` has them, and data files by path."""
    modules, files = {}, {}
    for name in wanted(sources):
        path = source_of(name, sources)
        assert path is not None, name
        base = sources / OWN[name.split(".")[0]]
        modules[name] = packed_module(path.relative_to(base), path.read_text("utf-8"))
        if path.name == "__init__.py":
            for data in path.parent.rglob("*"):
                if data.suffix in DATA and package_of(data) == path.parent:
                    files[str(data.relative_to(base))] = data.read_bytes()
    kept = {name: body for name, body in files.items() if Path(name).name not in LEFT_OUT_DATA}
    return modules, kept


def packed_module(place: Path, source: str) -> tuple[str, bytes]:
    """Return a module as `NAME` has it; ``place`` is its source below the folder of the app."""
    return str(place.with_suffix(".pyc")), compiled(source, str(place))


def package_of(path: Path) -> Path:
    """Return the folder of the innermost package around a file."""
    return next(each for each in path.parents if (each / "__init__.py").exists())


def main(sources: str, packages: str, packed: str) -> None:
    """Write ``app.zip`` and ``library.zip``.

    Args:
        sources: the folder of this project.
        packages: a folder of unpacked wheels.
        packed: the folder of the two archives.
    """
    methods: dict[bytes, bytes] = {}

    def keep(source: str, mode: str) -> str:
        methods[digest(source)] = compiled(source, "<string>", mode)
        return source

    replace_compiler(keep)
    modules, app = own_files(Path(sources))
    app["packed_modules.py"] = Path(sources, "hw_sim/live/site/packed_modules.py").read_bytes()
    for name in LATE:
        importlib.import_module(name)
    library = {}
    for module in list(sys.modules.values()):
        spec: Any = getattr(module, "__spec__", None)
        origin = getattr(spec, "origin", None) or ""
        if origin.startswith(LIBRARY):
            place = origin.removeprefix(LIBRARY)
            source = spec.loader.get_source(spec.name)
            head = MAGIC_NUMBER + bytes(12)  # of a file that needs no source (PEP 3147)
            library[str(Path(place).with_suffix(".pyc"))] = head + compiled(source, place)
        elif origin.startswith(packages):
            path = Path(origin)
            place = path.relative_to(packages)
            if path.suffix == ".py":
                modules[spec.name] = packed_module(place, path.read_text("utf-8"))
            else:
                app[str(place)] = b""  # a page looks whether it is there
                Path(packed, "extension.wasm").write_bytes(path.read_bytes())
    app[NAME] = dumps((modules, methods))
    write(Path(packed, "app.zip"), app)
    write(Path(packed, "library.zip"), library)
