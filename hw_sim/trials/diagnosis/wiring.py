"""Mistakes of a builder as changes of the netlist, and what they do to a simulated handheld."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from hw_sim.board import HEADER_BCM, HEADER_POWER, NETS, PARTS, bcm_of
from hw_sim.trials.diagnosis import InjectedFault, SimulatedPatient
from hw_sim.trials.faults import KnownFault

Nets = Mapping[str, frozenset[str]]
"""The legs that hang together, by each leg."""
DARK, WEAK = 1.0, 0.3
"""Share of marks that are lost: without light or supply, and with a reversed transistor; chosen."""
LEGS: Final = {"swap": 2, "open": 1, "move": 2, "short": 2, "supply": 1}
"""Mistakes, and how many legs each has."""
_FLOW_A: Final = (5.25 - 4.75) / 0.2
"""From one supply into another: how far they may differ (USB 2.0, 7.2.2), over leads (assumed)."""
_RAILS: Final = {"Pi.1": "3V3", "Pi.2": "5V", "Pi.39": "GND"}
_MODULES: Final = {"ADXL345": "accelerometer", "SSD1306": "display", "VEML7700": "light"}
_WEAK_PARTS: Final = ("Pi.", "ADXL345.", "SSD1306.", "VEML7700.")
"""How the legs of all begin that bear 3.3 V, as their data sheets give 3.3 to 3.6 V."""
_SUPPLIED: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(("SSD1306", "VEML7700", "ADXL345", "TTP223"), ("VCC", "GND")),
    "TSOP38238": ("VS", "GND"), "C1": ("+", "-"),
}  # fmt: skip
"""Legs for plus and minus of each part that a reversed supply destroys (data sheets)."""
_SENDERS: Final = ("Pi.12", "Pi.33")
"""Pins of the Pi that are outputs."""
_LOW_AT_REST: Final = frozenset({"ADXL345.INT1", "ADXL345.INT2", "TTP223.Q", "Pi.12"})
_DRIVERS: Final = _LOW_AT_REST | {"TSOP38238.OUT"}
"""Legs that push a line up and down by themselves."""
_WAYS: Final = (
    *((f"{part}.{one}", f"{part}.{other}")
      for part, what in PARTS.items() if what.kind == "resistor"
      for one, other in (what.legs, what.legs[::-1])),
    ("D1.A", "D1.K"), ("TTP223.VCC", "TTP223.Q"), ("TSOP38238.VS", "TSOP38238.OUT"),
)  # fmt: skip
"""Legs of a part between which a voltage passes, from one to the other.

The outputs of pad and receiver swing to their supply (data sheets of TTP223 and TSOP382).
"""


def built(changes: Iterable[Sequence[str]]) -> Nets:
    """Return the netlist with mistakes, one after the other.

    A mistake is ``swap`` with two legs, ``open`` with a leg, ``move`` with a leg and the leg that
    it is joined to instead, ``short`` with two legs, or ``supply`` with the leg that a second
    supply of 5 V feeds. The leg of a header is the end of the wire there: ``move Pi.1 Pi.17`` puts
    that wire on pin 17, which carries the same.

    Raises:
        ValueError: there is no such mistake or leg, no doctor can run on such a Pi, or 5 V is
            where it may not be.
    """
    nets: dict[str, set[str]] = {
        f"{name}.{leg}": {f"{name}.{leg}"} for name, part in PARTS.items() for leg in part.legs
    }
    for joined in map(set, NETS.values()):
        nets |= dict.fromkeys(joined, joined)
    for what, *legs in changes:
        if len(legs) != LEGS.get(what):
            raise ValueError(f"{what!r} is no mistake: write swap, move, short A B; open, supply A")
        for leg in legs:
            if leg not in nets:
                raise ValueError(f"there is no leg {leg!r} in the netlist")
        one, other = legs[0], legs[-1]
        if len(legs) == 2 and one == other:
            raise ValueError(f"{what} {one} {other}: name two different legs")
        if what == "supply":
            other = "Pi.2"
            if one in _with_rails(nets)[other]:
                raise ValueError(f"two supplies feed 5V: up to {_FLOW_A:.1f} A flow; take one off")
        if what == "swap":
            first, second = nets[one], nets[other]
            if first is not second:
                _move(nets, one, second)
                _move(nets, other, first)
        elif what == "open":
            _move(nets, one, set())
        elif what == "move" and not one.startswith("Pi."):
            _move(nets, one, nets[other])
        else:
            together = nets[one] | nets[other]
            nets |= dict.fromkeys(together, together)
            if what == "move" and len(nets[one]) > 2:
                _move(nets, one, set())
    whole = _with_rails(nets)
    for one, other in combinations(_RAILS, 2):
        if other in whole[one]:
            rails = f"{_RAILS[one]} and {_RAILS[other]}"
            raise ValueError(f"{rails} are joined: the Pi does not start; take the power off")
    if danger := _too_much(whole):
        raise ValueError(danger)
    return whole


def _move(nets: dict[str, set[str]], leg: str, to: set[str]) -> None:
    nets[leg].discard(leg)
    to.add(leg)
    nets[leg] = to


def _with_rails(nets: Mapping[str, Collection[str]]) -> Nets:
    """The nets with the pins of the header that the Pi joins."""
    whole = {leg: set(legs) for leg, legs in nets.items()}
    for pin, rail in _RAILS.items():
        pins = [f"Pi.{place}" for place, power in HEADER_POWER.items() if power == rail]
        joined = set().union(*(whole[one] for one in (pin, *pins)))
        whole |= dict.fromkeys(joined, joined)
    return {leg: frozenset(legs) for leg, legs in whole.items()}


def _fed(nets: Nets) -> dict[str, tuple[str, ...]]:
    """The legs that 5 V reaches, each with the parts that it passes, from the nearest leg on.

    GND holds what it is joined to.
    """
    found: dict[str, tuple[str, ...]] = {}
    ahead: list[tuple[str, tuple[str, ...]]] = [("Pi.2", ())]
    while ahead:
        start, passed = ahead.pop(0)
        if start in found or "Pi.39" in nets[start]:
            continue
        found |= dict.fromkeys(nets[start], passed)
        if "Pi.1" not in nets[start]:
            ahead += [
                (end, (*passed, end.partition(".")[0]))
                for leg in sorted(nets[start])
                for here, end in _WAYS
                if here == leg
            ]
    return found


def dangers(nets: Nets) -> Iterator[str]:
    """Yield one line for each thing that burns although the Pi starts: a reversed supply first.

    A part whose minus leg is fed with 3.3 V conducts through its input diodes. Two outputs on one
    net, and an output on a supply, drive more than a pin bears: 8 mA by default, 16 mA at most
    (Raspberry Pi, GPIO pads control). A base takes its current by way of a resistor alone.
    """
    supply, ground = nets["Pi.1"], nets["Pi.39"]
    fed = _reached(nets, "Pi.1")
    for part, (_, minus) in _SUPPLIED.items():
        if f"{part}.{minus}" in fed:
            way = "its supply is reversed" if part != "C1" else "C1 is the wrong way round"
            yield f"3.3 V on {part}.{minus}, which belongs on GND: {way}, and it burns"
    for leg, why in (("D1.A", "R1"), ("Q1.B", "R2")):
        if nets[leg] == supply and nets[leg] != ground:
            yield f"3.3 V on {leg} without {why}: nothing limits its current"
    for net in sorted({tuple(sorted(net)) for net in nets.values()}):
        pushing = [leg for leg in net if _pushes(leg, nets)]
        pulling = [leg for leg in net if leg in ("Pi.3", "Pi.5", "TSOP38238.OUT")]
        rails = [name for name, rail in (("3V3", supply), ("GND", ground)) if net[0] in rail]
        if len(pushing) > 1 or (pushing and (rails or pulling)) or (pulling and "3V3" in rails):
            one, *others = [*map(_called, [*pushing, *pulling]), *rails]
            yield f"{one} drives against {', '.join(others)}: the output burns"
        elif pushing and "Q1.B" in net:
            yield f"{_called(pushing[0])} on Q1.B without R2: nothing limits its current"


def _reached(nets: Nets, rail: str) -> frozenset[str]:
    """The legs that a supply feeds, also by way of R4, and GND none of them."""
    found = nets[rail]
    if rail in nets["R4.1"]:
        found |= nets["R4.2"]
    return found - nets["Pi.39"]


def _pushes(leg: str, nets: Nets) -> bool:
    """Whether a leg is an output that has power and drives both ways."""
    part = leg.partition(".")[0]
    if leg not in _DRIVERS | set(_SENDERS) or part == "TSOP38238":
        return False
    return part == "Pi" or (nets[f"{part}.VCC"], nets[f"{part}.GND"]) == (
        nets["Pi.1"], nets["Pi.39"],
    )  # fmt: skip


def _called(leg: str) -> str:
    """A pin of the Pi by its BCM number, any other leg by its name."""
    part, _, name = leg.partition(".")
    pin = int(name) if part == "Pi" else 0
    return f"BCM {HEADER_BCM[pin]}" if pin in HEADER_BCM else leg


def _too_much(nets: Nets) -> str | None:
    """Return a line about a leg that 5 V reaches here and not in the right nets, or None.

    A pin of the Pi comes first, then a leg of a chip, then what 5 V reaches by way of parts. A leg
    of anything else bears what a part lets through.
    """
    right, fed = _fed(_RIGHT), _fed(nets)
    astray = [
        leg for leg, passed in fed.items()
        if (leg not in right and (leg.startswith(_WEAK_PARTS) or not passed))
        or (right.get(leg) and not passed)
    ]  # fmt: skip
    if not astray:
        return None
    leg = min(
        astray,
        key=lambda leg: (
            not leg.startswith(_WEAK_PARTS), len(fed[leg]), not leg.startswith("Pi."),
            not leg.endswith(".VCC"), leg,
        ),
    )  # fmt: skip
    what = _called(leg)
    way = f" by way of {', '.join(fed[leg])}" if fed[leg] else ""
    if leg in right:
        bears = f"which gets it by way of {', '.join(right[leg])} alone"
    elif leg in _RIGHT["Pi.39"]:
        bears = "which belongs on GND"
    else:
        bears = "which bears 3.3 V" if leg.startswith(_WEAK_PARTS) else "which gets 3.3 V at most"
    return f"5 V on {what}{way}, {bears}: take the power off, then look at {leg}"


_RIGHT: Final = _with_rails(
    {leg: legs for legs in NETS.values() for leg in legs}
    | {f"Pi.{pin}": (f"Pi.{pin}",) for pin in HEADER_POWER if pin not in (1, 2, 39)}
)


class Effects(NamedTuple):
    """The effects of mistakes on a simulated handheld.

    Attributes:
        held: the line of the bus that something holds down, "both", or "".
        unplugged, strapped: modules that do not answer, or at their other address.
        tied: levels of wires that a supply holds; the piezo's by its BCM number.
        cut: wires that carry nothing.
        loss: share of marks that the own receiver misses, 0 to 1.
    """

    held: str
    unplugged: tuple[str, ...]
    strapped: tuple[str, ...]
    tied: tuple[tuple[str | int, int], ...]
    cut: tuple[str, ...]
    loss: float


def wired(nets: Nets) -> InjectedFault:
    """Return a fault: the handheld has these nets; `built` makes them."""
    effects = effects_of(nets)
    return lambda patient: inject(patient, effects)


def effects_of(nets: Nets) -> Effects:
    """Return what nets do to a handheld."""
    supply, ground = nets["Pi.1"], nets["Pi.39"]
    lines = {"SDA": nets["Pi.3"], "SCL": nets["Pi.5"]}
    held = [
        name
        for name, net in lines.items()
        if net == ground or net & _LOW_AT_REST or _through_a_module(net, nets)
    ]
    dead = lines["SDA"] == lines["SCL"] or supply in lines.values()
    unplugged, strapped = [], []
    for module, part in _MODULES.items():
        wanted = {"VCC": supply, "GND": ground, **lines}
        if module == "ADXL345":
            wanted["CS"] = supply
        astray = any(nets[f"{module}.{leg}"] != net for leg, net in wanted.items())
        if astray or dead:
            unplugged.append(part)
        elif module == "ADXL345" and nets["ADXL345.SDO"] == supply:
            strapped.append(part)
    powered = nets["TTP223.VCC"] == supply and nets["TTP223.GND"] == ground
    tied, cut = list[tuple[str | int, int]](), []
    for wire, pin, leg, driven in (
        ("accelerometer.int1", "Pi.11", "ADXL345.INT1", True),
        ("touch.q", "Pi.15", "TTP223.Q", powered),
    ):
        if nets[pin] in (supply, ground):
            tied.append((wire, int(nets[pin] == supply)))
        elif nets[pin] & _DRIVERS != {leg} or not driven:
            cut.append(wire)
    piezo = nets["Pi.33"]
    near = [piezo, *(nets[end] for leg, end in _WAYS if leg in piezo and leg.startswith("R5"))]
    held_by = [net for net in near if net in (supply, ground)]
    tied += [(bcm_of("piezo"), int(net == supply)) for net in held_by[:1]]
    return Effects(
        "both" if len(held) == 2 else "".join(held),
        tuple(unplugged), tuple(strapped), tuple(tied), tuple(cut),
        max(_deaf(nets), _dark(nets)),
    )  # fmt: skip


def _through_a_module(line: Collection[str], nets: Nets) -> bool:
    """Whether a module's GND hangs on a line of the bus, and one of its signals on GND.

    Then the diode at that signal's input draws the line down.
    """
    return any(
        f"{module}.GND" in line and nets["Pi.39"] & {f"{module}.SDA", f"{module}.SCL"}
        for module in _MODULES
    )


def inject(patient: SimulatedPatient, effects: Effects) -> None:
    """Do this to a simulated handheld."""
    board = patient.board
    if effects.held:
        board.stick(effects.held)  # type: ignore[arg-type]
    for part in effects.unplugged:
        board.unplug(part)
    for part in effects.strapped:
        board.strap(part)
    for wire, level in effects.tied:
        board.tie(wire, level)
    for wire in effects.cut:
        board.cut(wire)
    if effects.loss:
        KnownFault("", light={"loss_rate": effects.loss})(patient)


def _deaf(nets: Nets) -> float:
    """The share of marks that the receiver misses."""
    supply, ground, line = nets["Pi.1"], nets["Pi.39"], nets["Pi.16"]
    fed = nets["R4.1"] == supply and nets["R4.2"] == nets["TSOP38238.VS"] != ground
    fed &= nets["C1.-"] != nets["R4.2"]  # the wrong way round it conducts above 1.5 V
    grounded = nets["TSOP38238.GND"] == ground
    heard = line & _DRIVERS == {"TSOP38238.OUT"} and line not in (supply, ground)
    return 0.0 if fed and grounded and heard else DARK


def _dark(nets: Nets) -> float:
    """The share of marks that the sender does not send well enough."""
    ways = [("R1.1", "Pi.2"), ("R1.2", "D1.A"), ("D1.K", "Q1.C"), ("Q1.E", "Pi.39")]
    ways += [("Q1.B", "R2.2"), ("R2.1", "Pi.12")]
    apart = {nets[leg] for leg in ("Pi.1", "Pi.39", "R1.1", "R1.2", "D1.K", "Q1.B", "R2.1")}
    if len(apart) < 7:  # something shorts a part, or holds its leg
        return DARK
    if all(nets[one] == nets[other] for one, other in ways):
        return 0.0
    reversed_ways = [*ways[:2], ("D1.K", "Q1.E"), ("Q1.C", "Pi.39"), *ways[4:]]
    return WEAK if all(nets[one] == nets[other] for one, other in reversed_ways) else DARK
