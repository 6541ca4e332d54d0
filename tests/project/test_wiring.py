"""wiring.md, the drivers' constants and the simulator's netlist say the same."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from steckbrett.parts.catalogue import make

from drivers import pins
from drivers.light_sensor import LIGHT_SENSORS
from drivers.panel import PANEL
from firmware.display.text.language import LANGUAGES, section
from hardware.board import called
from hardware.guide.body import body_steps, fitted
from hardware.guide.pages import printed_of
from hardware.parts import bought
from hw_sim.board import (
    HEADER_POWER,
    NETS,
    PARTS,
    TRANSISTOR_LEGS,
    bcm_of,
    header_of,
)
from tests.project.grain import ROOT

WIRING = (ROOT / "wiring.md").read_text(encoding="utf-8")
HEADER = {2: 3, 3: 5, 17: 11, 22: 15, 23: 16, 18: 12, 12: 32, 13: 33, 14: 8, 15: 10}
"""BCM number to place on the 40-pin header."""


def rows(first_column: str) -> list[list[str]]:
    """The cells of the tables whose first heading is ``first_column``."""
    tables = re.findall(rf"^\| {first_column} \|.*\n\|[-|]+\n((?:\|.*\n)+)", WIRING, re.MULTILINE)
    lines = "".join(tables).splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


SIGNALS = {row[0]: row for row in rows("signal")}


@pytest.mark.parametrize(
    ("signal", "name"),
    [
        ("SDA", "SDA"),
        ("SCL", "SCL"),
        ("INT1", "ACCELEROMETER_INT1"),
        ("touch", "TOUCH"),
        ("IR receive", "INFRARED_RECEIVE"),
        ("IR transmit", "INFRARED_TRANSMIT"),
        ("piezo", "PIEZO"),
    ],
)
def test_pin_constants_and_the_simulated_board_are_the_wiring_table(signal, name):
    _, bcm, header, _ = SIGNALS[name]
    assert int(bcm) == getattr(pins, name) == bcm_of(signal)
    assert int(header) == HEADER[int(bcm)]


def test_no_pin_is_missing_from_the_wiring_table_or_used_twice():
    used = [int(row[1]) for row in SIGNALS.values() if row[1].isdigit()]
    assert len(set(used)) == len(used)
    constants = {
        name
        for name, value in vars(pins).items()
        if isinstance(value, int) and "ADDRESS" not in name and not name.startswith("I2C_")
    }
    assert constants - {"INFRARED_TRANSMIT_PI5"} == {
        name for name, row in SIGNALS.items() if row[1].isdigit()
    }


def test_the_pi_5_transmits_infrared_on_the_pin_that_the_table_names():
    assert (
        f"BCM {pins.INFRARED_TRANSMIT_PI5}, header {HEADER[pins.INFRARED_TRANSMIT_PI5]}"
        in (SIGNALS["INFRARED_TRANSMIT"][3])
    )


@pytest.mark.parametrize("supply", ["3V3", "5V", "GND"])
def test_a_supply_comes_from_the_header_pin_of_the_table(supply):
    assert header_of(supply) == int(SIGNALS[supply][2])


@pytest.mark.parametrize("supply", ["3V3", "GND"])
def test_the_table_of_the_strips_counts_legs_and_names_every_pin_that_would_do(supply):
    ((_, header, legs, others),) = [row for row in rows("strip") if row[0] == supply]
    assert (int(header), int(legs)) == (header_of(supply), len(NETS[supply]) - 1)
    same = {place for place, carried in HEADER_POWER.items() if carried == supply}
    assert {int(place) for place in others.split(", ")} == same - {header_of(supply)}


def test_addresses_are_the_same_in_the_table_the_drivers_and_the_simulator():
    table = {row[0]: int(row[1], 16) for row in rows("part") if row[1].startswith("0x")}
    assert table == {
        "ACCELEROMETER": pins.ACCELEROMETER_ADDRESS,
        "PANEL": PANEL.address,
        **{part.name: part.address for part in LIGHT_SENSORS.values()},
    }
    models = {kind: make(kind, 1, 0) for kind in LIGHT_SENSORS}
    for kind, model in models.items():
        part = LIGHT_SENSORS[kind]
        assert (model.address, model.other_address) == (part.address, part.other_address)
    others = (make(kind, 1, 0).address for kind in ("adxl345", PANEL.kind))
    simulated = {*others, *(model.address for model in models.values())}
    assert sorted(table.values()) == sorted(simulated)
    for part, address in table.items():
        assert f"0x{address:02X}" in WIRING, part


def test_the_drawing_names_each_signal_with_its_legs():
    assert "docs/wiring.svg" in WIRING
    drawn = ElementTree.parse(ROOT / "docs" / "wiring.svg").iter(
        "{http://www.w3.org/2000/svg}title"
    )
    told = {title.text for title in drawn} - {"Wiring of one handheld"}
    nets = (f"{signal}: {', '.join(legs)}" for signal, legs in NETS.items())
    assert told == {net.replace("Pi.", "header ").replace(".", " ") for net in nets}


def test_the_table_of_the_body_has_the_boards_that_its_steps_take():
    taken = {name for step in body_steps() for name in step.parts if name[:3] in ("qt_", "shi")}
    assert {row[0] for row in rows("in the body")} == {bought().parts[name].take for name in taken}
    seen = printed_of(fitted(body_steps()[-1], has_infrared=False), "en")
    assert all(row[2][:4] in seen for row in rows("in the body"))


SIGNAL_OF = {leg: signal for signal, legs in NETS.items() for leg in legs}


def signals(place: str, part: str) -> set[str]:
    """The nets that a place of the step of ``part`` may mean: a strip, a pin, a leg, a part."""
    place = re.sub(r" \(.*\)", "", place)
    if place.endswith(" strip"):
        return {place.removesuffix(" strip")}
    if place.startswith("header "):
        return {SIGNAL_OF[f"Pi.{place.removeprefix('header ')}"]}
    if " of " in place:
        leg, part = place.split(" of ")
        return {SIGNAL_OF[f"{part}.{leg}"]}
    if place in PARTS:
        return {SIGNAL_OF[f"{place}.{leg}"] for leg in PARTS[place].legs}
    part, _, leg = place.rpartition(" ") if " " in place else (part, "", place)
    return {SIGNAL_OF[f"{part}.{leg}"]}


STEPS = {
    title: re.findall(r"^\| (?!leg |---)([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    for title, text in re.findall(r"### \d\. (\S[^\n]*)\n(.*?)(?=\n##)", WIRING, re.DOTALL)
}


@pytest.mark.parametrize("title", STEPS)
def test_every_row_of_a_step_joins_what_the_netlist_joins(title):
    for legs, goals in STEPS[title]:
        reached = [signals(goal, title) for goal in goals.split(" and ")]
        name = legs.split(" (")[0]
        if name in PARTS:
            assert sorted(one for (one,) in reached) == sorted(signals(name, title)), legs
            continue
        for leg in name.split(", "):
            (signal,) = signals(leg, title)
            assert all(signal in one for one in reached), (leg, goals)


def test_the_steps_tell_of_every_leg_once():
    told = Counter()
    for title, table in STEPS.items():
        for legs, _ in table:
            for leg in legs.split(" (")[0].split(", "):
                part, _, own = leg.rpartition(" ")
                if leg in PARTS:
                    told.update(f"{leg}.{own}" for own in PARTS[leg].legs)
                elif " of " in leg:
                    told[".".join(reversed(leg.split(" of ")))] += 1
                else:
                    told[f"{part or title}.{own}"] += 1
    assert told == Counter(leg for leg in SIGNAL_OF if not leg.startswith("Pi."))


def test_the_legs_of_the_table_are_those_of_the_parts():
    table = {row[0]: row[2] for row in rows("part") if len(row) == 3}
    for name, legs in TRANSISTOR_LEGS.items():
        assert table[f"Q1, {name}"] == ", ".join(legs)
        assert sorted(legs) == sorted(PARTS["Q1"].legs)
    assert table["TSOP38238"] == ", ".join(PARTS["TSOP38238"].legs)


@pytest.mark.parametrize("name", [name for name, part in PARTS.items() if part.value])
def test_every_text_names_the_value_of_the_netlist(name):
    value = called(name).removeprefix(f"{name} ")
    (shopping,) = re.findall(rf"{name}: ([\d.]+ [kµ]?[ΩF])", WIRING)
    told = re.findall(rf"\| {name} (?:\+ )?\(([\d.]+ [kµ]?[ΩF])", WIRING)
    assert (shopping, told) == (value, [value])


def test_the_doctor_names_values_of_the_netlist():
    advice = " ".join(
        text for language in LANGUAGES for text in section("Diagnosis", language).values()
    )
    known = {called(name).partition(" ")[2] for name, part in PARTS.items() if part.value}
    told = {value.replace(",", ".") for value in re.findall(r"\d[\d.,]* (?:[kµ]?Ω|µF)", advice)}
    assert told <= known
    assert called("R1").partition(" ")[2] in told


def test_the_table_tells_of_every_line_that_the_installer_writes_into_config_txt():
    table = WIRING.split("## config.txt")[1].split("\n## ")[0]
    assert "(install/config.txt)" in table
    written = (ROOT / "install/config.txt").read_text(encoding="utf-8")
    starts = set(re.findall(r"`(\w+=\w+(?:-\w+)*|\w+=)", table))
    for line in written.splitlines():
        if line[0].isalpha():
            assert any(line.startswith(start) for start in starts), line


def test_the_serial_console_stays_free():
    assert not {"Pi.8", "Pi.10"} & set(SIGNAL_OF)
    assert "BCM 14 and 15 (header 8 and 10) stay free" in WIRING
