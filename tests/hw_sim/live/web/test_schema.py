"""The schema describes all messages between pages and the table, as they are."""

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path

from hw_sim.live.web.incoming import MOST_BYTES
from hw_sim.live.web.page_connection import SLOW_S
from hw_sim.live.web.schema import schema
from hw_sim.live.web.session_routes import SILENT_S
from tests.support.pages import serving, told, welcomed

OPENS = 6
"""A seed of which the first seat opens."""
DOCS = Path(__file__).parents[4] / "docs"


def test_the_schema_in_the_documents_is_the_one_that_is_spoken():
    assert json.loads((DOCS / "pages.schema.json").read_text()) == schema(), "make schema"


def test_every_message_says_what_it_is_for():
    parts = schema()["$defs"]
    told = {
        name: parts[ref["$ref"].rsplit("/", 1)[1]]
        for which, key in (("message", "do"), ("news", "is"))
        for ref in parts[which]["anyOf"]
        for name in parts[ref["$ref"].rsplit("/", 1)[1]]["properties"][key]["enum"]
    }
    assert {"hello", "lift", "welcome", "state"} <= set(told)
    assert [name for name, part in told.items() if not part.get("description")] == []
    page = (DOCS / "pages.md").read_text()
    assert f"{MOST_BYTES} bytes" in page
    assert f"every {SILENT_S:.0f} s" in page
    assert f"nothing for {SLOW_S:.0f} s is disconnected" in " ".join(page.split())


async def test_the_program_in_the_documents_plays(tmp_path):
    (program,) = re.findall(r"```python\n(.*?)```", (DOCS / "pages.md").read_text(), re.DOTALL)
    names = {"__name__": "pages"}
    exec(program, names)
    async with serving(tmp_path, seed=OPENS) as (server, session):
        playing = asyncio.create_task(names["play"](server.address))
        while server.table.seats.free_seats():
            await session.get("/")
        page = await welcomed(server, session)
        while "Ana throws." not in (await told(page, "heard"))["lines"]:
            assert not playing.done()
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing
