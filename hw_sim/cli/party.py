"""``maexchen-sim table --phones``: everybody plays on their own phone."""

import argparse
import asyncio
import shutil
import webbrowser

import segno

from firmware.cli.console import CommandError, because
from hw_sim.cli.serving import in_url, listen, reached_at, until_stopped
from hw_sim.live.web.certificates import Authority
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.page_server import PageServer
from hw_sim.live.web.party import Party
from hw_sim.live.web.party_routes import PartyRoutes
from hw_sim.live.web.party_seats import PartySeats

GAP = 2
"""Columns between two codes in the terminal."""
_BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""By whether the upper and the lower module are dark."""


async def serve_party(keeper: MatchStore, args: argparse.Namespace) -> None:
    """Serve the evening that is kept in a folder, or begin one.

    Raises:
        CommandError: the folder cannot be used, or the address not be listened at.
    """
    try:
        evening = PartySeats(keeper.folder / "evening.json")
        authority = Authority(keeper.folder) if args.tls else None
    except (OSError, ValueError) as error:
        why = because(error) if isinstance(error, OSError) else str(error)
        raise CommandError(f"folder {keeper.folder}: {why}: name another with --folder") from None
    party = Party(keeper, evening, args.language)
    host = args.host or reached_at("0.0.0.0")
    server = PageServer(party, host, PartyRoutes(party, authority))
    async with until_stopped(server) as stopped:
        port = await listen(server, host, args.port)
        at = reached_at(host)
        party.address = f"http://{in_url(at)}:{port}/"
        print(f"The table is at {party.address} (Ctrl-C ends it, and keeps the match)", flush=True)
        if authority is not None:
            await _listen_over_tls(server, party, authority, at, host, args.port and args.port + 1)
        keeper.tell(party.address)
        table = f"{party.address}#{evening.kept.host}"
        print(invitations(party, shutil.get_terminal_size().columns))
        print(f"Game, bots and start are the host's, who opens this page:\n  {table}", flush=True)
        if args.browse:
            await asyncio.to_thread(webbrowser.open, table)
        await stopped.wait()


async def _listen_over_tls(
    server: PageServer, party: Party, authority: Authority, at: str, host: str, port: int
) -> None:
    """Listen over TLS, too, where that is possible; a party goes on without."""
    try:
        secure = await listen(server, host, port, authority.context(at))
    except (CommandError, OSError, ValueError) as error:
        print(f"Without TLS, so phones cannot be shaken themselves: {error}")
        return
    party.secure = f"https://{in_url(at)}:{secure}/"


def invitations(party: Party, columns: int) -> str:
    """The QR codes of all free places, as many beside each other as the columns hold."""
    links = [party.link(each.invitation) for each in party.evening.kept.places if not each.guest]
    if not links:
        return "All places are taken."
    codes = [_code(link) for link in links]
    row = max(1, (columns + GAP) // (max(len(code[0]) for code in codes) + GAP))
    told = ["Every guest scans a code of his own:"]
    for first in range(0, len(codes), row):
        told += [(" " * GAP).join(lines) for lines in zip(*codes[first : first + row])]
        told.append("")
    return "\n".join(told)


def _code(link: str) -> list[str]:
    """The lines of a QR code in block elements, light ones for a dark terminal."""
    code = segno.make(link, micro=False, error="l", boost_error=False)
    rows = [list(row) for row in code.matrix_iter(border=2)]
    rows += [[1] * len(rows[0])] * (len(rows) % 2)
    return [
        "".join(_BLOCKS[bool(upper), bool(lower)] for upper, lower in zip(above, below))
        for above, below in zip(rows[::2], rows[1::2])
    ]
