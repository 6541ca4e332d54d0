"""``maexchen-sim table --phones``: everybody plays on their own phone."""

import argparse
import asyncio
import shutil
import webbrowser

import segno

from firmware.cli.console import CommandError, because
from hw_sim.cli.serving import in_url, listen, reached_at, until_stopped
from hw_sim.live.web.certificates import Authority
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.page_server import PageServer
from hw_sim.live.web.party_routes import PartyRoutes
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.served_table import ServedTable
from hw_sim.table.setup import TableSetup

GAP = 2
"""Columns between two codes in the terminal."""
_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""By whether the upper and the lower module are dark."""


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
    table = ServedTable(store, seats, TableSetup(MatchPlan().rules, language=args.language))
    lobby = table.lobby
    host = args.host or reached_at("0.0.0.0")
    server = PageServer(table, host, PartyRoutes(seats, lobby, authority))
    async with until_stopped(server.close) as stopped:
        port = await listen(server.start(args.port), host, args.port)
        at = reached_at(host)
        lobby.address = f"http://{in_url(at)}:{port}/"
        print(f"The table is at {lobby.address} (Ctrl-C ends it, and keeps the match)", flush=True)
        if authority is not None:
            lobby.secure = await _secure(server, authority, at, host, args.port and port + 1)
        store.write_address(lobby.address)
        page = f"{lobby.address}#{seats.stored.host}"
        print(invitations(seats, lobby, shutil.get_terminal_size().columns))
        print(f"Game, bots and start are the host's, who opens this page:\n  {page}", flush=True)
        if args.browse:
            await asyncio.to_thread(webbrowser.open, page)
        await stopped.wait()


async def _secure(
    server: PageServer, authority: Authority, at: str, host: str, port: int
) -> str | None:
    """Listen over TLS, too; return the address, or None if that is not possible."""
    try:
        secure = await listen(server.start(port, authority.context(at)), host, port)
        return f"https://{in_url(at)}:{secure}/"
    except (CommandError, OSError, ValueError) as error:
        print(f"Without TLS, so phones cannot be shaken themselves: {error}")
        return None


def invitations(seats: PartySeats, lobby: LobbyFeed, columns: int) -> str:
    """Return the QR codes of all free places, as many beside each other as the columns hold."""
    links = [lobby.link(each.invitation) for each in seats.places() if each.name is None]
    if not links:
        return "All places are taken."
    codes = [_code(link) for link in links]
    row = max(1, (columns + GAP) // (max(len(code[0]) for code in codes) + GAP))
    lines = ["Every guest scans a code of his own:"]
    for first in range(0, len(codes), row):
        lines += [(" " * GAP).join(beside) for beside in zip(*codes[first : first + row])]
        lines.append("")
    return "\n".join(lines)


def _code(link: str) -> list[str]:
    """The lines of a QR code in block elements, light ones for a dark terminal."""
    code = segno.make(link, micro=False, error="l", boost_error=False)
    rows = [list(row) for row in code.matrix_iter(border=2)]
    rows += [[1] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(_BLOCKS[bool(upper), bool(lower)] for upper, lower in zip(above, below))
        for above, below in zip(rows[::2], rows[1::2])
    ]
