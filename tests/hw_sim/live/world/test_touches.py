"""A turn of `class` on a phone: what each touch has the hand do, and how many there are."""

import pytest

from firmware.display import screens
from game.actions import Announce
from hw_sim.live.world.commands import LiftCup, PressKey, PressPad, TurnDial
from hw_sim.live.world.world import World
from hw_sim.panel.asked import asked
from tests.support.person import Person, S
from tests.support.worlds import setup

MOST_TOUCHES = 5


@pytest.fixture
def person(tmp_path):
    world = World(setup("class", players=3, seed=1), tmp_path)
    yield Person(world, 2.0)
    world.close()


def is_armed(screen):
    return isinstance(screen, screens.OfferPage) and screen.armed


def test_a_click_as_short_as_people_click_is_felt_by_a_pad_that_dozes(person):
    world = person.world
    person.until(is_armed)
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


def test_a_turn_takes_at_most_five_touches(person):
    world, touches = person.world, []

    def touch(*commands):
        touches.append(commands)
        for command in commands:
            world.do(command)

    def key(name):
        return PressKey(0, name, down=True), PressKey(0, name, down=False)

    def until_on(kind, holds=lambda screen: True):
        return person.until(lambda screen: isinstance(screen, kind) and holds(screen), 60.0)

    offer = person.until(is_armed)
    (believe,) = [way for way in asked(offer, "en").ways if way.turn]
    assert believe.does == "believe"
    touch(TurnDial(0, believe.turn), *key("tap"))
    until_on(screens.ClosedPage)
    touch(*key("shake"))
    until_on(screens.ClosedPage, lambda screen: screen.may_look)
    person.wait(S)  # light just after a shake counts for nothing
    touch(LiftCup(0, open=True))
    until_on(screens.LookPage)
    world.do(LiftCup(0, open=False))
    at = until_on(screens.ClosedPage).dial.index + 3
    touch(TurnDial(0, 3))
    chosen = until_on(screens.ClosedPage, lambda screen: screen.dial.index == at)
    touch(*key("tap"))
    announced = until_on(screens.AnnouncingPage).said
    assert announced == Announce(chosen.dial.current)
    assert len(touches) <= MOST_TOUCHES
