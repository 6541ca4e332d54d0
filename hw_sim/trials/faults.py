"""The catalogue of faults: what can go wrong, what it does, and what a doctor or a panel says.

``faults.toml`` has a record for each, and `CATALOGUE` has them by name. Soaks, the doctor's trials,
labs and tests read it. Frames get theirs by chance from `FrameFaults`, links from `MEDIA`.

Numbers without a source are chosen.
"""

import asyncio
import json
import tomllib
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from operator import attrgetter
from os import strerror
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from firmware.display.screens import Delivery
from firmware.display.text.labels import Alert
from firmware.link.bluetooth.hci import AdapterTrouble
from firmware.link.infrared import InfraredError, modulated
from firmware.runtime.board import BoardError
from firmware.upkeep.doctor import Diagnosis
from hw_sim.air import NOMINAL, InfraredAir
from hw_sim.air.broker import MemoryBroker
from hw_sim.air.local_broker import LocalBroker, free_port
from hw_sim.board import SimulatedBoard


class Breakable(Protocol):
    """A handheld's board, its Linux host, and the infrared light around it."""

    board: SimulatedBoard
    host: Any
    air: InfraredAir


class KnownFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record of the catalogue; call one of electronics or system with what it is put into.

    Attributes: see ``faults.toml``. ``place``: its section there. ``doctor``, ``panel``, ``soak``:
    empty if no doctor finds it, no panel shows it, no soak has it.
    """

    does: str
    board: str = ""
    set: dict[str, Any] = {}
    packages: dict[str, str] = {}
    light: dict[str, float] = {}
    program: str = ""
    doctor: str = ""
    panel: str = ""
    soak: str = ""
    share: float = 0.0
    place: str = ""

    @property
    def diagnosis(self) -> Diagnosis:
        """The doctor's diagnosis; `KeyError` if no doctor finds it."""
        return Diagnosis[self.doctor]

    @property
    def shown(self) -> Alert | Delivery:
        """The text that the panel shows; `KeyError` if it shows none."""
        kind, _, name = self.panel.partition(".")
        return Delivery[name] if kind == "Delivery" else Alert[name]

    def __call__(self, patient: Breakable) -> None:
        """Put it in."""
        for path, value in self.set.items():
            owner, _, name = path.rpartition(".")
            made = _MADE.get(name, lambda plain: plain)(value)
            setattr(attrgetter(owner)(patient) if owner else patient, name, made)
        if self.packages:
            found = {**patient.host.packages, **self.packages}
            patient.host.packages = {name: it for name, it in found.items() if it != "missing"}
        if self.light:
            patient.air.how = NOMINAL._replace(**self.light)
        if self.board:
            do(patient.board, self.board)
        if self.program:
            _PROGRAMS[self.program](patient)


_MADE: Final[Mapping[str, Callable[[Any], Any]]] = {
    "adapter_trouble": AdapterTrouble.__getitem__,
    "bus_error": lambda number: OSError(number, strerror(number)),
    "claimed_elsewhere": set,
    "in_groups": frozenset,
    "infrared_error": InfraredError,
    "opened": tuple,
    "pins_error": BoardError,
}
"""Makers of values that TOML cannot hold, by field."""


def do(board: SimulatedBoard, words: str) -> None:
    """Call methods of a board, each with its arguments: ``nack 1 error=5; stick SDA``."""
    for call in words.split(";"):
        name, *arguments = call.split()
        named = dict(one.split("=") for one in arguments if "=" in one)
        plain = (_value(one) for one in arguments if "=" not in one)
        getattr(board, name)(*plain, **{key: _value(value) for key, value in named.items()})


def _value(text: str) -> Any:
    return text if text[0].isalpha() else json.loads(text)


FOREIGN_S = 0.4
"""The time between two transmissions of a foreign sender."""
NERVOUS_S = 0.08
"""The time between two changes of a pad that nobody touches."""


def _foreign_light(patient: Breakable) -> None:
    """Let somebody else send without a pause."""
    other = patient.air.port(1)
    other.open(lambda _pulses: None)
    loop = asyncio.get_running_loop()

    def speak() -> None:
        other.transmit(modulated(bytes(60)))
        loop.call_later(FOREIGN_S, speak)

    speak()


def _nervous_pad(patient: Breakable) -> None:
    loop = asyncio.get_running_loop()

    def flip(level: int) -> None:
        patient.board.tie("touch.q", level)
        loop.call_later(NERVOUS_S, flip, 1 - level)

    flip(1)


_PROGRAMS: Final = {"foreign_light": _foreign_light, "nervous_pad": _nervous_pad}


def _read() -> dict[str, KnownFault]:
    written = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {
        name: msgspec.convert({**record, "place": place}, KnownFault)
        for place, records in written.items()
        for name, record in records.items()
    }


CATALOGUE: Final[Mapping[str, KnownFault]] = _read()
"""All faults by name; in the order of ``faults.toml``."""
FAULTS: Final = {name: fault for name, fault in CATALOGUE.items() if fault.doctor}
"""Those that a doctor finds; each is one fault and nothing else."""
SOAKED: Final = {fault.soak: fault for fault in CATALOGUE.values() if fault.soak}
"""Those of a soak, by its options."""


LATE_US = (50_000, 2_000_000)
"""The least and the most delay of a frame that comes late."""


class FrameFaults(NamedTuple):
    """Faults of frames by chance: the shares that get lost, come late or come twice, 0 to 1.

    Attributes:
        late_us: the least and the most delay of a late frame.
        again_us: those of the second copy; None: it comes with the first.
    """

    loss: float = 0.0
    late: float = 0.0
    again: float = 0.0
    late_us: tuple[int, int] = LATE_US
    again_us: tuple[int, int] | None = None

    def delays_us(self, chance: Random) -> tuple[int, ...]:
        """Return the delay of each copy of a frame that arrives: of none, one or two."""
        fate = chance.random()
        if fate < self.loss:
            return ()
        if fate < self.loss + self.late:
            return (chance.randint(*self.late_us),)
        if fate > 1 - self.again:
            return 0, chance.randint(*self.again_us) if self.again_us else 0
        return (0,)


def turned_over(frame: bytes, chance: Random) -> bytes:
    """Return a frame of which one bit is turned over."""
    changed = bytearray(frame)
    changed[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut_short(frame: bytes, chance: Random) -> bytes:
    """Return a frame without its end, or without anything."""
    return frame[: chance.randrange(len(frame))]


DOWN_S = (0.5, 5.0)
"""How long a broker that was killed is away."""
PARTED_S = 30.0
"""How long no network reaches a seat."""
HELD_S = (0.2, 3.0)
"""How long a real broker, or a hand between two seats, is held."""


class MediumFaults(NamedTuple):
    """The faults of a medium; each returns False where there is nothing to break now.

    Attributes:
        cut: cuts what links two seats.
        fail: lets a seat's controller, or the broker, fail and forget everything.
        mute: lets a seat's controller answer no command any more.
    """

    cut: Callable[[int, int], bool] = lambda _one, _other: False
    fail: Callable[[int], bool] = lambda _seat: False
    mute: Callable[[int], bool] = lambda _seat: False


def _of_bluetooth(services: Any) -> MediumFaults:
    from hw_sim.air.bluetooth import BluetoothAir  # needs the extra bluetooth

    air = services.air
    assert isinstance(air, BluetoothAir), "all seats have Bluetooth"

    def strike(with_what: str, seat: int) -> bool:
        for controller in air.controllers_of(seat):
            getattr(controller, with_what)()
        return True

    return MediumFaults(air.cut, partial(strike, "fail"), partial(strike, "fall_mute"))


def _of_infrared(services: Any) -> MediumFaults:
    """Hold a hand between two seats for 0.2 to 3 s."""
    chance = Random("infrared faults")

    def cut(one: int, other: int) -> bool:
        services.infrared.block(one, other, chance.uniform(*HELD_S))
        return True

    return MediumFaults(cut)


def _of_broker(services: Any) -> MediumFaults:
    """Let no network reach a seat for 30 s; kill the broker, and start it a while later."""
    broker: MemoryBroker | None = services.broker
    chance = Random("broker faults")
    assert broker is not None, "it is one in memory"

    def fail(_seat: int) -> bool:
        was_up = broker.is_up
        if was_up:
            broker.kill()
            broker.loop.call_later(chance.uniform(*DOWN_S), broker.start)
        return was_up

    return MediumFaults(lambda one, _other: broker.cut(one, PARTED_S), fail)


MEDIA: Final[Mapping[str, Callable[[Any], MediumFaults]]] = {
    "bluetooth": _of_bluetooth,
    "ir": _of_infrared,
    "mqtt": _of_broker,
    "memory": lambda _services: MediumFaults(),
}
"""By the name of a soak's link: takes the `SharedServices` of its table."""


HURRY = 20.0
"""How many times as fast as life a soak over a real broker is: handhelds are off for half a
minute."""


class BreakableBroker:
    """A broker of its own on this machine that is held (SIGSTOP, 0.2 to 3 s) or killed (SIGKILL).

    It is mosquitto where that is installed and ``with_amqtt`` is False. ``faults``: False while it
    is held or down already.
    """

    def __init__(self, folder: Path, *, with_amqtt: bool = False) -> None:
        self._chance = Random("broker faults")
        self.broker = LocalBroker(folder, free_port(), with_amqtt=with_amqtt)
        self._tasks = set[asyncio.Task[None]]()
        self._is_up = True
        self.faults = MediumFaults(
            lambda _one, _other: self._meanwhile(self._held()),
            lambda _seat: self._meanwhile(self._killed()),
        )

    async def stop(self) -> None:
        """End the broker for good."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.broker.kill()

    def _meanwhile(self, work: Coroutine[Any, Any, None]) -> bool:
        if not self._is_up:
            work.close()
            return False
        self._is_up = False
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _held(self) -> None:
        self.broker.hold(True)
        try:
            await asyncio.sleep(self._chance.uniform(*HELD_S))
        finally:
            self.broker.hold(False)
        self._is_up = True

    async def _killed(self) -> None:
        self.broker.kill()
        await asyncio.sleep(self._chance.uniform(*DOWN_S))
        await self.broker.start()
        self._is_up = True


class Harm(NamedTuple):
    """The faults, and how often each comes.

    Attributes:
        loss: share of frames that get lost; as many come twice, and as many come late.
        cuts: links cut per hop.
        reboots: power cuts per hop.
        failures, silences: controllers that fail, or fall silent, per hop.
    """

    loss: float
    cuts: float
    reboots: float
    failures: float = 0.0
    silences: float = 0.0
