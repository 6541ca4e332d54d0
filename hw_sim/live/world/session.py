"""A session as it was played: the commands to the handhelds, with their virtual times.

One JSON object per line. The first one holds the setup and the journals at the beginning. Every
command follows as ``[t_us, seat, kind, values]`` (`encode`). On request a line holds the time and
the digest of all traffic on buses, panels and air until then. The last line holds the end. A replay
is the same to the byte. The file is written during play, so a table that runs for days keeps none
of it in memory.

There is one frozen class for each command. A page sends one as a JSON object: ``do`` names it, the
other keys are those of its fields, within their bounds. A session keeps it as ``do``, seat and the
values of its other fields in their order; see `encode` and `decode`. A session keeps commands to
the whole table with seat 0.
"""

import base64
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta, Struct, field

from firmware.cli.console import CommandError, because
from firmware.display.text.language import Language, check_language
from hw_sim.live.world import setup as forms

FaultName = Literal["display", "accelerometer", "light", "stuck", "brownout", "link", "battery"]
FAULTS: tuple[FaultName, ...] = get_args(FaultName)
"""The faults by name; all but the brown-out last until they are taken back."""
KeyName = Literal["shake", "left", "right", "tap", "hold"]
"""The keys of `hw_sim.hand.control.browser_hand.KEYS`."""
_MOST_US = 10**12
"""The latest time of a sample; no session lasts so long."""
Seat = forms.Seat

_TimeUs = Annotated[int, Meta(ge=-_MOST_US, le=_MOST_US)]
_Metres = Annotated[float, Meta(ge=-1000, le=1000)]
_Mps2 = Annotated[float, Meta(ge=-1000, le=1000)]
_SOME = Meta(max_length=1024)


class TaggedMessage(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A message whose ``do`` names its kind; it has exactly the keys of its fields."""


class Drag(TaggedMessage, frozen=True, tag="drag"):
    """Drag a handheld about: (virtual µs, x m to the right, y m to the far edge) in turn."""

    seat: Seat
    samples: Annotated[tuple[tuple[_TimeUs, _Metres, _Metres], ...], _SOME]


class FollowPhone(TaggedMessage, frozen=True, tag="felt"):
    """Move it as a phone was moved: (virtual µs, x, y, z in m/s², gravity included) in turn."""

    seat: Seat
    samples: Annotated[tuple[tuple[_TimeUs, _Mps2, _Mps2, _Mps2], ...], _SOME]


class LiftCup(TaggedMessage, frozen=True, tag="lift"):
    """Lift the cup (True), or let it fall closed, once the lift has lasted long enough."""

    seat: Seat
    open: bool = field(name="on")


class CoverCup(TaggedMessage, frozen=True, tag="cover"):
    """Cover the cup at once, however short it was lifted: it takes a doubt back."""

    seat: Seat


class PressPad(TaggedMessage, frozen=True, tag="touch"):
    """Put a finger on the pad (True), or take it off."""

    seat: Seat
    down: bool = field(name="on")


class Tilt(TaggedMessage, frozen=True, tag="tilt"):
    """Tilt it away from the held pose: right edge down, far edge down, in degrees."""

    seat: Seat
    roll_deg: Annotated[float, Meta(ge=-70, le=70)] = field(name="roll")
    pitch_deg: Annotated[float, Meta(ge=-60, le=60)] = field(name="pitch")


class PressKey(TaggedMessage, frozen=True, tag="key"):
    """Press a key (True), or let it go."""

    seat: Seat
    key: KeyName
    down: bool = field(name="on")


class TurnDial(TaggedMessage, frozen=True, tag="turn"):
    """Tilt it until its dial has moved by a number of entries: right, or (negative) left."""

    seat: Seat
    entries: Annotated[int, Meta(ge=-40, le=40)] = field(name="by")


class Drop(TaggedMessage, frozen=True, tag="drop"):
    """Let it fall; it is taken up again after a moment."""

    seat: Seat


class SetLanguage(TaggedMessage, frozen=True, tag="language"):
    """Let its panel speak another language."""

    seat: Seat
    language: Language

    def __post_init__(self) -> None:
        check_language(self.language)


class SetFault(TaggedMessage, frozen=True, tag="fault"):
    """Break something of a handheld (``there``) by one of `FAULTS`, or mend it."""

    seat: Seat
    fault: FaultName = field(name="name")
    there: bool = field(name="on")


class SetLight(TaggedMessage, frozen=True, tag="lux"):
    """Change the light of the room to a level in lux."""

    lux: Annotated[float, Meta(ge=0, le=20_000)] = field(name="value")


class SetNoise(TaggedMessage, frozen=True, tag="noise"):
    """Add noise to what all accelerometers feel: m/s² r.m.s. on each axis."""

    mps2: Annotated[float, Meta(ge=0, le=10)] = field(name="value")


class SetBusErrors(TaggedMessage, frozen=True, tag="errors"):
    """Let transactions fail on every bus at a mean rate per second of virtual time."""

    per_s: Annotated[float, Meta(ge=0, le=50)] = field(name="value")


class GoWithout(TaggedMessage, frozen=True, tag="without"):
    """Vote, in the menu, for going on without a seat whose handheld is gone for good (B-10)."""

    seat: Seat
    gone: Seat


GripCommand = LiftCup | CoverCup | PressPad | Tilt | PressKey | TurnDial | Drop | GoWithout
"""The actions of a hand on the handheld of its seat, besides moving it as it is itself moved."""
BenchCommand = SetFault | SetLight | SetNoise | SetBusErrors
"""Actions on the bench, which nobody at the table could do."""
Command = GripCommand | SetLanguage | Drag | FollowPhone | BenchCommand

_KINDS: Mapping[str, type[Command]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(Command)
}


def encode(command: Command) -> tuple[int, str, tuple[Any, ...]]:
    """Seat, kind and the other values of a command, as a session keeps them."""
    values = msgspec.structs.astuple(command)
    of_seat = command.__struct_fields__[:1] == ("seat",)
    seat, values = (values[0], values[1:]) if of_seat else (0, values)
    return seat, str(command.__struct_config__.tag), values


def decode(seat: int, kind: str, values: Sequence[Any]) -> Command:
    """The command that `encode` made these of, be they lists by now.

    Raises:
        KeyError, ValueError: there is no such command.
    """
    names = _KINDS[kind].__struct_encode_fields__
    all_values = (seat, *values) if names[:1] == ("seat",) else values
    message = {"do": kind, **dict(zip(names, all_values, strict=True))}
    try:
        return msgspec.convert(message, _KINDS[kind])
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


MOST_BYTES = 64 * 1024 * 1024
"""No session is longer, nor lasts longer than `MOST_US`: what is done then is not kept."""
CUTS = ("brownout", "battery")
"""The faults that take a handheld's power: it starts anew afterwards."""
ENDS = ("", "-wal", "-count")
"""The endings of the names of a journal's files."""
_log = logging.getLogger(__name__)


class Stimulus(NamedTuple):
    """A command and the virtual time in µs at which it was done."""

    t_us: int
    command: Command


class SessionRecorder:
    """Writes a session as it is played.

    Args:
        path: its file, which is begun anew.
        setup: what was set up, as JSON.
        journals: those it begins with, by file name.

    If the disk takes no more writes, a warning says so once; the file then ends with its last whole
    line.
    """

    def __init__(self, path: Path, setup: dict[str, Any], journals: dict[str, bytes]) -> None:
        self.path = path
        self._file: FileIO | None = None
        self._size = 0
        files = {name: base64.b64encode(data).decode() for name, data in journals.items()}
        head = {"format": forms.FORMAT, "setup": setup, "journals": files}
        try:
            path.touch(mode=0o600)
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            self._give_up(because(error))
        self._write(json.dumps(head, sort_keys=True))

    @property
    def is_open(self) -> bool:
        """Whether what is done is still kept."""
        return self._file is not None

    def add(self, t_us: int, command: Command) -> None:
        """Add a command at its virtual time in µs."""
        self._write(json.dumps((t_us, *encode(command))), t_us)

    def mark(self, t_us: int, digest: str) -> None:
        """Add the digest of everything at a virtual time in µs."""
        self._write(json.dumps([t_us, forms.NO_SEAT, forms.END, [digest]]), t_us)

    def close(self) -> None:
        """Write nothing more."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: str, t_us: int = 0) -> None:
        if self._file is None:
            return
        data = f"{line}\n".encode()
        if self._size + len(data) > MOST_BYTES or t_us > forms.MOST_US:
            self._give_up("it is as long as a session may be")
            return
        try:
            written = self._file.write(data)
            why = "" if written == len(data) else "there is no room for a whole line"
        except OSError as error:
            why = because(error)
        if why:
            with suppress(OSError):
                self._file.truncate(self._size)
            self._give_up(why)
        else:
            self._size += len(data)

    def _give_up(self, why: str) -> None:
        _log.warning("session %s: %s: what hands do from here on is not kept", self.path, why)
        self.close()
        if not self._size:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class RecordedSession:
    """A session that was kept: its file, its set-up as JSON, its journals by file name.

    ``count`` is how many stimuli it has, ``cuts`` how many of them take or give power. ``digest``
    is the world's at ``end_us``, empty where that is not known.
    """

    path: Path
    setup: dict[str, Any]
    journals: dict[str, bytes]
    count: int
    end_us: int
    digest: str
    cuts: int = 0

    def stimuli(self) -> Iterator[Stimulus]:
        """Its stimuli, read from the file one by one.

        Raises:
            CommandError: as `load` does.
        """
        for t_us, what in _lines(self.path):
            if not isinstance(what, str):
                yield Stimulus(t_us, what)

    def unpack(self, folder: Path) -> None:
        """Write the journals that it began with into a folder that exists."""
        for name, data in self.journals.items():
            (folder / name).write_bytes(data)


def journals_in(folder: Path, seats: int) -> dict[str, bytes]:
    """The bytes of the journals in a folder by file name, with what lies beside them."""
    names = [f"seat{seat}.sqlite{end}" for seat in range(seats) for end in ENDS]
    return {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}


def load(path: Path) -> RecordedSession:
    """Read a session from a file, and all its lines once.

    Raises:
        CommandError: it cannot be read or is none.
    """
    with _complaining(path):
        if path.stat().st_size > MOST_BYTES:
            raise CommandError(f"session {path}: too long for a session: give another file")
        with path.open("rb") as file:
            head = forms.head_decoder.decode(file.readline(MOST_BYTES))
    setup = head.setup
    if setup.get("broker") is not None or setup.get("here") is not None:
        raise CommandError(f"session {path}: what others did elsewhere is in no session")
    count = cuts = end_us = 0
    digest = ""
    for t_us, what in _lines(path):
        end_us = max(end_us, t_us)
        digest = what if isinstance(what, str) else ""
        count += not isinstance(what, str)
        cuts += isinstance(what, SetFault) and what.fault in CUTS
    return RecordedSession(path, setup, head.journals, count, end_us, digest, cuts)


def _lines(path: Path) -> Iterator[tuple[int, Command | str]]:
    """All that follows the head: a time in µs, and a command, or the digest of a mark."""
    before_us = 0
    with _complaining(path), path.open("rb") as file:
        file.readline()
        for line in file:
            try:
                t_us, seat, kind, values = forms.line_decoder.decode(line)
            except msgspec.ValidationError:
                raise
            except msgspec.DecodeError:
                if line.endswith(b"\n"):
                    raise
                return  # the table was killed while it wrote this
            if t_us < before_us:
                raise ValueError("time runs back")
            before_us = t_us
            if kind == forms.END:
                yield t_us, str(values[0]) if values else ""
            else:
                yield t_us, decode(seat, kind, values)


@contextmanager
def _complaining(path: Path) -> Iterator[None]:
    try:
        yield
    except (msgspec.DecodeError, ValueError, LookupError, TypeError, RecursionError):
        raise CommandError(
            f"session {path}: no session of a table: give a file that the table has kept"
        ) from None
    except OSError as error:
        raise CommandError(f"session {path}: {because(error)}: name a file to read") from None
