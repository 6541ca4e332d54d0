"""Mistakes of a builder as changes of the netlist, and what they do to a simulated handheld."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from hw_sim.board.netlist import NETS
from hw_sim.trials.diagnosis.patient import InjectedFault, SimulatedPatient, closed_light

Nets = Mapping[str, frozenset[str]]
"""The legs that hang together, by each leg."""
DARK, WEAK = 1.0, 0.3
"""Share of marks that are lost: without light or supply, and with a reversed transistor."""
LEGS: Final = {"swap": 2, "open": 1, "move": 2, "short": 2}
"""Mistakes, and how many legs each has."""
_RAILS: Final = {"Pi.1": "3V3", "Pi.2": "5V", "Pi.39": "GND"}
_MODULES: Final = {"ADXL345": "accelerometer", "SSD1306": "display", "VEML7700": "light"}


def built(changes: Iterable[Sequence[str]]) -> Nets:
    """Return the netlist with mistakes, one after the other.

    A mistake is ``swap`` with two legs, ``open`` with a leg, ``move`` with a leg and the leg that
    it is joined to instead, or ``short`` with two legs.

    Raises:
        ValueError: there is no such mistake or leg, or no doctor can run on such a Pi.
    """
    nets: dict[str, set[str]] = {}
    for joined in map(set, NETS.values()):
        nets |= dict.fromkeys(joined, joined)
    for what, *legs in changes:
        if len(legs) != LEGS.get(what):
            raise ValueError(f"{what!r} is no mistake: write swap, move or short A B, or open A")
        for leg in legs:
            if leg not in nets and not leg.startswith("Pi.") and leg != "ADXL345.INT2":
                raise ValueError(f"there is no leg {leg!r} in the netlist")
        one, other = legs[0], legs[-1]
        if what == "swap":
            first, second = nets.get(one, set()), nets.get(other, set())
            _move(nets, one, second)
            _move(nets, other, first)
        elif what == "open":
            _move(nets, one, set())
        elif what == "move":
            _move(nets, one, nets.get(other, set()))
        else:
            together = nets[one] | nets[other]
            for leg in together:
                nets[leg] = together
    for one, other in combinations(_RAILS, 2):
        if other in nets[one]:
            raise ValueError(f"{_RAILS[one]} and {_RAILS[other]} are joined: the Pi does not start")
    return {leg: frozenset(legs) for leg, legs in nets.items()}


def _move(nets: dict[str, set[str]], leg: str, to: set[str]) -> None:
    nets.get(leg, set()).discard(leg)
    to.add(leg)
    nets[leg] = to


def wired(changes: Sequence[Sequence[str]]) -> InjectedFault:
    """Return a fault: the handheld is built with mistakes; see `built`, also for errors."""
    nets = built(changes)
    return lambda patient: _wire(patient, nets)


def _wire(patient: SimulatedPatient, nets: Nets) -> None:
    board = patient.board
    supply, ground = nets["Pi.1"], nets["Pi.39"]
    lines = {"SDA": nets["Pi.3"], "SCL": nets["Pi.5"]}
    held = [name for name, net in lines.items() if net == ground]
    if held:
        board.stick("SDA" if held == ["SDA"] else "SCL" if held == ["SCL"] else "both")
    for module, part in _MODULES.items():
        wanted = {"VCC": supply, "GND": ground, **lines}
        if module == "ADXL345":
            wanted["CS"] = supply
        astray = any(nets[f"{module}.{leg}"] != net for leg, net in wanted.items())
        if astray or lines["SDA"] == lines["SCL"]:
            board.unplug(part)
        elif module == "ADXL345" and nets["ADXL345.SDO"] == supply:
            board.strap(part)
    _signal(patient, nets, "accelerometer.int1", "Pi.11", "ADXL345.INT1", True)
    powered = nets["TTP223.VCC"] == supply and nets["TTP223.GND"] == ground
    _signal(patient, nets, "touch.q", "Pi.15", "TTP223.Q", powered)
    if loss := max(_deaf(nets), _dark(nets)):
        closed_light(loss_rate=loss)(patient)


def _signal(
    patient: SimulatedPatient, nets: Nets, wire: str, pin: str, leg: str, driven: bool
) -> None:
    if nets[pin] in (nets["Pi.1"], nets["Pi.39"]):
        patient.board.tie(wire, int(nets[pin] == nets["Pi.1"]))
    elif leg not in nets[pin] or not driven:
        patient.board.cut(wire)


def _deaf(nets: Nets) -> float:
    """The share of marks that the receiver misses."""
    fed = nets["R4.1"] == nets["Pi.1"] and nets["R4.2"] == nets["TSOP38238.VS"]
    grounded = nets["TSOP38238.GND"] == nets["Pi.39"]
    return 0.0 if fed and grounded and nets["TSOP38238.OUT"] == nets["Pi.16"] else DARK


def _dark(nets: Nets) -> float:
    """The share of marks that the sender does not send well enough."""
    ways = [("R1.1", "Pi.2"), ("R1.2", "D1.A"), ("D1.K", "Q1.C"), ("Q1.E", "Pi.39")]
    ways += [("Q1.B", "R2.2"), ("R2.1", "Pi.12")]
    if nets["D1.A"] == nets["D1.K"]:
        return DARK
    if all(nets[one] == nets[other] for one, other in ways):
        return 0.0
    reversed_ways = [*ways[:2], ("D1.K", "Q1.E"), ("Q1.C", "Pi.39"), *ways[4:]]
    return WEAK if all(nets[one] == nets[other] for one, other in reversed_ways) else DARK
