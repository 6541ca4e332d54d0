"""The module ``smbus``: what python3-smbus 4.3 of Debian 12 answers, written down beside it."""

from threading import Event

import pytest
from steckbrett.board.board import Board
from steckbrett.host.program import run

LIST = "Third argument must be a list of at least one, but not more than 32 integers"


@pytest.fixture
def on_bus():
    """Call a function with the class, as a program of a board with a DS3231; return its result."""

    def call(function, board=None):
        found = []

        def main():
            import smbus

            found.append(function(smbus.SMBus))

        outcome = run(main, board or Board(["ds3231", "bh1750", "light=bh1750@0x5c"]))
        if outcome.error is not None:
            raise outcome.error
        return found[0]

    return call


def test_a_block_has_32_bytes_if_nobody_says_otherwise(on_bus):
    board = Board(["ds3231"])
    sizes = on_bus(lambda bus: len(bus(1).read_i2c_block_data(0x68, 0)), board)
    assert sizes == 32
    assert on_bus(lambda bus: bus(1).read_i2c_block_data(0x68, 0x0E, 2)) == [0x1C, 0x88]


def test_the_program_of_a_light_sensor_that_everybody_copies(on_bus):
    """It reads as many bytes as smbus gives, and takes two."""

    def light(bus):
        opened = bus(1)
        opened.write_byte(0x23, 0x10)
        Event().wait(0.2)
        data = opened.read_i2c_block_data(0x23, 0x20)
        return (data[1] + 256 * data[0]) / 1.2

    board = Board(["bh1750"], worlds=["light=300"])
    assert on_bus(light, board) == pytest.approx(300, rel=0.3)


def test_values_lose_what_does_not_fit(on_bus):
    def written(bus):
        opened = bus(bus=1)
        opened.write_byte_data(0x68, 0x107, 0x1_59)
        opened.write_word_data(0x68, 0x08, 0x7_23_58)
        opened.write_i2c_block_data(0x68, 0x0A, [0x1_07, True])
        opened.write_block_data(0x68, 0x0C, [])
        opened.write_quick(0x68)
        opened.write_byte(0x68, 0x07)
        first = opened.read_byte(0x68)
        return first, opened.read_i2c_block_data(0x68, 0x08, 4), opened.read_word_data(0x68, 0x08)

    assert on_bus(written) == (0x59, [0x58, 0x23, 7, 1], 0x2358)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda bus: bus.read_byte(addr=0x68), TypeError, ""),
        (lambda bus: bus.read_i2c_block_data(0x68, 0, length=6), TypeError, ""),
        (lambda bus: bus.read_i2c_block_data(0x68, 0, 6, None), TypeError, ""),
        (lambda bus: bus.write_byte_data(0x68, 0), TypeError, ""),
        (lambda bus: bus.write_byte_data(0x68, 0, 1.0), TypeError,
         "'float' object cannot be interpreted as an integer"),
        (lambda bus: bus.write_byte_data(0x68, 0, 1 << 40), OverflowError,
         "signed integer is greater than maximum"),
        (lambda bus: bus.write_i2c_block_data(0x68, 0, (1, 2)), TypeError, LIST),
        (lambda bus: bus.write_i2c_block_data(0x68, 0, b"ab"), TypeError, LIST),
        (lambda bus: bus.write_i2c_block_data(0x68, 0, [1.0]), TypeError, LIST),
        (lambda bus: bus.write_block_data(0x68, 0, [1] * 33), OverflowError, LIST),
        (lambda bus: bus.block_process_call(0x68, 0, None), TypeError, LIST),
        (lambda bus: bus.read_i2c_block_data(0x68, 0, 33), OSError, "[Errno 22] Invalid argument"),
        (lambda bus: bus.read_byte(0x10), OSError, "[Errno 121] Remote I/O error"),
        (lambda bus: bus.read_byte(0x80), OSError, "[Errno 22] Invalid argument"),
        (lambda bus: bus.i2c_rdwr(), AttributeError, ""),
        (lambda bus: bus.__enter__(), AttributeError, ""),
        (lambda bus: type(bus)(1, True), TypeError, ""),
        (lambda bus: type(bus)(force=True), TypeError, ""),
        (lambda bus: type(bus)("/dev/i2c-1"), TypeError,
         "'str' object cannot be interpreted as an integer"),
        (lambda bus: type(bus)(9_999_999), OverflowError, "Bus number is invalid."),
        (lambda bus: type(bus)(7), FileNotFoundError, ""),
        (lambda bus: type(bus)().read_byte(0x68), OSError, "[Errno 9] Bad file descriptor"),
        (lambda bus: bus.close() or bus.read_byte(0x68), OSError, "[Errno 9] Bad file descriptor"),
        (lambda bus: type("Own", (type(bus),), {}), TypeError,
         "type 'SMBus' is not an acceptable base type"),
        (lambda bus: setattr(bus, "name", 1), AttributeError, ""),
    ],
)  # fmt: skip
def test_errors_are_those_of_the_extension(on_bus, call, error, text):
    with pytest.raises(error) as raised:
        on_bus(lambda bus: call(bus(1)))
    assert raised.type is error
    assert not text or str(raised.value) == text


def test_a_bus_opens_later_closes_twice_and_has_error_codes(on_bus):
    def opened(bus):
        late = bus()
        late.open(bus=1)
        late.pec = 1
        told = (late.pec, late.read_byte_data(0x68, 0x0E), late.process_call(0x68, 0x10, 0))
        late.close()
        late.close()
        return *told, late.pec

    assert on_bus(opened) == (True, 0x1C, None, False)
