"""The simulated I2C bus: true times, real errors, a digest of everything."""

import os
from contextlib import contextmanager

import pytest
from bench_support.bench import SteppedBoard
from smbus2 import i2c_msg
from steckbrett.board.bus import SimulatedSMBus
from steckbrett.board.plan import PlanError

BYTE_US = 22.5  # nine bits at 400 kHz
FRAME_US = 6.3  # START, STOP and tBUF


@contextmanager
def fails(errno):
    """What is done here fails as the kernel's adapter does: number and text."""
    with pytest.raises(OSError, match=os.strerror(errno)) as caught:
        yield
    assert caught.value.errno == errno


class Memory:
    """A part with one pointer and 256 bytes that remembers what reached it."""

    def __init__(self):
        self.cells = bytearray(range(256))
        self.pointer = 0
        self.heard = []

    def write(self, data, t_us):
        self.heard.append(("write", bytes(data), t_us))
        if data:
            self.pointer = data[0]
            self.cells[data[0] : data[0] + len(data) - 1] = data[1:]

    def read(self, count, t_us):
        self.heard.append(("read", count, t_us))
        return bytes(self.cells[self.pointer : self.pointer + count])

    def stop(self):
        self.heard.append(("stop",))


@pytest.fixture
def clock():
    return [0]


@pytest.fixture
def memory():
    return Memory()


@pytest.fixture
def bus(memory, clock):
    made = SimulatedSMBus({0x40: memory}, lambda: clock[0])
    made.bit_ns = 2_500
    return made


# ---- messages


def test_write_and_read_reach_the_part_and_come_back(bus, memory):
    bus.i2c_rdwr(i2c_msg.write(0x40, [10, 1, 2, 0, 3]))
    answer = i2c_msg.read(0x40, 4)
    bus.i2c_rdwr(i2c_msg.write(0x40, [10]), answer)
    assert bytes(answer) == b"\x01\x02\x00\x03"


def test_combined_messages_have_no_stop_between_them(bus, memory):
    bus.i2c_rdwr(i2c_msg.write(0x40, [7]), i2c_msg.read(0x40, 1))
    assert [event[0] for event in memory.heard] == ["write", "read", "stop"]
    memory.heard.clear()
    bus.i2c_rdwr(i2c_msg.write(0x40, [7]))
    bus.i2c_rdwr(i2c_msg.read(0x40, 1))
    assert [event[0] for event in memory.heard] == ["write", "stop", "read", "stop"]


def test_start_to_another_part_ends_the_first_ones_transfer(bus, memory):
    other = Memory()
    bus.attach(0x41, other)
    bus.i2c_rdwr(i2c_msg.write(0x40, [7]), i2c_msg.read(0x41, 1))
    assert [event[0] for event in memory.heard] == ["write", "stop"]
    assert [event[0] for event in other.heard] == ["read", "stop"]


# ---- time


def test_bit_times_at_400_khz(bus):
    bus.begin_job()
    bus.i2c_rdwr(i2c_msg.write(0x40, [0] * 1025))
    assert bus.elapsed_us == int(1026 * BYTE_US + FRAME_US)
    bus.begin_job()
    bus.i2c_rdwr(i2c_msg.write(0x40, [1]), i2c_msg.read(0x40, 6))
    assert bus.elapsed_us == int(9 * BYTE_US + FRAME_US + 2.5)


def test_parts_hear_when_the_bytes_are_on_the_wire(bus, memory, clock):
    clock[0] = 1_000
    bus.i2c_rdwr(i2c_msg.write(0x40, [1, 2]), i2c_msg.read(0x40, 1))
    assert memory.heard[0][2] == int(1_000 + 2.5 + 3 * BYTE_US)
    assert memory.heard[1][2] == int(1_000 + 2 * 2.5 + 4 * BYTE_US)


def test_a_transfer_waits_for_the_one_before_it(bus, memory):
    bus.i2c_rdwr(i2c_msg.write(0x40, [1]))
    bus.i2c_rdwr(i2c_msg.write(0x40, [1]))
    first, second = (event[2] for event in memory.heard if event[0] == "write")
    assert second - first == pytest.approx(2 * BYTE_US + FRAME_US, abs=1)


# ---- errors


@pytest.mark.parametrize("message", [i2c_msg.write(0x41, [0]), i2c_msg.read(0x41, 1)])
def test_nobody_at_the_address_is_errno_121(bus, message):
    with fails(121):
        bus.i2c_rdwr(message)


def test_a_stuck_bus_times_out_after_a_second(bus, memory):
    bus.stuck = True
    bus.begin_job()
    with fails(110):
        bus.i2c_rdwr(i2c_msg.write(0x40, [0]))
    assert bus.elapsed_us > 1_000_000
    assert memory.heard == []


def test_fault_between_combined_messages_still_stops_the_part(bus, memory):
    with fails(121):
        bus.i2c_rdwr(i2c_msg.write(0x40, [0]), i2c_msg.read(0x50, 1))
    assert memory.heard[-1] == ("stop",)


@pytest.mark.parametrize("messages", [[], [i2c_msg.write(0x40, [0])] * 43])
def test_no_message_and_too_many_are_errno_22(bus, messages):
    with fails(22):
        bus.i2c_rdwr(*messages)


def test_unknown_flags_and_empty_reads_are_errno_95(bus):
    ten_bit = i2c_msg.write(0x40, [0])
    ten_bit.flags = 0x10
    for message in (ten_bit, i2c_msg.read(0x40, 0)):
        with fails(95):
            bus.i2c_rdwr(message)


# ---- counters, log


def test_counters_and_trace(bus):
    bus.trace = []
    bus.i2c_rdwr(i2c_msg.write(0x40, [7, 9]), i2c_msg.read(0x40, 3))
    bus.i2c_rdwr(i2c_msg.write(0x40, []))
    with fails(121):
        bus.i2c_rdwr(i2c_msg.write(0x33, [1]))
    assert (bus.transactions, bus.bytes) == (3, 5)
    assert [(t.address, t.read, t.data, t.failed) for t in bus.trace] == [
        (0x40, False, b"\x07\x09", 0),
        (0x40, True, b"\x09\x08\x09", 0),
        (0x40, False, b"", 0),
        (0x33, False, b"", 121),
    ]
    bus.close()


def test_digest_tells_every_difference_and_nothing_else():
    def digest(*messages, later_us=0):
        now = [later_us]
        bus = SimulatedSMBus({0x40: Memory(), 0x41: Memory()}, lambda: now[0])
        for make in messages:
            bus.i2c_rdwr(make())
        halfway = bus.digest
        assert bus.digest == halfway
        return halfway

    def write(address, *data):
        return lambda: i2c_msg.write(address, data)

    def read(address, count):
        return lambda: i2c_msg.read(address, count)

    base = digest(write(0x40, 1, 2))
    assert digest(write(0x40, 1, 2)) == base
    others = [
        digest(write(0x40, 1, 3)),
        digest(write(0x41, 1, 2)),
        digest(read(0x40, 2)),
        digest(write(0x40, 1, 2), later_us=1),
        digest(write(0x40, 1), write(0x40, 2)),
        digest(),
    ]
    assert len({base, *others}) == 7


def test_a_byte_takes_the_time_of_the_baud():
    for baud, least, most in ((100_000, 800, 900), (400_000, 200, 260)):
        board = SteppedBoard("adxl345", baud=baud)
        board.get(0x32, 6)
        assert least < board.bus.clock_ns / 1000 < most
    with pytest.raises(PlanError, match="baud 5: write 10000 to 1000000"):
        SteppedBoard(baud=5)
