"""Swap the dice under a cup: until it is lifted, no page is sent another byte for it."""

import asyncio
from dataclasses import replace

import pytest

from firmware.display.screens import LookPage, OfferPage
from hw_sim.live.web.access import rights_of
from hw_sim.live.web.broadcaster import Broadcaster, Shown
from hw_sim.live.web.client import Client
from hw_sim.live.web.scene import LiftScene
from hw_sim.live.web.seating import Claims, RoomSettings
from hw_sim.live.world.commands import LiftCup, PressKey, TurnDial
from hw_sim.live.world.world import World
from hw_sim.steckbrett.clock.virtual import run
from tests.support.worlds import setup

STEP_US = 50_000
PEOPLE = 3
STEPS = 3
"""So far the dial is turned from where it stands, to a value that is said."""


class Page:
    """A page that keeps what it is sent, and when."""

    def __init__(self, now_us):
        self.sent = []
        self._now_us = now_us

    async def send(self, message):
        self.sent.append((self._now_us(), message))


class Watched:
    """A table of three people with pages of every kind, in virtual time."""

    def __init__(self, chance, folder):
        wanted = setup(people=PEOPLE, seed=5)
        table = replace(wanted.table, chance=chance, on_disk=False)
        self.world = World(replace(wanted, table=table), folder)
        self.opener = table.first
        self.pages = {"screen": self._page("screen", None), "table": self._page("table", None)}
        self.pages |= {seat: self._page("seat", seat) for seat in range(PEOPLE)}
        self.clients = [client for _, client in self.pages.values()]
        self._sending = [asyncio.create_task(each.send_queued()) for each in self.clients]
        self.scene = LiftScene(lambda: 1, lambda: None)
        self._broadcaster = Broadcaster(
            self.world,
            lambda: Shown(self.world, True, 1.0, False),
            lambda _: [],
            self.clients,
            lambda: Claims([True] * PEOPLE),
            self.scene,
            RoomSettings,
        )

    def _page(self, view, seat):
        page = Page(lambda: self.world.now_us)
        client = Client(page)
        client.rights = rights_of(view, "en", seat, PEOPLE, alone=False)
        return page, client

    async def wait(self, s):
        for _ in range(round(s * 1e6 / STEP_US)):
            self.world.advance(self.world.now_us + STEP_US)
            for each in self.clients:
                each.heard_s = float("inf")
            self._broadcaster.plan()
            await asyncio.sleep(STEP_US / 1e6)

    async def press(self, seat, key, s=0.4):
        for down in (True, False):
            self.world.do(PressKey(seat, key, down))
            await self.wait(s)

    async def close(self):
        for each in self._sending:
            each.cancel()
        self._broadcaster.close()
        self.scene.close()
        self.world.close()


async def covered_round(chance, folder):
    """A throw, a peek and an announcement; returns the messages by page, and the dice."""
    table = Watched(chance, folder)
    opener, world = table.opener, table.world
    await table.wait(2.0)
    await table.press(opener, "shake", 1.5)
    await table.wait(1.0)
    marks = [len(table.pages[opener][0].sent)]
    world.do(LiftCup(opener, True))
    await table.wait(1.5)
    assert isinstance(world.screens[opener], LookPage)
    dice = world.screens[opener].dice
    world.do(LiftCup(opener, False))
    await table.wait(1.5)
    marks.append(len(table.pages[opener][0].sent))
    world.do(TurnDial(opener, STEPS))
    await table.wait(1.5)
    await table.press(opener, "tap")
    await table.wait(4.0)
    sent = {name: list(page.sent) for name, (page, _) in table.pages.items()}
    own = sent.pop(opener)
    sent["own"] = own[: marks[0]] + own[marks[1] :]
    assert [type(each) for each in world.screens.values()].count(OfferPage) == 1
    await table.close()
    return sent, dice


def runs(folder, count):
    """That many rounds in which the same is done, and other dice fall; by their dice."""
    found = []
    for number in range(count):
        (own := folder / str(number)).mkdir()
        found.append(run(covered_round(f"{number:064x}", own)))
    return found


def check(found, least_dice):
    assert len({dice for _, dice in found}) >= least_dice, "dice differ, else this shows nothing"
    first, _ = found[0]
    assert len(first) == PEOPLE + 2
    for sent, dice in found[1:]:
        for page, messages in first.items():
            assert any(b"61" in bytes(str(each), "utf-8") for _, each in messages)
            assert sent[page] == messages, (page, dice)


def test_no_page_is_told_anything_that_swapped_dice_would_change(tmp_path):
    check(runs(tmp_path, 4), 3)


@pytest.mark.whole
def test_forty_pairs_of_dice_look_the_same_until_the_lift(tmp_path):
    check(runs(tmp_path, 41), 15)
