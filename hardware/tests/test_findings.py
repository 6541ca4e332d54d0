"""What a reader found wrong in an earlier body: each is built in again, and a check finds it."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as other

from hardware.board.plan import faults, plans
from hardware.case.bodies import Body
from hardware.case.checks import CHECKS, build
from hardware.case.hands import Lead, through
from hardware.case.sizes import CUP
from hardware.case.solids import box
from hardware.guide.body import BodyPicture, body_steps, dropped, untold
from hardware.guide.steps import EVENING
from hardware.parts import ROOT
from hardware.power import bus_faults
from hw_sim.board import NETS
from hw_sim.trials.diagnosis.wiring import built

CASE = build(CUP)


def case(check, **sizes):
    """A check of the case with other sizes."""
    return lambda: CHECKS[check](build(replace(CUP, **sizes)))


def added(check, solid, kind="part"):
    """A check of the case with one body more."""
    body = Body("charger", box(*solid), (0, 0, 0), kind)
    return lambda: CHECKS[check](CASE._replace(inside=[*CASE.inside, body]))


def forgotten(name):
    """The check of what is held, without a body."""
    return lambda: CHECKS["held"](
        CASE._replace(inside=[body for body in CASE.inside if body.name != name])
    )


def guide(name, **fields):
    """The joints of the guide, a step of which has other fields."""
    return lambda: untold(
        [other(step, **fields) if step.name == name else step for step in body_steps()]
    )


def bench(*change):
    """The electric model of the bench with a mistake."""
    try:
        built([change])
    except ValueError as error:
        yield str(error)


def one_row_off():
    """The plan of the breadboard with a light sensor whose pins stand one row off."""
    plan = plans()[EVENING]
    light = plan.holes["VEML7700"]
    moved = {leg: f"a{int(hole[1:]) - 1}" for leg, hole in light.items()}
    return faults(other(plan, holes={**plan.holes, "VEML7700": moved}), NETS)


FOUND = [
    ("a charger whose socket looks into the case", "interference",
     added("interference", ((-10, 20, 8), (-2, 45, 16)), "room"), "share"),
    ("a light module with another order of pins", "a plan is the netlist", one_row_off, "is open"),
    ("pull-ups of 0.7 kΩ", "bus", lambda: bus_faults(board_ohm=4700.0), "0.65 V"),
    ("a supervisor's pin that puts more than 3.3 V on BCM 24", "the bench",
     lambda: bench("supply", "Pi.18"), "5 V on BCM 24, which bears 3.3 V"),
    ("holes of 0.9 mm for pins of 0.905 mm", "hole",
     lambda: through(iter([Lead("a pin", 0.905, 0.9, 0.08)])), "1.09 mm are needed"),
    ("a front that nothing holds", "held", forgotten("screw 1"), "nothing stops top"),
    ("joints that press on a cell", "sharp",
     added("sharp", ((-30, 66, 2), (30, 96, 3.2)), "cell"), "from charger"),
    ("joints that no step makes", "told", guide("base", solder=()), "soldered in 0 steps"),
    ("an order that hands cannot follow", "reach", case("reach", light_y=12.0), "no driver"),
    ("two supplies on one rail", "the bench", lambda: bench("supply", "Pi.4"), "two supplies"),
    ("a check before its part is there", "told", guide("sound", proves={"infrared": ("D1.A",)}),
     "sound: D1.A is examined before it is joined"),
    ("a meter that proves 10 of 40 joints", "told", guide("sender", meter=()),
     "R3.1 is proven by 0 readings"),
    ("a way that ends with an open case", "held", lambda: dropped(body_steps()[:-1], CASE),
     "top is placed in 0 steps"),
    ("one picture for 26 joints", "told",
     guide("eyes", pictures=(BodyPicture((("sender",),) * 26),)), "one picture shows 26 actions"),
    ("a first layer that spreads", "foot", case("foot", belly=0.01), "the first layer of base"),
    ("a case without air", "air", case("air", pi_back=82.0), "the slots are"),
    ("a thumb that lands 8 mm off", "light", case("light", thumb_off=8.0), "a thumb 8.0 mm off"),
    ("5 V that nobody sees", "the bench", lambda: bench("short", "Pi.2", "Pi.3"), "5 V on BCM 2"),
    ("infrared faults with one line for nine", "told", guide("receiver", meter=()),
     "C1.+ is proven by 0 readings"),
]  # fmt: skip
"""What was wrong, the check that finds it, the same built in again, and a piece of the line."""
SLOW = ("held", "light", "air", "reach")


@pytest.mark.parametrize(
    ("check", "again", "told"),
    [
        pytest.param(check, again, told, id=what, marks=pytest.mark.whole if check in SLOW else [])
        for what, check, again, told in FOUND
    ],
)
def test_what_was_wrong_once_is_found_when_it_is_built_in_again(check, again, told):
    assert any(told in line for line in again()), check


def test_the_page_lists_what_was_wrong_and_what_finds_it():
    page = (ROOT / "docs" / "build" / "checks.md").read_text(encoding="utf-8")
    assert {check for _, check, *_ in FOUND} - {"the bench", "a plan is the netlist"} <= {
        name for row in page.splitlines() for name in row.split(" | ")[0].strip("| ").split(", ")
    }
    rows = "".join(f"| {what} | {check} | … {told} … |\n" for what, check, _, told in FOUND)
    assert f"|---|---|---|\n{rows}\n" in page
