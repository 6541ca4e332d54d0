"""Tables as the browser has them, and what is done to their handhelds."""

import asyncio
import json
from contextlib import asynccontextmanager
from math import pi, sin

from game import RULES, rule_set
from game.record import Record
from hw_sim.live.web.client import LineConnection, serve
from hw_sim.live.web.evening_card import MatchResult
from hw_sim.live.web.lobby_feed import PartyAnswers
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.pages_table import PagesTable
from hw_sim.live.web.seats import PartySeats
from hw_sim.live.world.setup import WorldSetup
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table import TableSetup
from tests.support import tab
from tests.support.evenings import at


def setup(game="class", players=3, people=1, seed=3, kinds=KINDS, **options):
    table = TableSetup(rule_set(game, options), players, seed)
    return WorldSetup(table, people, tuple(kinds[i % len(kinds)] for i in range(players - people)))


def drag(since_us, lasts_s=1.8, hz=3.5, reach_m=0.06):
    """Samples of a picture that is dragged to and fro."""
    count = round(lasts_s * 60)
    return tuple(
        (since_us + round(i / 60 * 1e6), reach_m * sin(2 * pi * hz * i / 60), 0.0)
        for i in range(count)
    )


def folder(path, name):
    made = path / name
    made.mkdir()
    return made


def hops(world):
    return max(seat.hop for seat in world.table.seats)


NAMES = ("Ana", "Ben", "Cem")


class Page(tab.Page):
    """A page of a party, on a line of its own; its first message is a hello."""

    def __init__(self, table, is_host=False, **first):
        super().__init__()
        self._line = LineConnection(
            lambda text: self.take("", "text", text), lambda *end: self.take("", "ended", end)
        )
        self._serving = asyncio.get_running_loop().create_task(
            serve(table, self._line, is_host=is_host)
        )
        self.text(tab.hello(**{"view": "seat", "token": None} | first))

    def text(self, text):
        self._line.take(text)


class Party:
    """A party before a match, kept in a folder; `tests.support.evenings` has whole ones."""

    def __init__(self, folder):
        self.folder, self.seats = folder, PartySeats(folder / "evening.json")
        store, template = MatchStore(folder, None, any_seed=True), TableSetup(self.seats.plan.rules)
        self.table = PagesTable(store, self.seats, template)
        self._answers = PartyAnswers(self.seats, self.table.lobby)

    def ask(self, path, **body):
        """The status and the content of an answer."""
        return self._answers.answer(path, json.dumps(body))

    def sit(self, name):
        """The secret of a new guest."""
        return self.seats.sit(name)

    def page(self, token=None, view="seat", **more):
        return Page(self.table, view=view, token=token, **more)

    def guests(self, *names):
        """Pages of new guests."""
        return [self.page(self.sit(name)) for name in names]

    def screen(self, view="screen"):
        """A page of the host's own browser."""
        return Page(self.table, is_host=True, view=view)


def over(*actions, people=3, losers=("Ana",)):
    """The result of a match in which this was done."""
    record = Record(RULES["class"], NAMES, 0, actions)
    return MatchResult(record, NAMES[:people], losers, NAMES[1:])


@asynccontextmanager
async def a_party(folder):
    party = Party(folder)
    try:
        yield party
    finally:
        party.table.close()


at_a_party = at(a_party)
"""Lets a test run in virtual time with a `Party`."""
