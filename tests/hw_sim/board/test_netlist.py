"""The netlist: every leg is joined once, and no supply reaches where it does not belong."""

from collections import Counter

import pytest

from drivers import pins
from hw_sim.board import (
    HEADER_BCM,
    HEADER_PINS,
    HEADER_POWER,
    NETS,
    ON_PI_5,
    PARTS,
    bcm_of,
    header_of,
)

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
