"""Swap the dice under a cup: until it is lifted, no page is sent another byte for it."""

import asyncio

from firmware.display.screens import LookPage, OfferPage
from hw_sim.clock import run
from hw_sim.live.world import running
from hw_sim.live.world.session import LiftCup, PressKey, TurnDial
from tests.support.tab import a_tab

STEPS = 3
"""So far the dial is turned from where it stands, to a value that is said."""


async def covered_round(folder, chance):
    """A throw, a peek and an announcement; what each page is sent and when, and the dice."""
    async with a_tab(folder, people=3, chance=chance, on_disk=False) as tab:
        seats = [await tab.welcomed("seat", seat) for seat in range(3)]
        screen, _ = await tab.welcomed("screen")
        pages = {
            "screen": screen,
            "table": tab.page(),
            **{at: page for at, (page, _) in enumerate(seats)},
        }
        for each in tab.table.clients:
            each.heard_s = float("inf")
        world, match = tab.match.world, tab.match
        opener = world.setup.table.first
        own = pages[opener].sent

        async def do(command, s):
            match.do(command)
            await asyncio.sleep(s)

        async def press(key, s):
            for down in (True, False):
                await do(PressKey(opener, key, down), s)

        await asyncio.sleep(2.0)
        await press("shake", 2.0)
        before = len(own)
        await do(LiftCup(opener, True), 1.5)
        assert isinstance(world.screens[opener], LookPage)
        dice = world.screens[opener].dice
        await do(LiftCup(opener, False), 1.5)
        del own[before:]
        await do(TurnDial(opener, STEPS), 2.0)
        await press("tap", 0.4)
        await asyncio.sleep(4.0)
        assert [type(each) for each in world.screens.values()].count(OfferPage) == 1
        return {name: page.sent for name, page in pages.items()}, dice


def test_no_page_is_told_anything_that_swapped_dice_would_change(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "BUDGET_S", None)  # else a slow machine looks another way
    found = [run(covered_round(tmp_path / str(each), f"{each:064x}")) for each in range(3)]
    assert len({dice for _, dice in found}) > 1, "dice differ, else this shows nothing"
    (first, _), *others = found
    for sent in first.values():
        del sent[: next(at for at, (_, each) in enumerate(sent) if "welcome" in str(each)) + 1]
    assert all(any("61" in str(each) for _, each in sent) for sent in first.values())
    for sent, dice in others:
        for page, messages in first.items():
            assert sent[page][-len(messages) :] == messages, (page, dice)
