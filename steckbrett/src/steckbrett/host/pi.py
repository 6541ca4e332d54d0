"""A Raspberry Pi as programs see it: devices, texts of its kernel, modules, libraries and commands.

1-Wire and the serial port are as the kernel shows them: files, and a terminal. A thermometer is
read at ``/sys/bus/w1`` (Documentation/w1/slaves/w1_therm). The serial port is a pseudo terminal, so
that ``termios`` and ``select`` work as on any; its other end is a part.

Some libraries need another way in. Blinka's PWM of a Pi talks to the kernel; it has the same over
``RPi.GPIO``. ``smbus`` is an extension in C, which opens the device by itself; `smbus` is the same
in Python. ``pigpio`` waits outside Python. A command that a program begins prints what a Pi's
would, or the bench says what to do without it. Hints name hardware that the bench lacks, where a
program may have failed by it.
"""

import errno
import importlib
import importlib.util
import os
import re
import select
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

from ..board.board import Board
from ..board.bus import BusMessage
from ..parts import Offence
from ..parts.catalogue import kinds_at
from ..parts.kernel_lines import BITS_PER_BYTE, DS18B20, SerialPeer, rom_of
from . import gpiod, lgpio, rpi_gpio, spi
from .baton import Baton, held
from .files import real_ioctl
from .i2cdev import I2CDevice
from .lines import Lines
from .patches import Patches
from .waits import leave_real, let_children_end, make_wait, refuse_process

SERIAL_PORTS: Final = ("/dev/serial0", "/dev/ttyS0", "/dev/ttyAMA0")
_W1: Final = "/sys/bus/w1/devices/"
_ABSENT_FILES: Final = {
    "/sys/bus/w1": "no thermometer on the bench: add the part ds18b20",
    **dict.fromkeys(SERIAL_PORTS, "no serial port on the bench: add the part serial"),
    "/dev/ttyUSB": "no USB on the bench; /dev/serial0 is there with the part serial",
    "/dev/ttyACM": "no USB on the bench; /dev/serial0 is there with the part serial",
    "/dev/i2c-": "the only I2C bus on the bench is /dev/i2c-1",
    "/dev/spidev": "the only SPI bus on the bench is SPI0, with CE0 and CE1",
    "/sys/class/pwm": "no hardware PWM on the bench: use RPi.GPIO or gpiozero",
    "/sys/class/gpio": "no pins in /sys on the bench: use RPi.GPIO or gpiozero",
    "/dev/mem": "no memory of a Pi on the bench: use RPi.GPIO or gpiozero",
    "/dev/gpiomem": "no memory of a Pi on the bench: use RPi.GPIO or gpiozero",
    "/dev/video": "no camera on the bench",
    "/dev/vcio": "no firmware of a Pi on the bench",
}
_ABSENT = b"\xff" * 9
_MOVED_WITHIN_S, _MOST_LOOKS = 1.0, 100_000  # real time for the kernel to move bytes
_real_read, _real_write, _real_select = os.read, os.write, select.select


def one_wire(board: Board) -> dict[str, Callable[[], bytes]]:
    """Return the files of all thermometers of a board: what a read of each gives, by path."""
    found: dict[str, Callable[[], bytes]] = {}
    names = [name for name, part in board.parts.items() if isinstance(part, DS18B20)]
    for name in names:
        folder = _W1 + rom_of(name)
        found[f"{folder}/w1_slave"] = lambda name=name: _told(board, name, whole=True)  # type: ignore[misc]
        found[f"{folder}/temperature"] = lambda name=name: _told(board, name, whole=False)  # type: ignore[misc]
        found[f"{folder}/name"] = lambda name=name: f"{rom_of(name)}\n".encode()  # type: ignore[misc]
    if names:
        listed = "".join(f"{rom_of(name)}\n" for name in names).encode()
        found[f"{_W1}w1_bus_master1/w1_master_slaves"] = lambda: listed
    return found


def _told(board: Board, name: str, *, whole: bool) -> bytes:
    """Convert, and return the bytes as text; without its part, the bus reads ones."""
    part = board.parts[name]
    baton = held()
    if baton is not None:
        baton.sleep(part.conversion_us * 1000)
    pin = board.pins[board.links.pin_at(f"{name}.dq")]
    here = board.powered(name) and not pin.net.cut and pin.net.short is None
    data = part.scratchpad(board.now_us()) if here else _ABSENT
    raw = int.from_bytes(data[:2], "little", signed=True)
    if not whole:
        return f"{int(raw * 1000 / 16)}\n".encode() if here else b""
    shown = data.hex(" ")
    first = f"{shown} : crc={data[8]:02x} {'YES' if here else 'NO'}\n"
    return (first + f"{shown} t={int(raw * 1000 / 16)}\n").encode()


class SerialPort:
    """The serial port of a board, with the part ``name`` at its other end.

    ``path`` is the real terminal. A call gives what stands for one opening of it.
    """

    def __init__(self, board: Board, name: str) -> None:
        import termios  # Windows has none
        import tty

        self._board, self._name, self._termios = board, name, termios
        self._part: SerialPeer = board.parts[name]
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        usual = termios.tcgetattr(self._near)
        usual[4] = usual[5] = termios.B9600
        termios.tcsetattr(self._near, termios.TCSANOW, usual)
        os.set_blocking(self._far, False)
        self.path = os.ttyname(self._near)
        self._part.deliver = self._arrive
        self._rates = {
            getattr(termios, each): int(each[1:])
            for each in dir(termios)
            if each[0] == "B" and each[1:].isdigit()
        }

    def __call__(self, fd: int) -> "_Terminal":
        return _Terminal(self, fd)

    def close(self) -> None:
        """Close both ends."""
        os.close(self._far)
        os.close(self._near)

    @property
    def baud(self) -> float:
        """The rate that the program has set."""
        return float(self._rates.get(self._termios.tcgetattr(self._near)[5], 9600))

    def read(self, fd: int, count: int) -> bytes:
        """Read what has come; a file that blocks waits for some."""
        baton = held()
        if os.get_blocking(fd) and baton is not None:
            baton.wait(lambda: _real_select([fd], [], [], 0)[0])
        return _real_read(fd, count)

    def write(self, fd: int, data: Any) -> int:
        """Write bytes at the pace of the line; return how many."""
        count = _real_write(fd, data)
        baton = held()
        if baton is not None:
            baton.sleep(round(count * BITS_PER_BYTE * 1e9 / self.baud))
        heard = b""
        while len(heard) < count and _real_select([self._far], [], [], _MOVED_WITHIN_S)[0]:
            heard += _real_read(self._far, count - len(heard))
        self._part.take(heard, self.baud, self._board.now_us())
        self._board.links.follow(self._name)
        return count

    def _arrive(self, data: bytes, t_us: int) -> None:
        """Put bytes into the terminal, and wait until the kernel has moved them to the near end."""
        wanted = self._waiting() + len(data)
        _real_write(self._far, self._part.garbled(data, self.baud, t_us))
        for _ in range(_MOST_LOOKS):
            if self._waiting() >= wanted:
                return
            os.sched_yield()

    def _waiting(self) -> int:
        found = real_ioctl(self._near, self._termios.FIONREAD, bytes(4))
        return int.from_bytes(found, sys.byteorder)


class _Terminal:
    """One opening of the port."""

    def __init__(self, port: SerialPort, fd: int) -> None:
        self._port, self._fd = port, fd

    def read(self, count: int) -> bytes:
        return self._port.read(self._fd, count)

    def write(self, data: Any) -> int:
        return self._port.write(self._fd, data)

    def ioctl(self, request: int, arg: Any = 0) -> Any:
        return real_ioctl(self._fd, request, arg)


def absent(board: Board, path: str) -> str | None:
    """Return why a file of a Pi is missing, and count it; None if a Pi has no such file."""
    why = next((why for begin, why in _ABSENT_FILES.items() if path.startswith(begin)), None)
    if why is not None and os.path.exists(path):
        return None
    if why is not None:
        board.lacking.add("bench", board.now_us(), f"{path}: {why}", Offence.UNMODELLED)
    return why


def serial_port(board: Board) -> SerialPort | None:
    """Return the port of a board, if somebody is at its other end."""
    names = [name for name, part in board.parts.items() if isinstance(part, SerialPeer)]
    return SerialPort(board, names[0]) if names else None


def _refuse_chip() -> None:
    raise PermissionError(13, "the bench has no ioctl of a GPIO chip: use gpiod, lgpio or RPi.GPIO")


class Pi:
    """All of it, for one program on a board.

    ``devices``, ``texts`` and ``absent`` are for `Files`; ``modules`` are by name.
    """

    def __init__(self, board: Board, baton: Baton) -> None:
        self._board = board
        self.devices: dict[str, Callable[..., Any]] = {"/dev/i2c-1": lambda: I2CDevice(board.bus)}
        for chip in range(len(spi.CHIP_SELECTS)):
            self.devices[f"/dev/spidev0.{chip}"] = partial(spi.SPIDevice, board, chip)
        self.devices[gpiod.PATH] = _refuse_chip
        self._port = serial_port(board)
        if self._port is not None:
            self.devices |= dict.fromkeys(SERIAL_PORTS, self._port)
        self.texts = TEXTS | one_wire(board)
        self.absent = partial(absent, board)
        lines = Lines(board, baton)
        self.modules: dict[str, ModuleType] = {
            **rpi_gpio.modules(board, baton),
            "spidev": spi.module(board),
            "lgpio": lgpio.module(board, lines),
            **gpiod.module(lines),
        }

    def begins(self, words: Any) -> Any:
        """Hear of a command that a program begins, and return the one to begin.

        Raises:
            FileNotFoundError: it is one of a Pi that is not here, and the program begins it
                without a shell; the text says what to do.
        """
        other = in_place_of(words, self._board)
        name = os.path.basename(next(iter(first_of(words)), ""))
        if other is not None:
            return other
        if name not in COMMANDS or shutil.which(name) is not None:
            return words
        why = f"no {name} on the bench: {COMMANDS[name]}"
        self._board.lacking.add("bench", self._board.now_us(), why, Offence.UNMODELLED)
        if not isinstance(words, str):
            raise FileNotFoundError(errno.ENOENT, why, name)
        return words

    def close(self) -> None:
        """Close what is open."""
        if self._port is not None:
            self._port.close()


TEMPERATURE_MC = 48_312
"""The reading of the Pi's own thermometer, in m°C; chosen."""
_SCAN = "scan the bus with i2cdetect or smbus2"
_PINS = "use RPi.GPIO, gpiozero, lgpio or gpiod"
_STRIP, _CAMERA, _DHT = "it has no light strip", "it has no camera", "it has no DHT sensor"
COMMANDS: Final = {
    **dict.fromkeys(("i2cdetect", "i2cget", "i2cset", "i2cdump", "i2ctransfer"), _SCAN),
    **dict.fromkeys(("gpio", "raspi-gpio", "pinctrl", "gpioget", "gpioset", "gpiomon"), _PINS),
    **dict.fromkeys(("raspistill", "raspivid", "libcamera-still", "rpicam-still"), _CAMERA),
    "vcgencmd": "read /sys/class/thermal/thermal_zone0/temp",
    "pigpiod": _PINS,
    **dict.fromkeys(("libgpiod_pulsein", "libgpiod_pulsein64"), _DHT),
    "raspi-config": "its buses are there already",
}
"""Commands of a Pi that a program may begin, and what to do on the bench."""
_ONE = re.compile(r"(?:[^|;&<>\d]|\d(?![<>]))*")
"""The first command of a line for a shell."""


def first_of(words: Any) -> list[str]:
    """Return the words of the first command, without ``sudo``, of a line or a list."""
    if isinstance(words, bytes | os.PathLike):
        words = os.fsdecode(words)
    if isinstance(words, str):
        words = _ONE.match(words)[0].split()  # type: ignore[index]
    return [word for word in map(os.fsdecode, words) if word != "sudo"]


def in_place_of(words: Any, board: Board) -> Any:
    """Return what to begin in place of a command whose output the bench knows; None for others."""
    command = first_of(words)
    if command[:1] == ["i2cdetect"] and command[-1] == "1" and "-F" not in command:
        text = scan(board)
    elif command == ["vcgencmd", "measure_temp"]:
        text = f"temp={TEMPERATURE_MC / 1000:.1f}'C\n"
    else:
        return None
    if not isinstance(words, str):
        return ["printf", "%s", text]
    rest = words[len(_ONE.match(words)[0]) :]  # type: ignore[index]
    return f"printf %s {shlex.quote(text)} {rest}"


def scan(board: Board) -> str:
    """Return what ``i2cdetect`` prints; it writes nothing to each address, as with ``-q``."""
    before = set(board.bus.unanswered)
    lines = ["     " + "  ".join(f"{low:x}" for low in range(16))]
    for high in range(0, 0x80, 16):
        cells = (_asked(at, board) if 0x08 <= at <= 0x77 else "  " for at in range(high, high + 16))
        lines.append(f"{high:02x}: {' '.join(cells)} ")
    board.bus.unanswered = before
    return "\n".join(lines) + "\n"


def _asked(address: int, board: Board) -> str:
    try:
        board.bus.i2c_rdwr(BusMessage(address, b""))
    except OSError:
        return "--"
    return f"{address:02x}"


ENVIRONMENT: Final = {
    "BLINKA_FORCECHIP": "BCM2XXX",
    "BLINKA_FORCEBOARD": "RASPBERRY_PI_4B",
    "BLINKA_SKIP_DEPENDENCY_CHECK": "1",
}
"""Variables that tell libraries that they run on a Pi."""

_LINUX = "adafruit_blinka.microcontroller.generic_linux."
ALIASES: Final = {
    _LINUX + "raspberry_pi_pwmout": _LINUX + "rpi_gpio_pwmout",
}
"""Modules by whose name another one is loaded."""
REFUSED: Final = {
    "pigpio": "pigpio talks to a daemon; use RPi.GPIO or gpiozero",
    "_rpi_ws281x": _STRIP,
}
"""Modules that cannot take part, with the reason."""
LACKING: Final = REFUSED | {
    "rpi_ws281x": _STRIP,
    "neopixel_write": _STRIP,
    "unicornhat": _STRIP,
    **dict.fromkeys(("picamera", "picamera2", "libcamera"), _CAMERA),
    **dict.fromkeys(("Adafruit_DHT", "adafruit_dht", "dht11", "pigpio_dht"), _DHT),
    "rpi_hardware_pwm": "it has no hardware PWM; use RPi.GPIO or gpiozero",
    **dict.fromkeys(("wiringpi", "RPIO"), "use RPi.GPIO, gpiozero, lgpio or gpiod"),
    **dict.fromkeys(("sense_hat", "sense_emu"), "it has no Sense HAT"),
}
"""Modules whose hardware the bench has not, installed or not."""

# Kernels up to 4.19 call every Pi a BCM2835, and Adafruit's libraries of that time know no other.
TEXTS: Final = {
    "/proc/cpuinfo": (
        b"processor\t: 0\nmodel name\t: ARMv7 Processor rev 3 (v7l)\nBogoMIPS\t: 108.00\n"
        b"\nHardware\t: BCM2835\nRevision\t: c03112\nSerial\t\t: 10000000steckbre\n"
        b"Model\t\t: Raspberry Pi 4 Model B Rev 1.2\n"
    ),
    "/proc/device-tree/system/linux,revision": b"\x00\xc0\x31\x12",
    **dict.fromkeys(
        ("/proc/device-tree/model", "/sys/firmware/devicetree/base/model"),
        b"Raspberry Pi 4 Model B Rev 1.2\x00",
    ),
    **dict.fromkeys(
        ("/proc/device-tree/compatible", "/sys/firmware/devicetree/base/compatible"),
        b"raspberrypi,4-model-b\x00brcm,bcm2711\x00",
    ),
    "/sys/class/thermal/thermal_zone0/temp": f"{TEMPERATURE_MC}\n".encode(),
}
"""Texts of the kernel that a Pi 4 has, by path."""


class _Finder:
    """Stands before the other finders, for the modules above."""

    def __init__(
        self,
        made: Mapping[str, Callable[[], ModuleType]],
        after: Mapping[str, Callable[[ModuleType], None]],
    ) -> None:
        self._made, self._after = made, after
        self._inside = False

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        del path, target
        if name in self._made:
            given: Any = _Given(self._made[name])
            return ModuleSpec(name, given)
        if name in self._after and not self._inside:
            self._inside = True
            try:
                spec = importlib.util.find_spec(name)
            finally:
                self._inside = False
            if spec is not None and spec.loader is not None:
                after: Any = _AndThen(spec.loader, self._after[name])
                spec.loader = after
            return spec
        return None


class _Given:
    """Loads a module that a function returns."""

    def __init__(self, make: Callable[[], ModuleType]) -> None:
        self._make = make

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        del spec
        return self._make()

    def exec_module(self, module: ModuleType) -> None:
        pass


class _AndThen:
    """Loads a module as usual, and then changes it."""

    def __init__(self, loader: Any, then: Callable[[ModuleType], None]) -> None:
        self._loader, self._then = loader, then

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._then(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


def _alias(name: str) -> ModuleType:
    """Return a module like the one of this name, for another name."""
    loaded = importlib.import_module(name)
    module = ModuleType(name)
    vars(module).update(
        {key: value for key, value in vars(loaded).items() if not key.startswith("__")}
    )
    return module


def _smbus() -> ModuleType:
    from .i2cdev import module

    return module()


def _hear_of_commands(
    patches: Patches, begins: Callable[[Any], Any], subprocess: ModuleType
) -> None:
    leave_real(subprocess)
    begin: Callable[..., None] = subprocess.Popen.__init__

    def hear(self: Any, args: Any, *more: Any, **options: Any) -> None:
        begin(self, begins(args), *more, **options)

    patches.put(subprocess.Popen, "__init__", hear)


def _refuse(name: str) -> ModuleType:
    text = f"no {name} on the bench: {REFUSED[name]}"
    raise ModuleNotFoundError(text, name=name)


def install_libraries(
    patches: Patches,
    modules: Mapping[str, ModuleType],
    begins: Callable[[Any], Any] = lambda words: words,
) -> None:
    """Let the program find ``modules``, and the libraries above in their other way.

    ``begins`` hears of each command that the program begins, and returns what to begin.
    """
    made: dict[str, Callable[[], ModuleType]] = {"smbus": _smbus}
    for name, other in ALIASES.items():
        made[name] = lambda other=other: _alias(other)  # type: ignore[misc]
    for name in REFUSED:
        made[name] = lambda name=name: _refuse(name)  # type: ignore[misc]
    before = {name: sys.modules.pop(name) for name in (*made, *modules) if name in sys.modules}
    sys.modules.update(modules)
    after: dict[str, Callable[[ModuleType], None]] = {
        "subprocess": partial(_hear_of_commands, patches, begins),
        "socket": partial(make_wait, patches),
        "asyncio.unix_events": partial(let_children_end, patches),
    }
    for name in ("popen_spawn_posix", "popen_forkserver"):
        after[f"multiprocessing.{name}"] = lambda made: patches.put(
            made.Popen, "_launch", refuse_process
        )
    system = os.system

    def hear(command: Any) -> int:
        return system(begins(os.fsdecode(command)))

    patches.swap(os, {"system": hear})
    finder: Any = _Finder(made, after)
    sys.meta_path.insert(0, finder)
    for name, change in after.items():
        if name in sys.modules:
            change(sys.modules[name])
    environment = dict(os.environ)
    os.environ.update(ENVIRONMENT)

    def undo() -> None:
        sys.meta_path.remove(finder)
        for name in (*made, *modules):
            sys.modules.pop(name, None)
        sys.modules.update(before)
        os.environ.clear()
        os.environ.update(environment)

    patches.at_undo(undo)


MOST_UNANSWERED = 8
"""The most addresses that a program may ask in vain; one that asks more looks for what is there.
Chosen."""


def hints(error: BaseException | None, board: Board) -> list[str]:
    """Return lines about modules in ``error`` and its causes, and about I2C without an answer."""
    names: list[str] = []
    said = str(error)
    while error is not None:
        if isinstance(error, ImportError) and error.name is not None:
            names.append(error.name.partition(".")[0])
        error = error.__cause__ or error.__context__
    lines = [f"no {name} on the bench: {LACKING[name]}" for name in names if name in LACKING]
    lines = [line for line in lines if line != said]
    vain = sorted(board.bus.unanswered - set(board.addresses.values()))
    for address in vain if len(vain) <= MOST_UNANSWERED else ():
        kinds = " or ".join(kinds_at(address))
        who = kinds or "no part of the bench"
        lines.append(f"nobody answered at 0x{address:02X} on /dev/i2c-1: {who} can")
    return lines
