"""Bodies of posted requests: read whole and in time, or not at all."""

import asyncio

from aiohttp import web

POST_S = 10.0
"""The time within which a post arrives whole."""


async def read_body(request: web.Request) -> bytes:
    """Return the body of a request.

    Raises:
        HTTPBadRequest: what was announced did not come, or not within `POST_S`.
        HTTPRequestEntityTooLarge: it is longer than the application takes.
    """
    try:
        async with asyncio.timeout(POST_S):
            return await request.read()
    except (ConnectionError, RuntimeError, TimeoutError, web.RequestPayloadError):  # it is gone
        raise web.HTTPBadRequest(text="That did not come whole.\n") from None
