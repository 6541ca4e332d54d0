"""A number of the parts list that breaks a fit is named, with the smallest way back."""

import pytest

from hardware import kit
from hardware.mend import FINE_MM, broken_fits, faults_with, fits
from hardware.parts import TRIED, bought

GOOD = fits()


def test_the_numbers_that_fitted_last_are_those_of_the_list():
    assert {place: one.value for place, one in bought().figures().items()} == GOOD, "run make kit"


@pytest.mark.whole
def test_a_number_that_breaks_a_fit_is_one_line_with_the_nearest_that_fits(capsys):
    token = TRIED.set(bought().with_values({"parts.qt.mm.board": 2.6}))
    try:
        assert kit.main() == 1
    finally:
        TRIED.reset(token)
    (line,) = capsys.readouterr().err.splitlines()
    start, nearest = line.split("; the nearest value that fits is ")
    assert start.startswith("parts.toml: parts.qt.mm.board = 2.6 (jst sh, medium) breaks ")
    value, change = (float(one) for one in nearest.split(", "))
    assert change == pytest.approx(value - 2.6)
    check = start.split(" breaks ")[1].split(":")[0]
    more = bought().with_values({"parts.qt.mm.board": value + 2 * FINE_MM})
    assert faults_with(more, [check])


@pytest.mark.night
@pytest.mark.parametrize("place", [place for place in GOOD if ".mm." in place])
def test_each_wrong_number_is_at_most_one_line(place):
    for change in (-3, -1, -0.5, 0.5, 1, 3):
        lines = list(broken_fits(bought().with_values({place: GOOD[place] + change}), GOOD))
        assert len(lines) <= 1
        assert all("\n" not in line and f"{place} = " in line for line in lines)
