"""Serving a table until somebody stops it, and at which address it is."""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from firmware.cli.console import CommandError, because


def reached_at(host: str) -> str:
    """Return the address at which others reach a server at ``host``, which may be the wildcard."""
    family = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}.get(host)
    if family is None:
        return host
    # Nothing is sent: the system only tells which of its addresses it would send from.
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1" if family is socket.AF_INET else "2001:db8::1", 9))
        except OSError:
            return socket.gethostname().lower()
        return str(probe.getsockname()[0])


def in_url(host: str) -> str:
    """An address or a name as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


async def listen(starting: Awaitable[int], host: str, port: int) -> int:
    """Wait until a server listens; returns the port.

    Raises:
        CommandError: it cannot.
    """
    try:
        return await starting
    except OSError as error:
        raise CommandError(
            f"{host}, port {port}: {because(error)}: choose another with --host or --port"
        ) from None


@asynccontextmanager
async def until_stopped(close: Callable[[], Awaitable[None]]) -> AsyncIterator[asyncio.Event]:
    """An event that comes with Ctrl-C or SIGTERM; at the end the server is closed."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    try:
        yield stopped
    finally:
        await close()
