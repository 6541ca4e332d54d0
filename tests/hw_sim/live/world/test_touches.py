"""A turn of `class` on a phone: what each touch has the hand do, and how many there are."""

import pytest

from firmware.display import screens
from game.actions import Announce
from hw_sim.live.world.commands import LiftCup, PressKey, PressPad, TurnDial
from hw_sim.live.world.world import World
from hw_sim.panel.asked import asked
from tests.support.worlds import setup

S = 1_000_000
MOST_TOUCHES = 5


class Thumb:
    """Does what the buttons of the page do, and counts how often they are touched."""

    def __init__(self, world):
        self.world = world
        self.touches = 0

    def until(self, seen, most_s=60.0):
        """Wait until the display shows what ``seen`` is content with; returns the screen."""
        ends_us = self.world.now_us + round(most_s * S)
        while not seen(screen := self.world.screens.get(0)):
            assert self.world.now_us < ends_us, self.world.says(0)
            self.world.advance(self.world.now_us + S // 10)
        return screen

    def until_on(self, kind, most_s=60.0):
        return self.until(lambda screen: isinstance(screen, kind), most_s)

    def touch(self, *commands):
        self.touches += 1
        for command in commands:
            self.world.do(command)

    def press(self, key):
        return PressKey(0, key, down=True), PressKey(0, key, down=False)


@pytest.fixture
def thumb(tmp_path):
    world = World(setup("class", players=3, seed=1), tmp_path)
    yield Thumb(world)
    world.close()


def test_a_click_as_short_as_people_click_is_felt_by_a_pad_that_dozes(thumb):
    world = thumb.world
    thumb.until(lambda s: isinstance(s, screens.OfferPage) and s.armed, 300.0)
    world.advance(world.now_us + 15 * S)
    pad = world.table.seats[0].board.touch_pad
    world.do(PressPad(0, down=True))
    world.advance(world.now_us + S // 20)
    world.do(PressPad(0, down=False))
    ends_us, felt = world.now_us + S, False
    while world.now_us < ends_us:
        world.advance(world.now_us + S // 100)
        felt = felt or pad.level > 0
    assert felt


def test_a_turn_takes_at_most_five_touches(thumb):
    offer = thumb.until(lambda s: isinstance(s, screens.OfferPage) and s.armed, 300.0)
    (believe,) = [way for way in asked(offer, "en").ways if way.turn]
    assert believe.does == "believe"
    thumb.touch(TurnDial(0, believe.turn), *thumb.press("tap"))
    thumb.until_on(screens.ClosedPage)
    thumb.touch(*thumb.press("shake"))
    thumb.until(lambda s: isinstance(s, screens.ClosedPage) and s.may_look)
    thumb.world.advance(thumb.world.now_us + S)  # light just after a shake counts for nothing
    thumb.touch(LiftCup(0, open=True))
    thumb.until_on(screens.LookPage)
    thumb.world.do(LiftCup(0, open=False))
    closed = thumb.until_on(screens.ClosedPage)
    wanted = 3
    thumb.touch(TurnDial(0, wanted))
    at = closed.dial.index + wanted
    chosen = thumb.until(lambda s: isinstance(s, screens.ClosedPage) and s.dial.index == at)
    thumb.touch(*thumb.press("tap"))
    said = thumb.until_on(screens.AnnouncingPage).said
    assert said == Announce(chosen.dial.current)
    assert thumb.touches <= MOST_TOUCHES
