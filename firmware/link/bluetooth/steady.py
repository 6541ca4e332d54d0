"""A radio that survives its controller: a lost controller is closed and reopened.

A silent controller is probed every `PROBE_S`, and lost if it does not answer
(`firmware.link.bluetooth.host`). A dead one is thus noticed within a minute, even without traffic.
Announcements and scans continue on the next radio; connections are made anew.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress

from firmware.link.bluetooth.channel import Channel, ConnectError, Tasks
from firmware.link.bluetooth.controller import HciTransport, OpenController, RadioError
from firmware.link.bluetooth.radio import Radio

PROBE_S = 20.0
"""A controller that has not answered for this long is probed."""
SILENT_S = 60.0
"""A controller that has not answered for this long counts as dead."""
AGAIN_FIRST_S, AGAIN_MOST_S = 0.5, 8.0
"""Delay after a failed opening; it doubles each time."""

_log = logging.getLogger(__name__)


class SteadyRadio:
    """A `Radio` for as long as it is wanted, over any number of openings.

    Args:
        open_controller: opens the controller, any number of times.
        own_address, peers, on_open, strangers: as `Radio` has them.
        on_announced: gets a neighbour's announcement: its address, and the bytes.
        on_full: as `Advertising.on_full`.
    """

    def __init__(
        self,
        open_controller: OpenController,
        own_address: str,
        peers: Iterable[str],
        on_open: Callable[[Channel], None],
        on_announced: Callable[[str, bytes], None],
        on_full: Callable[[], None],
        *,
        strangers: bool = False,
    ) -> None:
        self._open_controller = open_controller
        self._own_address = own_address
        self._peers = tuple(peers)
        self._on_open = on_open
        self._on_announced = on_announced
        self._on_full = on_full
        self._strangers = strangers
        self._transport: HciTransport | None = None
        self._radio: Radio | None = None
        self._announced = b""
        self._listening = False
        self._answered_s = 0.0
        self._tasks = Tasks()

    async def start(self) -> None:
        """Open the controller and be reachable, from now on. Raises RadioError."""
        await self._open()
        self._tasks.spawn(self._probe())

    async def stop(self) -> None:
        """Close every connection, power the controller off and give it back."""
        self._tasks.cancel()
        radio, self._radio = self._radio, None
        if radio is not None:
            await radio.stop()
        await self._close()

    def abandon(self) -> None:
        """Drop everything at once, without a callback, as at a power cut."""
        self._tasks.cancel()
        if self._radio is not None:
            self._radio.abandon()

    async def connect(self, address: str, patience_s: float) -> Channel:
        """Connect to a peer; see `Radio.connect`. Raises ConnectError, also without a radio."""
        if self._radio is None:
            raise ConnectError("the controller is being opened again")
        return await self._radio.connect(address, patience_s)

    def announce(self, data: bytes) -> None:
        """Advertise ``data``; see `Advertising.announce`."""
        self._announced = data
        if self._radio is not None:
            self._radio.advertising.announce(data)

    def listen(self, on: bool) -> None:
        """Start or stop scanning; findings go to ``on_announced``."""
        self._listening = on
        if self._radio is not None:
            self._radio.advertising.listen(on)

    @property
    def is_well(self) -> bool:
        """Whether a controller has answered within the last `SILENT_S`."""
        if self._radio is not None:
            self._answered_s = self._radio.host.answered_s
        return asyncio.get_running_loop().time() - self._answered_s <= SILENT_S

    async def _open(self) -> None:
        self._transport = await self._open_controller()
        radio = Radio(
            self._transport,
            self._own_address,
            self._peers,
            self._on_open,
            strangers=self._strangers,
            on_lost=lambda reason: self._lost(radio, reason),
        )
        try:
            await radio.start()
        except RadioError:
            radio.abandon()
            await self._close()
            raise
        self._radio = radio
        radio.advertising.on_announced = self._on_announced
        radio.advertising.on_full = self._on_full
        radio.advertising.announce(self._announced)
        radio.advertising.listen(self._listening)

    def _lost(self, radio: Radio, reason: str) -> None:
        if radio is self._radio:
            self._answered_s = radio.host.answered_s
            self._radio = None
            radio.abandon()
            self._tasks.spawn(self._reopen(reason))

    async def _reopen(self, reason: str) -> None:
        _log.warning("the Bluetooth controller is opened again: %s", reason)
        await self._close()
        wait_s = AGAIN_FIRST_S
        while self._radio is None:
            try:
                await self._open()
            except RadioError as problem:
                if str(problem) != reason:
                    reason = str(problem)
                    _log.warning("%s", problem)
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, AGAIN_MOST_S)
        _log.warning("the Bluetooth controller answers again")

    async def _close(self) -> None:
        transport, self._transport = self._transport, None
        if transport is not None:
            with suppress(OSError):  # gone already
                await transport.close()

    async def _probe(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PROBE_S)
            if self._radio is not None and loop.time() - self._radio.host.answered_s >= PROBE_S:
                await self._radio.host.ask()
