"""A party's handhelds become a table: those of phones, those elsewhere at the broker, those here.

The lobby is a `HostLobby`; here are its people. Phones tap by themselves, and people compare the
numbers on a menu. At a handheld without a phone, its player compares and taps.

A phone has a handheld of its own, with its own keys. It comes on a line, which names its device,
and says the secret of its place; the place has one device. Then it says clear frames of that device
to the host, and hears the host's alone. Frames are bounded by place: a flood ends the stream that
it comes on. No frame that comes over the broker is one of a phone, or of this host.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from secrets import token_bytes
from typing import Final, NamedTuple

from firmware.device.open import own_device
from firmware.effects import Room
from firmware.link.broker import Session
from firmware.link.broker.link import BrokerLink
from firmware.lobby.host import HostedSeat, HostLobby, Standings
from firmware.table.protocol import Budget
from firmware.table.protocol import invitations as wire
from game import AnyRules
from hw_sim.live.web import incoming
from hw_sim.live.web.client import GONE, LineConnection
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.outgoing import GatheringRoom
from hw_sim.live.web.seats import HOST, PartySeats
from hw_sim.table.handheld import MemoryJournal

TICK_S = 0.25
"""The time between two looks at the lobby's timers; chosen."""
MOST_STREAMS: Final = 3
"""The most streams of one place, of which its handheld uses one; chosen."""
SAYS_PER_S, SAYS_AT_ONCE = 12, 60
"""The frames of one place, and its secrets: so many in the long run, and so many at once;
chosen."""
_OF_GUESTS: Final = frozenset(wire.InvitationKind) - {
    wire.InvitationKind.TABLE,
    wire.InvitationKind.PLACE,
    wire.InvitationKind.TERMS,
    wire.InvitationKind.STANDS,
    wire.InvitationKind.LINE,
}
"""The kinds of a clear frame that a guest sends; the others are the host's."""


class _Phone(NamedTuple):
    """A phone that was let in: its place, the digest of its secret, and its device."""

    connection: LineConnection
    place: int
    digest: str
    device: bytes

    def cut(self) -> None:
        """Cut the stream; its phone comes again."""
        self.connection.close(GONE, "")


def _is_of(frame: bytes, device: bytes) -> bool:
    """Whether a clear frame is one that a guest with this device sends.

    None that a phone sends was passed on by another handheld, and no phone only watches.
    """
    try:
        head, body = wire.head_of(frame), wire.body_of(frame)
    except wire.InvitationError:
        return False
    if isinstance(body, wire.Attendee) and (body.carrier or body.watches or body.device != device):
        return False
    return head.sender == device and head.kind in _OF_GUESTS


@dataclass
class Phones:
    """Brings the host's frames to phones, and theirs to the host.

    Args:
        seats: whose secrets let a phone in; it keeps the device of each place.
        receive: gets the frames of phones.
        people: returns those in the lobby and at the table that stands, who keep their devices.
        on_device: is called when a place has a device here, or none any more.
    """

    seats: PartySeats
    receive: Callable[[bytes], None]
    people: Callable[[], Collection[wire.Attendee]]
    on_device: Callable[[], None]

    def __post_init__(self) -> None:
        self._phones: list[_Phone] = []
        self._says: dict[int, Budget] = {}

    async def serve(self, connection: LineConnection, device: bytes) -> None:
        """Carry the frames of a phone until it parts; its line is that of a device, six bytes."""
        phone: _Phone | None = None
        ended = GONE, ""
        try:
            if isinstance(secret := await connection.receive(), str):
                phone = self._admit(connection, secret, device)
                await self._listen(phone)
        except incoming.RefusalError as error:
            ended = error.code, str(error)
        finally:
            if phone in self._phones:
                self._phones.remove(phone)
                if phone.place not in self.devices:
                    self.on_device()
        connection.close(*ended)

    @property
    def devices(self) -> dict[int, bytes]:
        """The device that each connected place has, six bytes."""
        return {each.place: each.device for each in self._phones}

    def send(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame of the host to the phone with a device; None: to all phones."""
        for each in self._phones:
            if device in (None, each.device):
                each.connection.send(frame)

    def close(self) -> None:
        """Cut all streams."""
        for each in self._phones:
            each.cut()

    def cut_strangers(self) -> None:
        """Cut the streams of those who have their place no longer."""
        for each in self._phones:
            if not self._has_place(each):
                each.cut()

    async def _listen(self, phone: _Phone) -> None:
        """Hear a phone until it parts.

        Raises:
            RefusalError: it says too much, or the place is another's by now.
        """
        while isinstance(frame := await phone.connection.receive(), bytes):
            self._take(phone.place)
            if not self._has_place(phone):
                raise incoming.RefusalError(incoming.WRONG_SEAT, "this is not your place any more")
            if _is_of(frame, phone.device):
                self.receive(frame)

    def _admit(self, connection: LineConnection, secret: str, device: bytes) -> _Phone:
        """Let a phone in whose secret a place has.

        Raises:
            RefusalError: nobody has invited it, its device is another's, or it comes too often.
        """
        place = self.seats.place_of(secret)
        if place is None:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody has invited you here")
        self._take(place)
        if device == wire.EVERYBODY:
            raise incoming.ProtocolError("no handheld has such a device")
        self.cut_strangers()
        self._bind(place, device)
        own = [each for each in self._phones if each.place == place]
        for each in own[: len(own) - MOST_STREAMS + 1]:
            each.cut()
        phone = _Phone(connection, place, self.seats.guest_at(place).digest, device)
        self._phones.append(phone)
        if not own:
            self.on_device()
        return phone

    def _has_place(self, phone: _Phone) -> bool:
        return self.seats.guest_at(phone.place).digest == phone.digest

    def _bind(self, place: int, device: bytes) -> None:
        """Give a place its device, unless it is another's.

        Raises:
            RefusalError: it is, or another one of the place is connected, or the disk is full.
        """
        name = self.seats.guest_at(place).name
        same = (each for each in self.people() if each.device == device)
        try:
            if any(each.watches or each.name != name for each in same):
                raise SeatingError("device")
            self.seats.bind(place, device.hex(), anew=place not in self.devices)
        except SeatingError:
            raise incoming.RefusalError(incoming.WRONG_SEAT, "this handheld is another's") from None
        except OSError:
            raise incoming.RefusalError(incoming.LATER, "the table cannot keep that now") from None

    def _take(self, place: int) -> None:
        """Count what a place says. Raises RefusalError for too much."""
        now_us = round(asyncio.get_running_loop().time() * 1e6)
        full = Budget(SAYS_AT_ONCE, SAYS_PER_S, now_us)
        if not self._says.setdefault(place, full).take(now_us):
            raise incoming.RefusalError(incoming.TOO_MANY, "too many messages")


@dataclass
class Gathering:
    """Gathers the handhelds of one match after the other, in one room at the broker.

    Args:
        seats: the guests' places.
        changed: is called when somebody has come or gone.
        outside: a session at the broker over which handhelds without a phone come.
        entropy: returns that many random bytes; the only source of chance.

    Attributes:
        code: of the room.
        lobby: makes a table of them.
        phones: those on lines.
        goes_on: whether phones alone let the last list come to nothing; the next one is without
            them. A person who compared numbers may have said no, and is not passed over.
    """

    seats: PartySeats
    changed: Callable[[], None]
    outside: Session
    entropy: Callable[[int], bytes] = token_bytes

    def __post_init__(self) -> None:
        self.code = self.seats.stored.digits
        self.lobby = HostLobby(new_device(self.entropy), HOST, self.entropy, self._is_phone)
        self._loop = asyncio.get_running_loop()
        self._outside = BrokerLink(self.outside, self._receive_outside)
        self._outside.listen_at(Room(self.code))
        self.phones = Phones(self.seats, self._receive, self._known_people, self._sweep)
        self._timer: asyncio.TimerHandle | None = None
        self._then: Callable[[Standings | None], None] = lambda _tables: None
        self._shown: object = None
        self.goes_on = False
        self._mute: set[str] = set()
        """The digests of guests whose phones let the last list come to nothing."""
        self.seats.gathered = lambda place: self.device_of(place) is not None
        self.seats.closes = lambda: self.lobby.closes

    async def start(self) -> None:
        """Begin to gather."""
        await self._outside.start()
        self._tick()

    def close(self) -> None:
        """Leave the room."""
        if self._timer is not None:
            self._timer.cancel()
        self._outside.abandon()
        self.phones.close()

    @property
    def room(self) -> GatheringRoom:
        """The room in which a phone's handheld joins."""
        return GatheringRoom(self.code, self.lobby.device.hex(), self.lobby.session.hex())

    def device_of(self, place: int) -> bytes | None:
        """Return the device of a place's handheld, if it has come, else None.

        One that let a list come to nothing is left out of the next one.
        """
        if self.seats.guest_at(place).digest in self._mute:
            return None
        device = self._device_afar(place) or self.phones.devices.get(place)
        return device if device in [each.device for each in self.people] else None

    def _device_afar(self, place: int) -> bytes:
        return bytes.fromhex(self.seats.guest_at(place).device)

    def stand(
        self,
        rules: AnyRules,
        names: Sequence[str],
        devices: Sequence[bytes | None],
        first: int,
        then: Callable[[Standings | None], None],
    ) -> None:
        """Close the list and make the table stand, soon; ``then`` gets None if it does not.

        Args:
            rules: the game with its options.
            names: of the players, by seat.
            devices: those elsewhere that have the first seats; this host has all other ones.
            first: the seat that opens.
            then: gets the table of each place here.
        """
        if self.lobby.closes:
            return
        seats = [
            HostedSeat(name, device or new_device(self.entropy), device is None)
            for name, device in zip_longest(names, devices)
        ]
        phones = self.phones.devices.values()
        waits = any(each and each not in phones for each in devices)
        self._then = then
        self.lobby.stand(rules, seats, first, self._now_us, waits=waits)
        self._pump()

    def forgive(self) -> None:
        """Let all play the next match who let the last list come to nothing."""
        self._mute.clear()

    @property
    def people(self) -> Sequence[wire.Attendee]:
        """All who have come but this host."""
        return [each for each in self.lobby.people if each.device != self.lobby.device]

    def _known_people(self) -> Sequence[wire.Attendee]:
        """Return those in the lobby, this host too, and those at the table that stands."""
        stood = self.lobby.stood
        return [*self.lobby.people, *(() if stood is None else stood.agreed.people)]

    def _is_phone(self, device: bytes) -> bool:
        return device in self.phones.devices.values()

    @property
    def _now_us(self) -> int:
        return round(self._loop.time() * 1e6)

    @property
    def _known_devices(self) -> set[bytes]:
        """The devices of connected phones, and of the places of handhelds without one."""
        return {*self.phones.devices.values(), *map(self._device_afar, self.seats.guests)}

    def _sweep(self) -> None:
        """Take the places of phones away that are gone; they come again."""
        for each in self.people:
            if each.device not in self._known_devices:
                self.lobby.dismiss(each.device, self._now_us)
        self._pump()
        self.changed()

    def _tick(self) -> None:
        self._timer = self._loop.call_later(TICK_S, self._tick)
        self.phones.cut_strangers()
        for each in self.people:  # their places have been freed
            if not self.lobby.closes and each.device not in self._known_devices:
                self.lobby.put_out(each.device, self._now_us)
        self.lobby.tick(self._now_us)
        self._pump()

    def _receive_outside(self, frame: bytes) -> None:
        """Take a frame of the room that comes over the broker, unless it is forged.

        A handheld without a phone proves nothing.
        """
        sender = wire.head_of(frame).sender
        if sender != self.lobby.device and self.seats.place_with(sender) is None:
            self._receive(frame)

    def _receive(self, frame: bytes) -> None:
        try:
            head, body = wire.head_of(frame), wire.body_of(frame)
        except wire.InvitationError:
            return
        is_now = head.session == self.lobby.session
        person = body if isinstance(body, wire.Attendee) and is_now else None
        if person and not self._is_welcome(person, head):
            return
        self.lobby.receive(frame, self._now_us)
        if person is not None:
            self._seat(person)
        self._pump()

    def _is_welcome(self, person: wire.Attendee, join: wire.Head) -> bool:
        """Whether a handheld comes under the name of its guest, or of nobody.

        One without a phone for which there is no place is told so.
        """
        seats, place = self.seats, self.seats.place_with(person.device)
        passes_on = seats.place_with(person.carrier) is not None  # as no phone does
        if person.device != join.sender or passes_on:
            return False
        if place is not None:
            return place in self.phones.devices and seats.guest_at(place).name == person.name
        try:
            if person.watches or not self.lobby.gathers:
                raise SeatingError("used")
            seats.place_afar(person.device.hex(), person.name)
        except SeatingError:
            head = wire.Head(
                wire.InvitationKind.LEAVE, self.lobby.device, join.sender, join.session
            )
            self._say(join.sender, wire.packed(head, wire.Plain(b"")))
            return False
        return True

    def _seat(self, person: wire.Attendee) -> None:
        """Give a handheld without a phone a place, if it has come."""
        if person in self.people and not self._is_phone(person.device):
            try:
                self.seats.sit_afar(person.device.hex(), person.name)
            except (SeatingError, OSError):  # there is no room for it, or none on the disk
                self.lobby.put_out(person.device, self._now_us)

    def _say(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame to the device that it is for; None for everybody.

        Over the broker goes only what is of use to handhelds there. That is the notice of the
        table, and names once one of them has come.
        """
        self.phones.send(device, frame)
        here = {*self.phones.devices.values(), *self.lobby.own}
        is_for_all = device is None and wire.head_of(frame).kind is wire.InvitationKind.TABLE
        is_outside = not here.issuperset(each.device for each in self.people)
        if is_for_all or (is_outside if device is None else device not in here):
            self._outside.send(device, frame)

    def _pump(self) -> None:
        """Send what the lobby has to say, and begin the match of a table that stands."""
        for device, frame in self.lobby.take():
            self._say(device, frame)
        made = self.lobby.take_made()
        shown = self.lobby.session, self.lobby.comparing, len(self.people)
        if shown != self._shown:
            self._shown = shown
            self.changed()
        if made is None:
            return
        stood = self.lobby.stood
        if made and stood is not None:
            with suppress(OSError):  # it may give way later
                self.seats.note_played([each.device.hex() for each in stood.agreed.people])
            self._mute.clear()
        else:
            places = [self.seats.place_with(each) for each in self.lobby.silent]
            self._mute |= {self.seats.guest_at(at).digest for at in places if at is not None}
            self.goes_on = bool(places) and None not in places
            self.phones.close()  # a phone that is awake comes again at once
        self._then(made or None)


def new_device(entropy: Callable[[int], bytes]) -> bytes:
    """Draw the six bytes that name a handheld."""
    return own_device(None, MemoryJournal(Path("none"), {}), entropy)
