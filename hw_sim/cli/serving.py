"""Serving a table until somebody stops it, and at which addresses it is."""

import asyncio
import re
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from ipaddress import ip_address, ip_network
from typing import NamedTuple

import segno

from firmware.cli.console import CommandError, because


class NetworkAddress(NamedTuple):
    """An address of this computer, and the interface that has it.

    ``has_peer``: the interface leads to one other computer; ``runs``: it is connected.
    """

    interface: str
    address: str
    has_peer: bool = False
    runs: bool = True


_TUNNELS = re.compile(
    r"(utun|tun|tap|wg|ppp|ipsec|zt|tailscale|nordlynx|proton|vpn)", re.IGNORECASE
)
_INSIDE = re.compile(
    r"(docker|podman|br-|virbr|veth|vmnet|vboxnet|vEthernet|lxc|cni)", re.IGNORECASE
)
_CARRIERS = ip_network("100.64.0.0/10")
"""Addresses that carriers and some tunnels give (RFC 6598)."""
_HOMES = tuple(map(ip_network, ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12", "fc00::/7")))
"""The addresses of local networks (RFC 1918, RFC 4193), those of most homes first."""

_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""By whether the upper and the lower module are dark."""


def reached_first(found: Iterable[NetworkAddress], usual: str = "") -> list[str]:
    """Return addresses, first those at which phones in the same room most likely reach a server.

    Local networks come first, then public addresses, networks inside this computer, addresses that
    nobody has given (169.254.0.0/16), interfaces without a connection, and tunnels. Among equals
    ``usual`` comes first, the one that the system sends from; empty for none. Those of this
    computer alone are left out.
    """

    def rank(each: NetworkAddress) -> tuple[bool, bool, int, bool, int]:
        address = ip_address(each.address)
        home = next((i for i, network in enumerate(_HOMES) if address in network), len(_HOMES))
        leads_away = each.has_peer or bool(_TUNNELS.match(each.interface)) or address in _CARRIERS
        is_public = home == len(_HOMES)
        kind = 3 if address.is_link_local else 2 if _INSIDE.match(each.interface) else is_public
        return leads_away, not each.runs, kind, each.address != usual, home

    outside = (each for each in found if not ip_address(each.address).is_loopback)
    return list(dict.fromkeys(each.address for each in sorted(outside, key=rank)))


def addresses_at(host: str) -> list[str]:
    """Return the addresses at which others reach a server at ``host``, the best first.

    They are those of all interfaces that are switched on if ``host`` is the wildcard, and else
    ``host``. Empty: nobody else reaches it.
    """
    family = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}.get(host)
    if family is None:
        return [host]
    import psutil

    stats = psutil.net_if_stats()
    found = [
        NetworkAddress(name, each.address, "pointopoint" in state.flags, state.isup)
        for name, addresses in psutil.net_if_addrs().items()
        if (state := stats.get(name)) and (state.isup or "up" in state.flags.split(","))
        for each in addresses
        if each.family == family and "%" not in each.address
    ]
    return reached_first(found, _sent_from(family))


def _sent_from(family: socket.AddressFamily) -> str:
    """The address that the system sends from to somewhere far away; empty without a route."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:  # nothing is sent
            probe.connect(("192.0.2.1" if family is socket.AF_INET else "2001:db8::1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def reached_at(host: str) -> str:
    """Return the best address of a server at ``host``; a loopback one if there is no other."""
    return next(iter(addresses_at(host)), "::1" if host == "::" else "127.0.0.1")


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
    """An event that comes with Ctrl-C, SIGTERM or a closed terminal; then the server is closed."""
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    try:
        yield stopped
    finally:
        await close()


def code_lines(link: str) -> list[str]:
    """Return the lines of a QR code in block elements, light ones for a dark terminal."""
    code = segno.make(link, micro=False, error="l", boost_error=False)
    rows = [list(row) for row in code.matrix_iter(border=2)]
    rows += [[1] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(_BLOCKS[bool(upper), bool(lower)] for upper, lower in zip(above, below))
        for above, below in zip(rows[::2], rows[1::2])
    ]
