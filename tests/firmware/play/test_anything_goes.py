"""Players may do anything with a handheld: nothing breaks, and the match can be played on.

Random gestures reach random seats of every game, on any display, while frames get lost and
handhelds lose their power. After each gesture the table of cores checks three things: there is one
cup, nothing leaves before it is on the disk, and nobody sees dice they may not see.
"""

from random import Random

import pytest

from firmware.display.screens import DieState
from firmware.input import gestures as hand
from firmware.input.controls import Back
from game import RULES
from tests.support import core_table as cores

MS = 1_000
S = 1_000_000
STEPS = 300


def gesture(chance, now_us):
    """Anything that a recognizer can report."""
    touched = (hand.Pressed, hand.Tap, hand.Held, hand.Released)
    roll_deg = chance.choice([-60.0, -30.0, 0.0, 30.0, 60.0])
    return chance.choice(
        [
            hand.Shaking(now_us, 200 * MS),
            hand.Shaken(now_us, chance.choice([400 * MS, 900 * MS])),
            hand.ShakeEnded(now_us, uncovered=chance.random() < 0.5),
            hand.TooDark(now_us, chance.random() < 0.5),
            hand.Pose(now_us, roll_deg, 0.0, still=True),
            *(kind(now_us) for kind in (*touched, hand.Uncovered, hand.Covered, hand.Dropped)),
        ]
    )


def misbehave(table, seat, chance):
    """Let somebody do something: with the dial as it stands, or with no sense at all."""
    place, kind = table[seat], chance.random()
    if kind < 0.01:
        table.restart(place)
        table.settle()
    elif kind < 0.25 and place.dial is not None and place.handheld.view().help_page is None:
        place.dial.index = chance.randrange(len(place.dial.entries))
        table.do_entry(seat, holds=place.dial.entry.holds)
    elif kind < 0.4:
        table.wait(chance.choice([100 * MS, S, 3 * S]))
    elif kind < 0.5:
        table.rest(seat)
        table.pose(seat, chance.choice([-40.0, 40.0]))
    else:
        table.do(seat, gesture(chance, table.now_us))


def calm_down(table):
    """Let everybody put away what he has open, and everything arrive."""
    table.lost = None
    for _ in range(2):
        for seat, place in enumerate(table.places):
            handheld = place.handheld
            table.do(seat, hand.Released(table.now_us), hand.Covered(table.now_us))
            table.wait(60 * S)
            if handheld.view().help_page is not None:
                table.tap(seat)
            if handheld.view().prompt is not None:
                table.hold(seat)
            if handheld.view().menu_open or handheld.view().choosing is not None:
                table.choose(seat, Back())
            if handheld.view().fresh:
                table.do(seat, hand.Uncovered(table.now_us))
            handheld.play.throw.draft = (DieState.IN_PLAY,) * len(handheld.view().draft)
    table.wait(60 * S)


USUAL = ("holy-family", "chicago", "sevens")
"""One game of each family; the others are played with ``--soak``."""


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[] if game in USUAL else pytest.mark.soak) for game in RULES],
)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_anybody_does_breaks_a_match(tmp_path, game, seed):
    chance = Random(f"{game} {seed}")
    size = max(RULES[game].fewest_players, seed + 2)
    how = {"air_us": chance.choice([0, 30 * MS, 300 * MS]), **cores.SHORT[game]}
    faults = ("ask", "strict", "off")[seed]
    table = cores.CoreTable(size, game=game, seed=seed, folder=tmp_path, faults=faults, **how)
    table.lost = lambda *_: chance.random() < 0.1 * seed
    for _ in range(STEPS):
        if not table.over:
            misbehave(table, chance.randrange(size), chance)
    calm_down(table)
    assert len({place.handheld.own_seat.log.digest for place in table.places}) == 1
    table.walk(chance)
    assert table.over
    table.close()
