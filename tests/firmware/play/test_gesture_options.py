"""Every gesture that a screen lists does something, and no other; nothing at all breaks a match."""

from copy import deepcopy
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest

from firmware.display import screens
from firmware.display.screens.gesture_options import gesture_options
from firmware.effects import Beep, SendToSeat, Store, Tick
from firmware.input import gestures as hand
from firmware.input.controls import OFF_DEG
from firmware.table.log.entries import decode_entries
from game import RULES
from game.actions import Fault
from tests.support import core_table as cores
from tests.support.net import MS, S
from tests.support.nights import EACH_GAME

TILTS_DEG = (60.0, -60.0)
MOST_POSES = 100
"""The most level poses until a dial takes them for level: the standings hide it for 6 s."""
SEQUENCES = {
    screens.GestureKind.SHAKE: lambda us: [hand.Shaking(us, 200 * MS), hand.Shaken(us, 900 * MS)],
    screens.GestureKind.LIFT: lambda us: [hand.Uncovered(us)],
    screens.GestureKind.COVER: lambda us: [hand.Covered(us)],
    screens.GestureKind.TAP: lambda us: [hand.Pressed(us), hand.Tap(us)],
    screens.GestureKind.HOLD: lambda us: [hand.Pressed(us), hand.Held(us)],
}


class Probe:
    """A copy of a handheld, and all that it does."""

    def __init__(self, handheld, now_us):
        self.handheld = deepcopy(handheld)
        self.now_us = now_us
        self.effects = []

    def handle(self, *events):
        for event in events:
            self.effects += self.handheld.handle(event, self.now_us)
        return self

    def pose(self, roll_deg):
        self.now_us += 100 * MS
        return self.handle(hand.Pose(self.now_us, roll_deg, 0.0, True))

    def rest(self):
        """Hold the handheld level until its dial knows that, or a question does."""
        for count in range(MOST_POSES):
            self.pose(0.0)
            dial, asks = self.handheld.dial, self.handheld.view().prompt is not None
            angle_deg = None if dial is None else dial.angle_deg(hand.Pose(0, 0.0, 0.0, True))
            level = dial is None or (angle_deg is not None and abs(angle_deg) < OFF_DEG)
            if count >= 5 if asks else count and level:
                return

    @property
    def screen(self):
        """The screen without the bar of a hold."""
        screen = self.handheld.screen
        if is_dataclass(screen) and any(each.name == "progress" for each in fields(screen)):
            screen = replace(screen, progress=None)
        dial = getattr(screen, "dial", None)
        if isinstance(dial, screens.DialStrip):
            screen = replace(screen, dial=replace(dial, progress=None))
        return screen

    def lasting(self):
        """The screen, and what leaves the handheld or goes to its disk."""
        return self.screen, [each for each in self.effects if isinstance(each, SendToSeat | Store)]

    def anything(self):
        """Return the same with sounds, hidden facts, and the time of the next change."""
        sounds = [each for each in self.effects if isinstance(each, Beep)]
        return *self.lasting(), sounds, self.handheld.view(), self.handheld.next_timer_us

    def refuses(self, before):
        """Whether the handheld only says why it does nothing, or asks, or counts a fault."""
        log = self.handheld.own_seat.log
        done = decode_entries(b"".join(log.since(max(log.index - 1, 0))))
        faulty = log.index > before.handheld.own_seat.log.index and isinstance(done[-1], Fault)
        says = isinstance(self.screen, screens.AlertPage | screens.FaultQuestionPage)
        return faulty or (says and self.screen != before.screen)


def check(handheld, now_us, kind):
    """Try a gesture on a copy of a handheld; return what it means there, None for nothing."""
    before = Probe(handheld, now_us)
    if kind is screens.GestureKind.TILT:
        before.rest()
    listed = [each for each in gesture_options(before.handheld.screen) if each.gesture is kind]
    assert len(listed) <= 1, before.screen
    if kind is screens.GestureKind.TILT:
        idle = Probe(before.handheld, before.now_us).pose(0.0)
        tried = [Probe(before.handheld, before.now_us).pose(deg) for deg in TILTS_DEG]
    else:
        events = SEQUENCES[kind](now_us)
        idle = Probe(before.handheld, now_us).handle(*(Tick() for _ in events))
        tried = [Probe(before.handheld, now_us).handle(*events)]
    is_open = kind is screens.GestureKind.LIFT and before.handheld.view().doubt is not None
    if listed and (is_open or listed[0].meaning is screens.Meaning.COVER):
        pass  # the cup is open already; darkness alone changes nothing
    elif listed:
        assert any(each.anything() != idle.anything() for each in tried), (kind, before.screen)
    else:
        for each in tried:
            done = each.lasting() != idle.lasting() and not each.refuses(idle)
            assert not done, (kind, before.screen, each.screen)
    return listed[0].meaning if listed else None


def move(table, seat, rng):
    """Let a player do a listed thing, another thing, or nothing for a while."""
    place, chance = table[seat], rng.random()
    if chance < 0.15:
        table.wait(rng.choice([100 * MS, S, 3 * S]))
    elif chance < 0.6 and place.dial is not None:
        table.rest(seat)
        if place.dial is None:
            return
        place.dial.index = rng.randrange(len(place.dial.entries))
        table.do_entry(seat, holds=place.dial.entry.holds)
    elif chance < 0.7:
        table.rest(seat)
        table.pose(seat, rng.choice(TILTS_DEG))
    else:
        kind = rng.choice([kind for kind in SEQUENCES if kind is not screens.GestureKind.HOLD])
        table.do(seat, *SEQUENCES[kind](table.now_us))
        if kind is screens.GestureKind.TAP:
            table.release(seat)


def positions(game, rng, count):
    """Visit ``count`` random positions of matches of a game; yield each with its time."""
    while count > 0:
        size = max(RULES[game].fewest_players, rng.randint(2, 3))
        table = cores.CoreTable(
            size, game=game, seed=rng.randrange(1000), faults=rng.choice(["ask", "off"]),
            **cores.SHORT[game],
        )  # fmt: skip
        for _ in range(400):
            acting = [place.seat for place in table.places if place.position in cores.ACTING]
            anybody = rng.randrange(size)
            move(table, rng.choice(acting) if acting and rng.random() < 0.7 else anybody, rng)
            seat = rng.choice(acting) if acting and rng.random() < 0.5 else rng.randrange(size)
            yield table[seat].handheld, table.now_us
            count -= 1
            if count <= 0 or (table.over and rng.random() < 0.1):
                break


@pytest.mark.whole
@pytest.mark.parametrize(
    "count", [pytest.param(25, id="some"), pytest.param(2_000, id="many", marks=pytest.mark.soak)]
)
@pytest.mark.parametrize("game", EACH_GAME)
def test_a_gesture_works_where_the_screen_lists_it_and_nowhere_else(game, count):
    met = set()
    for handheld, now_us in positions(game, Random(f"{game} {count}"), count):
        met |= {check(handheld, now_us, kind) for kind in screens.GestureKind}
    assert met >= {screens.Meaning.THROW, screens.Meaning.CHOOSE, screens.Meaning.SCORES, None}
