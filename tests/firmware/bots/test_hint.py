"""Hints: the best reply to a table, else the book; by what the player who asks has seen."""

from functools import cache
from itertools import islice
from random import Random
from statistics import fmean

import pytest

from firmware.bots import Answered, Tells, opponents
from firmware.bots import hint as hints
from firmware.bots.arena import Arena, filled
from firmware.bots.bot import PlayedBy
from firmware.bots.hint import FollowedMatch, HintFits, advice, hint, prepared, seated
from firmware.bots.opponents import Doubter, PersonWay, drawn
from firmware.bots.opponents import _stage as stages
from game import RULES, apply
from game import actions as do
from game.bluff.rules import PLACE, RANKING
from game.record import Record
from game.strategy import among, book
from game.strategy.against import Against
from game.strategy.bluff import NOTHING, lowest_over
from game.strategy.ends import Prices
from game.strategy.signal import TOP
from hw_sim.players.bot_kinds import KINDS, personality_of

NAMES = ("Ana", "Ben", "Cem")
BOTS = (None, personality_of("honest"), personality_of("trusting"))


def after(game, *actions, players=NAMES):
    return Record(RULES[game], players, 0, actions)


def rolled(value):
    return do.Roll(divmod(value, 10))


def test_it_knows_what_its_player_has_seen_and_no_more():
    assert hint(after("class", do.Roll((2, 1))), 0).ways == {do.Look(): 1.0}
    four = (*NAMES, "Dora")
    begun = (do.Roll((3, 1)), do.Look(), do.Announce(55), do.Believe())
    seen = after("class", *begun, do.Roll((2, 1)), do.Look(), players=four)
    assert hint(seen, 1).ways[do.ShowMaexchen()] > 0.9
    low, high = (
        after("class", *begun, do.Roll(dice), do.Look(), do.Announce(66), players=four)
        for dice in ((3, 1), (6, 6))
    )
    bots = (BOTS[2], BOTS[1], None, BOTS[1])
    assert hint(low, 2) == hint(high, 2)
    assert set(hint(low, 2).ways) == {do.Doubt(), do.Believe()}
    assert hint(low, 2, bots) == hint(high, 2, bots)
    assert hint(low, 0).ways == {}


def test_what_the_table_did_is_followed():
    assert hint(after("physicist", rolled(31), do.Fault(do.FaultKind.DROP, 0)), 0).best == do.Roll()


def test_a_cup_that_comes_the_wrong_way_is_refused():
    wrong = after("holy-family", rolled(31), do.Announce(65, None, True))
    assert hint(wrong, 2).ways == {do.Refuse(): 1.0}


def test_who_opens_against_simple_bots_tells_the_truth_and_shows_a_maexchen():
    for value in RANKING:
        told = hint(after("class", rolled(value), do.Look()), 0, BOTS)
        best = do.ShowMaexchen() if value == RANKING[-1] else do.Announce(value)
        assert (told.ways, told.fits) == ({best: 1.0}, HintFits.THIS_TABLE)


def test_who_may_show_a_maexchen_does_where_later_rounds_are_estimated():
    bots = (None, personality_of("skilled"), personality_of("learner"))
    followed = FollowedMatch(Arena(RULES["class"], NAMES, 0))
    followed.arena.match = followed.arena.match.replace(tally=(1, 0, 2))
    for action in (rolled(21), do.Look()):
        followed.act(action)
    told = advice(followed, bots)
    assert (told.ways, told.fits) == ({do.ShowMaexchen(): 1.0}, HintFits.THIS_TABLE)
    assert max(told.worths.values()) == told.worths[do.ShowMaexchen()]


def test_a_hint_for_an_unknown_table_is_the_book_of_a_mix():
    told = hint(after("class", rolled(31), do.Look()), 0)
    assert (len(told.ways) > 1, told.fits) == (True, HintFits.ANYBODY)


PEOPLE = (None,) * 3


def said_to_cem(caught):
    """The physicists: Ben says 11 to Cem, who has caught him so often with 31 for a 54."""
    lies = [rolled(31), do.Look(), do.Announce(54), do.Doubt(), do.Lift()] * caught
    arena = Arena(RULES["physicist"], NAMES, 1)
    return FollowedMatch(arena, [*lies, rolled(11), do.Look(), do.Announce(11)])


@pytest.mark.parametrize("game", ["class", "holy-family"])
def test_among_people_nothing_is_worth_more_than_the_truth_that_may_be_told(game):
    for value in RANKING[:-1]:
        told = hint(after(game, rolled(value), do.Look()), 0, PEOPLE)
        assert told.best == do.Announce(value)
        assert max(told.worths.values()) == told.worths[told.best]
    begun = (rolled(64), do.Look(), do.Announce(65), do.Believe())
    must_lie = hint(after(game, *begun, rolled(65), do.Look()), 1, PEOPLE)
    assert max(must_lie.worths.values()) > must_lie.worths[do.Announce(66)]


def test_people_who_doubt_doubt_dice_that_nobody_sees_too():
    doubter = tuple(int(way == Doubter(0.0, 1.0)) for way in opponents.PEOPLE.doubters)
    person = PersonWay(RULES["class"], 3, opponents.SeenHabits((1,), doubter))
    low, high = (person.answer(NOTHING, 2, PLACE[value]).doubt for value in (41, 66))
    assert low < 0.2 < 0.7 < high


def ways_after(answered, game="class"):
    sight = Arena(RULES[game], NAMES).sight()._replace(tells=Tells(answered))
    return [PersonWay(RULES[game], 3, kind) for kind in seated(sight, PEOPLE)[1:]]


@pytest.mark.parametrize("rolls", [0, 1, 2], ids=["handed on", "seen", "unseen"])
def test_three_answers_show_who_believes_and_who_doubts(rolls):
    chances = []
    for doubted in (False, True):
        shown = [Answered(1, 0, value, None, rolls, doubted) for value in (61, 63, 64)]
        chances += [way.answer(PLACE[42], 1, PLACE[62]).doubt for way in ways_after(shown)]
    believer, unknown, doubter, other = chances
    assert believer < 0.2 < unknown == other < 0.6 < doubter


def test_a_bot_that_hands_dice_on_as_no_more_than_was_said_pays():
    way = PlayedBy(RULES["holy-family"], personality_of("random"))
    assert way.answer(NOTHING, 1, PLACE[41]).gives_in > 0.1


def test_a_person_who_doubts_from_a_value_on_is_known_for_it():
    said = (61, 62, 63) * 2, (65, 11, 22) * 2
    answered = [Answered(1, 0, v, None, 1, doubted=n > 0) for n in (0, 1) for v in said[n]]
    low, high = (ways_after(answered)[0].answer(NOTHING, 1, PLACE[v]).doubt for v in (54, 66))
    assert low < 0.05 < 0.9 < high


def test_a_custom_of_openers_and_a_belief_in_a_maexchen_are_learned_in_holy_family():
    said = [[Answered(2, 1, v, None, 1), Answered(2, 1, 21, 66, 1)] * 8 for v in (41, 65)]
    (by_dice, believes), (by_custom, _) = (ways_after(each, "holy-family") for each in said)
    assert sum(by_dice.told(NOTHING).offers[PLACE[65], 1]) < 0.2
    assert sum(by_custom.told(NOTHING).offers[PLACE[65], 1]) > 0.8
    assert believes.answer(TOP, 3, TOP).doubt < 0.1


def test_who_was_caught_lying_is_doubted_and_who_is_unknown_is_believed():
    for caught, best in ((0, do.Believe()), (4, do.Doubt())):
        told = advice(said_to_cem(caught), PEOPLE)
        assert (told.ways, told.fits) == ({best: 1.0}, HintFits.THIS_TABLE)
        assert (told.whys[do.Doubt()].chance > 0.5) == (best == do.Doubt())


def test_low_dice_of_people_that_are_handed_on_may_be_more_than_was_said():
    def lie(said, handed_on):
        begun = (rolled(31), do.Look(), do.Announce(said), do.Believe(), do.Announce(handed_on))
        return hint(after("class", *begun), 2, BOTS[:1] * 3).whys[do.Doubt()].chance

    assert lie(31, 32) < 0.2 < lie(41, 42) < 0.5 < lie(61, 62) < 0.95 < lie(64, 65) < 1


def test_dice_that_nobody_lifts_teach_nothing():
    """The same is said and answered; only what lies under the cups differs."""
    seen = []
    for values in ((54, 61, 66), (31, 32, 41)):
        followed = FollowedMatch(Arena(RULES["class"], NAMES, 0))
        for value, said in zip(values, (54, 61, 65)):
            for action in (rolled(value), do.Look(), do.Announce(said), do.Believe()):
                followed.act(action)
        seen.append((seated(followed.arena.sight(), PEOPLE), advice(followed, PEOPLE)))
    assert seen[0] == seen[1]
    anybody = seated(Arena(RULES["class"], NAMES, 0).sight(), PEOPLE)
    assert anybody[1] == anybody[2] != seen[0][0][1]


@pytest.mark.parametrize("game", ["class", "physicist", "holy-family"])
def test_all_that_a_person_may_do_in_a_turn_adds_up_to_one(game):
    rules = RULES[game]
    way = PersonWay(rules, 3, opponents.Habits(opponents.PEOPLE).person)
    for stands in (*range(TOP + (game == "holy-family")), NOTHING):
        turn, lowest = way.told(stands), lowest_over(rules, stands)
        said = sum(sum(dice) for (place, _), dice in turn.offers.items() if place >= lowest)
        assert said + turn.pays + turn.shows == pytest.approx(1)
        assert all(0 < way.answer(stands, 1, place).doubt < 1 for place in range(lowest, TOP))


def over_a_maexchen(points):
    """Holy Family: Cem has thrown three times over a 21, and has so many points."""
    followed = FollowedMatch(Arena(RULES["holy-family"], NAMES, 1))
    followed.arena.match = followed.arena.match.replace(tally=(0, 0, points))
    thrown = [each for _ in range(3) for each in (rolled(31), do.Look())][:-1]
    for action in (rolled(21), do.Announce(21), do.Believe(), *thrown):
        followed.act(action)
    return followed


@pytest.mark.parametrize("bots", [(), (BOTS[1], BOTS[1], None)], ids=["people", "bots"])
def test_nobody_is_told_to_lose_the_match_by_a_mistake_on_purpose(bots):
    """Over a Mäxchen a mistake costs one point, and a lie that is found two."""
    assert advice(over_a_maexchen(9), bots).ways == {do.Announce(21): 1.0}


def test_a_mistake_on_purpose_is_told_where_it_is_cheaper():
    (way,) = advice(over_a_maexchen(0), ()).ways
    assert PLACE[way.value] < PLACE[21]


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
def test_no_known_bot_makes_a_hint_that_cannot_be_done(kind):
    for game in RULES:
        rng, bots = Random(1), [personality_of(kind), None, personality_of(kind)]
        followed = FollowedMatch(Arena(RULES[game], NAMES))
        for _ in range(30):
            arena = followed.arena
            if (seat := arena.match.to_act) is None:
                break
            choice = personality_of("honest").decide(arena.sight(), rng)
            if seat == 1 and (ways := advice(followed, bots).ways):
                choice = next(iter(ways))
                assert choice in arena.sight().options or isinstance(choice, do.Keep)
            followed.act(filled(arena.match, choice, rng))


BELIEVED = PLACE[65]
"""The highest place that a beginner believes."""


class Beginner(Against):
    """The round of a seat that tells the truth where it may, believes up to 65, and doubts pairs.

    Else it rolls or lies as well as it can: no beginner does better.
    """

    def _seen(self, stands, roll):
        best, lowest = super()._seen(stands, roll), lowest_over(self._rules, stands)
        truths = self._said(stands, roll)[1]
        return [*best[:lowest], *truths[lowest:TOP], best[TOP]]

    def _offered(self, player, stands, roll, place, dice):
        to = self._next(player)
        if self.ways[to] is not None:
            return super()._offered(player, stands, roll, place, dice)
        if place <= BELIEVED:
            return sum(dice) * self._rolls[to][place]
        rows = self._lie, self._truth, self._top
        return sum(share * row[player][place] for share, row in zip(dice, rows))


def not_lost(own, kinds):
    """Return the exact chance not to lose a match of class, the mean over seats and openers."""
    rules, ways = RULES["class"], [PlayedBy(RULES["class"], personality_of(k)) for k in kinds]
    seats = len(kinds) + 1

    @cache
    def worth(tallies, first, me):
        """``tallies`` are by seat; the others sit behind ``me`` in turn."""
        order = [(first + by) % seats for by in range(seats)]

        def ends(payer, cost, turned):
            seat = order[payer]
            paid = tuple(tally + (each == seat) for each, tally in enumerate(tallies))
            left = worth(paid, seat, me) if paid[seat] <= rules.credit else float(seat != me)
            return [left * (each == me) for each in order]

        here = [None if each == me else ways[(each - me - 1) % seats] for each in order]
        return own(rules, here, Prices(rules, seats, ends)).worth

    return fmean(worth((0,) * seats, first, 0) for first in range(seats))


@pytest.mark.whole
@pytest.mark.parametrize("kinds", [("honest", "trusting"), ("cheeky", "trusting")])
def test_who_follows_the_hint_loses_less_than_a_beginner_who_tells_the_truth(kinds):
    assert not_lost(Beginner, kinds) < not_lost(Against, kinds) - 0.01


LARGE = [None, *(personality_of(kind) for kind in (*KINDS[:3], *KINDS[-4:]))]


@pytest.mark.parametrize(
    ("game", "bots"),
    [
        *(("class", BOTS), ("sevens", BOTS)),
        *(pytest.param(game, LARGE, marks=pytest.mark.whole) for game in ("class", "holy-family")),
    ],
)
def test_after_the_preparation_of_a_round_no_hint_solves_anything(game, bots):
    names, chance = tuple(f"P{seat}" for seat in range(len(bots))), Random(5)
    players = [each or BOTS[2] for each in bots]
    followed = FollowedMatch(Arena(RULES[game], names))
    kept = hints._kept, hints._worth, hints._book_way, hints._lapsing, hints._played_by
    asked = begun = 0
    while followed.arena.match.outcome is None and asked < 5:
        match = followed.arena.match
        if match.round != begun:
            begun = match.round
            list(prepared(match, 0, bots))
        if match.to_act == 0:
            before = [each.cache_info().misses for each in kept]
            told = advice(followed, bots)
            assert told == advice(followed, bots)
            advice(followed, ())
            assert [each.cache_info().misses for each in kept] == before
            asked += 1
        choice = players[match.to_act].decide(followed.arena.sight(), chance)
        followed.act(filled(match, choice, chance))
    assert asked


@pytest.mark.parametrize("bots", [PEOPLE, (None, *map(personality_of, ("skilled", "learner")))])
def test_a_preparation_that_stops_anywhere_is_gone_on_with_by_the_next_hint(bots):
    followed = FollowedMatch(Arena(RULES["holy-family"], NAMES, 0), [rolled(54), do.Look()])
    kept, found = (hints._kept, hints._person, book.of_standing, book.counted), []
    for asked in (0, 2, 40, 80):
        for each in kept:
            each.cache_clear()
        list(islice(prepared(followed.arena.match, 0, bots), asked))
        if asked == 2:
            left = book.solving(RULES["holy-family"], 3, ((0, 0, 0), 0), bots == PEOPLE)
            assert next(left, "solved") is None
        found.append(advice(followed, bots))
    assert all(each == found[0] for each in found)


OPENED = [do.Roll((6, 5, 4)), do.Roll((3, 2, 1)), do.Roll((2, 2, 1))]
"""Ana throws best, and leads."""


def test_the_turn_of_a_leader_is_prepared_before_dice_lie_open():
    among._turn.cache_clear()
    followed = FollowedMatch(Arena(RULES["maxen"], NAMES, 0), OPENED)
    list(prepared(followed.arena.match, 0, PEOPLE))
    followed.act(do.Roll((5, 2, 1)))
    before = among._turn.cache_info().misses
    assert advice(followed, PEOPLE).worths
    assert among._turn.cache_info().misses == before


def test_nothing_is_prepared_for_who_does_not_play():
    match = Arena(RULES["class"], NAMES).match
    assert [*prepared(match, 3, BOTS), *prepared(apply(match, do.StopMatch()).match, 0, BOTS)] == []


def test_an_evening_of_ever_new_players_keeps_no_more_of_them():
    """Each match draws its bots anew, and each action changes what people are taken for."""
    kept = hints._kept, hints._worth, hints._person, hints._played_by, hints._lapsing
    chance = Random(3)
    for _ in range(2 * hints.KEPT):
        hints._played_by(RULES["class"], drawn("usual", chance))
    assert hints._played_by.cache_info().currsize == hints.KEPT
    assert all(each.cache_info().maxsize for each in (*kept, hints._book_way, stages))
