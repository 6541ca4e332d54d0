"""Sessions and records that somebody made up.

Good ones are bent: a value becomes one that nobody writes, a line is cut, doubled or swapped, bytes
are changed. Every reader takes a bent file or refuses it in one line; none has a defect, and none
is busy for long with a file that lasts a few seconds of virtual time.
"""

import contextlib
import io
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from game import RULES
from game.record import RecordError, public_record, read, write
from hw_sim.cli.main import main
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table import TableSetup
from tests.labs.redteam import numbers
from tests.labs.redteam.core import types_of
from tests.support.long_records import drinks

MOST_S = 30.0
"""The most processor time for one file."""
DONE_OR_NOT = (0, 1, 2)
NASTY = (
    "1e999", "-1", "0", "9" * 400, "1e300", "-1e300", "null", "true", "[]", "{}", '""', '"\\u0000"',
    '"../x"', "[" * 5000 + "]" * 5000, '"' + "x" * 5000 + '"', "nan", "inf", "1.5", '"\\ud800"',
)  # fmt: skip


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Bend files for so long, with chance drawn from the seed."""
    rng, figures = Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        good = {"session": _session(folder), "record": drinks(120).encode()}
        for _ in numbers(seconds):
            kind = rng.choice(("session", "session", "record"))
            began_s = time.process_time()
            data = _bent(good[kind], rng)
            figures[f"{kind}: {_command(folder, data, rng)}"] += 1
            figures["records that come back the same"] += kind == "record" and _comes_back(data)
            took_s = time.process_time() - began_s
            assert took_s < MOST_S, f"a {kind} kept its reader busy for {took_s:.0f} s"
    return dict(figures)


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
    """A line with one of its values changed."""
    nasty = rng.choice(NASTY)
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError):
        return line
    places = [*_places(plain)]
    if not places:
        return nasty.encode()
    within, key = rng.choice(places)
    if isinstance(within, dict) and rng.random() < 0.1:
        within[rng.choice(("", "x", "../x", "seat0.sqlite\0"))] = within.pop(key)
        return json.dumps(plain).encode()
    within[key] = "@nasty@"
    return json.dumps(plain).replace('"@nasty@"', nasty).encode()


def _places(within: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each value that lies somewhere in another one: that, and its key there."""
    if isinstance(within, dict | list):
        for key in within if isinstance(within, dict) else range(len(within)):
            yield within, key
            yield from _places(within[key])


def _comes_back(data: bytes) -> bool:
    """Whether a record is read; then it is written and read again the same, type for type."""
    try:
        record = read(data.decode())
    except (UnicodeDecodeError, RecordError):
        return False
    assert types_of(tuple(read(write(record)))) == types_of(tuple(record))
    public_record(record)
    return True


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
