"""Clear frames, for handhelds that share no key yet; every field has a fixed place.

The first byte is 0xF1, which no sealed frame begins with. All numbers are big-endian::

    byte   0  0xF1, this layout
           1  kind, see ``InvitationKind``
        2–7  the sending device: its Bluetooth address, six bytes
       8–13  the receiving device; six zero bytes: everybody in reach
      14–17  session: drawn by the host, the same for all frames of one table
      18 …  the body, of a fixed length for each kind; a handicap makes TERMS longer

A frame proves nothing: ``firmware.table.pairing.pairing`` decides which ones it believes, and
players compare numbers. Names are those of ``game.names`` in UTF-8, padded with zero bytes.

All numbers are lengths in bytes and values of the layout in PROTOCOL.md.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, unique
from typing import Final, NamedTuple

from firmware.table.crypto import KEY_BYTES as KEY_BYTES
from firmware.table.protocol import TAG_BYTES
from game import OPTIONS, RULES, AnyRules, Option, SetupError
from game.names import NAME_BYTES, check_name

LAYOUT = 0xF1
DEVICE_BYTES = 6
SESSION_BYTES = 4
EVERYBODY = bytes(DEVICE_BYTES)
HASH_BYTES = 32
NONCE_BYTES = 16
MAC_BYTES = 16
OPENING_BYTES = KEY_BYTES + NONCE_BYTES
"""A key and a nonce that fix a commitment; revealed by a sender that gives them up."""
MOST_PEOPLE = 14
"""Players and watchers together: a seat is a number below 16 in sealed frames."""
OPTION_BYTES = 16
"""The bytes of all options of a game together."""
_WHOLE: Final = (
    *("ends", "stakes", "understating", "points", "losers", "tower_one_in"),
    *("levelling", "seven_dice", "rounds"),
)
"""The options with two bytes of their own. The others share the rest, as one number: each is a
digit, 0 for its usual value, so that usual terms have the bytes that they always had."""
MOST_LOST = 255
"""The highest count of lost matches; it stands for more, too."""

_HEAD = struct.Struct(f">BB{DEVICE_BYTES}s{DEVICE_BYTES}s{SESSION_BYTES}s")
HEAD_BYTES = _HEAD.size
"""Length of layout, kind, sender, receiver and session together."""
_TABLE = struct.Struct(f">?BBB{NAME_BYTES}s")
_PERSON = struct.Struct(f">{DEVICE_BYTES}s?{NAME_BYTES}s{HASH_BYTES}s")
_PLACE = struct.Struct(">HBB")
_TERMS = struct.Struct(f">HBBB{OPTION_BYTES}s{MOST_PEOPLE}B")
_ASK = struct.Struct(">HH?")
_AGAIN = struct.Struct(f">H{MAC_BYTES}s")
_REVEAL = struct.Struct(f">B{KEY_BYTES}s{NONCE_BYTES}s")


@unique
class InvitationKind(IntEnum):
    """The kind of a clear frame."""

    TABLE = 1
    """Host to all: here is a table."""
    JOIN = 2
    """Guest to host: a wish to play or to watch, with a commitment. A handheld that passes it on
    adds its device."""
    PLACE = 3
    """Host to all: the person at one place."""
    TERMS = 4
    """Host to all: the list of places is closed, and this game is played."""
    REVEAL = 5
    """Each to all, through the host: the key and the nonce that were committed to."""
    ASK = 6
    """Guest to host: the frames that the guest lacks."""
    TAP = 7
    """Guest to host: the numbers here are the same."""
    STANDS = 8
    """Host to guest: all have tapped; the sealed secret of the table."""
    DIFFER = 9
    """Each to each: the numbers here differ; a MAC under the key of the pair."""
    LEAVE = 10
    """A guest leaves, or the host gives the table up: `OPENING_BYTES`, or a MAC once there is a
    key. Without a body: the host has no place for the receiver."""
    AGAIN = 11
    """Each to each, after a match: a wish to play the next one."""
    LINE = 12
    """Guest to host, or host to guest, in a room with a key: see `room_line`. Any length."""


class InvitationError(ValueError):
    """A frame of this layout that cannot be understood."""


class Head(NamedTuple):
    """The clear part that every frame begins with."""

    kind: InvitationKind
    sender: bytes
    receiver: bytes
    session: bytes


class TableNotice(NamedTuple):
    """The notice of a table. ``people``: how many have a place; ``revision``: modulo 256."""

    is_open: bool
    people: int
    revision: int
    game: int
    name: str


@dataclass(frozen=True, slots=True)
class Attendee:
    """A person who wants a place, with their commitment (a hash).

    ``carrier``: the device that passed their JOIN on, six bytes; empty for none. It is no part of
    the person.
    """

    device: bytes
    name: str
    watches: bool
    commitment: bytes
    carrier: bytes = field(default=b"", compare=False)

    def pack(self) -> bytes:
        """Return the bytes; equal people have equal bytes."""
        return _PERSON.pack(self.device, self.watches, name_bytes(self.name), self.commitment)


class Placement(NamedTuple):
    """The person at place ``number`` of ``places``, in a revision of the list."""

    revision: int
    number: int
    places: int
    person: Attendee


class Terms(NamedTuple):
    """The game and the number of ``people``: players have the first places, watchers the last.

    ``lost``: by place, the matches lost at the host's table before, up to MOST_LOST.
    ``carrier``: the place of the carrier; None for none. In the frame it is the high half of
    ``first``, as place + 1: older firmware reads a seat that nobody has, and rejects the table.
    The handicap of the rules stands behind all else, two bytes a seat: older firmware cannot read
    such a frame, and does not sit down.
    """

    revision: int
    people: int
    first: int
    rules: AnyRules
    lost: tuple[int, ...]
    carrier: int | None = None


class Missing(NamedTuple):
    """The missing places and revealed keys, a bit for each; and whether the terms are missing."""

    places: int
    reveals: int
    terms: bool


class Reveal(NamedTuple):
    """The key and nonce to which place ``number`` had committed."""

    number: int
    key: bytes
    nonce: bytes


class Plain(NamedTuple):
    """A body without fields."""

    data: bytes


class Again(NamedTuple):
    """A wish for match ``number`` of this table, with a MAC under the key of the pair."""

    number: int
    mac: bytes


Body = TableNotice | Attendee | Placement | Terms | Missing | Reveal | Plain | Again

PLAIN_BYTES = {
    InvitationKind.TAP: (MAC_BYTES,),
    InvitationKind.STANDS: (KEY_BYTES + TAG_BYTES,),
    InvitationKind.DIFFER: (MAC_BYTES,),
    InvitationKind.LEAVE: (0, OPENING_BYTES, MAC_BYTES),
}
"""The lengths that the body of a `Plain` kind can have, in bytes."""


def is_invitation(frame: bytes) -> bool:
    """Return whether a frame has this layout, and is not sealed."""
    return len(frame) >= _HEAD.size and frame[0] == LAYOUT


def is_line(frame: bytes) -> bool:
    """Return whether a frame is part of a sealed line."""
    return is_invitation(frame) and frame[1] == InvitationKind.LINE


def head_of(frame: bytes) -> Head:
    """Return the head of a frame. Raises InvitationError."""
    if not is_invitation(frame):
        raise InvitationError("no frame of a table that is being formed")
    _, kind, sender, receiver, session = _HEAD.unpack_from(frame)
    try:
        return Head(InvitationKind(kind), sender, receiver, session)
    except ValueError:
        raise InvitationError(f"kind {kind} is unknown") from None


def sender_of(frame: bytes) -> bytes:
    """Return the sending device. Raises InvitationError."""
    return head_of(frame).sender


def packed(head: Head, body: Body) -> bytes:
    """Return the frame of a head and a body."""
    return _HEAD.pack(LAYOUT, head.kind, head.sender, head.receiver, head.session) + _body(body)


def passed_on(frame: bytes, carrier: bytes) -> bytes:
    """Return a frame as ``carrier``, a device, passes it on: a JOIN names it, others are as is."""
    is_whole = len(frame) == _HEAD.size + _PERSON.size
    return frame + carrier if is_whole and head_of(frame).kind is InvitationKind.JOIN else frame


def body_of(frame: bytes) -> Body:
    """Return the body of a frame. Raises InvitationError if no handheld sends it."""
    kind, data = head_of(frame).kind, frame[_HEAD.size :]
    try:
        match kind:
            case InvitationKind.TABLE:
                is_open, people, revision, game, name = _TABLE.unpack(data)
                if people > MOST_PEOPLE or game >= len(RULES):
                    raise InvitationError(f"no table has {people} people and game {game}")
                return TableNotice(is_open, people, revision, game, _name(name))
            case InvitationKind.JOIN:
                carrier = data[_PERSON.size :]
                if len(carrier) not in (0, DEVICE_BYTES):
                    raise InvitationError(f"a device has {DEVICE_BYTES} bytes, not {len(carrier)}")
                return replace(_person(data[: _PERSON.size]), carrier=carrier)
            case InvitationKind.PLACE:
                revision, number, places = _PLACE.unpack_from(data)
                return Placement(revision, number, places, _person(data[_PLACE.size :]))
            case InvitationKind.TERMS:
                return _terms(data)
            case InvitationKind.REVEAL:
                return Reveal(*_REVEAL.unpack(data))
            case InvitationKind.ASK:
                return Missing(*_ASK.unpack(data))
            case InvitationKind.AGAIN:
                return Again(*_AGAIN.unpack(data))
            case InvitationKind.LINE:
                return Plain(data)
            case (
                InvitationKind.TAP
                | InvitationKind.STANDS
                | InvitationKind.DIFFER
                | InvitationKind.LEAVE
            ):
                if len(data) not in PLAIN_BYTES[kind]:
                    sizes = " or ".join(map(str, PLAIN_BYTES[kind]))
                    raise InvitationError(f"{kind.name} has {sizes} bytes, not {len(data)}")
                return Plain(data)
    except (struct.error, UnicodeDecodeError, SetupError) as error:
        raise InvitationError(f"{kind.name}: {error}") from None


def name_bytes(name: str) -> bytes:
    """Return the `NAME_BYTES` of a name. Raises BadNameError if it is none."""
    check_name(name)
    return name.encode().ljust(NAME_BYTES, b"\0")


def address_of(device: bytes) -> str:
    """Return a device's Bluetooth address as settings write it."""
    return device.hex(":").upper()


def device_of(address: str) -> bytes:
    """Return the six bytes of an address as settings write it."""
    return bytes.fromhex(address.replace(":", ""))


def _body(body: Body) -> bytes:
    match body:
        case TableNotice(is_open, people, revision, game, name):
            return _TABLE.pack(is_open, people, revision & 0xFF, game, name_bytes(name))
        case Attendee():
            return body.pack()
        case Placement(revision, number, places, person):
            return _PLACE.pack(revision, number, places) + person.pack()
        case Terms():
            return terms_bytes(body)
        case Missing():
            return _ASK.pack(*body)
        case Reveal():
            return _REVEAL.pack(*body)
        case Again():
            return _AGAIN.pack(*body)
        case Plain(data):
            return data


def terms_bytes(terms: Terms) -> bytes:
    """Return the bytes of the terms; equal terms have equal bytes."""
    options = _packed_options(terms.rules)
    game = tuple(RULES).index(terms.rules.game)
    lost = [*terms.lost, *[0] * (MOST_PEOPLE - len(terms.lost))]
    first = terms.first | (0 if terms.carrier is None else terms.carrier + 1 << 4)
    fixed = _TERMS.pack(terms.revision, terms.people, first, game, options, *lost)
    return fixed + struct.pack(f">{len(terms.rules.handicap)}H", *terms.rules.handicap)


def _terms(data: bytes) -> Terms:
    revision, people, seats, game, *rest = _TERMS.unpack(data[: _TERMS.size])
    handicap = struct.unpack(f">{(len(data) - _TERMS.size) // 2}H", data[_TERMS.size :])
    first, carrier = seats & 0xF, (seats >> 4) - 1
    packed_options, lost = rest[0], rest[1:]
    games = tuple(RULES)
    if game >= len(games):
        raise InvitationError(f"game {game} is unknown")
    values = _options(games[game], packed_options)
    if any(lost[people:]):
        raise InvitationError(f"{people} people cannot have lost {lost} matches")
    rules = replace(RULES[games[game]], handicap=handicap, **values)  # type: ignore[arg-type]
    if rules.handicap != handicap:
        raise InvitationError(f"the last handicap is none: {handicap}")
    carries = None if carrier < 0 else carrier
    return Terms(revision, people, first, rules, tuple(lost[:people]), carries)


def _split(game: str) -> tuple[list[Option], list[Option]]:
    """Return the options of a game that have bytes of their own, and those that share bytes."""
    options = OPTIONS[game]
    whole = [option for option in options if option.name in _WHOLE]
    return whole, [option for option in options if option.name not in _WHOLE]


def _values_of(option: Option) -> Sequence[object]:
    """Return the values of an option that shares bytes, from its usual one on."""
    values = option.choices or range(option.least, option.greatest + 1)
    usual = values.index(option.default)  # type: ignore[arg-type]
    return (*values[usual:], *values[:usual])


def _packed_options(rules: AnyRules) -> bytes:
    whole, shared = _split(rules.game)
    number = 0
    for option in reversed(shared):
        values = _values_of(option)
        number = number * len(values) + values.index(getattr(rules, option.name))
    numbers = []
    for option in whole:
        value = getattr(rules, option.name)
        numbers.append(option.choices.index(value) if option.choices else value)
    own = struct.pack(f">{len(whole)}H", *numbers)
    return own + number.to_bytes(OPTION_BYTES - len(own), "big")


def _options(game: str, data: bytes) -> dict[str, object]:
    """Return the options in ``OPTION_BYTES``. Raises InvitationError for a value that is none."""
    whole, shared = _split(game)
    own = struct.Struct(f">{len(whole)}H")
    values: dict[str, object] = {}
    for option, number in zip(whole, own.unpack(data[: own.size])):
        if option.choices and number >= len(option.choices):
            raise InvitationError(f"{option.name} has no value {number}")
        values[option.name] = option.choices[number] if option.choices else number
    rest = int.from_bytes(data[own.size :], "big")
    for option in shared:
        possible = _values_of(option)
        rest, digit = divmod(rest, len(possible))
        values[option.name] = possible[digit]
    if rest:
        raise InvitationError(f"{game} has {len(OPTIONS[game])} options")
    return values


def _person(data: bytes) -> Attendee:
    device, watches, name, commitment = _PERSON.unpack(data)
    return Attendee(device, _name(name), watches, commitment)


def _name(data: bytes) -> str:
    name = data.rstrip(b"\0").decode()
    try:
        again = name_bytes(name)
    except ValueError as error:
        raise InvitationError(str(error)) from None
    if again != data:
        raise InvitationError(f"{data!r} is not filled up with zero bytes")
    return name
