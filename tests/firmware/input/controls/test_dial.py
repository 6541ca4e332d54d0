"""The dial: a list with ends, a neutral pose of its own, steps that cannot run away."""

import pytest

from firmware.input.controls import Dial, Entry, LocalChoice
from firmware.input.gestures import Pose
from game.actions import Announce, Believe, Doubt, Roll

MS = 1_000
HELD = (Entry(Doubt(), holds=True), Entry(LocalChoice.SCORES))
TAPPED = tuple(Entry(Announce(value)) for value in (31, 32, 41))


class Tilter:
    """A dial, and poses every 100 ms."""

    def __init__(self, held=HELD, tapped=TAPPED, level_deg=0.0):
        self.dial = Dial(held, tapped, 0)
        self.t_us = 0
        self.level_deg = level_deg

    def pose(self, tilt_deg, still=True, touched=False):
        self.t_us += 100 * MS
        return self.dial.tilt(Pose(self.t_us, self.level_deg + tilt_deg, 0.0, still), touched)

    def rest(self, poses=5):
        for _ in range(poses):
            assert not self.pose(0.0)
        return self

    def moves(self, tilt_deg, poses, **how):
        return sum(self.pose(tilt_deg, **how) for _ in range(poses))


@pytest.fixture
def tilter():
    """One that has been level for as long as it takes."""
    return Tilter().rest()


def test_it_opens_on_the_neutral_entry_with_holds_left_and_taps_right():
    dial = Dial(HELD, TAPPED, 0)
    choices = [entry.choice for entry in dial.entries]
    assert choices == [LocalChoice.SCORES, Doubt(), None, Announce(31), Announce(32), Announce(41)]
    assert dial.entry.choice is None
    assert dial.index == dial.neutral_index == 2
    assert [entry.holds for entry in dial.entries] == [False, True, False, False, False, False]


def test_entries_are_found_by_what_they_do():
    dial = Dial(HELD, TAPPED, 0)
    assert (dial.index_of(Announce(32)), dial.index_of(LocalChoice.SCORES)) == (4, 0)
    assert all(dial.index_of(other) is None for other in (Believe(), LocalChoice.GO_ON, Roll()))


@pytest.mark.parametrize("level_deg", [0.0, -35.0, 50.0])
def test_neutral_is_the_mean_pose_of_the_rest_when_it_opens(level_deg):
    tilter = Tilter(level_deg=level_deg)
    for shift_deg in (-2.0, 2.0, -1.0, 1.0, 0.0):
        assert not tilter.pose(shift_deg)
    assert tilter.dial.angle_deg(Pose(0, level_deg + 10.0, 0.0, True)) == pytest.approx(10.0)
    assert not tilter.pose(19.0)
    assert tilter.pose(20.5)


def test_without_0_4_s_of_rest_nothing_moves():
    tilter = Tilter()
    tilter.rest(4)
    assert tilter.dial.angle_deg(Pose(0, 0.0, 0.0, True)) is None, "0.3 s from pose to pose"
    tilter.rest(1)
    assert tilter.dial.angle_deg(Pose(0, 0.0, 0.0, True)) == 0.0


def test_a_tilt_on_its_way_is_no_rest():
    tilter = Tilter()
    for tilt_deg in (0.0, -25.0, -25.0, 0.0):
        assert not tilter.pose(tilt_deg)
    tilter.rest(5)
    assert tilter.dial.angle_deg(Pose(0, 0.0, 0.0, True)) == 0.0
    assert tilter.pose(-25.0)


def test_a_tilt_that_began_before_the_dial_opened_is_not_soon_taken_for_level():
    tilter = Tilter(level_deg=3.0)
    tilter.dial = Dial(HELD, TAPPED, 0, level_deg=0.0)
    assert tilter.moves(25.0, 9) == 0
    tilter.rest(5)
    assert tilter.dial.level_deg == pytest.approx(3.0)
    assert tilter.pose(25.0)
    tilter.dial = Dial(HELD, TAPPED, 0, level_deg=0.0)
    assert tilter.moves(25.0, 13) == 0
    assert tilter.dial.level_deg == pytest.approx(28.0), "so it is held now"


def test_a_hand_that_has_come_to_rest_elsewhere_is_followed(tilter):
    assert tilter.moves(15.0, 30) == 0
    assert tilter.dial.angle_deg(Pose(0, 15.0, 0.0, True)) == pytest.approx(0.0)
    assert not tilter.pose(21.0)
    assert tilter.pose(36.0)


def test_a_tilt_that_moves_the_highlight_is_never_taken_for_a_rest(tilter):
    assert (tilter.moves(25.0, 60), tilter.dial.angle_deg(Pose(0, 0.0, 0.0, True))) == (3, 0.0)


def test_what_lay_on_its_edge_when_the_dial_opened_finds_level_again():
    """Else the highlight would stand at an end, whatever a hand does, until another dial opens."""
    tilter = Tilter(level_deg=88.0).rest()
    assert tilter.moves(-88.0, 25) == 2
    assert tilter.dial.angle_deg(Pose(0, 0.0, 0.0, True)) == pytest.approx(0.0)
    assert tilter.moves(-60.0, 4) == 1, "to the right, which is 28 degrees from level"


@pytest.mark.parametrize("disturbed", [{"still": False}, {"touched": True}])
def test_the_rest_begins_anew_after_motion_or_touch(disturbed):
    tilter = Tilter()
    tilter.rest(4)
    tilter.pose(0.0, **disturbed)
    tilter.rest(4)
    assert tilter.dial.angle_deg(Pose(0, 0.0, 0.0, True)) is None
    tilter.rest(1)
    assert tilter.dial.angle_deg(Pose(0, 0.0, 0.0, True)) is not None


def test_it_goes_on_at_20_degrees_and_off_at_12():
    tilter = Tilter(tapped=TAPPED * 3).rest()
    assert (tilter.moves(19.9, 10), tilter.moves(20.0, 1)) == (0, 1)
    assert tilter.moves(12.1, 8) == 2, "between the two it goes on, a step each 0.4 s"
    assert tilter.moves(11.9, 1) == 0
    assert tilter.moves(19.9, 10) == 0, "once off, it asks for 20 again"


@pytest.mark.parametrize(("tilt_deg", "steps"), [(25.0, 3), (36.0, 4), (52.0, 10)])
def test_steeper_is_faster(tilt_deg, steps):
    tilter = Tilter(tapped=TAPPED * 5).rest()
    assert tilter.moves(tilt_deg, 10) == steps


def test_left_is_left_and_turning_round_stops_first(tilter):
    assert tilter.moves(-25.0, 1) == 1
    assert tilter.dial.entry.choice == Doubt()
    assert (tilter.moves(25.0, 1), tilter.moves(25.0, 1)) == (0, 1)
    assert tilter.dial.entry.choice is None


def test_there_is_no_wrap_around(tilter):
    assert tilter.moves(60.0, 30) == 3
    assert tilter.dial.entry.choice == Announce(41)
    tilter.rest(1)
    assert tilter.moves(-60.0, 30) == 5
    assert tilter.dial.entry.choice == LocalChoice.SCORES


@pytest.mark.parametrize("frozen", [{"still": False}, {"touched": True}])
def test_it_is_frozen_while_touched_or_in_motion(tilter, frozen):
    assert (tilter.moves(60.0, 20, **frozen), tilter.moves(60.0, 1)) == (0, 1)


def test_centre_goes_back_but_keeps_what_counts_as_level():
    tilter = Tilter(level_deg=15.0).rest()
    tilter.moves(40.0, 4)
    tilter.dial.centre()
    assert tilter.dial.entry.choice is None
    assert (tilter.dial.angle_deg(Pose(0, 15.0, 0.0, True)), tilter.moves(30.0, 1)) == (0.0, 1)
