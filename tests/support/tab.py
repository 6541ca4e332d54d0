"""A tab's table without its browser, and pages at it that behave or do not; in virtual time."""

import asyncio
import json
from contextlib import asynccontextmanager

from game import rule_set
from hw_sim.live.page.page_table import open_table
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.world.setup import WorldSetup
from hw_sim.table import Conditions, TableSetup

PATIENCE_S = 100
"""The longest virtual time that a page waits for something."""
LOOKS_S = 0.1
"""In this virtual time a table has looked at itself, and told its pages what is new."""
KINDS = ("honest", "trusting", "cheeky", "random", "honest", "cheeky", "random", "honest")


def setup(people=1, players=3, seed=4, game="class", options=None, bots=KINDS, **more):
    rules, day = rule_set(game, options or {}), Conditions("day")
    table = TableSetup(rules, players, seed, conditions=day, **more)
    return WorldSetup(table, people, tuple(bots[: players - people]))


class Page:
    """A page at a table, by the name of its line.

    ``panels``: the seats whose panels it was sent. ``kinds``: of all other messages. ``sent``: all
    that it was sent, and when; ``came``: what it has not read yet.
    """

    def __init__(self, tab=None, name=""):
        self.tab, self.name = tab, name
        self.panels, self.kinds, self.sent = set(), set(), []
        self.came = asyncio.Queue()

    def take(self, _line, kind, what):
        self.sent.append((asyncio.get_running_loop().time(), what))
        news = json.loads(what) if kind == "text" else {"is": kind, "what": what}
        if kind == "panel":
            self.panels.add(what[1])
        self.kinds.add(news["is"])
        self.came.put_nowait(news)

    def text(self, text):
        self.tab.py.take(self.name, text)

    def tell(self, do, **values):
        self.text(json.dumps({"do": do, **values}))

    def vanish(self):
        self.text(None)

    async def told(self, kind, is_so=bool, **wanted):
        """The next message of a kind that is as wanted, and has these values."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                news = await self.came.get()
                if news["is"] == kind and wanted.items() <= news.items() and is_so(news):
                    return news
                assert news["is"] != "ended", news

    async def till_now(self):
        """The kinds of all that it has not read yet, once what it has said is done."""
        await asyncio.sleep(LOOKS_S)
        return [self.came.get_nowait()["is"] for _ in range(self.came.qsize())]

    async def refused(self, do, **values):
        """Say something, and return why it is refused."""
        self.tell(do, **values)
        return (await self.told("refused"))["why"]

    async def ending(self):
        """The code and the reason with which the table ends the line."""
        return (await self.told("ended"))["what"]


class Tab:
    """The table of a tab, and its pages by name."""

    def __init__(self, folder, **wanted):
        self.folder, self.pages, self.playing = folder, {}, []
        store = MatchStore(folder, setup(**wanted), any_seed=False)
        self.py = open_table(store, lambda name, *what: self.pages[name].take(name, *what))

    @property
    def table(self):
        return self.py

    @property
    def match(self):
        return self.py.match

    def line(self):
        """A page that has said nothing yet."""
        name = str(len(self.pages))
        page = self.pages[name] = Page(self, name)
        self.py.open(name)
        return page

    def page(self, view="table", seat=None, **more):
        """A page that has said hello."""
        page = self.line()
        page.text(hello(view, seat, **more))
        return page

    async def welcomed(self, *how, **more):
        """A page that has said hello, and its welcome."""
        page = self.page(*how, **more)
        return page, await page.told("welcome")

    async def still_plays(self):
        """A table is well if a page that looks at it is sent how it looks, while time goes on."""
        page, _ = await self.welcomed()
        await page.told("state")
        before_us = self.match.world.now_us
        await asyncio.sleep(1)
        assert self.match.world.now_us > before_us
        page.vanish()

    def ask(self, path):
        """The status and the body of an answer."""
        status, _, body = self.py.ask(path)
        return status, body

    def json(self, path):
        status, body = self.ask(path)
        assert status == 200, body
        return json.loads(body)


@asynccontextmanager
async def a_tab(folder, **wanted):
    tab = Tab(folder, **wanted)
    try:
        yield tab
    finally:
        for page in tab.pages.values():
            page.vanish()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        tab.py.close()


def hello(view="table", seat=None, **more):
    """The first message of a page, as JSON."""
    told = {"do": "hello", "view": view, "seat": seat, "language": "en"}
    return json.dumps(told | more)
