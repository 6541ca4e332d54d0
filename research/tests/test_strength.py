"""The strength of bots in the documents, and what measures it: best responses, whole matches."""

import json
import re
from contextlib import closing
from dataclasses import replace
from itertools import permutations
from math import hypot
from pathlib import Path
from statistics import mean

import pytest

from firmware import settings
from game import RULES, IllegalAction, legal_actions, new_match
from game.actions import Believe, Doubt
from game.bluff.rules import RANKING
from game.coach.bluff import GAPS
from game.strategy import Equilibrium, Round
from hw_sim.players.bot_kinds import KINDS, RATINGS, personality_of
from hw_sim.players.foreign import ForeignBot
from research.strength import coaster_gain, fresh_match, hinted, measure, open_games, points_gain
from research.strength.__main__ import main
from research.strength.coaching import alone
from research.strength.measure import gained, strategy_of
from research.strength.page import page, table
from research.strength.response import BestResponse

DOCS = Path(__file__).parents[2] / "docs"
KEPT = {
    plain["game"]: measure.from_plain(plain)
    for plain in json.loads((DOCS / "strength.json").read_text(encoding="utf-8"))
}
CLASS = measure.two_players("class")
TWO, NAMES = replace(RULES["class"], fewest_players=2), ("Ana", "Ben")


def strategy(kind):
    return strategy_of(personality_of(kind))


def test_the_page_says_what_was_measured():
    assert list(KEPT) == list(RULES)
    assert (DOCS / "strength.md").read_text(encoding="utf-8") == page(list(KEPT.values()))


AMONG_28 = 1.5
"""With 28 pairs of equal bots, so many times the noise of one pair is passed 1 time in 20."""


def keeps_its_order(tournament):
    """Return whether no bot loses more than one with a lower number, beyond chance.

    A bot by chance loses more than each of the others, beyond chance.
    """
    for low, high in permutations(KINDS, 2):
        if RATINGS[low] < RATINGS[high]:
            gap = tournament[low].mean - tournament[high].mean
            noise = AMONG_28 * hypot(tournament[low].half, tournament[high].half)
            if gap < (noise if low == "random" else -noise):
                return False
    return True


@pytest.mark.parametrize("game", RULES)
def test_a_level_keeps_its_promise(game):
    assert keeps_its_order(KEPT[game].tournament)


@pytest.mark.whole
def test_what_was_measured_is_still_so():
    duel = measure.duel(CLASS, strategy("expert"), strategy("honest"))
    assert KEPT["class"].matrix["expert"]["honest"] == pytest.approx(duel, abs=1e-9)
    assert KEPT["class"].matrix["honest"]["expert"] == pytest.approx(-duel, abs=1e-9)


@pytest.mark.night
def test_what_takes_long_to_measure_is_still_so():
    shares = measure.tournament("sevens", KINDS, 1000 * measure.MORE["sevens"], 1)
    assert KEPT["sevens"].tournament == shares
    assert KEPT["class"].gaps["3"] == pytest.approx(measure.gap("class", 3), abs=1e-9)
    for game in ("maxen", "chicago", "sevens"):
        assert KEPT[game].odds == open_games.offered(game)


def test_among_more_nearly_nothing_is_gained_and_that_is_said():
    for game, most in GAPS.items():
        assert KEPT[game].gaps
        assert all(-1e-9 < gap <= most + 1e-9 for gap in KEPT[game].gaps.values())


def test_the_number_of_each_bot_is_what_was_measured_and_a_page_offers_each():
    loses = KEPT["class"].exploitable
    shown = {kind: round(100 * (1 - each)) for kind, each in loses.items()}
    assert {kind: RATINGS[kind] for kind in loses} == shown
    told = " ".join((settings.__doc__ or "").replace("#", "").split())
    for kind in ("honest", "learner", "skilled", "expert", "shark"):
        assert f'"{kind}" ({RATINGS[kind]})' in told
    page = (DOCS.parent / "hw_sim/live/web/static/lobby.js").read_text(encoding="utf-8")
    assert f"const KINDS = {json.dumps(KINDS)};" in page


def test_among_more_little_is_gained_in_open_games_and_that_is_said():
    assert KEPT["chicago"].odds["no turning"]["means"]["3"] == 172
    for game, most in (("chicago", 0.005), ("maxen", 0.02)):
        players = [str(number) for number in open_games.of_more(RULES[game])]
        assert list(KEPT[game].gaps) == players
        assert all(0 <= gap < most for gap in KEPT[game].gaps.values())


def test_the_command_tells_draws_and_writes(tmp_path, capsys):
    told = ["--game", "sevens", "--matches", "40"]
    page_file, drawn = tmp_path / "page.md", tmp_path / "drawn.png"
    assert main([*told, "--page", str(page_file), "--picture", str(drawn)]) == 0
    out = capsys.readouterr().out
    assert "sevens" in out
    assert "shark" in out
    assert "## `sevens`" in page_file.read_text()
    plain = json.loads(page_file.with_suffix(".json").read_text())
    assert table(measure.from_plain(plain[0])) == out.strip()
    assert drawn.stat().st_size > 1000
    assert main([*told, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == plain


def test_what_cannot_be_is_said_in_one_line(tmp_path, capsys):
    nowhere = tmp_path / "no" / "drawn.png"
    told = ["--game", "sevens", "--matches", "40", "--picture", str(nowhere)]
    assert main(told) == 2
    (error,) = capsys.readouterr().err.strip().splitlines()
    assert "name a file that can be written" in error


def test_a_bot_in_trouble_loses_its_match_and_the_third_time_all_others():
    with (
        closing(ForeignBot("docs/bots/careful.py:Careful")) as careful,
        closing(ForeignBot("tests.support.foreign_bots:Quits")) as quits,
    ):
        measured = measure.measure("class", 20, 1, [careful, quits])
    shares = measured.tournament
    assert shares[quits.name] == (1.0, 0.0)
    assert 0.0 <= shares[careful.name].mean < 1.0
    others = [share for name, share in shares.items() if name in KINDS]
    assert sum(share.mean > 0 for share in others) > 1
    assert "careful.py:Careful" in table(measured)


def test_a_bad_answer_can_be_exploited():
    """The best response finds what somebody gives away who never doubts."""
    solved = Round(TWO)
    fair = Equilibrium(solved)

    def trusting(known):
        legal = legal_actions(known.match)
        return {Believe(): 1.0} if Believe() in legal else fair(known)

    start, value = new_match(TWO, NAMES, 0), 55
    worth = BestResponse(trusting, 1, gained(1)).worth_over(start, value)
    assert worth > solved.believed(0, RANKING.index(value))[0] + 0.1


def test_a_strategy_that_does_what_the_rules_forbid_is_refused():
    response = BestResponse(lambda known: {Doubt(): 1.0}, 0, gained(0))
    with pytest.raises(IllegalAction):
        response.worth_over(new_match(TWO, NAMES, 0), 66)


PAIR = ("honest", "trusting")
SEEDS = (1, 2, 7)


@pytest.mark.whole
def test_each_player_of_the_page_loses_less_than_one_who_plays_at_random():
    def at_random(_, sight, rng):
        return personality_of("random").decide(sight, rng)

    ways = hinted.hinted(PAIR), *hinted.OTHERS.values()
    most = max(hinted.lost("class", PAIR, chooses, matches=9) for chooses in ways)
    assert most < hinted.lost("class", PAIR, at_random, matches=9)


@pytest.mark.night
def test_the_gain_from_the_last_standing_is_the_one_that_the_page_measures():
    expert = strategy("expert")
    tally, gained = next(fresh_match.gains(3))
    assert tally == (fresh_match.CLASS.credit,) * 3
    page = measure.over_match(fresh_match.CLASS, expert, 3, with_one=0)
    assert max(gained) == pytest.approx(page, abs=1e-9)


@pytest.mark.whole
def test_the_coach_charges_experts_little_but_something():
    line = next(alone(4, ["class"]))
    charged = re.match(r"class, 3: (0\.\d+) ± 0\.\d+ a seat, (0\.\d+) at the worst place", line)
    each, worst = map(float, charged.groups())
    assert 0 < each <= worst < 3 * each


@pytest.mark.night
@pytest.mark.parametrize("game", ["chicago", "maxen"])
def test_a_best_response_gains_little_over_a_match_of_three(game):
    """One round of two matches each, walked to its end by what experts throw."""
    assert max(gain for _, gain in zip(range(2), coaster_gain.gains(game, 3, 7))) < 0.01


@pytest.mark.night
def test_a_walk_of_holy_family_finds_the_shipped_worths_and_little_to_gain():
    """One round of matches among three; what the bots decide and the rules alone are asked."""
    found = [walk for seed in SEEDS for walk in points_gain.walks(3, 1, seed)]
    assert max(walk.drift for walk in found) < 0.0005
    assert mean(walk.gained for walk in found) < 0.01
