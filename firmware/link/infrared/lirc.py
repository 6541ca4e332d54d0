"""The kernel's infrared devices, ``/dev/lirc*``: a sender and a receiver.

Linux numbers them in the order of discovery, so the module asks each for its features. Both use
lists of 32-bit numbers: lengths in µs of marks and spaces in turn. A sender takes at most 500 ms
and 1024 of them at once, an odd count; a receiver puts the kind of each into its highest byte.
"""

import array
import asyncio
import fcntl
import logging
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from drivers import now_us
from firmware.link.infrared import LONGEST_US, MOST_VALUES, InfraredError, Pulse

GET_FEATURES, SET_SEND_CARRIER, SET_REC_TIMEOUT = 0x80046900, 0x40046913, 0x40046918
"""Requests of linux/lirc.h."""
CAN_SEND_PULSE, CAN_REC_MODE2 = 0x00000002, 0x00040000
"""Features of linux/lirc.h."""
CARRIER_HZ = 38_000
"""The carrier of the demodulators in the parts list: see their sheet."""
TIMEOUT_US = 20_000
"""Silence after which the kernel delivers what it has; chosen: below `SETTLE_US`."""

_KIND = 0xFF000000
_VALUE = 0x00FFFFFF
_SPACE, _PULSE, _TIMEOUT = 0x00000000, 0x01000000, 0x03000000
_READ_BYTES = 4 * MOST_VALUES

_log = logging.getLogger(__name__)


def found(folder: Path = Path("/dev")) -> list[Path]:
    """Return the infrared devices in ``folder``, sorted; empty if there are none."""
    return sorted(folder.glob("lirc*"))


def packed(lengths_us: list[int]) -> bytes:
    """Return marks and spaces in turn (µs) in the sender's format: 32 bits each, native order.

    Raises:
        ValueError: more than MOST_VALUES or LONGEST_US, or an even count, which ends with a space.
    """
    if len(lengths_us) % 2 == 0 or len(lengths_us) > MOST_VALUES:
        raise ValueError(f"{len(lengths_us)} lengths are no odd count up to {MOST_VALUES}")
    if sum(lengths_us) > LONGEST_US:
        raise ValueError(f"{sum(lengths_us)} µs are more than {LONGEST_US}")
    return array.array("I", lengths_us).tobytes()


class LircSamples:
    """Converts a receiver's data into pulses on a clock.

    The kernel gives lengths, not times. A share ends when it is read. Within a transmission the
    lengths add up, so only its beginning is slightly off.
    """

    def __init__(self) -> None:
        self._at_us: int | None = None

    def pulses(self, data: bytes, now_us: int) -> list[Pulse]:
        """Return the marks in ``data`` (mode 2, 32 bits each), which was read at ``now_us``."""
        values = array.array("I", data[: len(data) // 4 * 4])
        timed = [(value & _KIND, value & _VALUE) for value in values]
        # A share after a time-out begins with a space that counts the time-out, too.
        left_us = sum(length for kind, length in timed if kind in (_PULSE, _SPACE))
        if timed and timed[-1][0] == _TIMEOUT:
            left_us += timed[-1][1]
        pulses = []
        for kind, length_us in timed:
            if kind not in (_PULSE, _SPACE):
                self._at_us = None  # a time-out or an overflow: nothing is known of the time since
                continue
            if self._at_us is None:
                self._at_us = now_us - left_us
            if kind == _PULSE:
                pulses.append(Pulse(self._at_us, length_us))
            self._at_us += length_us
            left_us -= length_us
        return pulses


class LircPort:
    """A sender and a receiver of the kernel.

    Args:
        sender, receiver: their devices, such as ``/dev/lirc0``.
        request: ``fcntl.ioctl``, or a replacement with its signature.

    Raises:
        InfraredError: a device cannot be opened.
    """

    def __init__(
        self,
        sender: Path,
        receiver: Path,
        request: Callable[..., int] = fcntl.ioctl,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._request = request
        self._samples = LircSamples()
        self._on_pulses: Callable[[list[Pulse]], None] | None = None
        self._sending: set[asyncio.Future[None]] = set()
        self._out = _opened(sender, os.O_WRONLY)
        self._in = _opened(receiver, os.O_RDONLY | os.O_NONBLOCK)
        self._set(self._out, SET_SEND_CARRIER, CARRIER_HZ)
        self._set(self._in, SET_REC_TIMEOUT, TIMEOUT_US)

    def open(self, on_pulses: Callable[[list[Pulse]], None]) -> None:
        """Begin to listen, as ``Port.open``."""
        self._on_pulses = on_pulses
        self._loop.add_reader(self._in, self._readable)

    def transmit(self, lengths_us: list[int]) -> None:
        """Send in a thread, because the kernel blocks until the last mark is over.

        A refusal is logged. Raises ValueError as ``packed`` does.
        """
        data = packed(lengths_us)
        sending = self._loop.run_in_executor(None, self._write, data)
        self._sending.add(sending)
        sending.add_done_callback(self._sent)

    def close(self) -> None:
        """Stop listening and close both devices; closing twice does nothing more."""
        if self._on_pulses is not None:
            self._loop.remove_reader(self._in)
            self._on_pulses = None
        for device in (self._out, self._in):
            if device >= 0:
                os.close(device)
        self._out = self._in = -1

    def _write(self, data: bytes) -> None:
        os.write(self._out, data)

    def _sent(self, sending: asyncio.Future[None]) -> None:
        """Log a failure: the transmission is lost, and the protocol resends its frame."""
        self._sending.discard(sending)
        if not sending.cancelled() and (problem := sending.exception()) is not None:
            _log.warning("the infrared device does not send: %s", problem)

    def _readable(self) -> None:
        try:
            data = os.read(self._in, _READ_BYTES)
        except BlockingIOError:
            return
        pulses = self._samples.pulses(data, now_us(self._loop))
        if pulses and self._on_pulses is not None:
            self._on_pulses(pulses)

    def _set(self, device: int, request: int, value: int) -> None:
        with suppress(OSError):  # not every driver takes it; the defaults do
            self._request(device, request, array.array("I", [value]))


def open_port(
    devices: Iterable[Path] | None = None, request: Callable[..., int] = fcntl.ioctl
) -> LircPort:
    """Open the first device that sends and the first that receives, which may be the same.

    ``devices``: the devices to try; None: all in ``/dev``. ``request`` as in ``LircPort``.

    Raises:
        InfraredError: either is missing, or cannot be opened.
    """
    sender = receiver = None
    for device in found() if devices is None else devices:
        features = _features(device, request)
        if features & CAN_SEND_PULSE:
            sender = sender or device
        if features & CAN_REC_MODE2:
            receiver = receiver or device
    if sender is None or receiver is None:
        lacks = "sends" if sender is None else "receives"
        raise InfraredError(
            f"no infrared device that {lacks}: add the overlays gpio-ir and pwm-ir-tx to config.txt"
        )
    return LircPort(sender, receiver, request)


def _features(device: Path, request: Callable[..., int]) -> int:
    answer = array.array("I", [0])
    handle = _opened(device, os.O_RDONLY | os.O_NONBLOCK)
    try:
        request(handle, GET_FEATURES, answer)
    except OSError as error:
        raise InfraredError(f"{device} is no infrared device: {error.strerror}") from None
    finally:
        os.close(handle)
    return answer[0]


def _opened(device: Path, flags: int) -> int:
    try:
        return os.open(device, flags)
    except OSError as error:
        raise InfraredError(
            f"{device}: {error.strerror}: check that it is there and that you are in group video"
        ) from None
