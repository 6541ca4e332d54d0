"""No part does what it refuses: a loop over all refusals.

Chance writes to each part of the bus and reads from it. A refused write leaves the part as it was,
but for reserved bits: then the rest of the value counts. At the end each refusal in the source of
the parts was met.
"""

import ast
import re
from collections import deque
from functools import cache
from pathlib import Path
from random import Random

import pytest
import steckbrett.parts as home
from steckbrett.parts import Offence
from steckbrett.parts.catalogue import KINDS, make

ON_THE_BUS = sorted(kind for kind in KINDS if make(kind, 0, 0).address is not None)
SECOND_US = 1_000_000
NOT_STATE = {
    "log", "accesses", "pointer", "_pointer", "_code", "_chance", "_now_us", "received_bytes",
    "_reads_data", "_opcode", "_given", "_missing", "_wrong_date", "_last_out", "_port", "_high",
    "_read_low", "identity",
}  # fmt: skip
"""The attributes that hold the place of a transfer, not the state of the part."""
LINES = [
    (kind, bytes.fromhex(line))
    for kind, lines in {
        "ssd1306": "00205a 002003 002300 00d600 002f 00ad01 00260000080700ff 002f 00a30040 1055"
        " 80 00e4 00260000000700ff 002f 00a30000 00a800 0021140a 008d15 00b0 002000 00b0"
        " 001f 002002 001f 002000 0021140a",
        "bme280": "e012 f501 f2ff d000 0001",
        "bh1750": "07 ff 1010 00 40 60 10",
        "mpu6050": "6b06 6810 3a01 0101",
        "veml7700": "0011 04ffff 080000 00ffff 000001 00c000 080000 0001 004001",
        "adxl345": "2d18 2cff 0101 0001 3a01",
        "ads1115": "01c3 01c383 01c383 000000 050000",
        "pcf8591": "88 c1ff 44 0c",
        "ds3231": "0080 1100 1300",
        "sh1106": "0021 0113",
        "lcd1602": "2c28" + " 0c081c18" * 20,
    }.items()
    for line in lines.split()
]  # fmt: skip


LAZY = {"bh1750": b"", "veml7700": b"\x04"}
"""Parts that convert when they are read, and what chooses the result."""


def state(value, depth=0):
    """Return all that a part holds as values that can be compared."""
    if isinstance(value, bytearray) and len(value) == 0x3A and value[0x2D] & 0x30 == 0x10:
        value = value[:0x2D] + bytes((value[0x2D] & ~0x10,)) + value[0x2E:]  # it has no impact
    if isinstance(value, dict):
        return {key: state(one, depth) for key, one in value.items()}
    if isinstance(value, list | tuple | deque):
        return [state(one, depth) for one in value]
    if isinstance(value, int | float | bytes | bytearray | str | None | set):
        return value
    if hasattr(value, "__dict__") and depth < 3 and not callable(value):
        kept = {key: one for key, one in vars(value).items() if key not in NOT_STATE}
        return {key: state(one, depth + 1) for key, one in kept.items()}
    return None


def refusals(part):
    return {one.what: one.times for one in part.log.counted(Offence.REFUSED)}


def transfers(kind, chance):
    """Yield what a host sends, and how many bytes it reads afterwards."""
    for owner, data in LINES:
        if owner == kind or (owner, kind) in (("lcd1602", "lcd2004"), ("ssd1306", "ssd1306-32")):
            yield data, chance.choice((0, 0, 1, 2, 7))
    part = make(kind, 0, 0)
    registers = getattr(part, "registers", ())
    for _ in range(0 if kind.startswith("lcd") else 300):
        if registers and chance.random() < 0.8:
            at = chance.choice(registers).at
            width = 2 if kind == "veml7700" else getattr(part, "width", 1)
            yield bytes((at, *chance.randbytes(width))), chance.choice((0, 0, 1, 2))
        else:
            count = chance.randint(1, 4) if kind == "bh1750" else 2
            yield chance.randbytes(count), chance.choice((0, 0, 1))


def without_reserved(part, data):
    """Return a write without the bits that its register reserves."""
    register = next(one for one in part.registers if one.at == data[0])
    size, order = len(data) - 1, "little" if part.name == "VEML7700" else "big"
    value = int.from_bytes(data[1:], order) & ~register.reserved
    return bytes((data[0], *value.to_bytes(size, order)))


def allowed(twin, data, found):
    """Return what of a write the part does beside what it refused (``found``); None: nothing."""
    kept = None
    for what in found:
        begun = kept or data
        if what.startswith("MTreg"):
            twin._next_time, kept = 69, begun
        elif what.startswith("a conversion"):
            kept = bytes((begun[0], begun[1] & 0x7F, begun[2]))
        elif what.startswith("control bits"):
            kept = bytes((begun[0] & 0x77, *begun[1:]))
        elif what.startswith("reserved bits"):
            kept = without_reserved(twin, begun)
        elif what.startswith("CLKSEL"):
            kept = bytes((begun[0], begun[1] & ~7 | twin.values[0x6B] & 7))
        elif what.startswith("AUTO_SLEEP"):
            kept = bytes((begun[0], begun[1] & ~0x10))
        elif what.startswith("integration time"):
            value = int.from_bytes(begun[1:], "little") & ~0x03C0 | twin._registers[0] & 0x03C0
            kept = bytes((begun[0], *value.to_bytes(2, "little")))
    return kept


@cache
def hunt(kind, seed):
    """Return the texts of all refusals that were met; fail where one was done all the same.

    A twin of the part gets the same, without what was refused.
    """
    part, twin = make(kind, seed, 0), make(kind, seed, 0)
    chance, t_us, met = Random(f"{kind} {seed}"), SECOND_US, set()
    if kind == "veml7700":
        assert part.read(2, 0) == twin.read(2, 0) == b"\xff\xff"
        met |= set(refusals(part))
    for data, count in transfers(kind, chance):
        t_us += chance.choice((50, 3_000, 70_000))
        before = refusals(part)
        part.advance(t_us)
        part.write(data, t_us)
        part.stop()
        found = {what for what, times in refusals(part).items() if before.get(what) != times}
        done = allowed(twin, data, found) if found else data
        twin.advance(t_us)
        if done is not None:
            twin.write(done, t_us)
            twin.stop()
        met |= found
        before = refusals(part)
        for one in (part, twin):
            if kind in LAZY or (count and not kind.startswith("lcd")):
                to = LAZY.get(kind, data[:1] if hasattr(one, "registers") else b"")
                one.write(to, t_us)
                one.read(count or 2, t_us + 200)
                one.stop()
        if found:
            assert state(part) == state(twin), (data.hex(), found)
        met |= {what for what, times in refusals(part).items() if before.get(what) != times}
    return met


def in_the_source():
    """Return a pattern of each text that a part refuses, by file and line."""
    patterns = {}
    for file in sorted(Path(home.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if not is_call or node.func.attr != "refuse" or len(node.args) != 2:
                continue
            text = node.args[1]
            pieces = text.values if isinstance(text, ast.JoinedStr) else [text]
            pattern = "".join(
                re.escape(piece.value) if isinstance(piece, ast.Constant) else ".*"
                for piece in pieces
            )
            patterns[f"{file.name}:{node.lineno}"] = pattern
    return patterns


@pytest.mark.parametrize("kind", ON_THE_BUS)
def test_what_a_part_refuses_it_does_not_do(kind):
    assert hunt(kind, 1)


def test_chance_meets_every_refusal_of_every_part_on_the_bus():
    met = set().union(*(hunt(kind, 1) for kind in ON_THE_BUS))
    others = {"on_pins.py", "__init__.py"}
    missing = {
        place: pattern
        for place, pattern in in_the_source().items()
        if place.split(":")[0] not in others
        and not any(re.fullmatch(pattern, what) for what in met)
    }
    assert missing == {}
