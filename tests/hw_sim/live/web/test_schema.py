"""The schema describes all messages between pages and the table, as they are."""

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path

from hw_sim.live.web.incoming import MESSAGES_PER_S, MOST_BYTES
from hw_sim.live.web.schema import schema
from tests.support.tab import in_virtual_time

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
    assert f"{MESSAGES_PER_S} messages a second, {MOST_BYTES} characters each" in page


@in_virtual_time
async def test_the_program_in_the_documents_plays(tmp_path, capsys):
    (program,) = re.findall(r"```python\n(.*?)```", (DOCS / "pages.md").read_text(), re.DOTALL)
    names = {"__name__": "pages"}
    exec(program, names)
    playing, told = asyncio.create_task(names["play"](tmp_path)), ""
    async with asyncio.timeout(1000):
        while "Ana throws." not in told.splitlines():
            await asyncio.sleep(1)
            assert not playing.done()
            told += capsys.readouterr().out
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
