"""Files that somebody made up: sessions, records, settings, recordings, and what a folder keeps.

Good ones are bent: a value becomes one that nobody writes, a line is cut, doubled or swapped, bytes
are changed. Every reader takes a bent file or refuses it in one line; none has a defect, and none
is busy for long with a file that lasts a few seconds of virtual time.
"""

import contextlib
import gzip
import io
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from firmware.settings.toml import SettingsError
from firmware.settings.toml import load as load_settings
from firmware.upkeep.recording.files import RecordingError
from game import RULES
from hw_sim.cli.main import main
from hw_sim.hand.recordings.recordings import load_events, load_motion
from hw_sim.hand.signals.recorded_shakes import ShakeLibrary
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table.setup import TableSetup
from tests.support.long_records import drinks

MOST_S = 30.0
"""The most processor time for one file."""
DONE_OR_NOT = (0, 1, 2)
NASTY = (
    "1e999", "-1", "0", "9" * 400, "1e300", "-1e300", "null", "true", "[]", "{}", '""', '"\\u0000"',
    '"../x"', "[" * 5000 + "]" * 5000, '"' + "x" * 5000 + '"', "nan", "inf", "1.5", '"\\ud800"',
)  # fmt: skip
SETTINGS = """
language = "de"
journal = "journal.sqlite"
link = "both"
volume = 2
[table]
key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
game = "class"
seat = 0
first = 0
epoch = 1
faults = "ask"
options = { stakes = "matches" }
carrier = 0
[[table.seats]]
name = "Ana"
address = "F0:F1:F2:F3:F4:00"
[[table.seats]]
name = "Ben"
address = "F0:F1:F2:F3:F4:01"
[[table.seats]]
name = "Cem"
address = "F0:F1:F2:F3:F4:02"
[broker]
url = "mqtts://broker.example:8883"
user = "ana"
open_wire = false
public = false
"""


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Bend files for so long, with chance drawn from the seed."""
    ends_s, rng = time.monotonic() + seconds, Random(seed)
    figures: Counter[str] = Counter()
    slowest_s = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        good = {"session": _session(folder), "record": drinks(120).encode()}
        kinds = ("session", "session", "record", "settings", "recording")
        while not figures["files"] or time.monotonic() < ends_s:
            kind = rng.choice(kinds)
            began_s = time.process_time()
            if kind == "settings":
                told = _settings(folder, _bent(SETTINGS.encode(), rng))
            elif kind == "recording":
                told = _recording(folder, rng)
            else:
                told = _command(folder, _bent(good[kind], rng), rng)
            slowest_s = max(slowest_s, time.process_time() - began_s)
            assert slowest_s < MOST_S, f"a {kind} kept its reader busy for {slowest_s:.0f} s"
            figures["files"] += 1
            figures[f"{kind}: {told}"] += 1
    return dict(figures) | {"s of the slowest": round(slowest_s, 1)}


def _session(folder: Path) -> bytes:
    """A session of a few seconds, with something of everything in it."""
    path, live = folder / "good.jsonl", folder / "live"
    live.mkdir()
    setup = WorldSetup(TableSetup(RULES["sevens"], 2, 3), 1, KINDS[:1])
    world = World(setup.with_chance(), live, path)
    world.advance(400_000)
    world.close()
    lines = (
        '[400000, 0, "lift", [true]]', '[400000, 0, "touch", [true]]', '[410000, 0, "drop", []]',
        '[420000, 0, "lux", [200.0]]', '[430000, 0, "key", ["left", true]]',
        '[440000, 0, "drag", [[[430000, 0.1, 0.2], [435000, 0.2, 0.2]]]]',
        '[450000, 1, "fault", ["brownout", true]]', '[460000, 0, "tilt", [20.0, 5.0]]',
        '[470000, 0, "felt", [[[460000, 0.0, 1.0, 9.8]]]]', '[480000, 0, "turn", [3]]',
        '[900000, -1, "end", []]',
    )  # fmt: skip
    told = path.read_bytes().splitlines(keepends=True)[0]
    return told + "".join(f"{line}\n" for line in lines).encode()


def _bent(data: bytes, rng: Random) -> bytes:
    """A file with a few things changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        match rng.randrange(7):
            case 0:
                lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
            case 1:
                lines.insert(at, rng.choice(lines))
            case 2:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                line = bytearray(lines[at])
                for _ in range(min(len(line), rng.randint(1, 4))):
                    line[rng.randrange(len(line))] = rng.randrange(256)
                lines[at] = bytes(line)
            case _:
                lines[at] = _with_nasty(lines[at], rng)
        data = b"\n".join(lines)
    return data


def _with_nasty(line: bytes, rng: Random) -> bytes:
    """A line with one of its values changed, be it JSON or TOML."""
    nasty = rng.choice(NASTY)
    try:
        plain = json.loads(line)
    except ValueError:
        key, equals, _ = line.partition(b"=")
        return key + equals + b" " + nasty.encode() if equals else line
    places: list[tuple[dict[str, object] | list[object], object]] = []

    def find(within: object) -> None:
        if isinstance(within, dict | list):
            for key in within if isinstance(within, dict) else range(len(within)):
                places.append((within, key))
                find(within[key])

    find(plain)
    if not places:
        return nasty.encode()
    within, key = rng.choice(places)
    if isinstance(within, dict) and rng.random() < 0.1:
        within[rng.choice(("", "x", "../x", "seat0.sqlite\0"))] = within.pop(key)
        return json.dumps(plain).encode()
    within[key] = "@nasty@"
    return json.dumps(plain).replace('"@nasty@"', nasty).encode()


def _command(folder: Path, data: bytes, rng: Random) -> str:
    """Let the command line read a file."""
    path = folder / "bent"
    path.write_bytes(data)
    typed = [rng.choice(("replay", "replay", "analyse")), str(path)]
    typed += ["--json"] if rng.random() < 0.3 else []
    errors = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        status = main(typed)
    said = errors.getvalue()
    assert status in DONE_OR_NOT, f"{typed[0]} ends with {status}: {said[-500:]}; {data[-2000:]!r}"
    assert status != 2 or said.count("\n") == 1, f"{typed[0]}: {said[-500:]}"
    return "refused" if status == 2 else "read"


def _settings(folder: Path, data: bytes) -> str:
    path = folder / "settings.toml"
    path.write_bytes(data)
    return _refused(lambda: load_settings(path), SettingsError, data)


def _recording(folder: Path, rng: Random) -> str:
    """Let a folder of recordings be read in which something is bent."""
    made = folder / "recordings"
    made.mkdir(exist_ok=True)
    motion = [f"{i / 100:.2f},{rng.uniform(-20, 20):.3f},0.5,9.8" for i in range(120)]
    texts = {
        "index.csv": "file,label,rate_hz,use,clips\na.csv.gz,shake,100,missed-shake,1\n"
        "a_light.csv.gz,light,10,,1\na_touch.csv.gz,touch,10,,1\n",
        "events.csv": "file,start_s,end_s,label\na.csv.gz,0.1,0.9,shake\n",
        "a.csv.gz": "\n".join(("t_s,ax_mps2,ay_mps2,az_mps2", *motion)),
        "a_light.csv.gz": "t_s,lux\n0.0,100\n0.5,120\n",
        "a_touch.csv.gz": "t_s,down\n0.0,0\n0.5,1\n",
    }
    chosen, told = rng.choice(list(texts)), b""
    for name, text in texts.items():
        data = text.encode()
        if name == chosen:
            told = data = _bent_cells(data, rng)
        if name.endswith(".gz"):
            data = gzip.compress(data, mtime=0)
            if name == chosen and rng.random() < 0.1:
                data = data[: rng.randrange(len(data))]
        (made / name).write_bytes(data)

    def read() -> None:
        list(load_motion(made))
        load_events(made)
        ShakeLibrary(made).draw(Random(1), 2.0)

    return _refused(read, RecordingError, told)


def _bent_cells(data: bytes, rng: Random) -> bytes:
    """A table with cells that nobody writes, or with bytes changed."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    cells = lines[at].split(b",")
    cells[rng.randrange(len(cells))] = rng.choice(NASTY).encode()
    lines[at] = b",".join(cells)
    bent = b"\n".join(lines)
    return bent if rng.random() < 0.7 else _bent(data, rng)


def _refused(read: Callable[[], object], refusal: type[Exception], data: bytes) -> str:
    """Whether something was read, or refused in one line; anything else is a defect."""
    try:
        read()
    except refusal as error:
        said = str(error)
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}: {data[-2000:]!r}") from error
    else:
        return "read"
    assert "\n" not in said, f"{said}: {data[-2000:]!r}"
    return "refused"
