"""Nothing burns: the currents of the netlist in every state of the pins, in the worst case.

Nodal analysis gives the direct currents of the whole netlist. The LED and the two ways through the
transistor are open or have a fixed voltage; of all combinations the one that does not contradict
itself is what happens. Every tolerance is tried at both its ends.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
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
    "pin": 0.004,  # A: a Pi 4's drive strength unless it is told otherwise; others have 8 mA
}


class Corner(NamedTuple):
    """One choice of everything that is not known for certain."""

    supply: float  # V: USB has 4.75 to 5.25, a type C socket at most 5.5
    pin: float  # V of a high pin: 3.3 ± 5 %
    led: float  # V: 1.35, at most 1.6 at 100 mA (TSAL6200); the sheet has no least value, warm 1.2
    base: float  # V from base to emitter
    saturated: float  # V from collector to emitter: at most 0.3 at 150 mA (PN2222A)
    gain: float  # 50 of a PN2222A at 1 V to 630 of a BC337-40
    share: Mapping[str, float]  # of a resistor's value


USUAL = Corner(5, 3.3, 1.35, 0.7, 0.2, 250, {})
RESISTORS = sorted(name for name, part in PARTS.items() if part.kind == "resistor")


def corners() -> Iterator[Corner]:
    ends = (1 - TOLERANCE, 1 + TOLERANCE)
    for r1, others in product(ends, repeat=2):
        share = dict.fromkeys(RESISTORS, others) | {"R1": r1}
        for rest in product(
            (5.5, 4.75), (3.465, 3.135), (1.2, 1.6), (0.6, 0.9), (0.05, 0.3), (630, 50)
        ):
            yield Corner(*rest, share)


class Circuit:
    """A netlist at one corner, with the pin of ``signal`` ``high``, ``low`` or one that ``floats``.

    At an ``edge`` the pin has just become high, and the piezo is an empty capacitor.
    """

    leak_a = 10e-6
    """The largest leakage of an input pin (BCM2711)."""

    def __init__(self, parts, nets, corner: Corner, signal: str, state: str):
        self.parts, self.corner = parts, corner
        self.node = {leg: number for number, legs in enumerate(nets.values()) for leg in legs}
        self.numbers = {name: number for number, name in enumerate(nets)}
        self.driven = self.numbers[signal] if state != "floats" else None
        self.state = state
        self.fixed = {
            self.numbers["GND"]: 0.0,
            self.numbers["5V"]: corner.supply,
            self.numbers["3V3"]: corner.pin,
        }
        if self.driven is not None:
            self.fixed[self.driven] = 0.0 if state == "low" else corner.pin
        self.leak = self.numbers[signal] if state == "floats" else None

    def solve(self) -> dict[str, float]:
        """Currents in A and heats in W, by what carries them."""
        for led, way in product((True, False), ("saturated", "active", "open")):
            told = self._with(led, way)
            if told:
                return told
        raise AssertionError("no state of the diodes fits")

    def _with(self, led: bool, way: str) -> dict[str, float] | None:
        count = len(self.numbers)
        at = self.node
        matrix, right = np.eye(count) * 1e-12, np.zeros(count)

        def conduct(one, other, siemens, volts=0.0):
            for a, b, sign in ((one, other, 1), (other, one, -1)):
                matrix[a, a] += siemens
                matrix[a, b] -= siemens
                right[a] += sign * siemens * volts

        ohms = {name: self.parts[name].value * self.corner.share.get(name, 1) for name in RESISTORS}
        for name, value in ohms.items():
            if f"{name}.1" in at:
                conduct(at[f"{name}.1"], at[f"{name}.2"], 1 / value)
        hard = 1e4
        a, k = at["D1.A"], at["D1.K"]
        c, b, e = (at[f"Q1.{leg}"] for leg in "CBE")
        if led:
            conduct(a, k, hard, self.corner.led)
        if way != "open":
            conduct(b, e, hard, self.corner.base)
        if way == "saturated":
            conduct(c, e, hard, self.corner.saturated)
        if way == "active":  # the collector draws gain times what flows through the base
            drawn = self.corner.gain * hard
            for node, sign in ((c, 1), (e, -1)):
                matrix[node, b] += sign * drawn
                matrix[node, e] -= sign * drawn
                right[node] += sign * drawn * self.corner.base
        if self.state == "edge":
            conduct(at["piezo.+"], at["piezo.-"], hard)
        if self.leak is not None:
            right[self.leak] += self.leak_a
        whole, sources = matrix.copy(), right.copy()
        for node, volts in self.fixed.items():
            matrix[node], right[node] = np.eye(count)[node], volts
        volt = np.linalg.solve(matrix, right)

        through_led = hard * (volt[a] - volt[k] - self.corner.led) if led else 0.0
        into_base = hard * (volt[b] - volt[e] - self.corner.base) if way != "open" else 0.0
        across = volt[c] - volt[e]
        collector = {
            "open": 0.0,
            "active": self.corner.gain * into_base,
            "saturated": hard * (across - self.corner.saturated),
        }[way]
        tiny = 1e-7
        fits = (
            (through_led >= -tiny if led else volt[a] - volt[k] <= self.corner.led + tiny)
            and into_base >= -tiny
            and (way != "open" or volt[b] - volt[e] <= self.corner.base + tiny)
            and (way != "active" or across >= self.corner.saturated - tiny)
            and (way != "saturated" or -tiny <= collector <= self.corner.gain * into_base + tiny)
        )
        if not fits:
            return None
        pin = 0.0
        if self.driven is not None:
            pin = float(whole[self.driven] @ volt - sources[self.driven])
        found = {
            "LED": through_led,
            "LED's heat": through_led * (volt[a] - volt[k]),
            "transistor": collector,
            "transistor's heat": collector * across + into_base * (volt[b] - volt[e]),
            "pin": abs(pin),
        }
        for name, value in ohms.items():
            if f"{name}.1" in at:
                found[f"{name}'s heat"] = (
                    volt[at[f"{name}.1"]] - volt[at[f"{name}.2"]]
                ) ** 2 / value
        return {what: float(value) for what, value in found.items()}


def carried(signal="IR transmit", state="high", corner=USUAL, parts=PARTS, nets=NETS):
    """What flows, and what follows from it for a frame and for the heat of each resistor."""
    found = Circuit(parts, nets, corner, signal, state).solve()
    return found | {"LED in a mark": found["LED"], "LED, mean": found["LED"] * LIT}


def limits(parts=PARTS) -> dict[str, float]:
    """Every limit; of a resistor the watts that it is bought with."""
    return LIMITS | {
        f"{name}'s heat": sum(map(unicodedata.numeric, re.findall(r"[¼½1]", parts[name].what)))
        for name in RESISTORS
    }


STATES = [
    ("IR transmit", "low"), ("IR transmit", "high"), ("IR transmit", "floats"), ("piezo", "edge"),
]  # fmt: skip
"""What a pin can do: be low, be high in a mark of the carrier or stuck, be an input, beep."""


def overloads(parts=PARTS, nets=NETS) -> Iterator[str]:
    bears = limits(parts)
    for (signal, state), corner in product(STATES, corners()):
        found = carried(signal, state, corner, parts, nets)
        if state in ("low", "floats") and found["LED"] > 1e-4:
            yield f"LED: lit while the pin is {state}"
        yield from (
            f"{what}: {found[what]:.3f} with {signal} {state}, bears {most:.3f}"
            for what, most in bears.items()
            if found.get(what, 0) > most
        )


def test_no_part_and_no_pin_carries_more_than_its_sheet_allows():
    assert list(overloads()) == []


def test_the_weakest_light_is_more_than_half_of_what_the_led_is_measured_with():
    assert min(carried(corner=corner)["LED"] for corner in corners()) > 0.05


def joined(nets, **changed):
    """The same nets, with some of them in another way."""
    return {name: changed.get(name.replace(" ", "_"), legs) for name, legs in nets.items()}


@pytest.mark.parametrize("ohms", [10, 33, 39])
def test_a_smaller_resistor_at_the_led_is_found(ohms):
    parts = {**PARTS, "R1": PARTS["R1"]._replace(value=ohms)}
    assert next(overloads(parts)).startswith("LED: ")


@pytest.mark.parametrize(
    ("parts", "nets", "found"),
    [
        ({"R2": 470}, {}, "pin:"),
        ({"R5": 470}, {}, "pin:"),
        (
            {},
            {"5V": ("Pi.2", "D1.A"), "anode": ("R1.1", "R1.2"), "cathode": ("Q1.C",)}
            | {"IR_transmit": ("Pi.12", "R2.1", "D1.K")},
            "LED:",
        ),
        ({}, {"5V": ("Pi.2", "R1.1", "R1.2", "D1.A"), "anode": ()}, "LED:"),
        (
            {},
            {"base": ("R2.2", "Q1.B"), "GND": tuple(x for x in NETS["GND"] if x != "R3.2")},
            "LED: lit",
        ),
    ],
    ids=["base", "piezo", "LED at the pin", "resistor bridged", "nothing holds the base"],
)
def test_a_mistake_that_burns_or_glows_is_found(parts, nets, found):
    parts = {**PARTS, **{name: PARTS[name]._replace(value=ohms) for name, ohms in parts.items()}}
    assert next(overloads(parts, joined(NETS, **nets))).startswith(found)


ROWS = re.findall(
    r"^\| ([^|]+) \| ([\d.]+) (m[AW]) \| ([\d.]+) \3 \| ([\d.]+) \3 \| [^|]+ \|$",
    WIRING,
    re.MULTILINE,
)
"""The rows of wiring.md: name, usual value, unit, worst case, limit."""


@pytest.fixture(scope="module")
def most():
    """The most of everything over all corners, by the signal that is driven."""
    found = {}
    for (signal, state), corner in product(STATES, corners()):
        if state in ("high", "edge"):
            for what, value in carried(signal, state, corner).items():
                found[signal, what] = max(found.get((signal, what), 0), value)
    return found


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_wiring_md_tells_the_currents_of_the_netlist(row, most):
    told, usual, _, worst, limit = row
    signal, state = ("piezo", "edge") if "piezo" in told else ("IR transmit", "high")
    what = "pin" if told.startswith("out of") else told.removesuffix(", pin stuck high")
    assert usual == rounded(carried(signal, state)[what], usual)
    assert worst == rounded(most[signal, what], worst)
    assert float(limit) == pytest.approx(limits()[what] * 1000)


def rounded(value: float, like: str) -> str:
    """Thousandths with as many digits as ``like`` has."""
    return f"{value * 1000:.{len(like.partition('.')[2])}f}"


def test_wiring_md_tells_of_the_led_its_resistor_the_transistor_and_both_pins():
    told = {row[0].removesuffix(", pin stuck high") for row in ROWS}
    assert told >= set(LIMITS) - {"pin", "transistor's heat"} | {"R1's heat"}
    assert sum(name.startswith("out of the") for name in told) == 2


@pytest.mark.parametrize("ohms", [39, 33])
def test_wiring_md_tells_why_a_smaller_resistor_is_not_safe(ohms):
    parts = {**PARTS, "R1": PARTS["R1"]._replace(value=ohms)}
    (told,) = re.findall(rf"(\d+) mA with {ohms} Ω", WIRING.replace("\n", " "))
    worst = max(carried(corner=corner, parts=parts)["LED"] for corner in corners())
    assert int(told) == round(worst * 1000)


SIGNAL_OF = {leg: signal for signal, legs in NETS.items() for leg in legs}


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
