"""The session of a page from its hello to its goodbye."""

import asyncio
from time import monotonic
from typing import Protocol

from hw_sim.live.web import incoming
from hw_sim.live.web.client import Client
from hw_sim.live.web.page_connection import PageConnection

HELLO_S = 5.0
"""The time within which a page says hello; a phone that froze meanwhile connects again."""


class PageHandler(Protocol):
    """Handles the messages of pages; a `PagesTable`."""

    clients: list[Client]

    def handle(self, client: Client, message: incoming.AnyIncoming) -> None:
        """Do what a page asks for.

        Raises:
            RefusalError: it may not, and its connection ends.
        """

    def leave(self, client: Client) -> None:
        """Remove a page that is gone."""


class PageSessions:
    """Serves the pages of a table, each over a connection."""

    def __init__(self, handler: PageHandler) -> None:
        self._handler = handler

    async def serve(self, connection: PageConnection) -> None:
        """Serve a connected page until it goes."""
        client = Client(connection)
        self._handler.clients.append(client)
        sending = asyncio.create_task(client.send_queued())
        refusal: incoming.RefusalError | None = None
        try:
            await self._receive(client)
        except incoming.RefusalError as error:
            refusal = error
        finally:
            sending.cancel()
            self._handler.leave(client)
        if refusal is not None:
            await client.show_out(refusal.code, str(refusal))

    async def _receive(self, client: Client) -> None:
        """Handle the messages of a page until it goes.

        Raises:
            RefusalError: it asked for what it may not, or too often.
        """
        try:
            async with asyncio.timeout(HELLO_S):
                text = await client.connection.receive()
        except TimeoutError:
            raise incoming.RefusalError(incoming.LATER, "no hello") from None
        while text is not None:
            client.heard_s = monotonic()
            self._handler.handle(client, incoming.parse(text))
            text = await client.connection.receive()
