"""Each check finds the fault that is made for it: in the case, the guide and on the bench."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from hardware.board.plan import faults, plans, read_plan
from hardware.case.bodies import Body
from hardware.case.checks import CHECKS, build
from hardware.case.hands import Lead, guessed, load, through
from hardware.case.light import covered_share, display_lux, open_share
from hardware.case.sizes import CUP
from hardware.case.solids import box
from hardware.guide.body import BodyStep, body_steps, dropped, untold
from hardware.guide.pages import EVENING
from hardware.parts import ROOT, WHERE, bought, bus_faults, read
from hw_sim.board import NETS
from hw_sim.trials.diagnosis.wiring import built

CASE = build(CUP)
PLAN = plans()[EVENING]
WRONG = tomllib.loads(Path(__file__).with_name("findings.toml").read_text("utf-8"))
SLOW = {"sizes", "gone", "steps"}
QUICK = ("a screw of 7 mm", "thick plastic", "a turned accelerometer", "a first layer that spreads")
"""Changes of the sizes that the short run tries."""


def other_case(change):
    """A case with a body more or less, or with a copy of a body that joins another."""
    bodies = {one.name: one for one in (*CASE.printed, *CASE.inside)}
    if "solid" in change:
        solid = box(*change["solid"])
        bodies["charger"] = Body("charger", solid, (0, 0, 0), change["kind"])
    elif "gone" in change:
        del bodies[change["gone"]]
    else:
        one, solid = bodies[change["onto"]], CASE.solid(change["of"]).translate(change["by"])
        bodies[one.name] = one._replace(solid=one.solid + solid)
    printed = [bodies.pop(one.name) for one in CASE.printed if one.name in bodies]
    return CASE._replace(printed=printed, inside=[*bodies.values()])


def other_guide(name, **fields):
    """The steps of the body, one of them with other fields."""
    return [
        msgspec.convert(msgspec.to_builtins(one) | fields, BodyStep) if one.name == name else one
        for one in body_steps()
    ]


def found(check, change):
    """Yield what the checks say when something is wrong."""
    match change:
        case {"sizes": sizes}:
            yield from CHECKS[check](build(replace(CUP, **sizes)))
        case {"step": name, **fields}:
            guide = other_guide(name, **fields)
            step = [one for one in guide if one.name == name]
            yield from untold(guide) if check == "told" else dropped(step, CASE)
        case {"steps": count}:
            yield from dropped(body_steps()[:count], CASE)
        case {"wires": wires}:
            try:
                built([wires])
            except ValueError as error:
                yield str(error)
        case {"holes": holes}:
            moved = {part: PLAN.holes[part] | legs for part, legs in holes.items()}
            yield from faults(msgspec.structs.replace(PLAN, holes=PLAN.holes | moved), NETS)
        case {"joined": ends}:
            wires = (*PLAN.wires, tuple(ends))
            yield from faults(msgspec.structs.replace(PLAN, wires=wires), NETS)
        case {"board_ohm": ohm}:
            yield from bus_faults(board_ohm=ohm)
        case {"lead": lead}:
            yield from through(iter([Lead("a pin", *lead)]))
        case _:
            yield from CHECKS[check](other_case(change))


def row(check, told="", what="", **change):
    slow = what not in QUICK and SLOW & {*change}
    marks = pytest.mark.whole if slow else []
    return pytest.param(check, change, told, id=what or told, marks=marks)


@pytest.mark.parametrize(
    ("check", "change", "told"), [row(**one) for one in (*WRONG["found"], *WRONG["tried"])]
)
def test_what_is_wrong_is_found_by_its_check(check, change, told):
    assert any(told in line for line in found(check, change))


def test_every_check_has_a_fault_that_it_finds():
    tried = {one["check"] for one in (*WRONG["found"], *WRONG["tried"])}
    assert tried | {"opening"} >= set(CHECKS), "opening has the guesses"


def test_the_page_lists_what_a_reader_found_and_what_finds_it():
    page = (ROOT / "docs" / "build" / "checks.md").read_text(encoding="utf-8")
    assert {one["check"] for one in WRONG["found"]} - {"the bench", "a plan is the netlist"} <= {
        name for row in page.splitlines() for name in row.split(" | ")[0].strip("| ").split(", ")
    }
    rows = "".join("| {what} | {check} | … {told} … |\n".format(**one) for one in WRONG["found"])
    assert f"|---|---|---|\n{rows}\n" in page


def test_a_cell_far_from_all_is_not_found():
    change = {"solid": [[-30, 12, 2], [15, 35, 10]], "kind": "cell"}
    assert list(CHECKS["sharp"](other_case(change))) == []


@pytest.mark.parametrize("change", WRONG["refused"], ids=lambda change: change["told"])
def test_a_faulty_list_or_plan_is_refused_in_one_line(change):
    path = ROOT / "hardware" / change["file"]
    text = path.read_text(encoding="utf-8")
    assert change["old"] in text
    with pytest.raises(ValueError, match=change["told"]) as raised:
        (read if path.name == WHERE.name else read_plan)(text.replace(change["old"], change["new"]))
    assert "\n" not in str(raised.value)


@pytest.mark.whole
@pytest.mark.parametrize("name", WRONG["guesses"])
def test_a_guess_that_decides_an_opening_is_refused_in_one_line(name):
    part, _, dimension = name.partition(".")
    old = bought().parts[part]
    guess = {**old.mm, dimension: old.mm[dimension]._replace(source="own", certainty="low")}
    changed = {**bought().parts, part: msgspec.structs.replace(old, mm=guess)}
    lines = guessed(CUP, msgspec.structs.replace(bought(), parts=changed))
    line = rf"parts\.{part}\.mm\.{dimension} = .* decides (.*?), and its.*"
    told = [re.fullmatch(line, one)[1] for one in lines]
    assert told == WRONG["guesses"][name]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(one, marks=pytest.mark.whole) if one in ("held", "opening") else one
        for one in CHECKS
    ],
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
