"""Transactions that a kernel asks of its bus, answered by a process inside that kernel.

The drivers' tests hold the simulated board in their own process, and that runs in the kernel: what
the drivers do goes out to the I2C controller and comes back to the tests' board over a serial line.
One transaction is a line of JSON, its answer another.
"""

import json
import socket
from collections.abc import Callable

from smbus2 import i2c_msg

from drivers.bus import SMBusLike, received

PATIENCE_S = 20.0
"""Who answers is a process in a kernel that has one processor, and not all of it."""


class Relay:
    """An ``i2c_rdwr`` that asks whoever is at the other end of ``line()``, and waits for it.

    Raises OSError with the errno that the other end names.
    """

    def __init__(self, line: Callable[[], socket.socket]) -> None:
        self._line = line

    def i2c_rdwr(self, *messages: i2c_msg) -> None:
        """Do the messages as one transaction."""
        asked = [
            [one.addr, len(one) if one.flags else received(one).hex(), one.flags]
            for one in messages
        ]
        line = self._line()
        line.settimeout(PATIENCE_S)
        line.sendall(json.dumps(asked).encode() + b"\n")
        told = b""
        while not told.endswith(b"\n"):
            told += line.recv(65536) or b"[110, []]\n"
        error, found = json.loads(told)
        if error:
            raise OSError(error, "told by the other end")
        reads = (one for one in messages if one.flags)
        for one, text in zip(reads, found):
            for at, value in enumerate(bytes.fromhex(text)):
                one.buf[at] = bytes([value])


def answer(line: bytes, bus: SMBusLike) -> bytes:
    """Do on ``bus`` what one line of a `Relay` asks; return the line of the answer."""
    messages = [
        i2c_msg.read(address, what) if is_read else i2c_msg.write(address, bytes.fromhex(what))
        for address, what, is_read in json.loads(line)
    ]
    error = 0
    try:
        bus.i2c_rdwr(*messages)
    except OSError as problem:
        error = problem.errno or 5
    found = [received(one).hex() for one in messages if one.flags]
    return json.dumps([error, found]).encode() + b"\n"
