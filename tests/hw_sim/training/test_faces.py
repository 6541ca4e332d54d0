"""Hint, coach and trainer: one advice with three faces, and what training with it changes."""

from functools import cache
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from firmware.bots.arena import Arena, filled, followed
from firmware.bots.hint import EQUAL, FollowedMatch, HintFits, advice, hint
from game import RULES, Phase
from game.actions import Announce, Believe, Doubt, Look, Roll, ShowMaexchen
from game.bluff.rules import PLACE, value_of
from game.coach import Judged, analyse
from game.record import Record
from game.strategy.against import Why
from hw_sim.live.web.matches_over import advice as told_in_browser
from hw_sim.players.bot_kinds import personality_of
from hw_sim.story.evening_report import at_table
from hw_sim.story.judging import reason
from hw_sim.training.spots import HARD, WRONG, beginner, made
from hw_sim.training.told import solution
from tests.support.nights import EACH_GAME

FEW, MANY, MOST = 1, 20, 500


def compared(game, players, seeds):
    """Compare the faces in made decisions; return how many a beginner gets right."""
    right = 0
    for seed in seeds:
        spot = made(game, players, Random(f"{game} {players} {seed}"))
        until, judged = spot.record, spot.judged
        bots = [None if kind is None else personality_of(kind) for kind in spot.bots]
        followed = FollowedMatch(Arena(until.rules, until.players, until.first), until.actions)
        hinted = advice(followed, bots)
        assert hinted.fits is (HintFits.THIS_TABLE if bots else HintFits.NOBODY_ASKED)
        assert spot.cost(hinted.best) == 0, (game, seed)
        assert solution(spot, hinted.best, "en").verdict.startswith("Right: ")
        done = filled(followed.arena.match, judged.action, Random(seed))
        whole = until._replace(actions=(*until.actions, done))
        plain = analyse(whole)
        told = at_table(whole, plain._replace(decisions=plain.decisions[-1:]), bots)
        coached = told.decisions[-1]
        assert (coached.action, coached.safe) == (judged.action, judged.safe)
        assert coached.cost == pytest.approx(spot.cost(coached.action), abs=1e-9)
        assert max(coached.chances.values()) - coached.chances[hinted.best] <= EQUAL
        right += spot.cost(beginner(until)) <= WRONG
    return right


@pytest.mark.parametrize("game", EACH_GAME)
def test_hint_coach_and_trainer_agree(game):
    compared(game, 3, range(FEW))


@pytest.mark.parametrize(
    ("many", "right"),
    [
        pytest.param(MANY, 0.75, marks=pytest.mark.whole, id="some"),
        pytest.param(MOST, 0.55, marks=pytest.mark.night, id="three thousand of all games"),
    ],
)
@pytest.mark.parametrize("game", RULES)
def test_hint_coach_and_trainer_agree_and_a_beginner_is_often_wrong(game, many, right):
    assert compared(game, 3, range(many)) < right * many


def test_a_whole_match_is_judged_against_its_bots_and_what_is_told_is_the_sum():
    spot = made("class", 3, Random(1))
    record, seat = spot.record, spot.judged.seat
    bots = [None if kind is None else personality_of(kind) for kind in spot.bots]
    told = at_table(record, plain := analyse(record), bots)
    mine = [each for each in told.decisions if each.seat == seat]
    assert mine
    assert all(each.safe is not None for each in mine)
    assert all(each.safe is None for each in told.decisions if each.seat != seat)
    for account, before in zip(told.accounts, plain.accounts):
        assert account.result == pytest.approx(sum(account[:-1]), abs=1e-9)
        assert account.result == before.result
    assert told.accounts[seat].skill == pytest.approx(-sum(each.cost for each in mine))
    assert [point.worths for point in told.curve][-1] == tuple(a.result for a in told.accounts)


def test_people_are_judged_by_what_each_has_shown_until_then():
    record, people = made("physicist", 3, Random(1)).record, (None,) * 3
    record = record._replace(actions=record.actions[:40])
    told = at_table(record, analyse(record), people)
    assert len({each.seat for each in told.decisions}) > 1
    for each in told.decisions:
        until = record._replace(actions=record.actions[: each.line - 2])
        hinted = hint(until, each.seat, people)
        assert each.safe == hint(until, each.seat).best
        assert dict(each.chances) == hinted.worths
        assert each.cost == 0 or each.best == hinted.best


ALMOST_SURE = Why(0.6, 0.9, 0.0, None)


def test_a_reason_to_believe_what_is_mostly_a_lie_names_the_price_of_a_doubt():
    judged = Judged(2, 1, 0, Believe(), {}, Believe(), 0.0, None, whys={Doubt(): ALMOST_SURE})
    told = reason(judged, False, "chance", "en")
    assert told.startswith("60 in 100 such announcements are lies; but")
    assert "if you catch a lie, you lose 10 of 100 games" in told
    assert "if you doubt the truth, 100: on average that is worse" in told


PURPOSE = {
    "en": "less than your dice on purpose",
    "de": "mit Absicht weniger",
    "fr": "exprès moins",
}


@pytest.mark.parametrize("language", PURPOSE)
def test_to_say_less_than_the_dice_has_its_reason(language):
    """The book of three says 64 with sixes: then the third pays four times as often as before."""
    sixes = Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (Roll((6, 6)), Look()))
    told = {
        value: analyse(sixes._replace(actions=(*sixes.actions, Announce(value)))).decisions[-1]
        for value in (64, 66)
    }
    assert told[66].best == Announce(64)
    assert told[66].cost > WRONG
    assert PURPOSE[language] in reason(told[66], True, "chance", language)
    assert PURPOSE[language] in reason(told[64], False, "chance", language)
    assert PURPOSE[language] not in reason(told[66], False, "chance", language)
    assert PURPOSE[language] in told_in_browser(sixes, 0, language)


def test_a_roll_over_nothing_a_look_and_an_open_throw_have_their_reasons():
    seen = [Roll((3, 1)), Look(), Roll((3, 1))]
    known = FollowedMatch(Arena(RULES["holy-family"], ("Ana", "Ben"), 0), seen[:2])
    assert known.arena.match.announced is None
    covered = analyse(Record(RULES["holy-family"], ("Ana", "Ben"), 0, tuple(seen))).decisions
    assert reason(covered[0], False, "chance", "en").startswith("whoever has peeked")
    assert reason(covered[1], False, "chance", "en").startswith("94 rolls in 100 are better than")
    unseen = covered[1]._replace(seen=None)
    assert reason(unseen, False, "chance", "en").startswith("nothing is announced yet")
    spot = made("maxen", 3, Random("read 1"))
    told = reason(spot.judged, True, "chance", "en")
    trained = solution(spot, spot.judged.best, "en")
    assert told
    assert told.lower() == trained.reason.lower().rstrip(".")


TRAINED, AS_THEY_COME = 200, 800
"""So many decisions a simulated learner trains with; and it is asked so many that nobody chose."""
FIRST = {"believe", "truth", "roll", "low", "pair"}
"""The choices that a beginner makes."""


def ways_of(sight):
    """Name the choices that a learner tells apart."""
    match, said = sight.match, {}
    if match.phase is Phase.OFFERED:
        return {"believe": Believe(), "doubt": Doubt()}
    stands = -1 if match.announced is None else PLACE[match.announced]
    for way in sight.options:
        if isinstance(way, Announce) and PLACE[way.value] > stands:
            said[PLACE[way.value]] = way
    ways = {"roll": Roll()} if Roll() in sight.options else {}
    if sight.seen is not None and (own := PLACE[value_of(sight.seen)]) in said:
        ways["truth"] = ShowMaexchen() if ShowMaexchen() in sight.options else said[own]
    for name, least in (("low", stands + 1), ("higher", stands + 4), ("pair", PLACE[11])):
        if lies := [place for place in said if least <= place < PLACE[21]]:
            ways[name] = said[min(lies)]
    return ways


def situation(sight):
    """Return what a learner looks at: the kind of decision, its own dice and what stands.

    An answer is of another kind if nobody has seen the dice: the question tells how often the
    announcer rolled.
    """
    match = sight.match
    rolls = match.announcer_rolls if match.phase is Phase.OFFERED else 0
    own = -1 if sight.seen is None else PLACE[value_of(sight.seen)]
    stands = -1 if match.announced is None else PLACE[match.announced]
    return (match.phase, rolls, Roll() in sight.options, own >= 0), own, stands


def begins(sight):
    """Name the beginner's choice."""
    if sight.match.phase is Phase.OFFERED:
        return "believe" if PLACE[sight.match.announced] <= PLACE[65] else "doubt"
    return next(name for name in ("truth", "roll", "low", "pair") if name in ways_of(sight))


def dear(worths, name, first):
    """Return the mean cost of a choice, with doubt about every one but the beginner's."""
    costs = [max(each.values()) - each[name] for each in worths if name in each]
    return (sum(costs) + (0.0 if name == first else 0.1)) / (len(costs) + 2)


class MovesBounds:
    """Moves its bounds of believing and of telling the truth with each mistake."""

    def __init__(self):
        self.believes = dict.fromkeys(range(4), float(PLACE[65]))  # by the announcer's rolls
        self.keeps = {True: -1.0, False: -1.0}

    def choice(self, sight):
        ways, ((_, rolls, *_), own, stands) = ways_of(sight), situation(sight)
        if "believe" in ways:
            return "believe" if stands <= self.believes[rolls] else "doubt"
        is_low = own < self.keeps[stands >= 0]
        return "roll" if is_low and "roll" in ways else begins(sight)

    def learn(self, sight, worths):
        ((_, rolls, *_), own, stands), best = situation(sight), max(worths, key=worths.get)
        mine = self.choice(sight)
        if worths[best] - worths.get(mine, 0.0) <= WRONG:
            return
        if "believe" in worths:
            self.believes[rolls] += (stands - self.believes[rolls]) / 4
        elif {"truth", "roll"} == {best, mine}:
            bound = own + (0.5 if best == "roll" else -0.5)
            self.keeps[stands >= 0] += (bound - self.keeps[stands >= 0]) / 4


class KeepsATable:
    """Remembers the mean cost of each choice, for a few places at a time."""

    def __init__(self):
        self.cases = []

    def near(self, kind, own, stands):
        cell = kind, own // 4, stands // 4
        return [ways for (of, one, at), ways in self.cases if (of, one // 4, at // 4) == cell]

    def choice(self, sight):
        near, first = self.near(*situation(sight)), begins(sight)
        return min(ways_of(sight), key=lambda name: dear(near, name, first))

    def learn(self, sight, worths):
        self.cases.append((situation(sight), worths))


class RemembersCases(KeepsATable):
    """Goes by the five decisions that were most like this one."""

    def near(self, kind, own, stands):
        far = [
            (abs(one - own) + abs(at - stands), number)
            for number, ((of, one, at), _) in enumerate(self.cases)
            if of == kind
        ]
        return [self.cases[number][1] for away, number in sorted(far)[:5] if away <= 5]


@cache
def decisions(game, hard=HARD, many=TRAINED):
    """Return decisions to train with or to be asked, each with what its player knows."""
    rng = Random(f"{game} {hard} {many}")
    spots = [made(game, 3, rng, hard) for _ in range(many)]
    told = [(followed(spot.record).sight(), spot) for spot in spots]
    return [(sight, spot) for sight, spot in told if FIRST & {*ways_of(sight)}]


def costs(choice, asked):
    """Return what the choices of a learner cost; one that is not judged costs the most."""
    for sight, spot in asked:
        way = ways_of(sight)[choice(sight)]
        is_judged = way in spot.judged.chances
        yield spot.cost(way) if is_judged else max(map(spot.cost, spot.choices))


LEARNERS = MovesBounds, KeepsATable, RemembersCases


@pytest.mark.night
@pytest.mark.parametrize(
    ("game", "kind", "hard", "many"),
    [
        *((game, kind, HARD, TRAINED + 1) for game in ("class", "physicist") for kind in LEARNERS),
        *(("class", kind, 0.0, AS_THEY_COME) for kind in LEARNERS[:2]),
    ],
)
def test_who_trains_two_hundred_decisions_gives_less_away_in_others(game, kind, hard, many):
    """Half of the others are chosen as those were, or nobody chose them."""
    learner = kind()
    for sight, spot in decisions(game):
        worths = spot.judged.chances
        told = {name: worths[way] for name, way in ways_of(sight).items() if way in worths}
        if told:
            learner.learn(sight, told)
    asked = decisions(game, hard, many)
    gains = [was - now for was, now in zip(costs(begins, asked), costs(learner.choice, asked))]
    half = 1.96 * stdev(gains) / sqrt(len(gains))
    before = fmean(costs(begins, asked))
    print(f"{game}, {kind.__name__}: {before:.4f}, then {fmean(gains):.4f} ± {half:.4f} less")
    assert fmean(gains) > half
