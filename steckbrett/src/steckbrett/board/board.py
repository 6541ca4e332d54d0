"""A board: any parts on one bus, pins, the wires between them, and the faults that befall them.

Wires carry levels that parts drive, and edges that they sense.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Literal

from ..clock import Clock, Due, SteppedClock
from ..parts import CountedOffence, Offence, OffenceLog, PartModel, steady
from ..parts.catalogue import make
from .bus import BAUD, BITS_PER_BYTE, EREMOTEIO, SimulatedSMBus
from .gpio import Profile, SimulatedGPIO
from .pins import Pins
from .plan import (
    PartPlan,
    PlanError,
    PlannedPress,
    Wire,
    check_baud,
    check_number,
    check_press,
    part_of,
    pin_of,
    press_of,
    pull_of,
    pulls_of,
    wires_of,
)
from .worlds import Worlds


class Links:
    """The wires of one board, and who has to be told of what when.

    ``now_us`` is the board's clock.
    """

    def __init__(self, pins: Pins, clock: Clock, now_us: Callable[[], int]) -> None:
        self._pins, self._clock, self._now_us = pins, clock, now_us
        self._links: dict[str, _Link] = {}
        self._on_bus: list[_Link] = []

    def wire(self, name: str, part: Any, leg: str, pin: int) -> None:
        """Lead a wire from a pin of a part to BCM ``pin``.

        Raises:
            PlanError: the part has no such pin; the text has those there are.
        """
        legs = (*part.outputs, *part.inputs)
        if leg not in legs:
            known = ", ".join(legs) or "none"
            raise PlanError(f"{name} has no pin {leg!r} to wire: it has {known}")
        link = self._links.setdefault(name, _Link(name, part))
        (link.outputs if leg in part.outputs else link.inputs).append((leg, pin))
        part.wired.add(leg)

    def begin(self, on_bus: Iterable[str]) -> None:
        """Follow every part from now on; those ``on_bus`` also after each transaction."""
        self._pins.on_change.append(self._sense)
        self._on_bus = [self._links[name] for name in on_bus if name in self._links]
        for link in self._links.values():
            self._follow(link)

    def close(self) -> None:
        """Take all timers off the clock."""
        for link in self._links.values():
            if link.timer is not None:
                link.timer.cancel()
            link.timer = link.due_us = None

    def pin_at(self, end: str) -> int:
        """Return the BCM number that a wire leads to from ``part.pin``."""
        name, _, leg = end.rpartition(".")
        link = self._links.get(name)
        for wired, pin in () if link is None else (*link.outputs, *link.inputs):
            if wired == leg:
                return pin
        raise PlanError(f"no wire at {end}")

    def pins_of(self, name: str) -> set[int]:
        """Return the BCM numbers that wires lead to from a part."""
        link = self._links.get(name)
        return set() if link is None else {pin for _, pin in (*link.outputs, *link.inputs)}

    def wired_to(self, pin: int) -> list[str]:
        """Return what wires lead to from a pin, as ``part.pin``."""
        return [
            f"{link.name}.{leg}"
            for link in self._links.values()
            for leg, wired in (*link.outputs, *link.inputs)
            if self._pins[wired].net is self._pins[pin].net
        ]

    def power(self, name: str, on: bool, part: Any = None) -> None:
        """Follow a part that has power or has lost it; ``part``: another one in its place."""
        link = self._links.get(name)
        if link is None:
            return
        if part is not None:
            link.fit(part)
        link.on = on
        self._follow(link)

    def follow(self, name: str) -> None:
        """Bring the pins to where a part has them."""
        if name in self._links:
            self._follow(self._links[name])

    def follow_host(self) -> None:
        """Follow what the host did to parts on the bus; others only go on."""
        for link in self._on_bus:
            if link.part.accesses != link.accesses:
                self._follow(link)
            elif link.on:
                link.part.advance(self._now_us())

    def _follow(self, link: "_Link") -> None:
        """Bring the pins to where a part has them, and come back when it may change by itself."""
        part, due_us = link.part, None
        link.accesses = part.accesses
        if not link.on:
            for leg, pin in link.outputs:
                self._pins.drive(pin, None, f"{link.name}.{leg}")
        else:
            part.advance(self._now_us())
            for leg, pin in link.outputs:
                self._pins.drive(pin, part.output(leg), f"{link.name}.{leg}")
            due_us = part.next_event_us()
        if due_us == link.due_us:
            return
        link.due_us = due_us
        if link.timer is not None:
            link.timer.cancel()
            link.timer = None
        if due_us is not None:
            link.timer = self._clock.call_at(due_us / 1e6, self._came_due, link)

    def _came_due(self, link: "_Link") -> None:
        link.timer = link.due_us = None
        self._follow(link)

    def _sense(self, pin: int, level: int) -> None:
        for link in self._links.values():
            for leg, wired in link.inputs:
                if wired == pin:
                    link.part.sense(leg, level, self._now_us())
                    self._follow(link)


class _Link:
    """A part that is wired to pins: which, and when it may next change one."""

    def __init__(self, name: str, part: Any) -> None:
        self.name, self.part = name, part
        self.on = True
        self.outputs: list[tuple[str, int]] = []
        self.inputs: list[tuple[str, int]] = []
        self.accesses = 0
        self.due_us: int | None = None
        self.timer: Due | None = None

    def fit(self, part: Any) -> None:
        """Let another part have the wires of those pins that it has too."""
        self.part, self.accesses = part, part.accesses
        self.outputs = [wire for wire in self.outputs if wire[0] in part.outputs]
        self.inputs = [wire for wire in self.inputs if wire[0] in part.inputs]
        part.wired.update(leg for leg, _ in (*self.outputs, *self.inputs))


Line = Literal["SDA", "SCL", "both"]
SDA_BCM, SCL_BCM = 2, 3
"""The pins of I2C on a Raspberry Pi's header (data sheet of the BCM2835, 6.2)."""
GENERAL_CALL = 0
"""The address that all parts may hear (NXP, UM10204)."""
_HELD = {"SDA": (SDA_BCM,), "SCL": (SCL_BCM,), "both": (SDA_BCM, SCL_BCM)}
_ANOTHER_CHIP = 3  # these bits of an identity differ


class Board:
    """Parts, wires and pins, powered up at the clock's present time.

    Args:
        parts: words for `part_of`, or models of your own.
        wires: words for `wires_of`, or by BCM number ``part.pin`` or another BCM number.
        pulls: words for `pulls_of`, or ``up`` or ``down`` by BCM number: resistors on the board.
        presses: of pins and parts, as `PlannedPress` or in words for `press_of`.
        worlds: what sensors feel, in words for `world_of`.
        clock: an asyncio loop, or anything that has `Clock`; by default one that stands still.
        seed: decides what differs from part to part: clocks, offsets, noise.
        profile: how the library behaves that stands for ``RPi.GPIO``.
        baud: bits a second on the bus, 10,000 to 1,000,000.

    Attributes:
        bus: as ``smbus2.SMBus``.
        pins: the pins by BCM number.
        gpio: as ``RPi.GPIO``.
        parts: the models by name.
        on_transaction: are called after each transaction, or after each job on the bus.
        links: the wires between parts and pins.
        worlds: what every sensor feels together.
        addresses: 7-bit addresses of those on the bus, by name.
        lacking: what programs looked for and the bench has not.

    Raises:
        PlanError: an unknown part, a name or address that is taken, a wire that leads nowhere.
    """

    def __init__(
        self,
        parts: Iterable[str | PartPlan | PartModel] = (),
        wires: Mapping[int, Wire] | Iterable[str] = (),
        pulls: Mapping[int, str] | Iterable[str] = (),
        presses: Iterable[str | PlannedPress] = (),
        worlds: Iterable[str] = (),
        *,
        clock: Clock | None = None,
        seed: int | str = 0,
        profile: Profile = "rpi-gpio",
        baud: int = BAUD,
    ) -> None:
        self.clock: Clock = SteppedClock() if clock is None else clock
        self.ahead_us = 0
        self.lacking = OffenceLog()
        self.bus = SimulatedSMBus({}, self.now_us)
        self.bus.bit_ns = 1_000_000_000 // check_baud(baud)
        self.pins = Pins(self.now_us, seed)
        self.gpio = SimulatedGPIO(self.clock, profile, self.pins)
        self.parts: dict[str, Any] = {}
        self.addresses: dict[str, int] = {}
        self.links = Links(self.pins, self.clock, self.now_us)
        self._unplugged, self._frozen = set[str](), set[str]()
        self._gone: list[PartModel] = []
        self.on_transaction: list[Callable[[], None]] = []
        for pin in (SDA_BCM, SCL_BCM):
            self.pins.pull(pin, 1)
        for pin, pull in pulls_of(pulls).items():
            self.pins.pull(pin_of(pin), pull_of(pull))
        for part in parts:
            self._fit(part, seed)
        self._hear_calls()
        for pin, end in wires_of(wires).items():
            self._wire(pin_of(pin), end)
        self._wire_usual()
        self.worlds = Worlds(self)
        for press in presses:
            self.press(*(press_of(press) if isinstance(press, str) else press))
        for words in worlds:
            self.worlds.plan(words)
        self.bus.after_job = self._after_job
        self.links.begin(self.addresses)

    def now_us(self) -> int:
        """Return the board's clock in µs, and how far a transfer at the pins is ahead of it."""
        return round(self.clock.time() * 1e6) + self.ahead_us

    def close(self) -> None:
        """Take the board's timers off the clock."""
        self.links.close()

    def offences(self, *kinds: Offence) -> list[str]:
        """Return one line for each different offence of ``kinds`` (none: of any)."""
        return [str(one) for one in self.counted(*kinds)]

    def counted(self, *kinds: Offence) -> list[CountedOffence]:
        """Return each different offence of ``kinds`` (none: of any), part by part."""
        logs = [self.lacking, *(part.log for part in (*self.parts.values(), *self._gone))]
        return [one for log in (*logs, self.pins.offences) for one in log.counted(*kinds)]

    # ---- the world ---------------------------------------------------------------------------

    def world(self, name: str, **what: Any) -> None:
        """Change the world of a part from now on: values, or functions of the time in µs."""
        part = self.fitted(name)
        if name in self._frozen:
            return
        for key, value in what.items():
            if key not in part.worlds:
                known = ", ".join(part.worlds) or "none"
                raise PlanError(f"no {key!r} in the world of {name}: it has {known}")
            if name not in self._unplugged:
                part.advance(self.now_us())
            setattr(part, key, value if callable(value) else steady(value))

    def act(self, name: str, what: str, *args: Any) -> None:
        """Do ``what`` to a part now, such as ``touch`` with True."""
        getattr(self.fitted(name), what)(*args, self.now_us())
        self.links.follow(name)

    def press(
        self, pin: int | str, at_s: float, seconds: float = 0.1, level: int | None = None
    ) -> None:
        """Press a button at ``pin``, or a part of this name, from ``at_s`` of the clock on.

        ``level``: what it connects the pin to; None is the opposite of its pull, ground if none.
        """
        check_press(pin, at_s, seconds, level)
        if isinstance(pin, str):
            self.worlds.press(pin, at_s, seconds)
            return
        self.clock.call_at(at_s, self.pins.press, pin_of(pin), level)
        self.clock.call_at(at_s + seconds, self.pins.drive, pin, None, "press")

    def at(self, at_s: float) -> "_Later":
        """Return the board as it will be at ``at_s``: ``board.at(4.0).unplug("adxl345")``."""
        check_number(at_s, "time of a change")
        return _Later(self, at_s)

    # ---- faults ------------------------------------------------------------------------------

    def unplug(self, name: str) -> None:
        """Take a part off the board, with its power.

        Raises, as every fault of a part below:
            PlanError: there is no part of this name; the text has those there are.
        """
        part = self.fitted(name)
        if name in self.addresses:
            self.bus.unplug(self.addresses[name])
        self._unplugged.add(name)
        self._hear_calls()
        part.power_up(self.now_us())
        self.links.power(name, False)

    def replug(self, name: str) -> None:
        """Put a part back; it powers up anew."""
        part = self.fitted(name)
        part.power_up(self.now_us())
        if name in self.addresses:
            self.bus.attach(self.addresses[name], part)
        self._unplugged.discard(name)
        self._hear_calls()
        self.links.power(name, True)

    def swap(self, name: str, other: str) -> None:
        """Let two parts answer at each other's address."""
        first, second = self._address(name), self._address(other)
        self.addresses[name], self.addresses[other] = second, first
        self.bus.unplug(first)
        self.bus.unplug(second)
        for each in (name, other):
            if each not in self._unplugged:
                self.bus.attach(self.addresses[each], self.parts[each])

    def strap(self, name: str) -> None:
        """Tie the select pin of a part the other way: it answers at its other address."""
        part = self.fitted(name)
        if part.other_address is None:
            raise PlanError(f"{part.name} has no select pin")
        self.bus.unplug(self._address(name))
        self.addresses[name] = part.other_address
        self.bus.attach(part.other_address, part)

    def wrong_chip(self, name: str) -> None:
        """Let a part answer with the identity of another chip."""
        part = self.fitted(name)
        if not part.identity:
            raise PlanError(f"{part.name} has no identity to falsify")
        part.identity ^= _ANOTHER_CHIP

    def replace(self, name: str, kind: str) -> Any:
        """Fit a part of another kind in place of one, in the same world, and return it."""
        gone = self.fitted(name)
        self.unplug(name)
        self._gone.append(gone)
        self._unplugged.discard(name)
        other = self.parts[name] = make(kind, 0, self.now_us())
        for key in set(gone.worlds) & set(other.worlds):
            setattr(other, key, getattr(gone, key))
        self.addresses.pop(name, None)
        if other.address is not None:
            self.addresses[name] = other.address
            self.bus.attach(other.address, other)
        self._hear_calls()
        self.links.power(name, True, other)
        return other

    def nack(self, count: int = 1, name: str | None = None, error: int = EREMOTEIO) -> None:
        """Let the next ``count`` transactions (with a part; None: any) fail with this errno."""
        self.bus.fail_next(count, error, None if name is None else self._address(name))

    def stick(self, line: Line = "both", stuck: bool = True) -> None:
        """Hold lines of the bus low, or let them go; meanwhile transactions fail with errno 110."""
        held = _held(line)
        self.bus.stuck = stuck
        for pin in (SDA_BCM, SCL_BCM):
            self.pins.tie(pin, 0 if stuck and pin in held else None)

    def cut(self, wire: int | str) -> None:
        """Cut the wires of a pin, by its BCM number or as ``part.pin``."""
        self.pins.cut(self._pin(wire))

    def tie(self, wire: int | str, level: int) -> None:
        """Short the wires of a pin to 3.3 V (1) or to ground (0)."""
        self.pins.tie(self._pin(wire), level)

    def freeze(self, name: str, **what: Any) -> None:
        """Change the world of a part as `world` does, for ever."""
        self.world(name, **what)
        self._frozen.add(name)

    def powered(self, name: str) -> bool:
        """Return whether a part is on the board."""
        return name not in self._unplugged

    # ---- building ----------------------------------------------------------------------------

    def _fit(self, part: str | PartPlan | PartModel, seed: int | str) -> None:
        plan, model = _planned(part, seed, self.now_us())
        address = _free(plan, model, self.parts, self.addresses)
        self.parts[plan.name] = model
        if address is not None:
            self.addresses[plan.name] = address
            self.bus.attach(address, model)
        model.byte_us = self.bus.bit_ns * BITS_PER_BYTE / 1000

    def _hear_calls(self) -> None:
        """Let the parts that know general calls answer at address 0."""
        hears = [self.parts[name] for name in self.addresses if name not in self._unplugged]
        hears = [part for part in hears if type(part).called is not PartModel.called]
        self.bus.unplug(GENERAL_CALL)
        if hears:
            self.bus.attach(GENERAL_CALL, _GeneralCall(hears))

    def _wire(self, pin: int, end: Wire) -> None:
        if isinstance(end, int):
            self.pins.join(pin, pin_of(end))
            return
        name, _, leg = end.rpartition(".")
        part = self.fitted(name)
        self.links.wire(name, part, leg, pin)
        if leg in part.pulls:
            self.pins.pull(pin, part.pulls[leg])

    def _wire_usual(self) -> None:
        """Lead the wires of pins that have a usual place and were given no wire."""
        for name, part in self.parts.items():
            for leg, pin in part.usual.items():
                if leg not in part.wired:
                    self._wire(pin, f"{name}.{leg}")
                if leg == "cs":
                    self.pins.pull_inside(self.links.pin_at(f"{name}.{leg}"), 1)  # as at boot

    def _pin(self, wire: int | str) -> int:
        """Return the BCM number of a wire's end."""
        return pin_of(wire) if isinstance(wire, int) else self.links.pin_at(wire)

    def fitted(self, name: str) -> Any:
        """Return a part; `PlanError` if there is none of this name."""
        if name not in self.parts:
            known = ", ".join(self.parts) or "none"
            raise PlanError(f"no part {name!r} on the board: it has {known}")
        return self.parts[name]

    def _address(self, name: str) -> int:
        part = self.fitted(name)
        if name not in self.addresses:
            raise PlanError(f"{part.name} is not on the bus")
        return self.addresses[name]

    def _after_job(self) -> None:
        self.links.follow_host()
        for watcher in self.on_transaction:
            watcher()


def _planned(part: str | PartPlan | PartModel, seed: int | str, t_us: int) -> tuple[PartPlan, Any]:
    """Return what is known of a part in words, and its model."""
    if isinstance(part, PartModel):
        return PartPlan(part.name.lower(), part.name, None), part
    plan = part if isinstance(part, PartPlan) else part_of(str(part))
    try:
        return plan, make(plan.kind, seed, t_us)
    except ValueError as problem:
        raise PlanError(str(problem)) from problem


def _free(
    plan: PartPlan, model: Any, parts: Mapping[str, Any], addresses: Mapping[str, int]
) -> int | None:
    """Return the address that a part gets, None if it is not on the bus."""
    name, address = plan.name, model.address if plan.address is None else plan.address
    if name in parts:
        raise PlanError(f"two parts are called {name}: write second={plan.kind} for one")
    for other, taken in addresses.items():
        if taken == address:
            raise PlanError(f"address 0x{address:02X} of {name} is taken by {other}")
    if address is not None and model.address is None:
        selects = getattr(model, "selects", ())
        if address not in range(len(selects)):
            known = f"write {plan.kind}@0 or {plan.kind}@1 for CE0 or CE1"
            why = known if selects else "it is not on the bus"
            raise PlanError(f"{name} has no address: {why}")
        model.usual = {**model.usual, "cs": selects[address]}
        return None
    if address in (0, 1):
        raise PlanError(f"address 0x{address:02X} of {name}: 7-bit addresses are 0x03 to 0x77")
    both = () if model.other_address is None else (model.address, model.other_address)
    straps = model.addresses or both
    if straps and address not in straps:
        known = ", ".join(f"0x{each:02X}" for each in straps)
        raise PlanError(f"no strap gives {name} the address 0x{address:02X}: it has {known}")
    return address


def _held(line: str) -> tuple[int, ...]:
    if line not in _HELD:
        raise PlanError(f"no line {line!r}: write SDA, SCL or both")
    return _HELD[line]


class _GeneralCall:
    """Every part that acknowledges address 0, as one."""

    def __init__(self, parts: list[PartModel]) -> None:
        self._parts = parts

    def write(self, data: bytes, t_us: int) -> None:
        for part in self._parts:
            part.accesses += 1
            part.called(data, t_us)

    def read(self, count: int, t_us: int) -> bytes:
        del t_us
        return b"\xff" * count

    def stop(self) -> None:
        pass


class _Later:
    """A board's methods, called at a time.

    Their words are looked at now: a program can swallow what is raised while it runs.
    """

    def __init__(self, board: Board, at_s: float) -> None:
        self._board, self._at_s = board, at_s

    def __getattr__(self, name: str) -> Callable[..., Due]:
        board, method = self._board, getattr(self._board, name)

        def plan(*args: Any, **options: Any) -> Due:
            given = dict(zip(method.__code__.co_varnames[1:], args)) | options
            looks: dict[str, Callable[[Any], object]] = {
                "name": board.fitted, "other": board.fitted, "wire": board._pin, "line": _held,
                "pin": pin_of,
            }  # fmt: skip
            for key, look in looks.items():
                if given.get(key) is not None:
                    look(given[key])
            return board.clock.call_at(self._at_s, partial(method, *args, **options))

        return plan
