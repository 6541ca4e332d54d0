"""The register base: access, reset values, reserved bits, fields; and its table."""

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
