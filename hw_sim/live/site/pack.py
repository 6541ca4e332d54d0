"""Pack all Python that a page loads: compiled, without what is never imported there.

Runs inside Pyodide, so that the bytecode is that of the page. Called with folders ``SOURCES`` (this
project), ``PACKAGES`` (unpacked wheels) and ``PACKED`` (where the two archives are put).
"""

import ast
import importlib
import sys
from importlib.util import MAGIC_NUMBER
from marshal import dumps
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

ENTRIES = ("hw_sim.live.page.page_table", "hw_sim.table.headless", "hw_sim.live.page.dropped")
OWN = ("game", "drivers", "firmware", "hw_sim")
ABSENT = frozenset(
    ("PIL", "aiohttp", "amqtt", "bumble", "cryptography", "lgpio", "openskill", "paho", "pyspiel")
    + ("RPi", "segno", "shtab", "argparse_manpage", "ssl", "gymnasium", "numpy", "pettingzoo")
)
"""Packages that no page has; a module that cannot be imported without one is left out."""
LATE = (
    *("encodings.idna", "encodings.latin_1", "encodings.ascii", "encodings.cp437", "_strptime"),
    *("traceback", "tokenize", "pyodide.webloop", "pyodide.http", "importlib.resources.readers"),
    *("json.tool", "zipfile", "concurrent.futures.thread", "_colorize", "sqlite3.dump"),
)
"""Modules of the library that are imported where nothing here sees it."""
DATA = (".bdf", ".bin", ".json", ".toml")
LEFT_OUT_DATA = ("class-8.bin", "package.json", "package-lock.json")
LIBRARY = "/lib/python314.zip/"
DATE = (1980, 1, 1, 0, 0, 0)


def wanted() -> list[str]:
    """Import all own modules that the entries reach, however late; return their names."""
    found: dict[str, bool] = {}
    waiting = list(ENTRIES)
    while waiting:
        name = waiting.pop()
        if name in found or (path := source_of(name)) is None:
            continue
        found[name] = True
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                waiting += [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = node.module or ""
                if node.level:
                    base = ".".join(package.split(".")[: 1 - node.level or None] + [base])
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
            print(f"left out: {name}, for want of {error.name}")
    return loaded


def source_of(name: str) -> Path | None:
    """Return the file of an own module; None for any other name."""
    if name.split(".")[0] not in OWN:
        return None
    path = Path(SOURCES, *name.split("."))
    for each in (path / "__init__.py", path.with_suffix(".py")):
        if each.is_file():
            return each
    return None


def compiled(source: str, name: str) -> bytes:
    """Return the bytecode of a source as a file that needs no source (PEP 3147)."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return MAGIC_NUMBER + bytes(12) + dumps(code)


def write(name: str, files: dict[str, bytes]) -> None:
    """Write an archive that is the same whenever it is made; hosts compress it as a whole."""
    with ZipFile(Path(PACKED, name), "w", ZIP_STORED) as archive:
        for path in sorted(files):
            archive.writestr(ZipInfo(path, DATE), files[path])


def main() -> None:
    """Write ``library.zip`` and ``app.zip``."""
    own = wanted()
    for name in LATE:
        importlib.import_module(name)
    app, library = {}, {}
    for name in own:
        path = source_of(name)
        place = path.relative_to(SOURCES)
        app[str(place.with_suffix(".pyc"))] = compiled(path.read_text(encoding="utf-8"), str(place))
        for data in path.parent.rglob("*") if path.name == "__init__.py" else ():
            is_own = not any((one / "__init__.py").exists() for one in inner(data, path.parent))
            if data.suffix in DATA and data.name not in LEFT_OUT_DATA and is_own:
                app[str(data.relative_to(SOURCES))] = data.read_bytes()
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        origin = getattr(spec, "origin", None) or ""
        if origin.startswith(LIBRARY):
            place = origin.removeprefix(LIBRARY)
            source = spec.loader.get_source(spec.name)
            library[str(Path(place).with_suffix(".pyc"))] = compiled(source, place)
        elif origin.startswith(PACKAGES):
            path = Path(origin)
            place = path.relative_to(PACKAGES)
            if path.suffix == ".py":
                source = path.read_text(encoding="utf-8")
                app[str(place.with_suffix(".pyc"))] = compiled(source, str(place))
            else:
                app[str(place)] = path.read_bytes()
    write("app.zip", app)
    write("library.zip", library)
    print(f"packed {len(app)} files of the project and its packages, {len(library)} of the library")


def inner(path: Path, top: Path) -> list[Path]:
    """Return the folders between a file and a folder above it."""
    return [each for each in path.parents if each != top and top in each.parents]


main()
