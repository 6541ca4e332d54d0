"""The parts list: every number has a source, and every part of the netlist can be bought."""

import re

import pytest

from hardware.board.nets import legs_of, signals
from hardware.parts import bought
from hardware.power import bus_faults, bus_levels, power_states
from hw_sim.board import NETS, PARTS


def test_every_source_is_used_and_every_number_has_one():
    parts = bought()
    used = {one.source for one in parts.figures().values()}
    used |= {one.sheet for one in parts.parts.values()}
    assert used == set(parts.sources)


def test_each_part_of_the_netlist_is_on_one_line_of_the_list():
    fitted = [name for part in bought().parts.values() for name in part.fits]
    assert sorted(fitted) == sorted(PARTS)


def test_as_many_are_bought_as_the_netlist_has():
    for name, part in bought().parts.items():
        if part.fits:
            assert part.one == len(part.fits), name
            assert part.four == 4 * part.one, name


@pytest.mark.parametrize("name", ["R1", "R2", "R3", "R4", "R5", "C1"])
def test_what_is_bought_has_the_value_of_the_netlist(name):
    (part,) = [one for one in bought().parts.values() if name in one.fits]
    found = re.match(r"([\d.]+) (µ|k)?[ΩF]", part.take)
    scale = {"k": 1e3, "µ": 1e-6, None: 1}[found[2]]
    assert float(found[1]) * scale == pytest.approx(PARTS[name].value)


def test_every_leg_is_joined_once():
    joined = {leg for leg in signals(NETS) if not leg.startswith("Pi.")}
    assert joined == legs_of(name for name in PARTS if name != "Pi")


def test_a_leg_with_two_signals_is_refused():
    with pytest.raises(ValueError, match=r"Pi\.3 belongs to 'SDA' and to 'oops'"):
        signals({**NETS, "oops": ("Pi.3", "Pi.7")})


def test_the_states_go_from_the_least_current_to_the_largest_and_name_the_parts_list():
    currents = [state.current_ma() for state in power_states()]
    assert currents == sorted(currents)
    assert currents[0] == pytest.approx(121)
    assert {name for state in power_states() for name in state.takes} < set(bought().power)


def test_the_pull_ups_of_all_boards_leave_a_level_that_the_pi_reads_as_low():
    assert bus_levels().ohm == pytest.approx(1 / (1 / 1800 + 6 / 10000))
    assert list(bus_faults()) == []
    assert list(bus_faults(boards=6)) != []
