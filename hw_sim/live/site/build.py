"""Build ``site/``: a table that runs in the browser, as files for any web server.

``python -m hw_sim.live.site.build`` wants Node and npm; ``make site`` has pip install them where
there are none. It reaches no other host than the indexes of npm and pip. Every package is checked
against the hash that stands beside this file. A site that was built from the same files is left as
it is.

The site carries the licences of all in it, and the pages' own texts as a script.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZipFile

from firmware.display.oled.font import known_letters
from firmware.display.text.language import LANGUAGES, book, name_of, say, section
from game.names import NAME_BYTES
from hw_sim.live.web.answers import games_json
from hw_sim.panel import panel, png


def texts_script() -> bytes:
    """Return ``texts.js``: every language's name, counts of the singular, and texts by name.

    Besides, it has the most bytes of a name, and the letters of the display.
    """
    languages = {
        language: {
            "name": name_of(language),
            "one": sorted(book(language).singular),
            "texts": section("page", language),
            "screen": section("screen", language),
            "values": section("value", language),
            "words": section("Words", language),
        }
        for language in LANGUAGES
    }
    letters = known_letters()
    return _exported(LANGUAGES=languages, NAME_BYTES=NAME_BYTES, DISPLAY_LETTERS=letters)


def _exported(**values: object) -> bytes:
    """Return a script that exports values by their names."""
    lines = (f"export const {name} = {_json(value)};\n" for name, value in values.items())
    return "".join(lines).encode()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


LICENCES: Final = re.compile(r"(LICEN[CS]E|COPYING)", re.IGNORECASE)
"""Begins the names of files with a licence."""


def notice(modules: Path, packages: Path) -> str:
    """Return the licences of all that the site carries along."""
    fonts = ROOT / "firmware" / "display" / "oled" / "fonts"
    told = [(HERE / "front" / "notice.txt").read_text("utf-8")]
    files = (ROOT / "LICENSE", fonts / "LICENSE.txt", HERE / "psf.txt")
    told += map(_licence, ("The program", "Its fonts", "The library of CPython"), files)
    locked = json.loads((HERE / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = {
        name.removeprefix("node_modules/"): each["version"]
        for name, each in locked.items()
        if name and not each.get("dev") and "@types/" not in name
    }
    homes = [modules / name for name in wanted] + sorted(packages.glob("*.dist-info"))
    for home in homes:
        name = home.name.removesuffix(".dist-info")
        if home.is_relative_to(modules):
            name = f"{home.relative_to(modules)} {wanted[str(home.relative_to(modules))]}"
        for path in sorted(home.rglob("*")):
            if path.is_file() and LICENCES.match(path.name):
                told.append(_licence(name, path))
    return "\n".join(told)


def _licence(name: str, path: Path) -> str:
    return f"{'-' * 80}\n{name}: {path.name}\n\n{path.read_text('utf-8')}"


HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STATIC = HERE.parent / "web" / "static"
FRONT = HERE / "front"
SOLID = ROOT / "hardware" / "made" / "handheld.glb"
"""The case with all that is in it, as `make kit` wrote it."""
WORK = ROOT / "build" / "site"
SITE = ROOT / "site"
PLATFORM = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14"),
    *("--implementation", "cp", "--abi", "cp314"),
)
"""Those of wheels for Pyodide 314."""
PAGES = {f"{name}.html": f"{name}.html" for name in ("bench", "evening", "judged", "screen")}
PAGES |= {"table.html": "index.html", "seat.html": "seat.html", "train.html": "train.html"}
"""The pages with a table, and their names in the site."""
WITHOUT_TABLE = ("tasks.html", "example.html", "trust.html", "kit.html")
"""Pages that have none."""
AT_TOP = ("worker.js", "own_worker.js", "python.js", "sw.js", "maexchen-handheld.js")
LATE = re.compile(
    r"(static/)?(kit|three|handheld|broker|screen\w*|friend|games|join|own_link|icon-512|NOTICE)\b"
)
"""Begins the names of files that no match at one place needs, such as those for guests."""
FOR_HOSTS = ("_headers", ".nojekyll")
"""Files that a host reads and may not send.

The first has the headers that a host should send, as some read them: a worker has no policy else.
"""
TYPES: Final = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".glb": "model/gltf-binary",
    ".zip": "application/zip",
}
"""Types of files that systems know under other names, or not at all."""


def type_of(name: str) -> str:
    """Return the media type of a file of the site."""
    known = TYPES.get(Path(name).suffix) or guess_type(name)[0]
    return known or "application/octet-stream"


_LARGE: Final = (
    *("pyodide.asm.wasm", "pyodide.asm.mjs", "extension.wasm", "app.zip", "library.zip"),
    *("noble.js", "NOTICE.txt", "handheld.glb", "static/three.js"),
)
PACKED = {name: type_of(name) for name in _LARGE}
"""Large files with their types. Each is also there as NAME.packed: many hosts compress nothing."""
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


# ---- pages that do not reach the table of their browser ------------------------------------------

BUNDLE: Final = ("--bundle", "--format=esm")
"""Arguments of esbuild: one module of several."""
APART: Final = tuple(
    f"--external:{name}" for name in ("./texts.js", "./games.js", "./brokers.js", "../broker.js")
)
"""Arguments of esbuild: modules that a script loads as they are."""
_TOLD: Final = ("game", "title", "sentence", "fewest_players", "most_players", "options")


class PageApart(NamedTuple):
    """A page with one script of its name; the module ``line`` takes the place of ``line.js`` in it.

    ``text`` returns the page without its head.
    """

    name: str
    line: str
    text: Callable[[], str]


def games_script() -> bytes:
    """Return ``games.js``: by language what a page tells of the games before it loads anything."""
    games = {
        language: [{name: game[name] for name in _TOLD} for game in games_json(language)]
        for language in LANGUAGES
    }
    agreed = {language: say("listing.HOUSE_RULES", language) for language in LANGUAGES}
    return _exported(GAMES=games, HOUSE_RULES=agreed)


def _friend_page() -> str:
    """Return the page of friends: that of a seat, and what comes before a match."""
    page = _static("seat.html")
    teach = '<button type="button" id="teach"'
    page = page.replace('class="seat-page"', 'class="seat-page friend-page"')
    page = page.replace("<main>\n", '<main>\n  <section id="friend" class="lobby"></section>\n')
    return page.replace(teach, f'<div id="friend-link"></div>\n      {teach}')


def _guest_page() -> str:
    """Return the page of a guest: the form at a door, and a seat's page to take its place."""
    seat = _static("seat.html").partition('<body class="seat-page">\n')[2]
    return f'{_static("join.html")}<template id="seat">{seat}</template>\n'


def _static(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


PAGES_APART: Final = (
    PageApart("friend", "friend_line.js", _friend_page),
    PageApart("join", "room_line.js", _guest_page),
)


POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; media-src blob:; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The policy of the pages of a site without brokers."""
PUBLIC = (
    "wss://broker.hivemq.com:8884/mqtt",
    "wss://broker.emqx.io:8084/mqtt",
    "wss://test.mosquitto.org:8081",
)
"""Public test brokers, which a site lists if its builder names none: they promise nothing.

Their operators document these addresses: hivemq.com/mqtt/public-mqtt-broker,
emqx.com/en/mqtt/public-mqtt5-broker and test.mosquitto.org.
"""
NO_BROKERS = "none"
BROKER = re.compile(r"wss?://[\w.:*\[\]-]+(/[\w./-]*)?")


class BuildError(Exception):
    """The site cannot be built: one line that says why and what to do."""


def policy(brokers: Sequence[str]) -> str:
    """Return what a page may load if it may speak to these brokers, such as ``wss://host:8884``.

    Raises:
        BuildError: one is no address of a WebSocket.
    """
    for each in brokers:
        if not BROKER.fullmatch(each):
            raise BuildError(f"BROKERS: {each!r}: write wss://host:port, with blanks in between")
    return POLICY.replace("connect-src 'self'", " ".join(("connect-src 'self'", *brokers)))


def listed() -> list[str]:
    """Return the addresses in ``BROKERS`` of the environment; a ``*`` is any host or port.

    They are those of `PUBLIC` if it is not set; there are none if it is empty or ``none``.
    """
    named = os.environ.get("BROKERS")
    if named is None:
        return list(PUBLIC)
    return [] if named.strip() == NO_BROKERS else named.split()


# ---- the build -----------------------------------------------------------------------------------


def build() -> None:
    """Build the site from what is pinned, unless it is; print how large it is, in a line.

    Raises:
        BuildError: a tool or an index is out of reach, a package is not what was pinned, or
            ``BROKERS`` of the environment lists no addresses of WebSockets.
    """
    _policy()
    WORK.mkdir(parents=True, exist_ok=True)
    with _alone():
        stamp, wanted = WORK / "built", _sources()
        if built_site() is None:
            stamp.unlink(missing_ok=True)
            _build()
            stamp.write_text(wanted, "utf-8")
        else:
            print("site/ is up to date")


def built_site() -> Path | None:
    """Return the folder of the site if it is built, of these very sources; else None."""
    stamp = WORK / "built"
    is_new = SITE.exists() and stamp.exists() and stamp.read_text("utf-8") == _sources()
    return SITE if is_new else None


def _policy() -> str:
    """Return the policy of this site: its builder lists the brokers."""
    return policy(listed())


@contextmanager
def _alone() -> Iterator[None]:
    """Wait for another build of the same folder to end."""
    import fcntl  # no other part of the program needs a system that has it

    with (WORK / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _sources() -> str:
    """Return the digest of all files that a site is built from."""
    digest = sha256(_policy().encode())
    for room in ("game", "drivers", "firmware", "hw_sim", "steckbrett/src"):
        for folder, _, names in sorted(os.walk(ROOT / room)):
            for path in (Path(folder, name) for name in sorted(names)):
                if path.suffix != ".pyc":
                    digest.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
                    digest.update(path.read_bytes())
    digest.update(SOLID.read_bytes())
    return digest.hexdigest()


def _build() -> None:
    npm, packages, packed = (WORK / name for name in ("npm", "packages", "packed"))
    fetch_npm(HERE, npm)
    _fetch_wheels(packages)
    shutil.rmtree(packed, ignore_errors=True)
    packed.mkdir(parents=True)
    for source in (ROOT / "firmware" / "table" / "crypto" / "noble.js", HERE / "broker.js"):
        _bundle(source, npm, packed)
    _run("node", HERE / "pack.mjs", npm, ROOT, packages, packed)
    _assemble(npm / "node_modules" / "pyodide", packed)
    for page in PAGES_APART:
        _bundle_apart(page, npm)
    _minify(npm)
    _bundle(HERE / "three.js", npm, SITE / "static")
    shutil.copy(SOLID, SITE)
    (SITE / "NOTICE.txt").write_text(notice(npm / "node_modules", packages), "utf-8")
    files, size = _release()
    print(f"site/ is built: a first visit loads {files} files, {size / 1e6:.2f} MB")


def fetch_npm(pinned: Path, folder: Path) -> None:
    """Install the packages of npm that a folder pins into another, unless they are there.

    Raises:
        BuildError: npm or its index is out of reach, or a package is not what was pinned.
    """
    lock = pinned / "package-lock.json"
    kept = folder / "package-lock.json"
    if kept.exists() and kept.read_bytes() == lock.read_bytes() and (folder / ".done").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(pinned / name, folder)
    npm = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    _run(*npm, cwd=folder, wants=f"the index of npm, and the packages of {lock.name}")
    (folder / ".done").touch()


def _fetch_wheels(folder: Path) -> None:
    """Unpack the wheels, unless they are there."""
    pinned = (HERE / "wheels.txt").read_text(encoding="utf-8")
    stamp = folder / ".pinned"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == pinned:
        return
    shutil.rmtree(folder, ignore_errors=True)
    wheels = folder / "wheels"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-qq", "download")
    checked = ("--require-hashes", "--no-deps", "--only-binary", ":all:", *PLATFORM)
    command = (*pip, *checked, "--requirement", HERE / "wheels.txt", "--dest", wheels)
    _run(*command, wants="the index of pip, and the packages of wheels.txt")
    for wheel in sorted(wheels.glob("*.whl")):
        with ZipFile(wheel) as archive:
            archive.extractall(folder)
    shutil.rmtree(wheels)
    stamp.write_text(pinned, encoding="utf-8")


def _assemble(pyodide: Path, packed: Path) -> None:
    """Put all files together: those of the pages, those of Python, the list of them all."""
    shutil.rmtree(SITE, ignore_errors=True)
    static = SITE / "static"
    static.mkdir(parents=True)
    for path in sorted(STATIC.iterdir()):
        if path.suffix != ".html":
            shutil.copy(path, static)
    apart = {name for page in PAGES_APART for name in (f"{page.name}.js", page.line)}
    for path in sorted(FRONT.iterdir()):
        if path.suffix in (".js", ".css") and path.name not in apart:
            shutil.copy(path, SITE if path.name in AT_TOP else static)
        elif path.suffix == ".webmanifest":
            shutil.copy(path, SITE)
    for name, made in scripts_made().items():
        (static / name).write_bytes(made)
    (static / "starting.png").write_bytes(starting_picture())
    for name in PYODIDE:
        shutil.copy(pyodide / name, SITE)
    for path in packed.iterdir():
        shutil.copy(path, SITE)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    bare = json.dumps({"info": lock["info"], "packages": {}})
    _fill(SITE / "python.js", {"%LOCK%": bare, "%PACKED%": json.dumps(PACKED)})
    for name, page in pages().items():
        (SITE / name).write_text(page, encoding="utf-8")
    app = json.loads((FRONT / "site.webmanifest").read_text("utf-8"))
    del app["start_url"]  # a phone that is put on a home screen comes back to the link that it has
    Path(SITE, "phone.webmanifest").write_text(_json(app), "utf-8")
    shutil.copy(FRONT / "_headers", SITE)
    _fill(SITE / "_headers", {"%POLICY%": _policy()})
    (SITE / ".nojekyll").touch()


def pages() -> dict[str, str]:
    """Return the text of each page by its name in the site."""
    head, waking = ((FRONT / name).read_text("utf-8") for name in ("head.html", "waking.html"))
    head = head.replace("%POLICY%", _policy())
    phone = head.replace("site.webmanifest", "phone.webmanifest")
    table = head.replace(_SCRIPT, f"{_SCRIPT.replace('%NAME%', 'site')}{_SCRIPT}")
    made = {there: _headed(table, name, _static(name) + waking) for name, there in PAGES.items()}
    for each in PAGES_APART:
        made[f"{each.name}.html"] = _headed(phone, each.name, each.text() + waking)
    for name in WITHOUT_TABLE:
        made[name] = _headed(head, name, (FRONT / name).read_text("utf-8"))
    return made


_SCRIPT: Final = '<script type="module" src="static/%NAME%.js"></script>\n'


def _headed(head: str, name: str, text: str) -> str:
    """Return a page with its head: the script of its name, and its first style."""
    stem = name.removesuffix(".html")
    style = stem if stem == "screen" else "style"
    return head.replace("%NAME%", stem).replace("%STYLE%", style) + text


def scripts_made() -> dict[str, bytes]:
    """Return by name the scripts of pages that no file has as they are sent."""
    names = ("site_wrongFile", "site_notLoaded")
    told = {each: [say(f"page.{name}", each) for name in names] for each in LANGUAGES}
    return {
        "texts.js": texts_script(),
        "games.js": games_script(),
        "brokers.js": _exported(BROKERS=listed()),
        "first.js": (FRONT / "first.js").read_bytes().replace(b"%TOLD%", _json(told).encode()),
    }


def _minify(npm: Path) -> None:
    """Take out of scripts and styles what only their readers need."""
    files = [path for path in (SITE / "static").iterdir() if path.suffix in (".js", ".css")]
    shape = ("--minify", "--charset=utf8", "--allow-overwrite")
    _esbuild(npm, *files, *shape, f"--outdir={SITE / 'static'}")


def _packed(path: Path) -> Path:
    """Return a file with what a file has, in gzip, as small as it gets; most are there already."""
    from zopfli import gzip  # only whoever builds has it

    body = path.read_bytes()
    packed = WORK / "gzip" / sha256(body).hexdigest()
    if not packed.exists():
        packed.parent.mkdir(exist_ok=True)
        half = packed.with_suffix(".half")
        half.write_bytes(gzip.compress(body, numiterations=1))
        half.rename(packed)
    return packed


def _esbuild(npm: Path, *arguments: str | Path) -> None:
    _run(npm / "node_modules" / ".bin" / "esbuild", *arguments, "--log-level=warning")


def _bundle(source: Path, npm: Path, folder: Path) -> None:
    """Write a module, and all that it imports of packages of npm, as one file of its name."""
    copy = npm / source.name
    shutil.copy(source, copy)
    _esbuild(npm, copy, *BUNDLE, "--minify", f"--outfile={folder / source.name}")


def _bundle_apart(page: PageApart, npm: Path) -> None:
    """Write the script of a page apart as one file."""
    static, modules = SITE / "static", WORK / page.name
    shutil.rmtree(modules, ignore_errors=True)
    shutil.copytree(static, modules)
    shutil.copy(FRONT / page.line, modules / "line.js")
    begins = shutil.copy(FRONT / f"{page.name}.js", modules)
    _esbuild(npm, begins, *BUNDLE, *APART, f"--outfile={static / page.name}.js")


def starting_picture() -> bytes:
    """Return what a handheld shows first, as a picture."""
    memory = ROOT / "firmware" / "runtime" / "pictures" / "starting-en.bin"
    return png(panel(memory.read_bytes()))


def _release() -> tuple[int, int]:
    """Name the release after all its files, and list them with their digests.

    The service worker is a block: a part of it is no script. Returns how many files a first visit
    loads, and their size as they are sent, in bytes.
    """
    paths = [path for path in sorted(SITE.rglob("*")) if path.is_file()]
    digest = sha256()
    for path in paths:
        digest.update(f"{path.relative_to(SITE)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    unlisted = ("sw.js", *FOR_HOSTS)
    names = [str(path.relative_to(SITE)) for path in paths if path.name not in unlisted]
    late = [name for name in names if LATE.match(name)]
    release = {"%RELEASE%": digest.hexdigest()[:12]}
    for name in ("own_worker", "static/line", "static/friend"):
        _fill(SITE / f"{name}.js", release)
    digests = {name: sha256((SITE / name).read_bytes()).hexdigest() for name in names}
    files = {name: each for name, each in digests.items() if name not in late}
    for name in PACKED:
        shutil.copy(_packed(SITE / name), SITE / f"{name}.packed")
    sent = (f"{name}.packed" if name in PACKED else name for name in files)
    size = sum((SITE / name).stat().st_size for name in sent)
    holes = {
        "%POLICY%": _policy(),
        "%PACKED%": json.dumps(PACKED),
        "%BYTES%": str(size),
        "%FILES%": json.dumps({"./": files["index.html"], **files}),
        "%LATE%": json.dumps({name: digests[name] for name in late}),
    }
    worker = SITE / "sw.js"
    _fill(worker, release | holes)
    worker.write_text(f"{{\n{worker.read_text('utf-8')}}}\n", encoding="utf-8")
    return len(files), size


def _fill(path: Path, holes: dict[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for hole, value in holes.items():
        text = text.replace(hole, value)
    path.write_text(text, encoding="utf-8")


def _run(*command: str | Path, cwd: Path = ROOT, wants: str = "") -> None:
    """Run a program of the build. ``wants``: what it cannot do without, from elsewhere.

    Raises:
        BuildError: it is not there, or has failed.
    """
    program = str(command[0])
    try:
        done = subprocess.run([str(each) for each in command], cwd=cwd, check=False)
    except FileNotFoundError:
        raise BuildError(
            f"{program}: not found: call make site, or install Node 20 or newer, with npm"
        ) from None
    if done.returncode:
        steps = " ".join(Path(each).name for each in map(str, command[:3]))
        advice = f"it needs {wants}" if wants else "its lines above name the cause"
        raise BuildError(f"{steps}: failed with status {done.returncode}: {advice}")


if __name__ == "__main__":
    try:
        build()
    except BuildError as error:
        sys.exit(f"site: {error}")
