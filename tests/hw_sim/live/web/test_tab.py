"""Pages at a tab's table: which gets which panel, what each may do, and what a bad one achieves."""

import asyncio

import pytest

from firmware.display.screens import LookPage, OfferPage
from firmware.input.gestures.light import LX_PER_COUNT
from hw_sim.clock import run
from hw_sim.live.web import incoming
from hw_sim.live.web.live_match import LIVED_US
from hw_sim.live.world import running
from hw_sim.live.world.session import LiftCup, PressKey, TurnDial, encode, load
from hw_sim.panel import shows_pips
from tests.support.evenings import at
from tests.support.tab import a_tab, hello

ENOUGH_LOOKS = 8
"""So many times are bots found with their dice on their panels before a test says what it saw."""


@pytest.mark.whole
@at(a_tab, people=2)
async def test_a_page_gets_its_own_panel_and_the_table_of_people_none(tab):
    own = {("table", None): set(), ("seat", 0): {0}, ("seat", 1): {1}}
    pages = {each: await tab.welcomed(*each) for each in own}
    assert [told["seat"] for _, told in pages.values()] == [None, 0, 1]
    assert (await tab.page("seat", 2).ending())[0] == incoming.WRONG_SEAT, "a bot's"
    await asyncio.sleep(10)
    for each, (page, _) in pages.items():
        assert page.panels == own[each]
        assert ("says" in page.kinds, "bench" in page.kinds) == (bool(own[each]), False)


@pytest.mark.whole
@at(a_tab, people=0)
async def test_hidden_dice_of_bots_reach_no_browser(tab):
    """All that a page gets of a match of bots: no panel, and no dice that nobody saw."""
    page, told = await tab.welcomed("bench")
    assert told["rights"] is False
    looks, displays = 0, [each.board.display for each in tab.match.world.table.seats]
    async with asyncio.timeout(2000):
        while looks < ENOUGH_LOOKS:
            looks += sum(shows_pips(each.memory) and each.is_lit for each in displays)
            assert (await page.told("bench"))["seats"] == {}
    assert not page.panels
    assert "says" not in page.kinds


DEEP = "[" * 4000
HOSTILE = [
    ("{", incoming.MALFORMED),
    ("[]", incoming.MALFORMED),
    ("\udcff", incoming.MALFORMED),
    (DEEP, incoming.MALFORMED),
    ("x" * 1_000_000, incoming.MALFORMED),
    ('{"do": "alive"}' + " " * 1_000_000, incoming.MALFORMED),
    ('{"do": "format the disk"}', incoming.MALFORMED),
    ('{"do": "lift", "seat": 0, "on": 1}', incoming.MALFORMED),
    ('{"do": "lift", "seat": 0, "on": true, "more": 1}', incoming.MALFORMED),
    ('{"do": "tilt", "seat": 0, "roll": NaN, "pitch": 0}', incoming.MALFORMED),
    ('{"do": "tilt", "seat": 0, "pitch": 0, "roll": 1' + "0" * 4000 + "}", incoming.MALFORMED),
    ('{"do": "drag", "seat": 0, "at": []}', incoming.MALFORMED),
    ('{"do": "drag", "seat": 0, "at": [[2, 0, 0], [1, 0, 0]]}', incoming.MALFORMED),
    (hello(), incoming.MALFORMED),
    ('{"do": "fault", "seat": 7, "name": "link", "on": true}', incoming.WRONG_SEAT),
    ('{"do": "lift", "seat": 1, "on": true}', incoming.WRONG_SEAT),
    ('{"do": "touch", "seat": 2, "on": true}', incoming.WRONG_SEAT),
    ('{"do": "alive"}', incoming.TOO_MANY),
]
FLOOD = 100 * incoming.BURST
"""So often the last one is said."""


@pytest.mark.whole
@at(a_tab)
async def test_who_does_not_behave_is_shown_out_and_the_table_goes_on(tab):
    good, _ = await tab.welcomed("seat", 0)
    rude = tab.line()
    rude.tell("alive")
    assert await rude.ending() == (incoming.MALFORMED, "no hello")
    for message, code in HOSTILE:
        bad, _ = await tab.welcomed("bench")
        for _ in range(FLOOD if code == incoming.TOO_MANY else 1):
            bad.text(message)
        found, reason = await bad.ending()
        assert (found, len(reason.splitlines())) == (code, 1), message[:30]
        assert (len(reason) < 300, len(tab.table.clients)) == (True, 1), message[:30]
        await tab.still_plays()
    assert "ended" not in good.kinds


@at(a_tab)
async def test_the_bench_breaks_things_goes_back_in_time_and_gives_files(tab):
    page, told = await tab.welcomed("bench")
    assert told["rights"]
    room = tab.match
    for command, value in (("lux", 100.0), ("noise", 0.1), ("errors", 1.0)):
        page.tell(command, value=value)
    page.tell("fault", seat=1, name="display", on=True)
    while "display" not in (await page.told("state"))["seats"].get("1", {}).get("faults", ()):
        pass
    while not (await page.told("bench"))["seats"]["0"]["bus"]:
        pass
    page.tell("pause", on=True)
    await page.told("state", paused=True)
    now_us = room.world.now_us
    page.tell("step", ms=500)
    page.tell("seek", s=0.2)
    await page.told("state", past=True)
    assert room.past.now_us == 200_000
    points = (await page.told("bench"))["seats"]["0"]["points"]
    assert [point[0] for point in points][:2] == [0.04, 0.08], "what went before is plotted"
    recognizer = room.past.table.seats[0].recognizer
    assert points[-1][7] == round(recognizer.light.lift_threshold_counts * LX_PER_COUNT, 2)
    assert 0 < points[-1][8] <= points[-1][7]
    page.tell("step", ms=100)
    await page.told("bench", t=0.3)
    assert room.past.now_us == 300_000
    page.tell("drop", seat=0)  # what was cannot be changed
    page.tell("live")
    await page.told("state", past=False)
    assert room.world.now_us >= now_us + 500_000
    while not (await page.told("bench"))["seats"]["0"]["bus"]:
        pass
    _, body = tab.ask("/export/bus.vcd?seat=0")
    assert b"\n#" in body.partition(b"$enddefinitions")[2]
    kinds = [encode(each.command)[1] for each in load(room.world.session.path).stimuli()]
    assert kinds == ["lux", "noise", "errors", "fault"]
    for what, start in (
        ("bus.vcd", b"$timescale"),
        ("panel.png", b"\x89PNG"),
        ("panel.gif", b"GIF89a"),
        ("session.jsonl", b'{"format"'),
    ):
        status, body = tab.ask(f"/export/{what}?seat=0")
        assert (status, body[: len(start)]) == (200, start)
    for wrong in ("panel.png?seat=2", "bus.vcd?seat=9", "bus.vcd?seat=x", "other?seat=0"):
        assert tab.ask(f"/export/{wrong}")[0] == 404
    for wrong in ("/nowhere", "/../table.json", "/export/x?seat=" + 4000 * "9", "//[::1"):
        assert tab.ask(wrong)[0] in (400, 403, 404), wrong


@pytest.mark.whole
@at(a_tab, people=0)
async def test_a_table_in_which_something_failed_is_set_up_anew_from_its_journals(tab, *, caplog):
    page, _ = await tab.welcomed()
    failed = tab.match.world
    while failed.now_us < LIVED_US:
        await page.told("state")
    failed.loop.inside(lambda: failed.loop.call_soon(divmod, 1, 0))
    await page.told("again")
    world = tab.match.world
    assert (world is failed, world.trouble, tab.table.store.setup.boot) == (False, None, 1)
    assert world.table.seats[0].log.index == failed.table.seats[0].log.index > 0
    (line,) = caplog.messages
    assert line.startswith("the table is set up anew: ")


@at(a_tab)
async def test_who_plays_alone_chooses_another_match_while_the_first_one_waits(tab):
    page, _ = await tab.welcomed()
    news = await page.told("lobby")
    first, store = news["plan"], tab.table.store
    assert (news["alone"], news["playing"], news["places"][0]["name"]) == (True, True, "Ana")
    second, _ = await tab.welcomed()
    other = {"game": "sevens", "options": {"rounds": 1}, "bots": ["shark"], "handicap": {}}
    page.tell("choose", plan=other)
    assert (await page.told("lobby"))["plan"] == other
    page.tell("begin", name=" Eva  L.")
    for each in (page, second):
        news = await each.told("welcome")
        assert (news["names"], news["seat"]) == (["Eva L.", "Ana"], 0)
        assert news["title"] == "Sevens"
    assert store.number == 1
    for plan, name, why in (
        ({**other, "game": "poker"}, "", "plan"),
        ({**first, "bots": ["honest"] * 9}, "", "many"),
        (first, "Eva\u200b", "hidden"),
    ):
        page.tell("choose", plan=plan)
        if why != "plan":
            page.tell("begin", name=name)
        await page.told("refused", why=why)
    for _ in range(2):  # the second time it is played already
        page.tell("begin", name="Ana")
        assert (await page.told("welcome"))["names"] == ["Ana", "Ben", "Cem"]
        assert (store.number, store.setup.boot) == (0, 1)
    assert store.setup.table.seed == 4
    await page.told("state")


@at(a_tab)
async def test_a_hand_lets_go_when_its_last_page_vanishes(tab):
    watching, _ = await tab.welcomed("screen")
    page, _ = await tab.welcomed("seat", 0)
    page.tell("lift", seat=0, on=True)
    while not (await watching.told("state"))["seats"].get("0", {}).get("lid"):
        pass
    page.vanish()
    while (await watching.told("state"))["seats"].get("0", {}).get("lid") != 0:
        pass


@at(a_tab, people=2)
async def test_people_who_share_a_page_have_no_rights_and_a_full_disk_keeps_nobody_out(tab):
    (tab.folder / "claims.new").symlink_to("/dev/full")
    page, told = await tab.welcomed("seat", 1)
    assert (told["seat"], told["entitled"], told["rights"]) == (1, [1], False)
    for do, values in (("begin", {}), ("free", {"place": 1}), ("pause", {"on": True})):
        page.tell(do, **values)
        await page.told("refused", why="rights")
    assert tab.ask("/export/session.jsonl")[0] == 403


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


@pytest.mark.whole
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
