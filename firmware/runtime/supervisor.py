"""Service of a part: a failure is reported, and the part is set up again until it answers."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from drivers.errors import PartError, PartFault
from firmware.effects.reports import Part, PartFailed, PartWell

RETRY_S: Final = 0.5
"""Interval of tries to set up a part that has failed."""
PANEL_RETRY_S: Final = 0.04
"""The same for the panel: shorter, because it may show dice."""

Serve = Callable[[Callable[[], None]], Awaitable[None]]
"""Sets a part up, calls its argument once the part answers, and serves it."""


async def keep(
    part: Part,
    serve: Serve,
    report: Callable[[PartFailed | PartWell], None],
    name: Callable[[str], None],
) -> None:
    """Serve a part until cancelled.

    Args:
        part: the one that ``serve`` serves.
        serve: called anew whenever it has raised a PartError.
        report: gets each failure, and each recovery once.
        name: gets one line on each new trouble.
    """
    trouble: str | None = None

    def well() -> None:
        nonlocal trouble
        if trouble is not None:
            trouble = None
            report(PartWell(part))

    while True:
        try:
            await serve(well)
        except PartError as error:
            if str(error) != trouble:
                trouble = str(error)
                name(trouble)
            wrong = error.part.split()[0] if error.fault is PartFault.WRONG_PART else None
            report(PartFailed(part, wrong))
            await asyncio.sleep(PANEL_RETRY_S if part is Part.PANEL else RETRY_S)
