"""A match on the pages: what is asked, how it stands, what sounds; and for whom."""

from game import RULES, apply, new_match
from game.actions import Announce, Roll
from hw_sim.clock.virtual import run
from hw_sim.live.web.scoreboard import ladder_of, scoreboard_of
from hw_sim.live.world.world import World
from hw_sim.live.world.world_runner import WorldRunner
from tests.support.parties import NAMES, at_a_party
from tests.support.worlds import setup


async def asked_of(page, seat):
    """The first question on a seat's display, once it is on."""
    asked = await page.next("asked", lambda news: news["asked"]["says"])
    assert asked["seat"] == seat
    return asked["asked"]["says"]


@at_a_party
async def test_only_who_plays_a_seat_is_told_what_its_display_asks(party):
    screen, (_, own) = await party.begun("Ada", "Bo", bots=["honest"])
    room = party.page(view="table")
    assert (await room.next("welcome"))["entitled"] == []
    await asked_of(own, 1)
    standing = (await room.next("state"))["standing"]
    assert [score["count"] for score in standing["scores"]] == [3, 3, 3]
    assert standing["bid"] is None
    own.say("lift", seat=1, on=True)
    await screen.next("state", lambda news: news["seats"].get("1", {}).get("lid"))
    assert {*await room.till_now()} <= {"state", "heard", "tones", "lobby", "alive"}


@at_a_party
async def test_a_panel_speaks_the_language_of_its_page(party):
    secret = party.sit("Ada")
    await party.begun("Bo", bots=["honest"])
    page = party.page(secret, language="de")
    german = await asked_of(page, 0)
    assert party.world.languages[0] == "de"
    page.close()
    assert await asked_of(party.page(secret), 0) != german
    assert party.world.languages == {0: "en", 1: "en", 2: "en"}


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
