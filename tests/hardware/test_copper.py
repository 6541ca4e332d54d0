"""The printed board: its copper is the netlist, its files are up to date, KiCad has no finding."""

import zipfile

import msgspec
import pytest

from hardware.board.copper import (
    CLEAR_MM,
    PAD_MM,
    STEP_MM,
    TRACK_MM,
    copper,
    copper_faults,
    leg_of,
    pads,
    place_of,
    route,
)
from hardware.board.gerbers import has_kicad, plotted
from hardware.board.kicad import bill, kicad_board, places
from hardware.board.nets import WITH_CELL, signals
from hardware.board.plan import plans
from hardware.board.printed import names, on_copper, printed_board
from hardware.board.schematic import erc, has_erc, kicad_schematic
from hardware.kit import MADE
from tests.project.rooms import ROOT

COPPER = copper()
TRACKS = range(len(COPPER.tracks))
WRONG_NETS = {
    "power_pin_not_driven": ("charger.GND", None),
    "pin_to_pin": ("TTP223.Q", "INT1"),
    "global_label_dangling": ("SSD1306.SDA", "oops"),
}
"""By what KiCad finds: a leg, and the signal that it goes to; None: it stays free."""
needs_erc = pytest.mark.skipif(not has_erc(), reason="no KiCad 7: on Debian 12 from backports")
needs_kicad = pytest.mark.skipif(not has_kicad(), reason="no KiCad: on Debian install kicad")


def changed(**fields):
    return msgspec.structs.replace(COPPER, **fields)


def without(number):
    return changed(tracks=(*COPPER.tracks[:number], *COPPER.tracks[number + 1 :]))


def test_the_copper_is_the_netlist_and_can_be_made():
    assert copper_faults(COPPER) == []


@pytest.mark.whole
def test_the_copper_is_what_the_router_proposes():
    assert route() == COPPER, "run python -m hardware.board.copper"


@pytest.mark.parametrize(
    "number",
    [one if one % 12 == 0 else pytest.param(one, marks=pytest.mark.whole) for one in TRACKS],
)
def test_a_track_that_is_missing_is_found(number):
    found = copper_faults(without(number))
    assert any("open" in one or "not joined" in one for one in found)


@pytest.mark.parametrize("number", range(len(COPPER.vias)))
def test_a_via_that_is_missing_is_found(number):
    rest = (*COPPER.vias[:number], *COPPER.vias[number + 1 :])
    found = copper_faults(changed(vias=rest))
    assert any("open" in one or "not joined" in one for one in found)


@pytest.mark.parametrize(
    ("track", "told"),
    [
        (("top", place_of("B21"), place_of("B22")), "'3V3' and 'SDA' are short"),
        (("bottom", place_of("L5"), place_of("L6")), "ADXL345.INT2, which must stay free"),
        (("bottom", (-1, 0), (0, 0)), "from the edge"),
    ],
)
def test_a_track_too_many_is_found(track, told):
    found = copper_faults(changed(tracks=(*COPPER.tracks, track)))
    assert any(told in one for one in found), found


def test_a_via_beside_a_foreign_pad_is_too_close():
    x, y = place_of("B9")
    found = copper_faults(changed(vias=(*COPPER.vias, (x + 1, y))))
    assert any("mm apart" in one for one in found)


def test_a_track_between_two_pads_is_far_enough_from_both():
    assert STEP_MM - PAD_MM / 2 - TRACK_MM / 2 >= CLEAR_MM


def test_the_pads_stand_where_the_perfboard_has_them_and_take_both_accelerometers():
    straight, turned = (plans()[f"carrier-{name}-bc337"].holes for name in ("straight", "turned"))
    at = {(pad.part, pad.leg): pad.place for pad in pads()}
    for part, legs in straight.items():
        assert all(at[part, leg] == place_of(hole) for leg, hole in legs.items())
    for leg, hole in turned["ADXL345"].items():
        assert at["ADXL345 turned", leg] == place_of(hole)
    assert len({pad.place for pad in pads()}) == len(pads())


def test_the_files_to_order_are_up_to_date():
    board = (MADE / "carrier.kicad_pcb").read_text(encoding="utf-8")
    assert board == kicad_board(COPPER), "run make kit"
    schematic = (MADE / "carrier.kicad_sch").read_text(encoding="utf-8")
    assert schematic == kicad_schematic(WITH_CELL), "run make kit"
    assert (MADE / "carrier-parts.csv").read_text(encoding="utf-8") == bill(), "run make kit"
    assert (MADE / "carrier-places.csv").read_text(encoding="utf-8") == places(), "run make kit"


def test_the_gerbers_have_a_hole_for_every_pad_and_via():
    with zipfile.ZipFile(MADE / "carrier-gerbers.zip") as packed:
        drill = packed.read("carrier.drl").decode()
        names = set(packed.namelist())
    assert {name.rpartition(".")[2] for name in names} == {
        "gtl", "gbl", "gts", "gbs", "gto", "gbo", "gm1", "drl", "txt"
    }  # fmt: skip
    holes = [line for line in drill.splitlines() if line.startswith("X")]
    assert len(holes) == len(pads()) + len(COPPER.vias)


def test_no_name_on_the_drawing_lies_over_copper():
    labels = names(COPPER)
    assert {label.text for label in labels} > {"Pi", "R1", "SSD1306", "LBO"}
    assert on_copper(COPPER, labels) == []
    _, start, end = COPPER.tracks[0]
    x, y = ((one + other) / 2 * STEP_MM for one, other in zip(start, end, strict=True))
    for number, label in enumerate(labels):
        for worse in (label._replace(x=x, y=y), label._replace(x=-3.0), labels[number - 1]):
            rest = [*labels[:number], *labels[number + 1 :], worse]
            assert worse.text in on_copper(COPPER, rest)
    picture = ROOT / "docs" / "build" / "boards" / "carrier-printed.svg"
    assert picture.read_text(encoding="utf-8") == printed_board(), "run make kit"


def test_every_pad_of_a_signal_has_its_net_in_the_file():
    named, board = signals(WITH_CELL), kicad_board(COPPER)
    for pad in pads():
        if leg_of(pad) in named:
            assert f'"{named[leg_of(pad)]}") (tstamp' in board
    assert board.count("(segment ") == len(COPPER.tracks)


@needs_kicad
@pytest.mark.whole
def test_kicad_finds_nothing_and_plots_what_is_kept():
    files = plotted(kicad_board(COPPER))
    with zipfile.ZipFile(MADE / "carrier-gerbers.zip") as packed:
        assert {name: packed.read(name) for name in packed.namelist()} == files, "run make kit"


@needs_kicad
@pytest.mark.whole
@pytest.mark.parametrize(
    ("worse", "told"),
    [
        (without(3), "unconnected"),
        (
            changed(tracks=(*COPPER.tracks, ("top", place_of("B21"), place_of("B22")))),
            "Clearance violation",
        ),
    ],
    ids=["a missing track", "a short"],
)
def test_kicad_finds_what_is_wrong(worse, told):
    with pytest.raises(ValueError, match=told):
        plotted(kicad_board(worse))


@needs_erc
@pytest.mark.whole
def test_the_electrical_rules_find_nothing():
    assert erc(kicad_schematic(WITH_CELL)) == []


@needs_erc
@pytest.mark.whole
@pytest.mark.parametrize("rule", WRONG_NETS)
def test_the_electrical_rules_find_a_wrong_leg(rule):
    moved, to = WRONG_NETS[rule]
    nets = {
        signal: tuple(leg for leg in legs if leg != moved) for signal, legs in WITH_CELL.items()
    }
    if to is not None:
        nets[to] = (*nets.get(to, ()), moved)
    assert any(f": {rule}: " in one for one in erc(kicad_schematic(nets)))
