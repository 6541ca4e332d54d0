"""The register base: access, reset values, reserved bits, fields, and its table.

Each field of each part's table changes something when it is written, or is unmodelled. A loop
writes every value of a field on one of two equal parts, in each of some settings. It looks at all
else that a host or a wire can see: the other registers and the outputs.
"""

import math
from itertools import product

import pytest
from bench_support.bench import SteppedBoard
from steckbrett.parts import Offence
from steckbrett.parts.catalogue import KINDS, make
from steckbrett.parts.registers import Field, Register, RegisterPart, table


class Example(RegisterPart):
    name = "EXAMPLE"
    address = 0x40
    registers = (
        Register(0, "id", "r", 0xA5),
        Register(
            1, "control", reset=0x12, reserved=0x80, fields=(Field("rate", 6, 4), Field("go", 0, 0))
        ),
        Register(2, "command", "w"),
        Register(3, "free"),
    )


class Wide(Example):
    name = "WIDE"
    width = 2
    order = "little"
    increments = False


class Paired(Example):
    name = "PAIRED"
    pairs = True


class Undocumented(Example):
    name = "UNDOCUMENTED"
    unlisted = frozenset({7})


def test_reset_values_and_a_pointer_that_moves_on():
    board = SteppedBoard(Example())
    assert board.get(0, 2) == b"\xa5\x12"
    board.put(1, 0x31, 7)
    assert board.told() == []
    assert board.part.values[2] == 7
    assert (board.part.field("rate"), board.part.field("go")) == (3, 1)
    board.part.set_field("rate", 5)
    assert board.get(1) == b"\x51"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ((0, 1), "write to read-only register 0x00"),
        ((9, 1), "write to unknown register 0x09"),
        ((1, 0x81), "reserved bits set: 0x81 written to control"),
    ],
)
def test_a_write_that_no_sheet_allows_is_refused(data, text):
    board = SteppedBoard(Example())
    board.put(*data)
    assert board.told(Offence.REFUSED) == [text]
    assert board.part.values[0] == 0xA5
    assert not board.part.values[1] & 0x80


def test_a_read_that_no_sheet_allows_is_refused():
    board = SteppedBoard(Example())
    assert board.get(2, 3) == bytes(3)
    assert board.told() == [
        "read of write-only register 0x02",
        "read of unknown register 0x04",
    ]


def test_a_register_that_no_sheet_lists_is_unlisted():
    board = SteppedBoard(Undocumented())
    assert board.get(7) == b"\x00"
    board.put(7, 0x5A)
    assert board.get(7) == b"\x5a"
    assert board.told(Offence.REFUSED) == []
    assert board.told(Offence.UNLISTED) == [
        "read of register 0x07 (2 times)",
        "write to register 0x07",
    ]


def test_registers_of_two_bytes():
    board = SteppedBoard(Wide())
    board.put(3, 0x34, 0x12)
    assert board.part.values[3] == 0x1234
    assert board.get(3, 2) == b"\x34\x12"
    assert board.get(3, 4) == b"\x34\x12\xff\xff"
    board.put(3, 1)
    assert board.told() == ["4 bytes of one register", "half a value for register 0x03"]


def test_pairs_of_number_and_value():
    board = SteppedBoard(Paired())
    board.put(1, 0x01, 3, 0x55)
    assert (board.part.values[1], board.part.values[3]) == (0x01, 0x55)


def test_the_table_has_every_register():
    lines = table(Example)
    assert len(lines) == 2 + 4
    assert "| 0x01 | control | rw | 0x12 | rate 6–4, go 0 |" in lines


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_made_and_has_its_reset_values(kind):
    part = make(kind, 1, 0)
    part.advance(0)
    assert part.violations == []
    if isinstance(part, RegisterPart):
        bits = 8 * part.width
        for register in part.registers:
            assert register.reset >> bits == 0
            assert not register.reset & register.reserved
        numbers = [register.at for register in part.registers]
        assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("kind", ["ads1115", "adxl345", "ds3231", "mpu6050", "veml7700"])
def test_a_host_reads_the_reset_values_of_the_table(kind):
    board = SteppedBoard(kind)
    width, order = getattr(board.part, "width", 1), "little" if kind == "veml7700" else "big"
    told = {one.at: one.reset for one in board.part.registers if one.access != "w"}
    for at in range(0x0D, 0x11) if kind == "mpu6050" else ():
        assert told.pop(at) == 0, "the trim of the factory differs from part to part"
    assert {at: int.from_bytes(board.get(at, width), order) for at in told} == told


G = 9.80665
LOOKS_US = [*range(1_000, 60_000, 2_770), *range(60_000, 1_300_000, 61_300)]

MIDNIGHT = (0x58, 0x59, 0x23, 0x03, 0x31, 0x12, 0x99)
SETTINGS = {
    "adxl345": (
        ((0x31, 0x0B), (0x1D, 0x20, 0, 0, 0, 0x30, 0x10, 0xF0), (0x2A, 7), (0x2E, 0xFF), (0x2D, 8)),
        ((0x24, 0x08, 0x14, 0x01, 0x77), (0x2E, 0x18), (0x2D, 0x08)),
        ((0x24, 0x08, 0x14, 0x00, 0xFF), (0x2E, 0x18), (0x2D, 0x38)),
        ((0x24, 0x08, 0x14, 0x01, 0xFF), (0x2E, 0x18), (0x2D, 0x3B)),
        ((0x24, 0x20, 0x08, 0x00, 0x77), (0x2E, 0x08), (0x2D, 0x08)),
        ((0x28, 0x08, 0x14), (0x2E, 0x04), (0x2D, 0x08)),
        ((0x38, 0x84), (0x2E, 0x83), (0x2D, 0x08)),
        ((0x1D, 0x20), (0x21, 0x30, 0x10, 0xF0), (0x2A, 7), (0x2E, 0x60), (0x38, 0xC4), (0x2D, 8)),
        ((0x2D, 0x0C),),
    ),
    "ads1115": (
        ((2, 0x00, 0x20), (3, 0x01, 0x00), (1, 0x42, 0xE4)),
        ((2, 0x02, 0x00), (3, 0x20, 0x00), (1, 0x42, 0xE0)),
        ((2, 0x02, 0x00), (3, 0x20, 0x00), (1, 0x42, 0xF0)),
        ((1, 0x85, 0x83),),
    ),
    "bme280": (
        ((0xF2, 1), (0xF4, 0x27)),
        ((0xF2, 1), (0xF5, 0x10), (0xF4, 0x27)),
        (),
    ),
    "ds3231": (
        ((0x0E, 0x18),),
        ((0x00, *MIDNIGHT),),
        ((0x00, 0x59, 0x59, 0x23, 0x01, 0x28, 0x02, 0x00),),
        ((0x07, 0x80, 0x80, 0x80, 0x80), (0x0E, 0x04)),
        ((0x00, *MIDNIGHT), (0x0B, 0, 0, 1), (0x0E, 0x06)),
        *(
            ((0x00, *MIDNIGHT), (0x07, *alarm), (0x0B, *alarm[1:]), (0x0E, 0x07))
            for alarm in ((5, 0, 0, 1), (0, 5, 0, 1), (0, 0, 5, 1), (0, 0, 0, 9), (0, 0, 0, 0x44))
        ),
        ((0x0F, 0x00),),
    ),
    "mpu6050": (
        ((0x6B, 0x01), (0x19, 9), (0x37, 0x20), (0x38, 0x01)),
        ((0x6B, 0x01), (0x19, 99), (0x23, 0xF8), (0x6A, 0x40), (0x37, 0x20), (0x38, 0x10)),
        ((0x6B, 0x21), (0x38, 0x01)),
        ((0x6B, 0x01), (0x1B, 0xE0), (0x1C, 0xE0)),
        (),
    ),
    "veml7700": (
        ((0, 0, 0),),
        ((1, 0x10, 0), (2, 0x80, 0), (0, 0x03, 0), (0, 0x02, 0)),
        ((3, 1, 0), (0, 0, 0)),
    ),
}  # fmt: skip
"""Writes, a register and its values each, after which the field is written. They begin at 0 s."""
THEN = {"bme280": (0xF4, 0x27)}
"""The writes of a host after which a field counts."""
WHEN_US = (500, 900_000)
PORTS = {("bme280", 0xE0), ("mpu6050", 0x74)}
"""Registers that keep nothing: their own tests are those of the part."""
WITHOUT_A_TABLE = {kind for kind in KINDS if not hasattr(make(kind, 0, 0), "registers")}


def acceleration(t_us):
    """Shaken at first, then two taps, then a fall, then still."""
    if t_us < 400_000:
        return (9 * math.sin(t_us / 2e4), 5 * math.sin(t_us / 3e4), G)
    if 464_000 < t_us < 467_000:
        return (30.0, 40.0, 70.0)
    if 450_000 < t_us < 458_000 or 520_000 < t_us < 528_000:
        return (30.0, 40.0, 70.0)
    return (0.0, 0.1, 0.2) if 600_000 < t_us < 900_000 else (0.0, 0.3, G)


WORLDS = {
    "acceleration": acceleration,
    "rotation": lambda t_us: (20 * math.sin(t_us / 5e4), 10.0, 5.0),
    "temperature": lambda t_us: 20 + t_us / 1e5,
    "pressure": lambda t_us: 1000 + t_us / 1e5,
    "illuminance": lambda t_us: 30 + 20 * math.sin(t_us / 2e5),
    "a0": lambda t_us: 1.0 + math.sin(t_us / 7e4),
    "a1": lambda _t_us: 0.2,
    "a2": lambda _t_us: 0.3,
    "a3": lambda _t_us: 0.1,
}


def put(part, t_us, *data):
    part.write(bytes(data), t_us)
    part.stop()


def get(part, register, width, t_us):
    part.write(bytes([register]), t_us)
    found = part.read(width, t_us)
    part.stop()
    return found


def look(kind, setting, at=None, value=None, when_us=500):
    """Return what is seen of a part, by register or pin: a value or level at each look."""
    part = make(kind, 1, 0)
    width, order = getattr(part, "width", 1), "little" if kind == "veml7700" else "big"
    width = 2 if kind == "veml7700" else width
    for name in part.worlds:
        if name in WORLDS:
            setattr(part, name, WORLDS[name])
    for number, data in enumerate(setting):
        put(part, number, *data)
    seen, written = {}, at is None
    readable = [one for one in part.registers if one.access != "w" and one.at != 0x74]
    for t_us in (*LOOKS_US, 90_000_000) if kind == "ds3231" else LOOKS_US:
        if not written and t_us > when_us:
            written = True
            put(part, when_us, at, *value.to_bytes(width, order))
            if kind in THEN and at != THEN[kind][0]:
                put(part, when_us, *THEN[kind])
        part.advance(t_us)
        for pin in part.outputs:
            seen.setdefault(pin, []).append(part.output(pin))
        for one in readable:
            seen.setdefault(one.at, []).append(get(part, one.at, width, t_us))
    return seen, part


def fields_of(register, width):
    """Yield the fields of a register; bits of none are one, too."""
    yield from register.fields
    rest = (1 << 8 * width) - 1 & ~register.reserved
    for field in register.fields:
        rest &= ~field.mask
    if rest and (not register.fields or rest & register.unmodelled):
        yield Field("rest", rest.bit_length() - 1, (rest & -rest).bit_length() - 1)


def changes_something(kind, register, field, width):
    """Return whether any value of a field, in any setting, is seen elsewhere or is unmodelled."""
    size = field.high - field.low + 1
    few = (0, 1, 2, 5, 0x10, 0x20, 0x25, (1 << size - 1) - 1, (1 << size) - 1)
    values = range(1 << size) if size <= 3 else few
    for when_us, setting in product(WHEN_US, SETTINGS[kind]):
        held = next(
            (
                data[1 + register.at - data[0]]
                for data in reversed(setting)
                if width == 1 and data[0] <= register.at < data[0] + len(data) - 1
            ),
            register.reset,
        )
        whole = [data[1:] for data in setting if data[0] == register.at]
        if width == 2 and whole:
            held = int.from_bytes(bytes(whole[-1]), "little" if kind == "veml7700" else "big")
        usual, _ = look(kind, setting, register.at, held & ~register.reserved, when_us)
        for each in values:
            value = held & ~field.mask & ~register.reserved | each << field.low & field.mask
            if value == held:
                continue
            seen, part = look(kind, setting, register.at, value, when_us)
            if part.offences(Offence.UNMODELLED):
                return True
            if any(seen[key] != usual[key] for key in seen if key != register.at):
                return True
            if register.at in seen and seen[register.at][-1] not in (
                value.to_bytes(width), usual[register.at][-1],
            ):  # fmt: skip
                return True
            if kind == "ds3231" and register.at == 0x0F and seen[0x0F][-1][0] != value:
                return True  # a flag that is not simply kept
    return False


def test_every_part_with_a_table_has_settings():
    assert set(SETTINGS) == set(KINDS) - WITHOUT_A_TABLE


@pytest.mark.whole
@pytest.mark.parametrize("kind", SETTINGS)
def test_every_field_changes_something_or_is_unmodelled(kind):
    part = make(kind, 0, 0)
    width = 2 if kind == "veml7700" else getattr(part, "width", 1)
    silent = [
        f"{field.name} of {register.name}"
        for register in part.registers
        if register.access != "r" and (kind, register.at) not in PORTS
        for field in fields_of(register, width)
        if not changes_something(kind, register, field, width)
    ]
    assert silent == []
