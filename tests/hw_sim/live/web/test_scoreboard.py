"""A match on the pages: what is asked, how it stands, what sounds; and for whom."""

from game import RULES, apply, new_match
from game.actions import Announce, Roll
from hw_sim.clock import run
from hw_sim.live.web.outgoing import ladder_of, scoreboard_of
from hw_sim.live.world.world import World, WorldRunner
from tests.support.tab import a_tab, in_virtual_time
from tests.support.worlds import NAMES, setup


@in_virtual_time
async def test_a_panel_speaks_the_language_of_its_page_and_asks_nobody_else(tmp_path):
    async with a_tab(tmp_path, people=2) as tab:
        (watcher, _), asked = await tab.welcomed(), []
        for language in ("de", "en"):
            page, _ = await tab.welcomed("seat", 0, language=language)
            asked.append(await page.told_so("asked", lambda news: news["asked"]["says"]))
            assert tab.match.world.languages[0] == language
            page.vanish()
        assert ([each["seat"] for each in asked], asked[0] == asked[1]) == ([0, 0], False)
        assert tab.match.world.languages == {0: "en", 1: "en", 2: "en"}
        assert not {"asked", "says"} & watcher.kinds


def test_the_standing_bid_is_told_with_its_words_and_nothing_that_is_covered():
    shown = []
    for dice in ((3, 1), (6, 2), (2, 1), (6, 6)):
        match = new_match(RULES["class"], NAMES, 0)
        for action in (Roll(dice), Announce(64)):
            match = apply(match, action).match
        shown.append(scoreboard_of(match))
    assert shown == shown[:1] * 4
    assert (shown[0].bid.value, shown[0].bid.by, shown[0].turn) == (64, 0, 1)
    assert ladder_of(match)[-1] == 21
    assert ladder_of(new_match(RULES["maxen"], NAMES, 0)) == []


def test_time_hurries_only_while_no_person_is_to_act(tmp_path):
    async def main():
        world = World(setup(seed=4), tmp_path)
        pace = WorldRunner(world, lambda: None)
        pace.speed = 50.0
        rates = set()
        while len(rates) < 2:
            world.advance(world.now_us + 500_000)
            assert world.now_us < 120_000_000
            assert pace.rate == (1.0 if world.table.seats[0].handheld.is_asked else 50.0)
            rates.add(pace.rate)
        pace.speed = 0.1
        assert pace.rate == 0.1
        pace.close()
        world.close()

    run(main())
