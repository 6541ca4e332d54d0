"""The routes of a party's server besides the pages of a table."""

from typing import TypeVar

import msgspec
from aiohttp import web

from firmware.cli.console import because
from hw_sim.live.web import incoming
from hw_sim.live.web.certificates import Authority
from hw_sim.live.web.guarding import check_origin, read_body
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.party_seats import PartySeats

CERTIFICATE = "application/x-x509-ca-cert"
"""The media type for which a phone offers to install a certificate."""


_Posted = TypeVar("_Posted")


async def _posted(request: web.Request, kind: type[_Posted]) -> _Posted:
    """Return the body that a page of this table has posted.

    Raises:
        HTTPForbidden: a page of another origin has posted it.
        HTTPBadRequest: it is something else, or did not come whole.
    """
    check_origin(request)
    body = await read_body(request)
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError:
        raise web.HTTPBadRequest(text="This is no wish for a place.\n") from None


class PartyRoutes:
    """Answers what guests ask for before they are connected.

    Args:
        seats: the guests' places.
        lobby: tells the pages who has come.
        authority: whose certificate phones may be given to trust; None if there is none.
    """

    def __init__(self, seats: PartySeats, lobby: LobbyFeed, authority: Authority | None) -> None:
        self._seats = seats
        self._lobby = lobby
        self._authority = authority

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Answer at the addresses of a party."""
        router.add_post("/invited", self._invited)
        router.add_post("/sit", self._sit)
        router.add_get("/trust.crt", self._trust)

    async def _invited(self, request: web.Request) -> web.Response:
        """Answer whether an invitation is still good; it stays so."""
        posted = await _posted(request, incoming.Invited)
        place = self._seats.invited_to(posted.invitation)
        return web.json_response({"invited": place is not None})

    async def _sit(self, request: web.Request) -> web.Response:
        """Use an invitation up: 200 with the secret, or 409 with ``why`` there is no place."""
        posted = await _posted(request, incoming.Sit)
        try:
            secret = self._seats.sit(posted.invitation, posted.name)
        except SeatingError as error:
            return web.json_response({"why": error.why}, status=409)
        except OSError as error:
            raise web.HTTPInsufficientStorage(
                text=f"The table cannot keep that now: {because(error)}.\n"
            ) from None
        self._lobby.plan()
        return web.json_response({"secret": secret})

    async def _trust(self, _request: web.Request) -> web.Response:
        if self._authority is None:
            raise web.HTTPNotFound(text="This table has no certificate.\n")
        return web.Response(body=self._authority.der, content_type=CERTIFICATE)
