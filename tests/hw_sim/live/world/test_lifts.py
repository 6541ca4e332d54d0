"""Presses of a page: one of the lid is one whole lift, and none of lid, pad or keys gets lost."""

from random import Random

import pytest

from firmware.display import screens
from hw_sim.hand.control.keyboard_hand import Key, KeyboardHand
from hw_sim.live.world import session
from hw_sim.live.world.world import World
from tests.support.terminal_screen import opened_by_me
from tests.support.worlds import drag, setup

S = 1_000_000
MS = S // 1000
GLANCE_US = S // 20
OFFERED_SOON = 2
"""A seed."""


class Table:
    """A world, and the person at its seat 0: what the handheld shows, and what is done to it."""

    def __init__(self, folder, seed=OFFERED_SOON):
        self.world = World(setup("class", seed=seed, kinds=("honest", "trusting")), folder)
        self.seat = self.world.table.seats[0]
        self.seen = []
        self.seat.on_show.append(self.seen.append)

    @property
    def screen(self):
        return self.world.screens.get(0)

    def wait(self, lasts_us):
        ends_us = self.world.now_us + lasts_us
        while self.world.now_us < ends_us:
            self.world.advance(min(ends_us, self.world.now_us + GLANCE_US))

    def until(self, seen, most_s=300.0):
        """Wait until the display shows what ``seen`` is content with."""
        ends_us = self.world.now_us + round(most_s * S)
        while not seen(self.screen):
            assert self.world.now_us < ends_us, self.world.says(0)
            self.wait(GLANCE_US)

    def key(self, name):
        for down in (True, False):
            self.world.do(session.PressKey(0, name, down=down))

    def press_lid(self):
        """Lift the cup and let go of it at once."""
        for is_open in (True, False):
            self.world.do(session.LiftCup(0, open=is_open))

    def offered(self):
        """Wait until the person is asked whether they believe."""
        self.until(is_armed)
        self.seen.clear()
        return self

    @property
    def is_doubted(self):
        return any(isinstance(each, screens.RevealPage) for each in self.seen)

    @property
    def shook(self):
        return any(isinstance(each, screens.ShakingPage) for each in self.seen)

    @property
    def is_lifted(self):
        return self.seat.hand.openness(self.world.now_us) > 0.5


def is_armed(screen):
    return isinstance(screen, screens.OfferPage) and screen.armed


def may_look(screen):
    return getattr(screen, "may_look", False)


def looks(screen):
    return isinstance(screen, screens.LookPage)


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path)
    yield made
    made.world.close()


@pytest.mark.whole
@pytest.mark.parametrize("lasts_ms", [5, 167, 800])
def test_a_press_of_the_lid_doubts_however_short_it_is(table, lasts_ms):
    table.offered()
    table.world.do(session.LiftCup(0, open=True))
    table.wait(round(lasts_ms * MS))
    table.world.do(session.LiftCup(0, open=False))
    table.wait(round((1500 - lasts_ms) * MS))
    assert table.is_doubted
    assert table.is_lifted, "the dice can be read"
    table.wait(2 * S)
    assert not table.is_lifted


@pytest.fixture
def terminal(table):
    """Press a key of a terminal, and wait for so long."""
    loop = table.world.loop
    hand = loop.inside(lambda: KeyboardHand(table.seat.held, Random("keys")))
    loop.inside(lambda: loop.create_task(hand.play()))

    def press(key, lasts_us):
        loop.inside(lambda: hand.press(key))
        table.wait(lasts_us)

    return press


@pytest.mark.whole
def test_u_lifts_until_it_is_pressed_again(table, terminal):
    terminal(Key.LIFT_TOGGLE, 3 * S)
    terminal(Key.LIFT, 3 * S)
    assert table.is_lifted
    terminal(Key.LIFT_TOGGLE, S)
    assert not table.is_lifted


@pytest.mark.whole
def test_an_arrow_that_repeats_runs_to_the_end_and_a_key_that_is_tapped_doubts(table, terminal):
    table.offered()
    dial = table.seat.handheld.dial
    for _ in range(90):
        terminal(Key.RIGHT, S // 30)
    assert dial.index == len(dial.entries) - 1
    terminal(Key.LIFT, 2 * S)
    assert table.is_doubted


@pytest.mark.whole
def test_a_second_press_before_the_bar_is_full_takes_the_doubt_back(table):
    table.offered()
    table.press_lid()
    table.until(lambda screen: screen.doubt == 0.75)
    table.world.do(session.CoverCup(0))
    table.until(lambda screen: screen.too_short)
    table.wait(5 * S)
    assert is_armed(table.screen)
    assert not table.is_lifted


@pytest.fixture
def opener(tmp_path):
    """Somebody who opens the round, and has not thrown."""
    made = Table(tmp_path, opened_by_me())
    made.wait(2 * S)
    yield made
    made.world.close()


@pytest.fixture
def thrown(opener):
    """Somebody who opens the round has thrown, and may look or throw again."""
    opener.key("shake")
    opener.until(may_look, 10.0)
    opener.wait(S)  # light just after a shake counts for nothing
    return opener


@pytest.mark.whole
@pytest.mark.parametrize("way", ["key", "drag"])
def test_a_lift_right_after_a_throw_and_a_shake_right_after_a_cover_count(opener, way):
    """A page may send two at once: its table was busy."""
    if way == "key":
        opener.key("shake")
    else:
        opener.world.do(session.Drag(0, drag(opener.world.now_us)))
    opener.until(may_look, 10.0)
    opener.world.do(session.LiftCup(0, open=True))
    opener.until(looks, 2.0)
    opener.world.do(session.CoverCup(0))
    opener.key("shake")
    opener.until(lambda screen: getattr(screen, "throws", 0) == 2, 5.0)


PX_M = 2 * 0.096 / 360
"""The way of a handheld whose picture, 360 pixels wide, is dragged by one."""


@pytest.mark.whole
@pytest.mark.parametrize(("hz", "throws"), [(0.5, 0), (0.8, 0), (1.5, 1), (2, 1), (4, 1)])
def test_a_finger_throws_by_a_shake_and_not_by_moving_a_picture(opener, hz, throws):
    """A finger draws 70 pixels to each side of a page that is 390 pixels wide."""
    since_us = opener.world.now_us
    opener.world.do(session.Drag(0, drag(since_us, lasts_s=2.0, hz=hz, reach_m=70 * PX_M)))
    opener.wait(4 * S)
    assert opener.shook == may_look(opener.screen) == bool(throws)


@pytest.mark.whole
def test_a_click_on_the_lid_looks_long_enough_to_read_and_a_second_one_keeps_it_open(thrown):
    thrown.press_lid()
    began_us = thrown.world.now_us
    thrown.until(looks, 1.0)
    thrown.until(lambda screen: not looks(screen), 4.0)
    assert 1.5 * S < thrown.world.now_us - began_us < 3 * S
    thrown.press_lid()
    thrown.wait(S)
    thrown.world.do(session.LiftCup(0, open=True))
    thrown.wait(4 * S)
    assert thrown.is_lifted
    thrown.world.do(session.CoverCup(0))
    thrown.wait(S)
    assert not thrown.is_lifted


@pytest.mark.whole
def test_a_jolt_of_the_phone_ends_no_look_and_no_doubt(table):
    table.offered()
    table.press_lid()
    table.world.do(session.FollowPhone(0, ((table.world.now_us, 0.0, 2.0, 14.0),)))
    table.world.do(session.Drag(0, ((table.world.now_us, 0.0, 0.0),)))
    table.wait(2 * S)
    assert table.is_doubted


@pytest.mark.parametrize("way", ["key", "drag"])
def test_who_shakes_while_the_lid_would_fall_closed_throws(thrown, way):
    thrown.press_lid()
    thrown.until(looks, 1.0)
    thrown.seen.clear()
    if way == "key":
        thrown.world.do(session.PressKey(0, "shake", down=True))
        thrown.wait(2 * S)
        thrown.world.do(session.PressKey(0, "shake", down=False))
    else:
        thrown.world.do(session.Drag(0, ((thrown.world.now_us, 0.0, 0.0),)))
        thrown.wait(S // 2)
        thrown.world.do(session.Drag(0, drag(thrown.world.now_us + S // 10, lasts_s=2.5)))
    thrown.wait(4 * S)
    assert not [each for each in thrown.seen if isinstance(each, screens.AlertPage)]
    assert thrown.screen.throws == 2


def test_a_touch_while_the_lid_would_fall_closed_is_felt(thrown):
    thrown.key("right")
    thrown.wait(S)
    thrown.press_lid()
    thrown.until(looks, 1.0)
    thrown.key("right")
    thrown.wait(S)
    thrown.world.do(session.PressPad(0, down=True))
    thrown.world.do(session.PressPad(0, down=False))
    thrown.until(lambda screen: isinstance(screen, screens.AnnouncingPage), 3.0)


@pytest.mark.whole
def test_quick_presses_move_as_many_entries_in_less_time_than_their_tilts(thrown):
    dial = thrown.seat.handheld.dial
    start = dial.index
    for _ in range(6):
        thrown.key("right")
    thrown.wait(5 * S // 2)
    assert dial.index == start + 6
    thrown.world.do(session.TurnDial(0, -4))
    thrown.wait(4 * S)
    assert dial.index == start + 2
