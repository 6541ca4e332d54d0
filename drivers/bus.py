"""The I2C bus: SDA on BCM 2, SCL on BCM 3, 400 kHz, one owner.

`BusioAdapter` gives the Adafruit packages the bus object they expect, over the ``i2c_rdwr`` of an
smbus2-shaped bus. `I2CBus` owns that bus. Every access is a short synchronous *job*. The most
urgent of the waiting jobs runs first, the oldest first among equals. A running job is never
interrupted, so jobs are cut to about 2 ms (88 bytes at 400 kHz).
"""

import asyncio
import heapq
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from typing import Any, Protocol, TypeVar

from smbus2 import i2c_msg

T = TypeVar("T")


class SMBusLike(Protocol):
    """The shape of ``smbus2.SMBus`` that the drivers use."""

    def i2c_rdwr(self, *i2c_msgs: i2c_msg) -> None:
        """Transfer the messages with repeated STARTs between them and a STOP at the end.

        Raises OSError: 121 for no acknowledge, 110 for a bus that timed out.
        """


class Execute(Protocol):
    """Runs a job, in a thread on a real bus, inline on a simulated one; awaits its result."""

    def __call__(self, job: Callable[[], T], /) -> asyncio.Future[T]:
        """Run ``job``; the future has its result, or what it raises."""


class Priority(IntEnum):
    """Order of the jobs that wait for the bus, most urgent first."""

    BLANK = 0
    LIGHT = 1
    MOTION = 2
    PICTURE = 3


class Superseded(Exception):  # noqa: N818 - not a failure: the picture has been overtaken
    """The picture of a job has been voided by a newer one; the job did not touch the bus."""


class BusioAdapter:
    """The ``busio.I2C`` shape of the Adafruit packages over an smbus2-shaped bus.

    The lock only checks, because there is one owner. ``adafruit_bus_device`` spins until
    ``try_lock`` returns True, which on one thread would never end; a second lock raises
    RuntimeError instead.
    """

    def __init__(self, smbus: SMBusLike) -> None:
        self._transfer = smbus.i2c_rdwr
        self._locked = False

    def try_lock(self) -> bool:
        """Lock and return True. Raises RuntimeError if it is locked already."""
        if self._locked:
            raise RuntimeError("the I2C bus is locked twice: run one job at a time, through I2CBus")
        self._locked = True
        return True

    def unlock(self) -> None:
        """Unlock. Raises RuntimeError if it is not locked."""
        if not self._locked:
            raise RuntimeError("the I2C bus is unlocked twice: pair try_lock with unlock")
        self._locked = False

    def writeto(
        self, address: int, buffer: bytes | bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """Write ``buffer[start:end]``, then STOP; an empty slice sends the address alone."""
        self.write(address, bytes(buffer[start:end]))

    def readfrom_into(
        self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """Fill ``buffer[start:end]`` from the 7-bit ``address``, then STOP; ``end`` None: all."""
        message = i2c_msg.read(address, len(buffer[start:end]))
        self._transfer(message)
        buffer[start:end] = received(message)

    def writeto_then_readfrom(
        self,
        address: int,
        out_buffer: bytes | bytearray,
        in_buffer: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        """Write ``out_buffer``, repeated START, fill ``in_buffer``, then STOP; ends as above."""
        message = i2c_msg.read(address, len(in_buffer[in_start:in_end]))
        self._transfer(i2c_msg.write(address, bytes(out_buffer[out_start:out_end])), message)
        in_buffer[in_start:in_end] = received(message)

    # Beyond busio.

    def write(self, address: int, data: bytes) -> None:
        """Write ``data`` to the 7-bit ``address``, then STOP. Raises OSError as ``i2c_rdwr``."""
        self._transfer(i2c_msg.write(address, data))

    def write_then_read(self, pointer: i2c_msg, reading: i2c_msg) -> bytes:
        """Write one message, repeated START, read the other, STOP. Messages may be used again.

        A pair is as much as one transfer can carry: the Pi's bus driver (i2c-bcm2835) refuses a
        read message that is not the last one.
        """
        self._transfer(pointer, reading)
        return received(reading)

    def read_plainly(self, reading: i2c_msg) -> bytes:
        """Read one message without writing before it, then STOP. It may be used again."""
        self._transfer(reading)
        return received(reading)

    def read_register(self, address: int, register: int, count: int) -> bytes:
        """Return ``count`` bytes, starting at ``register``. Raises OSError as ``i2c_rdwr``."""
        return self.write_then_read(
            i2c_msg.write(address, (register,)), i2c_msg.read(address, count)
        )

    def answers(self, address: int) -> bool:
        """Return whether anything acknowledges the 7-bit ``address``; False on any OSError.

        The probe is an empty write and, if that fails, a read of one byte: not every controller can
        write nothing (designware, of the Pi 5).
        """
        for question in (i2c_msg.write(address, b""), i2c_msg.read(address, 1)):
            try:
                self._transfer(question)
            except OSError:
                continue
            return True
        return False


def received(message: i2c_msg) -> bytes:
    """Return the bytes of a read message."""
    found: bytes = message.buf[: message.len]
    return found


_Waiting = tuple[Priority, int, Callable[[], Any], asyncio.Future[Any]]


class I2CBus:
    """The only owner of a bus: runs jobs one after the other, the most urgent first.

    It neither sleeps nor polls, and runs on any asyncio loop. ``adapter`` is for the jobs: drivers
    are made with it, and their methods are called inside ``run`` only. ``generation`` is the oldest
    picture generation that may still be written.
    """

    def __init__(self, smbus: SMBusLike, execute: Execute) -> None:
        self.adapter = BusioAdapter(smbus)
        self.generation = 0
        self._execute = execute
        self._waiting: list[_Waiting] = []
        self._asked = 0
        self._running: asyncio.Future[Any] | None = None

    async def run(
        self, job: Callable[[], T], priority: Priority, generation: int | None = None
    ) -> T:
        """Run ``job`` when its turn comes and return its result, or raise its exception.

        ``generation`` is that of the picture of which the job writes a slice; None for all other
        jobs. Cancelling withdraws a waiting job. A running job is finished, and only then the next
        one starts.

        Raises Superseded if the generation is older than ``self.generation`` by then.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if generation is not None:
            job = partial(self._run_current, job, generation)
        if self._running is None:
            self._start(job, future)
        else:
            self._asked += 1
            heapq.heappush(self._waiting, (priority, self._asked, job, future))
        return await future

    def void_pictures(self, generation: int) -> None:
        """Supersede jobs of pictures older than ``generation``, waiting and later ones."""
        self.generation = max(self.generation, generation)

    def _run_current(self, job: Callable[[], T], generation: int) -> T:
        # Asked right before the job touches the bus, so that nothing can happen in between.
        if generation < self.generation:
            raise Superseded(f"picture {generation} is older than {self.generation}")
        return job()

    def _start_next(self) -> None:
        self._running = None
        while self._waiting:
            _, _, job, future = heapq.heappop(self._waiting)
            if not future.done():
                self._start(job, future)
                return

    def _start(self, job: Callable[[], Any], future: asyncio.Future[Any]) -> None:
        self._running = self._execute(job)
        self._running.add_done_callback(partial(self._finish, future))

    def _finish(self, future: asyncio.Future[Any], done: asyncio.Future[Any]) -> None:
        if done.cancelled():
            future.cancel()
        elif (problem := done.exception()) is not None:
            if not future.done():
                future.set_exception(problem)
        elif not future.done():
            future.set_result(done.result())
        self._start_next()


@contextmanager
def thread_execute(name: str = "i2c") -> Iterator[Execute]:
    """Yield the ``execute`` of a real bus: one thread ``name``, which ends with the block."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix=name) as pool:

        def execute(job: Callable[[], T], /) -> asyncio.Future[T]:
            return asyncio.get_running_loop().run_in_executor(pool, job)

        yield execute
