"""``maexchen-sim table --phones``: everybody plays on their own phone."""

import argparse
import asyncio
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import SystemRandom
from tempfile import TemporaryDirectory

from firmware.cli.console import CommandError, because
from firmware.link.broker.access import ANYBODY
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.session import Session
from hw_sim.air.local_broker import OWN_PORT, LocalBroker, mosquitto
from hw_sim.cli.arguments import broker
from hw_sim.cli.serving import addresses_at, code_lines, in_url, listen, reached_at, until_stopped
from hw_sim.live.site.build import built_site
from hw_sim.live.web.certificates import Authority, is_local_network
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.page_server import PageServer
from hw_sim.live.web.party_routes import PartyRoutes
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.party_table import open_party
from hw_sim.table.setup import TableSetup

NO_SITE = (
    "This computer keeps all cups: phones have no handhelds of their own until make site has built "
    "them"
)
NOBODY = "No phone reaches this computer: it is in no network. Join the Wi-Fi, then start again"
HANDHELDS = 'Handhelds come in by room {code}. In their settings is the broker: url = "{url}"'
BOUNDS = ("max_packet_size 8192", "max_connections 100", "memory_limit 67108864")
"""The bounds of a party's own broker, in bytes and connections: everybody reaches it."""
OPEN_WIRE = ", open_wire = true"


async def serve_party(store: MatchStore, args: argparse.Namespace) -> None:
    """Serve the party that is kept in a folder, or begin one.

    Raises:
        CommandError: the folder cannot be used, or the address not be listened at.
    """
    try:
        seats = PartySeats(store.folder / "evening.json")
        authority = Authority(store.folder) if args.tls else None
    except (OSError, ValueError) as error:
        why = because(error) if isinstance(error, OSError) else str(error)
        raise CommandError(f"folder {store.folder}: {why}: name another with --folder") from None
    host = args.host or "0.0.0.0"
    async with _broker(args, host) as address:
        await _serve(store, args, seats, authority, host, address)


async def _serve(
    store: MatchStore,
    args: argparse.Namespace,
    seats: PartySeats,
    authority: Authority | None,
    host: str,
    address: BrokerAddress | None,
) -> None:
    """Serve a party at ``host``, for handhelds at a broker, too, if there is one."""
    built = None if args.cups_here else built_site()
    template = TableSetup(MatchPlan().rules, language=args.language)
    new_session = None if address is None else _sessions(address)
    table, relay = await open_party(
        store, seats, template, owns=built is not None, new_session=new_session
    )
    lobby = table.lobby
    server = PageServer(table, host, PartyRoutes(seats, lobby, authority, relay, built))
    async with until_stopped(server.close) as stopped:
        port = await listen(server.start(args.port), host, args.port)
        lobby.address = f"http://{in_url(reached_at(host))}:{port}/"
        all_at = addresses_at(host)
        lobby.others = tuple(f"http://{in_url(each)}:{port}/" for each in all_at[1:])
        print(f"The table is at {lobby.address} (Ctrl-C ends it, and keeps the match)", flush=True)
        if not all_at:
            print(NOBODY, flush=True)
        if built is None and not args.cups_here:
            print(NO_SITE, flush=True)
        if authority is not None:
            lobby.secure = await _secure(server, authority, host, args.port and port + 1)
        store.write_address(lobby.address)
        page = f"{lobby.address}screen#{seats.stored.host}"
        print("\n".join(code_lines(lobby.door_link)))
        print(f"Every guest scans this code, or opens {lobby.door_link.lower()} on a phone.")
        for other in lobby.other_doors:
            print(f"  or {other}")
        print("The guest who comes first chooses game and bots, and begins.")
        if address is not None and lobby.gathering is not None:
            told = HANDHELDS.format(code=lobby.gathering.code, url=address.url)
            print(told + ("" if address.tls else OPEN_WIRE))
        print(f"The big screen for all is this page:\n  {page}", flush=True)
        if args.browse:
            await asyncio.to_thread(webbrowser.open, page)
        await stopped.wait()


@asynccontextmanager
async def _broker(args: argparse.Namespace, host: str) -> AsyncIterator[BrokerAddress | None]:
    """The address of the broker of a party, which runs meanwhile if it is its own; or None."""
    if not args.own_broker:
        yield broker(args)
        return
    with TemporaryDirectory() as folder:
        at, more = reached_at(host), BOUNDS if mosquitto() else ()
        own = LocalBroker(Path(folder), OWN_PORT, rules=ANYBODY, more=more, host=at)
        await own.start()
        try:
            yield BrokerAddress.of(own.url, open_wire=True)
        finally:
            own.stop()


def _sessions(address: BrokerAddress) -> Callable[[], Session]:
    """Return what makes sessions at a broker, which tell the same trouble once."""
    from firmware.link.broker.mqtt import MqttSession  # needs the extra broker

    told = [""]

    def tell(line: str) -> None:
        if told != [line]:
            told[:] = [line]
            print(f"maexchen-sim: {line}", file=sys.stderr, flush=True)

    return lambda: MqttSession(address, tell, SystemRandom().random)


async def _secure(server: PageServer, authority: Authority, host: str, port: int) -> str | None:
    """Listen over TLS, too; return the best address, or None if that is not possible.

    The certificate names all addresses of local networks.
    """
    every = addresses_at(host) or [reached_at(host)]
    try:
        named = [each for each in every if is_local_network(each)] or every[:1]
        secure = await listen(server.start(port, authority.context(*named)), host, port)
        return f"https://{in_url(named[0])}:{secure}/"
    except (CommandError, OSError, ValueError) as error:
        print(f"Without TLS, so phones cannot be shaken themselves: {error}")
        return None
