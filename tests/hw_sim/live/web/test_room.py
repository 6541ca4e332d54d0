"""The room of a party: one code, faces, reactions, and a big screen that shows verdicts first."""

import asyncio
from itertools import pairwise
from random import Random

import pytest

from firmware.display.text.language import LANGUAGES, book
from game import RULES, apply, new_match
from game.actions import Announce, Believe, Doubt, Lift, Roll, Say, Words
from game.events import Announced, Believed, Doubted, Revealed, Rolled
from game.record import Record
from hw_sim.clock import run
from hw_sim.live.web import client as clients
from hw_sim.live.web import incoming
from hw_sim.live.web.director import BEATS_S, LAG_S, RevealPause, drum_s
from hw_sim.live.web.evening_card import Lies, MatchResult, card_lines, lies_of
from hw_sim.live.web.match_plan import CHARACTERS, SeatingError, is_face, names_of_characters
from hw_sim.live.web.seats import PartySeats
from hw_sim.live.web.voices import MANNERS, Voices, lines_of
from hw_sim.table.headless import Story
from tests.support.evenings import at
from tests.support.rules_table import playout
from tests.support.tab import a_tab
from tests.support.worlds import NAMES, at_a_party, over


@at_a_party
async def test_anybody_sets_the_volume_the_host_the_language_and_who_is_silent_sleeps(party):
    ana, ben = party.guests(*NAMES[:2])
    await ana.told("lobby", lambda news: news["host"])
    ben.tell("room", volume=0.25)
    await ana.told("lobby", lambda news: news["room"]["volume"] == 0.25)
    assert await ben.refused("room", language="fr") == "rights"
    ana.tell("room", language="fr", silent=True)
    room = (await ben.told("lobby", lambda news: news["room"]["language"]))["room"]
    assert room == {"language": "fr", "volume": 0.25, "silent": True}
    assert PartySeats(party.folder / "evening.json").stored.room.language == "fr"
    page = next(each for each in party.table.clients if each.player == 1)
    page.heard_s -= clients.ASLEEP_S + 1
    ana.tell("hidden", on=False)
    await ana.told("lobby", lambda news: not news["places"][1]["here"])


@at_a_party
async def test_nobody_is_a_big_screen_without_its_link_and_reactions_reach_it_alone(party):
    secret, (bo,), stranger = party.sit("Ada"), party.guests("Bo"), party.page(view="table")
    for token in (None, secret):
        assert (await party.page(token, "screen").ending())[0] == incoming.WRONG_SEAT
    ada = party.page(secret)
    assert not (await ada.told("lobby"))["screen"]
    screen = party.screen()
    await ada.told("lobby", lambda news: news["screen"])
    for _ in range(20):
        ada.tell("react", **{"as": "liar"})
    assert "reaction" not in await ada.till_now()
    assert 3 <= (await screen.till_now()).count("reaction") <= 4
    assert "reaction" not in await bo.till_now()
    assert await stranger.refused("react", **{"as": "liar"}) == "rights"
    for what in ("hidden", "shaken"):
        stranger.tell(what, on=True)
    await stranger.till_now()
    page = next(each for each in party.table.clients if each.rights.view == "table")
    assert (page.is_hidden, page.shaken_until_s) == (False, 0.0)


def test_a_face_is_a_drawn_one_of_nobody_else_or_one_emoji_and_no_name_is_a_bots(tmp_path):
    seats = PartySeats(tmp_path / "evening.json")
    faces = ("", "fox", "🦊", "🦊", "👩‍🚀", "👍🏽", "❤️", "👨‍👩‍👧‍👦", "🎲")
    wrong = ("foxes", "A", "7", "🦊🦊", "<b>", "é", "👩‍", "🦊\u202e", "zitter", "👨‍👩‍👧‍👦‍👦")
    assert [each for each in (*faces, *wrong) if is_face(each)] == [*faces]
    for number, face in enumerate(faces):
        for name, no_face, why in (("Bo", "foxes", "face"), ("oma blitz", "owl", "double")):
            with pytest.raises(SeatingError, match=why):
                seats.sit(name, no_face if face != "🦊" else "fox")
        seats.sit(f"guest {number}", face)
    assert tuple(each.face for each in seats.places) == faces
    kinds = ("cheeky", "cheeky", "learner")
    assert names_of_characters(kinds, NAMES) == (CHARACTERS["cheeky"], "Ben", "Cem")


_CAUGHT = (Roll((6, 2)), Announce(63), Doubt(), Lift((6, 2)))


def drum_of(*actions, game="class"):
    """How long the drum rolls for the last of these actions."""
    match = new_match(RULES[game], NAMES, 0)
    for action in actions:
        before, (match, events) = match, apply(match, action)
    return drum_s([*events], before)


def test_the_drum_rolls_longer_the_more_is_at_stake():
    lengths = [drum_of(*_CAUGHT * rounds) for rounds in (1, 2, 3, 4)]
    assert lengths == sorted({*lengths})
    assert drum_of(*_CAUGHT[:3]) == 0.0
    assert drum_of(*_CAUGHT, game="physicist") == lengths[0]


def test_every_voice_has_the_same_lines_in_every_language():
    shapes = []
    for language in LANGUAGES:
        assert lines_of(language).keys() == CHARACTERS.keys()
        shapes.append([])
        for kind, groups in lines_of(language).items():
            shapes[-1] += [(kind, each, len(lines)) for each, lines in groups.items()]
            lines = [line for group in groups.values() for line in group]
            assert len({*lines}) == len(lines) >= 50, (language, kind)
            assert max(map(len, lines)) <= 46
    assert shapes == shapes[:1] * len(LANGUAGES)


@pytest.mark.parametrize(("kind", "word", "of_truths", "of_lies"), [
    ("cheeky", "weetie", 0.25, 0.75), ("honest", "hem", 0.0, 0.9), ("random", "lub", 0.25, 0.67),
    ("expert", "oughly", 0.0, 0.6), ("shark", "weetie", 0.0, 0.0), ("trusting", "", 1.0, 1.0),
])  # fmt: skip
def test_a_tell_can_be_learned_and_nobody_says_the_same_twice_in_a_row(
    kind, word, of_truths, of_lies
):
    for lied, share in ((False, of_truths), (True, of_lies)):
        voices = Voices((None, kind), Random(5), {})
        told = [voices.lines([Announced(1, 63, 0)], {1: lied}, "en", 0.0) for _ in range(1000)]
        said = [each[0].text for each in told]
        assert all(one != other for one, other in pairwise(said))
        lines = [line for line in said if "Hrm" not in line]
        assert abs(sum(word in line for line in lines) / len(lines) - share) < 0.06, lied


def test_the_next_match_of_an_evening_repeats_no_line():
    decks, lines = {}, lines_of("en")["trusting"]["say"]
    evening = []
    for match in range(len(lines)):
        voices = Voices((None, "trusting"), Random(match), decks)
        evening += voices.lines([Announced(1, 63, 0)], {}, "en", 0.0)
    assert {line.text for line in evening} == {*lines}


def test_a_trembling_count_thinks_longer_about_a_lie_and_a_shark_smiles_before_it_doubts():
    voices = Voices((None, "trusting", "cheeky", "shark"), Random(1), {})
    truth, lie = ([voices.think_s(1, lied=lied) for _ in range(50)] for lied in (False, True))
    assert max(truth) <= min(lie)
    assert (voices.think_s(0, lied=True), voices.think_s(2, lied=True) <= 0.8) == (0.0, True)
    smiled = [seat for _ in range(900) for seat in voices.smiles([Rolled(0, 1), Doubted(3)])]
    assert ({*smiled}, 550 < len(smiled) < 650) == ({3}, True), "two times of three"
    assert [voices.smiles([each]) for each in (Doubted(0), Doubted(2), Believed(3))] == [[]] * 3


def test_bots_heckle_people_alone_and_seldom():
    voices = Voices((None, "cheeky", "shark"), Random(1), {})
    heckled = [len(voices.lines([Rolled(0, 1)], {}, "de", t)) for t in range(0, 60, 2)]
    assert sum(heckled) == 5
    won = Revealed(1, (3, 1), 63, 0, True)
    for events, count in (
        ([Rolled(1, 1)], 0),
        ([Announced(0, 63, 1)], 0),
        ([won, Rolled(0, 1)], 1),
    ):
        assert len(voices.lines(events, {}, "en", 200.0)) == count
    for kind, event in ((None, Rolled(0, 1)), ("tin", Announced(1, 63, 0))):
        assert Voices((None, kind), Random(1), {}).lines([event], {}, "xx", 0.0) == []


def test_a_card_says_only_what_is_true_and_teases_no_loser():
    lines = card_lines(over(*_CAUGHT * 4, losers=()), ())
    assert [(each.name, each.key) for each in lines] == [("Ben", "sharp"), ("Ana", "caught")]
    assert [each.places for each in lines] == [{"A": "Ben", "n": 4}, {"A": "Ana", "n": 4}]
    assert [each.name for each in card_lines(over(*_CAUGHT * 4), ())] == ["Ben"]
    after = card_lines(over(*_CAUGHT * 4, losers=()), ("Ben",))
    assert [each.name for each in after] == ["Ana", "Ben"], "nobody is first twice in a row"


def check_texts(line):
    for key in (line.key, f"{line.key}_more"):
        assert book("en").texts[f"screen.card_{key}"].format(**line.places)


@pytest.mark.whole
def test_every_line_of_a_card_has_its_texts_and_places():
    records = [Record(RULES["class"], NAMES, 0, _CAUGHT * 4)]
    for rules in RULES.values():
        played = (playout(rules, NAMES, Random(seed))[0] for seed in range(40))
        records += [Record(rules, NAMES, 0, tuple(each)) for each in played]
    cards = [card_lines(MatchResult(each, NAMES, (), ()), ()) for each in records]
    assert all(len({line.key for line in card}) == len(card) for card in cards), "no joke twice"
    lines = [line for card in cards for line in card]
    assert len({line.key for line in lines}) >= 8
    for line in lines:
        check_texts(line)


_SAYS_64 = (Believe(), Announce(64))
_HID = Lies(1, 0, hidden=1)


@pytest.mark.parametrize(("game", "done", "lies"), [
    ("class", _CAUGHT, {"Ana": Lies(1, 1)}),
    ("class", (Roll((3, 1)), Announce(41), Believe(), Roll((6, 5)), Announce(65)),
     {"Ana": _HID, "Ben": Lies(0, 0)}),
    ("class", (Roll(), Announce(41)), {}),
    ("class", (Roll(), *_CAUGHT[1:]), {"Ana": Lies(1, 1)}),  # all have seen these dice
    ("class", (*_CAUGHT[:2], *_SAYS_64, Believe(), Roll(), Announce(65)),
     {"Ana": _HID, "Ben": _HID}),  # nobody knows of Cem
    ("class", (*_CAUGHT[:2], *_SAYS_64, *_CAUGHT[2:]), {"Ana": Lies(1, 0), "Ben": Lies(1, 1)}),
    ("class", (*_CAUGHT, Roll(), Announce(41)), {"Ana": Lies(1, 1, unsure=1)}),
    ("holy-family", (Roll((3, 1)), Announce(41), Believe(), Say(Words.ONE_MORE)),
     {"Ana": _HID, "Ben": _HID}),  # words that name no value
])  # fmt: skip
def test_lies_are_counted_where_the_dice_are_known_and_not_else(game, done, lies):
    assert lies_of(Record(RULES[game], NAMES, 0, done)) == lies


def test_a_scene_ends_with_the_screens_and_no_later_than_a_slow_one():
    async def main():
        told_of, screens = [], 2
        scene = RevealPause(lambda: screens, lambda: told_of.append(scene.stops_time))

        async def held_s(most_s=99.0):
            passed_s = 0.0
            while scene.stops_time and passed_s < most_s:
                await asyncio.sleep(0.01)
                passed_s += 0.01
            return pytest.approx(passed_s, abs=0.05)

        scene.begin(0.9, 2.8)
        for hides_verdict in (True, False, False):  # as soon as both have shown it
            scene.shown()
            assert (scene.hides_verdict, scene.stops_time) == (hides_verdict, True), (
                "phones know, bots wait"
            )
        assert (await held_s(), told_of) == (2.8, [True, True, False])
        scene.begin(1.8)
        assert (await held_s(), scene.hides_verdict) == (1.8 + BEATS_S + LAG_S, False)
        screens = 1
        scene.begin(1.8)
        for most_s, passed_s in ((1, 1), (1, 1), (99, 0.8 + BEATS_S + LAG_S)):
            assert await held_s(most_s) == passed_s, "longer once"
            scene.wait_for_late()
        scene.begin(1.8)
        scene.wait_for_late()
        scene.shown()
        assert not scene.hides_verdict, "the one screen was opened again"
        screens = 0
        scene.begin(0.9)
        scene.rest(2.0)
        assert not scene.stops_time, "there is no screen to wait for"

    run(main())


async def beside_a_screen(tab, view="seat"):
    """A page of the one person at a table, and a big screen; the person plays by the book."""
    page, _ = await tab.welcomed(view, 0)
    screen, _ = await tab.welcomed("screen")
    tab.match.runner.speed = 50.0
    world = tab.match.world
    player = world.table.players[0]
    world.loop.inside(lambda: tab.playing.append(asyncio.ensure_future(player.play())))
    return page, screen


async def lifting(tab):
    """A page and a big screen in the middle of a lift, and what the screen is told of it."""
    page, screen = await beside_a_screen(tab)
    assert (await page.told("eyes"))["up"]
    return page, screen, await screen.told("happened", lambda news: news["drum_s"] > 0)


@at(a_tab, bots=["cheeky", "random"])
async def test_no_phone_is_told_a_verdict_before_the_screen_has_shown_it(tab):
    page, screen, lift = await lifting(tab)
    assert "Revealed" in kinds_of(lift)
    held_us = tab.match.world.now_us
    await page.till_now()
    page.tell("hidden", on=False)
    assert await page.till_now() == []
    assert tab.match.world.now_us == held_us, "time stands still"
    screen.tell("shown")
    assert await page.came.get() == {"is": "eyes", "up": False}
    assert (await page.told("verdict"))["moment"]["dice"]


@pytest.mark.whole
@at(a_tab, bots=["trusting", "trusting"])
async def test_a_screen_is_told_what_a_bot_announces_once_it_has_thought(tab):
    _, screen = await beside_a_screen(tab)
    tab.match.runner.speed = 1.0
    story, loop = Story(tab.match.world.table, "en"), asyncio.get_running_loop()
    async with asyncio.timeout(600):
        while not any(isinstance(each, Announced) and each.seat for each in story.events):
            await asyncio.sleep(0.1)
            story.update()
    began_s, (least_s, _) = loop.time(), MANNERS["trusting"].think_s[False]

    def of_bots(news):
        return [each for each in news["events"] if each["kind"] == "Announced" and each["seat"]]

    await screen.told("happened", of_bots)
    assert loop.time() - began_s > 0.9 * least_s


@at(a_tab, bots=["cheeky", "random"])
async def test_a_screen_shows_a_verdict_once_and_a_stranger_shows_none(tab):
    own, shown, lift = await lifting(tab)
    late, _ = await tab.welcomed("screen")
    stranger, scene = tab.page(), tab.match.scene
    assert (await late.told("state"))["standing"]["phase"] == "doubted"
    again = await late.told("happened")
    assert (again["events"], again["drum_s"]) == (lift["events"], lift["drum_s"])
    for page in (stranger, shown, shown, shown):
        page.tell("shown")
        await page.till_now()
    assert scene.hides_verdict, "the late screen has not shown it yet"
    late.tell("shown")
    assert not (await own.told("eyes"))["up"]
    assert not scene.hides_verdict


def kinds_of(news):
    return [each["kind"] for each in news["events"]]


def play_to_its_end(world):
    while not world.is_over:
        assert world.now_us < 1_000_000_000
        assert world.advance(world.now_us + 50_000)


@at(a_tab, players=2, game="holy-family", options={"points": 1})
async def test_nobody_is_told_the_tally_before_the_screen_has_shown_the_end(tab):
    page, shown = await beside_a_screen(tab, "table")
    await shown.told("happened")
    world = tab.match.world
    tab.match.runner.do(lambda: play_to_its_end(world))  # faster than the screen
    last = await shown.told("happened", lambda news: "MatchEnded" in kinds_of(news))
    assert last["drum_s"] > 0
    page.tell("hidden", on=False)
    assert (await page.told("lobby"))["playing"]
    assert tab.table.seats.tally == {}
    shown.tell("shown")
    assert (await page.told("lobby", lambda news: not news["playing"]))["tally"]


@at_a_party
async def test_a_guest_confesses_or_refuses_once(party):
    seats, pages = party.seats, party.guests(*NAMES)
    seats.seat_people(0, "")
    lies = (Roll((3, 1)), Announce(41), Believe(), Roll((3, 2)), Announce(65), Believe())
    for _ in range(2):
        seats.count(0, over(*lies))
    party.table.lobby.plan()
    news = await pages[0].told("lobby", lambda news: news["lies"])
    assert news["lies"] == {"told": 1, "caught": 0, "hidden": 1, "of": None}
    assert (await pages[2].told("lobby"))["lies"] is None, "nothing to confess"
    assert news["tally"][1] == {"name": "Ben", "played": 1, "lost": 0, "crowns": 1}
    for place, tells in ((0, True), (0, False), (1, False)):
        pages[place].tell("confess", tells=tells)
    card = (await pages[2].told("lobby", lambda news: news["card"]["refused"]))["card"]
    assert (card["refused"], card["matches"]) == (["Ben"], 1)
    assert card["lines"] == [{"name": "Ana", "key": "lie", "places": {"A": "Ana", "n": 1, "c": 0}}]
    assert PartySeats(party.folder / "evening.json").stored.lies == {}
    honest = (Roll((6, 5)), Announce(64), Believe(), Roll((6, 5)), Announce(65), Believe())
    seats.seat_people(1, "")
    seats.count(1, over(*_CAUGHT, *honest))
    assert {name: each.told for name, each in seats.stored.lies.items()} == {"Ana": 1, "Ben": 0}
    party.table.lobby.plan()
    news = await pages[0].told("lobby", lambda news: news["card"]["matches"] == 2)
    assert news["lies"] is None, "everybody has seen it"


@pytest.mark.parametrize("leaves_first", [True, False])
def test_nobody_confesses_for_a_guest_of_the_same_name_who_has_left(tmp_path, leaves_first):
    seats = PartySeats(tmp_path / "evening.json")
    for name in NAMES[:2]:
        seats.sit(name)
    seats.seat_people(0, "")
    for leaves in (leaves_first, not leaves_first):
        if leaves:
            seats.free(0)
            seats.sit("Dea")
            seats.sit(NAMES[0])
        else:
            seats.count(0, over(Roll((3, 1)), Announce(63), Doubt(), Lift((3, 1)), people=2))
            assert bool(seats.lies_at(0)) is not leaves_first
    assert seats.places[2].name == NAMES[0]
    assert (seats.lies_at(0), seats.lies_at(2)) == (None, None)
