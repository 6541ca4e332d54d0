"""``maexchen-sim serve`` and ``party``: the built site on this machine, and on this network.

A server is there until somebody stops it; phones learn at which of its addresses.
"""

import argparse
import asyncio
import os
import re
import signal
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlencode

from firmware.cli.console import DONE, CommandError, because
from hw_sim.cli.declared import declare

if TYPE_CHECKING:
    from hw_sim.live.serve.broker_proxy import BrokerProxy
    from hw_sim.live.serve.certificates import Authority
    from hw_sim.live.serve.site_server import Door, SiteServer


LOOPBACK: Final = "127.0.0.1"
ANY_ADDRESS: Final = "0.0.0.0"
SERVED, PARTY = 8000, 8021
"""The usual ports; chosen."""
NOBODY: Final = (
    "No phone reaches this computer: it is in no network. Join the Wi-Fi, then start again"
)
BUILDING: Final = "building the site, which phones and browsers load (once, about a minute)"


def add_commands(commands: Any) -> None:
    """Add ``serve`` and ``party`` to what argparse calls subparsers."""
    declare(commands, "serve", _serve).set_defaults(usual_port=SERVED)
    declare(commands, "party", _party).set_defaults(usual_port=PARTY)


def _serve(args: argparse.Namespace) -> int:
    site = _site(args.site)
    asyncio.run(_send(args, site))
    return DONE


def _party(args: argparse.Namespace) -> int:
    site = _site(args.site)
    asyncio.run(_host(args, site, _authority(args)))
    return DONE


def _site(wanted: Path | None) -> Path:
    """Return the folder of a built site, which is built now if it has to be.

    Raises:
        CommandError: it is none, or cannot be built.
    """
    os.environ["AIOHTTP_NOSENDFILE"] = "1"  # asyncio's sendfile fails aloud if a download is cut
    # Only here and below: what it needs is not on every system, and takes a while to load.
    from hw_sim.cli.working import saying_so
    from hw_sim.live.site.build import SITE, BuildError, build, built_site

    if wanted is not None:
        if not (wanted / "_headers").is_file():
            raise CommandError(f"--site {wanted}: no built site: make site builds one")
        return wanted
    if (built := built_site()) is not None:
        return built
    print(BUILDING, flush=True)
    try:
        with saying_so("building the site", sys.stderr):
            build()
    except BuildError as error:
        raise CommandError(f"the site is not built: {error}") from None
    except OSError as error:
        raise CommandError(
            f"the site is not built: {error.filename}: {because(error)}: name one with --site"
        ) from None
    return SITE


def _authority(args: argparse.Namespace) -> "Authority | None":
    """Return what signs the certificate of this computer; None without TLS.

    Raises:
        CommandError: the folder cannot be used.
    """
    from hw_sim.live.serve.certificates import Authority
    from hw_sim.live.web import make_private_folder

    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder: Path = args.folder or Path(state) / "maexchen" / "party"
    if not args.tls:
        return None
    try:
        make_private_folder(folder)
        return Authority(folder)
    except (OSError, ValueError) as error:
        why = because(error) if isinstance(error, OSError) else str(error)
        raise CommandError(f"folder {folder}: {why}: name another with --folder") from None


async def _send(args: argparse.Namespace, site: Path) -> None:
    """Send the site until somebody ends it."""
    from hw_sim.live.serve.site_server import SiteServer

    server = SiteServer(site, args.host)
    async with until_stopped(server.close) as stopped:
        port = await _listen(server, args)
        address = f"http://{in_url(reached_at(args.host))}:{port}/"
        print(f"The table is at {address} (Ctrl-C ends it; the browser keeps the game)")
        sys.stdout.flush()
        if args.browse:
            await asyncio.to_thread(webbrowser.open, address)
        await stopped.wait()


async def _listen(server: "SiteServer", args: argparse.Namespace) -> int:
    """Listen at the wanted port; at one that is free if nobody wants one and the usual is taken.

    Raises:
        CommandError: that is not possible.
    """
    wanted = args.usual_port if args.port is None else args.port
    try:
        return await listen(server.start(wanted), args.host, wanted)
    except CommandError as taken:
        if args.port is not None:
            raise
        port = await listen(server.start(0), args.host, 0)
        print(f"Port {wanted} is not free, so this is another: what its browser kept is not here")
        print(f"  ({taken})", flush=True)
        return port


async def _host(args: argparse.Namespace, site: Path, authority: "Authority | None") -> None:
    """Send the site and run a broker until somebody ends it."""
    from hw_sim.live.serve.broker_proxy import BrokerProxy, running_broker
    from hw_sim.live.serve.site_server import SiteServer

    running = AsyncExitStack()
    async with until_stopped(running.aclose) as stopped:
        broker = await running.enter_async_context(running_broker())
        proxy = BrokerProxy(broker)
        server = SiteServer(site, args.host, proxy, authority, lambda door: _tell(server, door))
        running.push_async_callback(server.close)
        port = await _listen(server, args)
        every, name = addresses_at(args.host), own_name()
        server.tell([f"http://{in_url(each)}:{port}/" for each in every], ())
        secure = None
        if authority is not None:
            secure = await _secure(server, authority, args, every, name, port)
        handhelds = await _handhelds(proxy, args, every)
        here = in_url(reached_at(args.host)) if args.host != ANY_ADDRESS else LOOPBACK
        page = _screen(f"{here}:{port}", proxy.path, server.sites.sites)
        print(f"The big screen for all is this page (Ctrl-C ends the party):\n  {page}")
        if not every:
            print(NOBODY)
        _print_sites(server.sites.sites, server.sites.secure)
        print(f'  a handheld\'s [broker]: url = "{handhelds}", open_wire = true')
        print("The party is ready", flush=True)
        if args.browse:
            await asyncio.to_thread(webbrowser.open, page)
        naming = asyncio.create_task(_add_name(server, name, every, port, secure))
        await stopped.wait()
        naming.cancel()


def _print_sites(sites: Iterable[str], secure: Iterable[str]) -> None:
    """Print where phones reach this computer, without and with TLS."""
    for each in sites:
        print(f"  phones reach this computer at {each}")
    for each in secure:
        print(f"  encrypted, so that they can be shaken: {each}")
    sys.stdout.flush()


async def _add_name(
    server: "SiteServer", name: str, addresses: Sequence[str], port: int, secure: int | None
) -> None:
    """Tell the name of this computer, too, once it is known to lead here."""
    if await leads_to(name, addresses):
        sites = [f"http://{name}:{port}/"]
        encrypted = [] if secure is None else [f"https://{name}:{secure}/"]
        server.tell((*server.sites.sites, *sites), (*server.sites.secure, *encrypted))
        _print_sites(sites, encrypted)


async def _handhelds(
    proxy: "BrokerProxy", args: argparse.Namespace, addresses: Sequence[str]
) -> str:
    """Let handhelds in, too; return the address of the broker that their settings name."""
    from hw_sim.air.local_broker import OWN_PORT

    try:
        port = await proxy.listen(args.host, 0 if args.port == 0 else OWN_PORT)
    except OSError:  # another broker of this computer has it
        port = await listen(proxy.listen(args.host, 0), args.host, 0)
    return f"mqtt://{in_url((*addresses, LOOPBACK)[0])}:{port}{proxy.query}"


def _screen(host: str, broker_path: str, sites: Sequence[str]) -> str:
    """Return the address of the big screen: which broker it dials, and where guests come in."""
    wanted = {"broker": f"ws://{host}{broker_path}"} | ({"site": sites[0]} if sites else {})
    return f"http://{host}/screen.html?table=evening#{urlencode(wanted, safe=':/?=')}"


def _tell(server: "SiteServer", door: "Door") -> None:
    """Print where guests come in, now that the big screen has an evening."""
    links = [f"{each}{door.code}" for each in server.sites.sites]
    if links:
        print_code(links[0].upper())
    for link in links:
        print(f"Guests open {link}", flush=True)


def print_code(link: str) -> None:
    """Print a QR code in block elements, light ones for a dark terminal."""
    import segno  # needs the extra pages

    code = segno.make(link, micro=False, error="l", boost_error=False)
    code.terminal(border=2, compact=True)


def own_name() -> str:
    """Return the name that this computer has in its network, if it answers there (RFC 6762)."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


async def leads_to(name: str, addresses: Collection[str]) -> bool:
    """Whether a name leads to one of these addresses; what asks for it holds up nobody's end."""
    loop, answers = asyncio.get_running_loop(), asyncio.Queue[set[str]]()

    def ask() -> None:
        found: set[str] = set()
        with suppress(OSError, UnicodeError):
            found = {str(each[4][0]) for each in socket.getaddrinfo(name, None)}
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(answers.put_nowait, found)

    Thread(target=ask, daemon=True).start()
    return not (await answers.get()).isdisjoint(addresses)


async def _secure(
    server: "SiteServer",
    authority: "Authority",
    args: argparse.Namespace,
    addresses: list[str],
    name: str,
    port: int,
) -> int | None:
    """Listen over TLS, too, at the addresses of local networks and at a name; return the port.

    Says so, and returns None, if that is not possible.
    """
    from hw_sim.live.serve.certificates import is_local_network

    every = addresses or [reached_at(args.host)]
    local = [each for each in every if is_local_network(each)]
    named = local or every[:1]
    next_port = 0 if args.port == 0 else port + 1
    try:
        secure = await listen(
            server.start(next_port, authority.context(*named, name)), args.host, next_port
        )
    except (CommandError, OSError, ValueError) as error:
        print(f"Without TLS, so phones cannot be shaken themselves: {error}")
        return None
    reached = [f"https://{in_url(each)}:{secure}/" for each in named]
    server.tell(server.sites.sites, reached if addresses else ())
    return secure


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
