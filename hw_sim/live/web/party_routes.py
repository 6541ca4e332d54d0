"""The routes of a party's server besides the pages of a table."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
from aiohttp import web

from firmware.cli.console import because
from hw_sim.live.web import incoming
from hw_sim.live.web.certificates import Authority
from hw_sim.live.web.frame_relay import FrameRelay
from hw_sim.live.web.guarding import Tries, address_of, check_origin, read_body
from hw_sim.live.web.lobby_feed import LobbyFeed
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.own_files import OwnFiles
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.return_faces import MOST_WRONG_HERE, drawn_faces
from hw_sim.live.web.session_routes import serve_socket
from hw_sim.live.web.stored_party import CODE_LENGTH

CERTIFICATE = "application/x-x509-ca-cert"
"""The media type for which a phone offers to install a certificate."""


TRIES_A_MINUTE, TRIES_OF_ALL = 20, 100
"""The most wrong codes of the room in a minute: from one address, and from everybody together."""
_Posted = TypeVar("_Posted")
Worth = Callable[[asyncio.BaseTransport], int]


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
        self._seats = seats
        self._lobby = lobby
        self._authority = authority
        self.relay = relay
        self._files = OwnFiles(built)
        self._tries = Tries(TRIES_A_MINUTE, TRIES_OF_ALL)
        self._wrong: Counter[tuple[str, int]] = Counter()
        """The wrong faces that an address has tried for a guest."""

    def add_to(self, router: web.UrlDispatcher) -> None:
        """Answer at the addresses of a party."""
        router.add_post("/invited", self._invited)
        router.add_post("/sit", self._sit)
        router.add_post("/return", self._return)
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

    async def _invited(self, request: web.Request) -> web.Response:
        """Answer whether an invitation is still good; it stays so. And what its page shows."""
        posted = await _posted(request, incoming.Invited)
        self._try(request, posted.invitation)
        place = self._seats.invited_to(posted.invitation)
        taken = (
            [each.face for each in self._seats.places() if each.face] if place is not None else []
        )
        away = []
        known = self._seats.is_door(posted.invitation)
        if known:
            here = self._lobby.here
            away = [
                {"place": at, "name": each.name, "face": each.face}
                for at, each in enumerate(self._seats.places())
                if each.name is not None and not each.device and at not in here
            ]
        owns = self._lobby.has_own
        answer = {
            "invited": place is not None,
            "known": known,
            "faces": taken,
            "away": away,
            "owns": owns,
        }
        return web.json_response(answer)

    async def _sit(self, request: web.Request) -> web.Response:
        """Use an invitation up: 200 with the secret, or 409 with ``why`` there is no place."""
        posted = await _posted(request, incoming.Sit)
        self._try(request, posted.invitation)
        back = drawn_faces()
        sit = self._seats.sit
        return self._placed(lambda: sit(posted.invitation, posted.name, posted.face, back), back)

    async def _return(self, request: web.Request) -> web.Response:
        """Give a guest's place to another phone: answers as `_sit` does."""
        posted = await _posted(request, incoming.Return)
        self._try(request, posted.invitation)
        if not self._seats.is_door(posted.invitation):
            return web.json_response({"why": "used"}, status=409)
        if posted.place in self._lobby.here:
            return web.json_response({"why": "here"}, status=409)
        back, tried = drawn_faces(), (address_of(request), posted.place)
        if self._wrong[tried] >= MOST_WRONG_HERE:
            return web.json_response({"why": "faces"}, status=409)
        come_back = self._seats.come_back
        answer = self._placed(lambda: come_back(posted.place, posted.faces, back), back)
        self._wrong[tried] = 0 if answer.status == 200 else self._wrong[tried] + 1
        return answer

    def _placed(self, place: Callable[[], str], back: list[str]) -> web.Response:
        """Answer 200 with the secret of a place and its three faces, or 409 with ``why`` not."""
        try:
            secret = place()
        except SeatingError as error:
            return web.json_response({"why": error.why}, status=409)
        except OSError as error:
            raise web.HTTPInsufficientStorage(
                text=f"The table cannot keep that now: {because(error)}.\n"
            ) from None
        self._lobby.plan()
        return web.json_response({"secret": secret, "back": back})

    async def _relay(self, request: web.Request) -> web.StreamResponse:
        return await serve_socket(request, self.relay.carry)

    def _try(self, request: web.Request, invitation: str) -> None:
        """Count a wrong code of the room, for the address that it comes from.

        Raises:
            HTTPTooManyRequests: there were `TRIES_A_MINUTE` from there, or `TRIES_OF_ALL`: that
                address is not answered, right or wrong.
        """
        if len(invitation) > CODE_LENGTH:
            return
        if not self._tries.take(
            address_of(request), is_wrong=invitation != self._seats.stored.code
        ):
            raise web.HTTPTooManyRequests(text="Wait a minute, and try the code again.\n")

    async def _trust(self, _request: web.Request) -> web.Response:
        if self._authority is None:
            raise web.HTTPNotFound(text="This table has no certificate.\n")
        return web.Response(body=self._authority.der, content_type=CERTIFICATE)
