"""The routes of a party's server besides the pages of a table."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from aiohttp import web

from hw_sim.live.web.certificates import Authority
from hw_sim.live.web.frame_relay import FrameRelay
from hw_sim.live.web.guarding import address_of, check_origin, read_body
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.own_files import OwnFiles
from hw_sim.live.web.party_answers import PartyAnswers
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.session_routes import serve_socket

CERTIFICATE = "application/x-x509-ca-cert"
"""The media type for which a phone offers to install a certificate."""
Worth = Callable[[asyncio.BaseTransport], int]


class PartyRoutes:
    """Answers what guests ask for before they are connected.

    Args:
        seats: the guests' places.
        lobby: tells the pages who has come.
        authority: whose certificate phones may be given to trust; None if there is none.
        relay: what phones' own handhelds come over.
        built: the folder of the site, from which phones load a handheld; None if it is not built.
    """

    def __init__(
        self,
        seats: PartySeats,
        lobby: LobbyFeed,
        authority: Authority | None,
        relay: FrameRelay,
        built: Path | None,
    ) -> None:
        self._lobby = lobby
        self._authority = authority
        self.relay = relay
        self._files = OwnFiles(built)
        self._answers = PartyAnswers(seats, lobby)

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Answer at the addresses of a party."""
        for path in ("/invited", "/sit", "/return"):
            router.add_post(path, self._answer)
        router.add_get("/trust.crt", self._trust)
        router.add_get("/relay", self._relay)
        for path in ("/own/{name}", "/own/{release}/{name}"):
            router.add_get(path, self._files.answer)

    def worth_beside(self, worth: Worth) -> Worth:
        """Return what tells the worth of a connection to a table, by ``worth``, or to its relay."""
        return lambda transport: max(worth(transport), self.relay.worth(transport))

    async def close(self, _app: web.Application) -> None:
        """Cut the streams of the relay, and gather nobody any more."""
        if self._lobby.gathering is not None:
            self._lobby.gathering.close()
        self.relay.close()

    async def _answer(self, request: web.Request) -> web.Response:
        """Answer a page of this table as `PartyAnswers` does.

        Raises:
            HTTPForbidden: a page of another origin asks.
            HTTPBadRequest: the request did not come whole.
        """
        check_origin(request)
        body = await read_body(request)
        told = self._answers.answer(request.path, body, address_of(request))
        if isinstance(told.body, str):
            return web.Response(text=told.body, status=told.status)
        return web.json_response(told.body, status=told.status)

    async def _relay(self, request: web.Request) -> web.StreamResponse:
        return await serve_socket(request, self.relay.carry)

    async def _trust(self, _request: web.Request) -> web.Response:
        if self._authority is None:
            raise web.HTTPNotFound(text="This table has no certificate.\n")
        return web.Response(body=self._authority.der, content_type=CERTIFICATE)
