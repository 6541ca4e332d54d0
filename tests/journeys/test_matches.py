"""Whole matches and evenings, from the shake to the loser; one seed is one run, to the bit."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from firmware.settings import media_of
from game import RULES
from hw_sim.hand.signals.shakes import ShakeLibrary
from hw_sim.table import Conditions, TableSetup
from tests.labs.digests import runs
from tests.support import handovers, matches, measures
from tests.support.corpus import write_corpus
from tests.support.handovers import MOST_A_HOP_S, LightWatch
from tests.support.matches import complaints, setup_for, short_setup

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]
CHANGED = "played otherwise; if that is meant: python -m tests.labs.digests --write"


def test_a_match_ends_with_the_right_loser_and_is_what_it_was(digested, play, tell):
    game, link, seed = digested.split()
    watch = handovers.HandoverWatch()
    light = LightWatch()

    def prepare(table):
        watch.watch(table)
        light.watch(table)

    played = play(runs.setup_of(game, link, int(seed)), prepare=prepare)
    assert complaints(played) == []
    outcome = played.outcome
    assert max(outcome.hide_latency_us, default=0) <= 1000 * measures.HIDE_TARGET_MS
    assert median([*outcome.look_latency_us, 0]) <= 1000 * measures.LOOK_TARGET_MS
    assert link != "bluetooth" or played.table.air.packets > 0
    assert (played.table.infrared.transmissions > 4 * outcome.hops) is (link == "ir")
    assert median(watch.slowness(link)) <= 1.0
    if game == "class" and played.setup.players == 3:
        assert light.a_hop_s(outcome.hops) <= MOST_A_HOP_S
    tell(matches.numbers(played))
    assert outcome.digest == runs.kept()[digested], CHANGED


QUICK_FOR_NINE = {
    "class": {"credit": 1}, "physicist": {}, "holy-family": {"points": 2},
    "maxen": {"coasters": 3}, "sevens": {"rounds": 1},
}  # fmt: skip
"""The games that nine can play, with options that make them short: `chicago` is for five."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.night) for game in QUICK_FOR_NINE]
)
def test_nine_play_to_the_end(game, play):
    assert {each for each, rules in RULES.items() if rules.most_players == 9} == {*QUICK_FOR_NINE}
    setup = TableSetup(replace(RULES[game], **QUICK_FOR_NINE[game]), players=9, seed=3)
    played = play(setup)
    assert complaints(played) == []
    assert len(played.outcome.match.players) == 9


@pytest.mark.parametrize(
    "link", ["bluetooth", *(pytest.param(link, marks=pytest.mark.soak) for link in ("ir", "both"))]
)
def test_an_evening_is_what_it_was(link, tmp_path):
    evening = runs.evening(link, tmp_path)
    assert len(evening.matches) == runs.EVENINGS[link]
    assert all(match.outcome is not None for match in evening.matches)
    assert sum(evening.lost) == sum(len(match.outcome.losers) for match in evening.matches)
    assert evening.gathered_s < 120
    assert evening.violations == ()
    assert evening.leaks == ()
    assert evening.digest == runs.kept()[f"evening {link}"], CHANGED


@pytest.mark.parametrize("end_s", runs.BROWSER_S)
def test_a_table_in_the_browser_is_what_it_was(end_s, tmp_path):
    assert runs.browser(end_s, tmp_path) == runs.kept()[f"browser {end_s}"], CHANGED


def test_a_digest_of_every_run_is_kept_and_no_other():
    assert list(runs.kept()) == runs.names()


def test_eight_play(play):
    played = play(short_setup(players=8))
    assert complaints(played) == []
    assert played.outcome.match.outcome is not None


@pytest.mark.soak
def test_soak(soaked, play, tell):
    played = play(setup_for(*soaked))
    tell(matches.numbers(played))
    assert complaints(played) == []


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=pytest.mark.soak) for game in runs.SETUPS if game != "class"],
)
def test_every_game_goes_over_infrared_alone(game, play):
    assert complaints(play(setup_for(game, 2, link=("ir",)))) == []


@pytest.mark.parametrize("fails", ["bluetooth", pytest.param("infrared", marks=pytest.mark.night)])
def test_with_both_either_is_enough_when_the_other_fails(fails, play):
    def fail(table):
        if fails == "bluetooth":
            for seat in table.seats:
                table.air.absent(seat.seat)
        else:
            table.infrared.how = table.infrared.how._replace(loss_rate=1.0)

    assert complaints(play(short_setup(link=media_of("both")), prepare=fail)) == []


def test_hands_shake_as_recorded_hands_did(tmp_path_factory, play):
    given = os.environ.get("RECORDINGS")
    folder = Path(given) if given else tmp_path_factory.mktemp("corpus")
    if not given:
        write_corpus(folder, seed=1, people=2)
    shakes = CountedShakes(folder)
    played = play(short_setup(conditions=Conditions(shakes=shakes)))
    assert complaints(played) == []
    assert shakes.taken > played.outcome.match.round


class CountedShakes(ShakeLibrary):
    """Recorded shakes that count how often a hand takes one."""

    taken = 0

    def draw(self, rng, duration_s):
        self.taken += 1
        return super().draw(rng, duration_s)


@pytest.mark.parametrize("game", [pytest.param("class", marks=pytest.mark.night), "chicago"])
def test_one_seed_is_one_match_whatever_the_hashes_and_the_folder(game, tmp_path):
    name = runs.names(1, game, "bluetooth")[0]
    told = json.loads(
        subprocess.run(
            [sys.executable, "-m", "tests.support.matches", *name.split(), str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "4711"},
            capture_output=True,
            check=True,
        ).stdout
    )
    assert told["digest"] == runs.kept()[name]
