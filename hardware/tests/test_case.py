"""The case: the chosen one has no fault, and its page and its light are as they are told."""

from dataclasses import replace

import pytest

from hardware.case.checks import CHECKS, build
from hardware.case.hands import load
from hardware.case.light import covered_share, display_lux, open_share
from hardware.case.sizes import CUP
from hardware.parts import ROOT, bought

CASE = build(CUP)
SLOW = ("held", "opening")


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=pytest.mark.whole) if one in SLOW else one for one in CHECKS],
)
def test_the_chosen_case_has_no_fault(name):
    assert list(CHECKS[name](CASE)) == []


def test_the_page_has_the_load_at_4_g():
    page = (ROOT / "docs" / "build" / "checks.md").read_text(encoding="utf-8")
    pull, bears = load(CASE)
    assert f"pulls with {pull:.1f} N; one screw bears {bears:.0f} N" in page


def test_a_deeper_hole_lets_in_less_light():
    deeper = replace(CUP, light_post=6.0)
    assert open_share(deeper) < open_share(CUP) < 1
    assert display_lux(deeper) < display_lux(CUP)


def test_more_light_passes_the_further_the_thumb_is_off():
    shares = [covered_share(replace(CUP, thumb_off=off)) for off in (0.0, 5.0, 8.0, 9.0)]
    assert shares == sorted(shares)
    assert shares[1] < bought().limit("lid_light_most_share") < shares[2]
