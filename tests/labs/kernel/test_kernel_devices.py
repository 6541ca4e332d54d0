"""The devices behind a kernel, tested without a kernel; and the contents of the log."""

import asyncio
import mmap
import os
import re
import socket
import struct

import pytest
from smbus2 import i2c_msg

from drivers.adxl345 import Accelerometer
from drivers.bus import BusioAdapter
from drivers.ssd1306 import Panel
from firmware.display.oled.page import Page
from firmware.display.text.language import say
from hw_sim.board.board import SimulatedBoard
from hw_sim.board.bus import SimulatedSMBus
from hw_sim.clock.virtual import run
from hw_sim.parts.adxl345 import ADXL345
from tests.labs.kernel import care, compare, match, scenario
from tests.labs.kernel.__main__ import LOG, PARTS
from tests.labs.kernel.hands import HINTS, Player, hint_of
from tests.labs.kernel.relay import Relay, answer
from tests.labs.kernel.vhost import Controller, request_of

MEMORY_BYTES = 1 << 16
DESCRIPTORS, AVAILABLE, USED, BUFFERS = 0x0, 0x1000, 0x2000, 0x3000
QUEUE = 8
ANSWERS_PATIENCE_S = 10


class Parts:
    """A bus with one part at 0x53, which counts."""

    def __init__(self):
        self.transactions = []

    def i2c_rdwr(self, *messages):
        self.transactions.append([(one.addr, one.flags, bytes(one)) for one in messages])
        if messages[0].addr == 0x77:
            raise OSError(110, "hangs")
        if messages[0].addr != 0x53:
            raise OSError(121, "nobody")
        for one in messages:
            if one.flags:
                for at in range(len(one)):
                    one.buf[at] = bytes([at + 1])


class Frontend:
    """The kernel's side of the protocol: memory, a queue, and kicks."""

    def __init__(self, bus):
        self.socket, theirs = socket.socketpair()
        self.controller = Controller(theirs, bus)
        self.file = os.memfd_create("memory")
        os.ftruncate(self.file, MEMORY_BYTES)
        self.memory = mmap.mmap(self.file, MEMORY_BYTES)
        self.kicks = os.eventfd(0)
        self.calls, their_calls = os.pipe()
        self.asked = 0
        self.given = 0
        state = struct.Struct("<II")
        self.send(5, struct.pack("<II4Q", 1, 0, 0, MEMORY_BYTES, 0, 0), [self.file])
        self.send(8, state.pack(0, QUEUE))
        self.send(10, state.pack(0, 0))
        self.send(9, struct.pack("<II4Q", 0, 0, DESCRIPTORS, USED, AVAILABLE, 0))
        self.send(13, struct.pack("<Q", 0), [their_calls])
        self.send(12, struct.pack("<Q", 0), [self.kicks])

    def send(self, request, payload=b"", files=(), flags=1):
        head = struct.pack("<III", request, flags, len(payload))
        socket.send_fds(self.socket, [head], list(files))
        self.socket.send(payload)

    async def asks(self, request, payload=b"", flags=1):
        self.send(request, payload, flags=flags)
        return await asyncio.to_thread(self.socket.recv, 64)

    def put(self, *messages):
        """Put messages into the queue: (address, bytes to write or count to read)."""
        for number, (address, what) in enumerate(messages):
            reads = isinstance(what, int)
            size = what if reads else len(what)
            base = BUFFERS + 0x100 * (self.asked % QUEUE)
            flags = (number < len(messages) - 1) | reads << 1
            self.memory[base : base + 8] = struct.pack("<HHI", address << 1, 0, flags)
            if not reads:
                self.memory[base + 16 : base + 16 + size] = what
            chain = [(base, 8, 0)]
            if size:
                chain.append((base + 16, size, 2 if reads else 0))
            chain.append((base + 0x80, 1, 2))
            first = self.asked % 2 * 3
            for at, (place, length, writable) in enumerate(chain, first):
                more = at < first + len(chain) - 1
                entry = struct.pack("<QIHH", place, length, writable | more, at + 1)
                self.memory[DESCRIPTORS + 16 * at : DESCRIPTORS + 16 * at + 16] = entry
            ring = AVAILABLE + 4 + 2 * (self.asked % QUEUE)
            self.memory[ring : ring + 2] = struct.pack("<H", first)
            self.asked += 1
        self.memory[AVAILABLE + 2 : AVAILABLE + 4] = struct.pack("<H", self.asked & 0xFFFF)

    async def transact(self, *messages):
        """Do messages; return each one's status and what a read brought."""
        bases = [BUFFERS + 0x100 * ((self.asked + n) % QUEUE) for n in range(len(messages))]
        self.put(*messages)
        os.eventfd_write(self.kicks, 1)
        assert len(await asyncio.to_thread(os.read, self.calls, 8)) == 8
        (used,) = struct.unpack_from("<H", self.memory, USED + 2)
        assert used == self.asked & 0xFFFF
        return [
            (self.memory[base + 0x80], self.memory[base + 16 : base + 16 + what])
            if isinstance(what, int)
            else (self.memory[base + 0x80], b"")
            for base, (_, what) in zip(bases, messages)
        ]

    def close(self):
        self.controller.close()
        self.socket.close()
        for file in (self.file, self.kicks, self.calls):
            os.close(file)


def with_kernel(work):
    """Run ``work`` with the other side of the protocol; return the transactions of its bus."""

    async def main():
        bus = Parts()
        frontend = Frontend(bus)
        try:
            await asyncio.wait_for(work(frontend), ANSWERS_PATIENCE_S)
        finally:
            frontend.close()
        return bus.transactions

    return asyncio.run(main())


def test_a_register_is_read_in_one_transaction():
    async def work(kernel):
        found = await kernel.transact((0x53, b"\x32"), (0x53, 6))
        assert found == [(0, b""), (0, b"\x01\x02\x03\x04\x05\x06")]

    assert with_kernel(work) == [[(0x53, 0, b"\x32"), (0x53, 1, bytes(6))]]


def test_what_fails_has_its_errno_and_brings_nothing():
    async def work(kernel):
        assert await kernel.transact((0x1E, b"")) == [(121, b"")]
        assert await kernel.transact((0x77, b"\x00"), (0x77, 2)) == [(110, b""), (110, b"\0\0")]
        assert await kernel.transact((0x53, b"")) == [(0, b"")]

    assert len(with_kernel(work)) == 3


def test_the_rings_go_round():
    async def work(kernel):
        for number in range(3 * QUEUE):
            assert await kernel.transact((0x53, bytes([number]))) == [(0, b"")]

    assert [one[0][2] for one in with_kernel(work)] == [bytes([n]) for n in range(3 * QUEUE)]


def test_it_says_what_it_can_and_where_it_is():
    async def work(kernel):
        await kernel.transact((0x53, b""))
        features = struct.unpack("<IIIQ", await kernel.asks(1))
        assert features == (1, 5, 8, 1 | 1 << 30 | 1 << 32)
        assert struct.unpack("<IIIQ", await kernel.asks(15))[3] == 1 << 3 | 1 << 5
        assert struct.unpack("<IIIII", await kernel.asks(11, struct.pack("<II", 0, 0)))[4] == 1
        acknowledged = struct.unpack("<IIIQ", await kernel.asks(3, flags=9))
        assert acknowledged == (3, 5, 8, 0)

    with_kernel(work)


@pytest.mark.parametrize(
    "chain",
    [
        [(b"\0" * 8, False), (b"\0", False)],
        [(b"\0" * 7, False), (b"\0", True)],
        [(struct.pack("<HHI", 0xA6, 0, 2), False), (b"\0\0", False), (b"\0", True)],
        [(struct.pack("<HHI", 0xA6, 0, 0), False), (b"\0\0", True), (b"\0", True)],
    ],
)
def test_what_is_no_request_is_refused(chain):
    with pytest.raises(ValueError, match="request"):
        request_of(0, [(memoryview(bytearray(data)), can) for data, can in chain])


def test_a_relay_asks_the_other_end():
    ours, theirs = socket.socketpair()
    bus = Parts()

    async def main():
        reading = i2c_msg.read(0x53, 3)
        asking = asyncio.to_thread(
            Relay(lambda: ours).i2c_rdwr, i2c_msg.write(0x53, b"\x00"), reading
        )
        task = asyncio.ensure_future(asking)
        theirs.send(answer(await asyncio.to_thread(theirs.recv, 4096), bus))
        await task
        assert bytes(reading) == b"\x01\x02\x03"
        task = asyncio.ensure_future(
            asyncio.to_thread(Relay(lambda: ours).i2c_rdwr, i2c_msg.write(0x1E, b""))
        )
        theirs.send(answer(await asyncio.to_thread(theirs.recv, 4096), bus))
        with pytest.raises(OSError, match="121"):
            await task

    asyncio.run(main())
    ours.close()
    theirs.close()


def test_the_committed_log_is_of_a_whole_run_in_which_all_was_as_it_should_be():
    _, *sections = LOG.read_text().split("\n## ")
    said = dict(zip(PARTS, sections))
    assert [text.split("\n")[0] for text in sections] == [*PARTS]
    for name, part in PARTS.items():
        assert f"\n\n{part.__doc__}\n\n" in said[name], "make kernel does something else by now"
        assert said[name].count("\nAs it should be.\n") == 1, name
    differences = re.findall(r"^(.*): .* (\d+) differences$", said["comparison"], re.M)
    assert differences == [(fault, "0") for fault in ("well", *scenario.FAULTS)]
    passed, total = re.findall(r"(\d+) of (\d+) passed", said["drivers"])[0]
    assert int(passed) >= 0.95 * int(total) > 200
    for fault, (_, words) in care.FAULTS.items():
        assert re.search(f"^{fault}: .*{words}", said["doctor"], re.M), fault
    assert said["match"].count("the match is over; 0 violations") == len(match.NAMES)
    assert "booted 2 times" in said["match"]


def test_a_hand_reads_every_hint_off_the_panel():
    for hint in HINTS:
        page = Page("en")
        page.hint(hint)
        read = hint_of(Panel.pack(page.image))
        assert read is not None
        assert say(read, "en") == say(hint, "en")
    assert hint_of(bytes(1024)) is None


def test_a_hand_moves_a_handheld_that_sleeps():
    async def main():
        player = Player(SimulatedBoard(1, asyncio.get_running_loop()), "Ana")
        playing = asyncio.ensure_future(player.play())
        await asyncio.sleep(60)
        playing.cancel()
        return player.hand.free_us

    assert run(main()) > 0


def test_a_turn_is_felt_by_a_board_that_takes_its_samples_late():
    model = ADXL345(compare.SEED)
    now_us = 20_000
    driver = Accelerometer(BusioAdapter(SimulatedSMBus({0x53: model}, lambda: now_us)))
    model.acceleration = lambda _t_us: compare.FLAT
    driver.begin()
    driver.watch_for_motion()
    model.acceleration = compare.turned_at(now_us + 500_000)
    model.advance(now_us + 1_500_000)
    assert model.int1_level == 1
