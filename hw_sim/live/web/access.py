"""Access: what a page may see and do, and where it comes from."""

import asyncio
import ipaddress
from dataclasses import dataclass

from firmware.display.text.language import Language
from hw_sim.live.web import incoming


@dataclass(frozen=True)
class Rights:
    """The rights of a page.

    Attributes:
        view: what it shows.
        language: of what it is sent.
        seat: the seat it plays, None if it only watches.
        entitled: seats whose panels it may see.
        bench: whether it may pause the table, break things and so on.
    """

    view: incoming.View
    language: Language
    seat: int | None
    entitled: frozenset[int]
    bench: bool


def rights_of(
    view: incoming.View,
    language: Language,
    seat: int | None,
    players: int,
    *,
    open_table: bool = False,
    alone: bool = False,
) -> Rights:
    """Return the rights of a page that plays a seat, or (None) none, among so many players.

    ``open_table``: every page sees every panel and may do everything. ``alone``: only one person
    plays, who may do everything.
    """
    entitled = (
        frozenset(range(players)) if open_table else frozenset(() if seat is None else (seat,))
    )
    return Rights(view, language, seat, entitled, open_table or (alone and seat is not None))


def is_local(transport: asyncio.BaseTransport) -> bool:
    """Whether a connection comes from the machine that the table is on."""
    peer, here = (transport.get_extra_info(name) for name in ("peername", "sockname"))
    return bool(peer) and bool(here) and (peer[0] == here[0] or is_loopback(peer[0]))


def is_loopback(host: str) -> bool:
    """Return whether a name or an address means the machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
