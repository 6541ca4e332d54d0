"""Nothing burns: the currents of the netlist, in the worst case of all tolerances."""

import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from drivers import pins
from firmware.link.infrared import MARK_US, SLOT_US
from hw_sim.board import (
    HEADER_BCM,
    HEADER_PINS,
    HEADER_POWER,
    NETS,
    ON_PI_5,
    PARTS,
    TOLERANCE,
    bcm_of,
    header_of,
)

WIRING = (Path(__file__).parents[3] / "wiring.md").read_text(encoding="utf-8")

CARRIER_SHARE = 0.5
"""The carrier is on for this share of a mark: the default of ``pwm-ir-tx``."""
LIT = MARK_US / SLOT_US * CARRIER_SHARE
"""Share of the time in which the LED is lit while a frame is sent."""

LIMITS = {
    "LED": 0.100,  # A, for good: Vishay TSAL6200, forward current
    "LED in a mark": 0.200,  # A: the same, peak forward current at a duty of one half, 100 µs
    "LED, mean": 0.100,  # A: the same, forward current
    "LED's heat": 0.160,  # W: the same, power dissipation
    "transistor": 0.500,  # A: BC337, the least of its makers (ST); PN2222A 0.6
    "transistor's heat": 0.625,  # W: BC337 and PN2222A
    "R1's heat": 0.5,  # W: it is bought as one of half a watt
    "out of the sender's pin": 0.004,  # A: a Pi 4 drives so much by itself; others drive 8 mA
    "out of the piezo's pin": 0.004,  # A: the same
}
OHMS = {name: part.value for name, part in PARTS.items() if part.kind == "resistor"}
SIGNAL_OF = {leg: signal for signal, legs in NETS.items() for leg in legs}


class Corner(NamedTuple):
    """One choice of everything that is not known for certain."""

    supply: float  # V: USB has 4.75 to 5.25, a type C socket at most 5.5
    pin: float  # V of a high pin: 3.3 ± 5 %
    led: float  # V: 1.35, at most 1.6 at 100 mA (TSAL6200); the sheet has no least value, warm 1.2
    base: float  # V from base to emitter
    saturated: float  # V from collector to emitter: at most 0.3 at 150 mA (PN2222A)
    r1: float  # of its value
    others: float  # the same, of the other resistors


USUAL = Corner(5, 3.3, 1.35, 0.7, 0.2, 1, 1)
ENDS = (1 - TOLERANCE, 1 + TOLERANCE)
CORNERS = [
    Corner(*ends)
    for ends in product(
        (5.5, 4.75), (3.465, 3.135), (1.2, 1.6), (0.6, 0.9), (0.05, 0.3), ENDS, ENDS
    )
]
LEAST_GAIN = 50
"""The gain of a PN2222A whose collector is at 1 V."""


def carried(corner: Corner = USUAL, r1: float = OHMS["R1"]) -> dict[str, float]:
    """Currents in A and heats in W while the sender's pin is high, and as the piezo's becomes so.

    The piezo is an empty capacitor then.
    """
    ohms = r1 * corner.r1
    led = (corner.supply - corner.led - corner.saturated) / ohms
    out = (corner.pin - corner.base) / (OHMS["R2"] * corner.others)
    into_base = out - corner.base / (OHMS["R3"] * corner.others)
    assert led <= LEAST_GAIN * into_base or r1 != OHMS["R1"], "the transistor is not saturated"
    return {
        "LED in a mark": led,
        "LED, mean": led * LIT,
        "LED": led,
        "LED's heat": led * corner.led,
        "R1's heat": led**2 * ohms,
        "transistor": led,
        "transistor's heat": led * corner.saturated + into_base * corner.base,
        "out of the sender's pin": out,
        "out of the piezo's pin": corner.pin / (OHMS["R5"] * corner.others),
    }


def most(what: str, r1: float = OHMS["R1"]) -> float:
    return max(carried(corner, r1)[what] for corner in CORNERS)


@pytest.mark.parametrize("what", LIMITS)
def test_no_part_and_no_pin_carries_more_than_its_sheet_allows(what):
    assert most(what) <= LIMITS[what]


def test_the_weakest_light_is_more_than_half_of_what_the_led_is_measured_with():
    assert min(carried(corner)["LED"] for corner in CORNERS) > 0.05


@pytest.mark.parametrize(
    ("signal", "legs"),
    [
        ("anode", {"R1.2", "D1.A"}),
        ("cathode", {"D1.K", "Q1.C"}),
        ("IR transmit", {"Pi.12", "R2.1"}),
        ("base", {"R2.2", "R3.1", "Q1.B"}),
        ("piezo", {"Pi.33", "R5.1"}),
        ("piezo +", {"R5.2", "piezo.+"}),
    ],
)
def test_a_current_has_no_other_way(signal, legs):
    assert set(NETS[signal]) == legs
    assert {SIGNAL_OF[leg] for leg in ("Q1.E", "R3.2", "piezo.-")} == {"GND"}


ROWS = re.findall(
    r"^\| ([^|]+) \| ([\d.]+) (m[AW]) \| ([\d.]+) \3 \| ([\d.]+) \3 \| [^|]+ \|$",
    WIRING,
    re.MULTILINE,
)
"""The rows of wiring.md: name, usual value, unit, worst case, limit."""


def test_wiring_md_tells_the_currents_of_the_netlist():
    told = {}
    for name, usual, _, worst, limit in ROWS:
        what = name.removesuffix(", pin stuck high")
        told[what] = usual, worst, float(limit)
    assert told == {
        what: (rounded(carried()[what], usual), rounded(most(what), worst), 1000 * LIMITS[what])
        for what, (usual, worst, _) in told.items()
    }
    assert {*LIMITS} - {*told} == {"transistor's heat"}


def rounded(value: float, like: str) -> str:
    """Thousandths with as many digits as ``like`` has."""
    return f"{value * 1000:.{len(like.partition('.')[2])}f}"


@pytest.mark.parametrize("ohms", [39, 33])
def test_a_smaller_resistor_at_the_led_is_not_safe_and_wiring_md_tells_why(ohms):
    (told,) = re.findall(rf"(\d+) mA with {ohms} Ω", WIRING.replace("\n", " "))
    assert int(told) == round(1000 * most("LED", ohms))
    assert most("LED", ohms) > LIMITS["LED"]


def test_every_leg_of_every_part_is_joined_once_or_free():
    joined = Counter(leg for legs in NETS.values() for leg in legs)
    legs = Counter(
        f"{name}.{leg}"
        for name, part in PARTS.items()
        if name != "Pi"
        for leg in part.legs
        if leg not in part.free
    )
    assert Counter({leg: n for leg, n in joined.items() if not leg.startswith("Pi.")}) == legs


@pytest.mark.parametrize("signal", NETS)
def test_a_net_joins_two_legs_or_more_and_at_most_one_pin_of_the_header(signal):
    legs = NETS[signal]
    assert len(legs) > 1
    assert sum(leg.startswith("Pi.") for leg in legs) <= 1


def test_each_place_of_the_header_is_a_supply_or_a_bcm_pin():
    assert set(HEADER_BCM) | set(HEADER_POWER) == set(range(1, HEADER_PINS + 1))
    assert not set(HEADER_BCM) & set(HEADER_POWER)
    assert len(set(HEADER_BCM.values())) == len(HEADER_BCM)


@pytest.mark.parametrize("signal", [name for name in NETS if NETS[name][0].startswith("Pi.")])
def test_a_supply_is_at_a_pin_that_carries_it_and_a_signal_at_a_bcm_pin(signal):
    place = header_of(signal)
    if signal in HEADER_POWER.values():
        assert HEADER_POWER[place] == signal
        with pytest.raises(KeyError):
            bcm_of(signal)
    else:
        assert bcm_of(signal) == HEADER_BCM[place]


def test_5_v_goes_to_the_leds_resistor_alone():
    assert set(NETS["5V"]) == {f"Pi.{header_of('5V')}", "R1.1"}


def test_what_is_powered_is_powered_from_3_3_v():
    for name, part in PARTS.items():
        for leg in part.legs:
            if leg == "VCC":
                assert SIGNAL_OF[f"{name}.{leg}"] == "3V3"
            if leg == "GND":
                assert SIGNAL_OF[f"{name}.{leg}"] == "GND"


def test_the_straps_choose_i2c_and_the_address_of_the_driver():
    assert (SIGNAL_OF["ADXL345.CS"], SIGNAL_OF["ADXL345.SDO"]) == ("3V3", "GND")
    assert pins.ACCELEROMETER_ADDRESS == 0x53


def test_a_pi_5_sends_at_the_pin_of_the_driver():
    ((usual, other),) = ON_PI_5.items()
    assert usual in NETS["IR transmit"]
    assert HEADER_BCM[int(other.removeprefix("Pi."))] == pins.INFRARED_TRANSMIT_PI5
    assert other not in SIGNAL_OF
