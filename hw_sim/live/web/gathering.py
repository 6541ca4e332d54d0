"""A party's handhelds become a table: those of phones, those elsewhere at the broker, those here.

This host's part of the lobby's pairing (PROTOCOL.md, "Before a table stands"). The host itself only
watches: it learns the public log and no key of any pair. Each seat that it simulates joins as a
guest of its own, with its own keys. Phones and those here tap by themselves, and people compare the
numbers on a menu. At a handheld without a phone, its player compares and taps.

Phones and this host speak with each other alone: a frame of a phone comes over its own stream, and
none that comes over the broker is one of a phone, or of this host.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes
from typing import NamedTuple

from firmware.device.open import own_device
from firmware.effects.effects import Room
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.session import Session
from firmware.table.pairing.host import Host
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import COMPARES, PairingPhase
from firmware.table.protocol.invitations import (
    Attendee,
    Head,
    InvitationError,
    InvitationKind,
    Plain,
    body_of,
    head_of,
    packed,
)
from game import AnyRules
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.outgoing import GatheringRoom
from hw_sim.live.web.party_seats import HOST, PartySeats, digest_at, place_with, seated_afar
from hw_sim.live.web.phone_streams import PhoneStreams
from hw_sim.table.handheld import MemoryJournal

TICK_S = 0.25
CLOSES_S = 8.0
"""The time within which all handhelds of a closed list answer; else there is no table."""
TAPS_S = 60.0
"""The time that people at handhelds without a phone have to compare numbers, and to tap."""


class SeatWanted(NamedTuple):
    """A seat of the next match: its player, and the device elsewhere that has it; None: here."""

    name: str
    device: bytes | None


Standings = Mapping[int, StandingTable]
"""The table as each place here knows it; the last one is the watcher's."""


class Gathering:
    """Gathers the handhelds of one match after the other, in one room at the broker.

    Args:
        seats: the guests' places.
        changed: is called when somebody has come or gone.
        outside: a session at the broker over which handhelds without a phone come.
        entropy: returns that many random bytes; the only source of chance.

    Attributes:
        code: of the room.
        phones: the streams of phones.
        stood: the table that stood last; None before the first.
        numbers: those to compare, of the match that is played; None for none.
    """

    def __init__(
        self,
        seats: PartySeats,
        changed: Callable[[], None],
        outside: Session,
        entropy: Callable[[int], bytes] = token_bytes,
    ) -> None:
        self._entropy = entropy
        self.code = seats.stored.digits
        self.numbers: tuple[int, ...] | None = None
        self.stood: StandingTable | None = None
        self._seats = seats
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._device = new_device(entropy)
        self._outside = BrokerLink(outside, self._receive_outside)
        self._outside.listen_at(Room(self.code))
        self.phones = PhoneStreams(seats, self._receive, self._known_people, self._sweep)
        self._timer: asyncio.TimerHandle | None = None
        self._here: dict[int, Pairing] = {}
        self._then: Callable[[Standings | None], None] | None = None
        self._compared: tuple[int, ...] | None = None
        self._mute: set[str] = set()
        """The digests of guests whose phones let the last list come to nothing."""
        self._open()
        seats.gathered = lambda place: self.device_of(place) is not None
        seats.closes = lambda: self._then is not None

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
        state = self._pairing.state
        return GatheringRoom(self.code, self._device.hex(), state.session.hex())

    def device_of(self, place: int) -> bytes | None:
        """Return the device of a place's handheld, if it has come, else None.

        One that let a list come to nothing is left out of the next one.
        """
        if digest_at(self._seats.stored, place) in self._mute:
            return None
        device = self._device_afar(place) or self.phones.devices.get(place)
        return device if device in [each.device for each in self._people] else None

    def _device_afar(self, place: int) -> bytes:
        return bytes.fromhex(self._seats.device_at(place))

    @property
    def comparing(self) -> tuple[int, ...] | None:
        """The numbers that people at handhelds compare and tap for now; None for none."""
        state = self._pairing.state
        return state.numbers if self._waits and state.phase in COMPARES else None

    def stand(
        self,
        rules: AnyRules,
        wanted: Sequence[SeatWanted],
        first: int,
        then: Callable[[Standings | None], None],
    ) -> None:
        """Close the list and make the table stand, soon; ``then`` gets None if it does not.

        Args:
            rules: the game with its options.
            wanted: the players by seat.
            first: the seat that opens.
            then: gets the table of each place here.
        """
        pairing = self._pairing
        if self._then is not None or pairing.state.phase is not PairingPhase.GATHERING:
            return
        pairing.state.game = rules.game
        here = {}
        session = pairing.state.session
        for seat, (name, device) in enumerate(wanted):
            if device is None:
                mine = new_device(self._entropy)
                guest = Pairing.join(mine, name, self._device, session, self._entropy)
                here[seat] = guest
                pairing.admit(guest.state.me)
        devices = [
            here[seat].state.me.device if device is None else device
            for seat, (_, device) in enumerate(wanted)
        ]
        for person in self._people:
            if person.device not in devices and not person.watches:
                pairing.put_out(person.device)
        pairing.arrange([*devices, self._device])
        self._here, self._then = here, then
        self._until_s = self._loop.time() + CLOSES_S
        phones = self.phones.devices.values()
        self._waits = any(each.device and each.device not in phones for each in wanted)
        pairing.close(rules, first, self._now_us)
        self._pump()

    @property
    def _people(self) -> Sequence[Attendee]:
        """All who have come but this host."""
        return [each for each in self._pairing.state.people if each.device != self._device]

    def _known_people(self) -> Sequence[Attendee]:
        """Return those in the lobby, this host too, and those at the table that stands."""
        at_table = () if self.stood is None else self.stood.agreed.people
        return [*self._pairing.state.people, *at_table]

    @property
    def _now_us(self) -> int:
        return round(self._loop.time() * 1e6)

    def _open(self) -> None:
        """Open another table."""
        self._pairing = Pairing.open_table(self._device, HOST, self._entropy, watches=True)
        self._here, self._then, self._until_s = {}, None, 0.0
        self._waits = False
        self._broke: bytes | None = None
        self._changed()

    def _note_mute(self) -> None:
        """Note whose phones have not answered the closed list, or have broken it off."""
        state, role = self._pairing.state, self._pairing.role
        assert isinstance(role, Host), "it opens the table"
        heard = role.taps if state.numbers is not None else state.proof.reveals
        for at, person in enumerate(state.people):
            is_mute = at not in heard if self._broke is None else person.device == self._broke
            place = place_with(self._seats.stored, person.device)
            if is_mute and place is not None:
                self._mute.add(digest_at(self._seats.stored, place))

    def _sweep(self) -> None:
        """Take the places of phones away that are gone; they come again."""
        here = [*self.phones.devices.values(), *map(self._device_afar, self._seats.guests)]
        for each in self._people:
            if each.device not in here:
                self._pairing.dismiss(each.device)
        self._pump()
        self._changed()

    def _tick(self) -> None:
        self._timer = self._loop.call_later(TICK_S, self._tick)
        for each in (self._pairing, *self._here.values()):
            each.tick(self._now_us)
        self.phones.cut_strangers()
        self._put_out_freed()
        self._pump()
        if self._then is not None and self._is_in_vain:
            then = self._then
            self._note_mute()
            self._pairing.leave()
            self._pump()
            self._open()
            self.phones.close()  # a phone that is awake comes again at once
            then(None)

    def _put_out_freed(self) -> None:
        """Put handhelds without a phone out whose places have been freed."""
        known = {*self.phones.devices.values(), *map(self._device_afar, self._seats.guests)}
        for each in self._people:
            if self._then is None and each.device not in known:
                self._pairing.put_out(each.device)

    @property
    def _is_in_vain(self) -> bool:
        """Whether the table that is made up will not stand."""
        late_s = self._loop.time() - self._until_s
        patience_s = TAPS_S if self.comparing is not None else 0.0
        return self._pairing.state.phase is PairingPhase.BROKEN or late_s > patience_s

    def _receive_outside(self, frame: bytes) -> None:
        """Take a frame of the room that comes over the broker, unless it is forged.

        A handheld without a phone proves nothing.
        """
        sender = head_of(frame).sender
        if sender != self._device and place_with(self._seats.stored, sender) is None:
            self._receive(frame)

    def _receive(self, frame: bytes) -> None:
        try:
            head, body = head_of(frame), body_of(frame)
        except InvitationError:
            return
        is_now = head.session == self._pairing.state.session
        person = body if isinstance(body, Attendee) and is_now else None
        if person and not self._is_welcome(person, head):
            return
        before, stood = len(self._people), self.stood
        is_new = self._pairing.receive(frame, self._now_us)
        if self._pairing.state.phase is PairingPhase.BROKEN and self._broke is None:
            self._broke = head.sender
        answer = None if is_new or stood is None else stood.answer(frame)
        if answer is not None:
            self._say(head.sender, answer)
        if person is not None:
            self._seat(person)
        self._pump()
        if len(self._people) != before:
            self._changed()

    def _is_welcome(self, person: Attendee, join: Head) -> bool:
        """Whether a handheld comes under the name of its guest, or of nobody.

        One without a phone for which there is no place is told so.
        """
        is_guest = _is_guest(self._seats, self.phones, person)
        if person.device != join.sender or is_guest is not None:
            return person.device == join.sender and is_guest is True
        try:
            if person.watches or self._pairing.state.phase is not PairingPhase.GATHERING:
                raise SeatingError("used")
            seated_afar(self._seats.stored, person.device.hex(), person.name)
        except SeatingError:
            head = Head(InvitationKind.LEAVE, self._device, join.sender, join.session)
            self._say(join.sender, packed(head, Plain(b"")))
            return False
        return True

    def _seat(self, person: Attendee) -> None:
        """Give a handheld without a phone a place, if it has come."""
        if person in self._people and person.device not in self.phones.devices.values():
            try:
                self._seats.sit_afar(person.device.hex(), person.name)
            except (SeatingError, OSError):  # there is no room for it, or none on the disk
                self._pairing.put_out(person.device)

    def _say(self, device: bytes | None, frame: bytes) -> None:
        """Send a frame to the device that it is for; None for everybody.

        Over the broker goes only what is of use to handhelds there. That is the notice of the
        table, and names once one of them has come.
        """
        self.phones.send(device, frame)
        here = {*self.phones.devices.values()}
        here.update(each.state.me.device for each in self._here.values())
        is_for_all = device is None and head_of(frame).kind is InvitationKind.TABLE
        is_outside = not here.issuperset(each.device for each in self._people)
        if is_for_all or (is_outside if device is None else device not in here):
            self._outside.send(device, frame)

    def _pump(self) -> None:
        """Deliver all frames between this host and the guests here; the others get theirs."""
        host, now_us = self._pairing, self._now_us
        goes_on = True
        while goes_on:
            goes_on = False
            for each in (host, *self._here.values()):
                if each.state.phase is PairingPhase.COMPARING:
                    each.tap(now_us)
            for device, frame in host.take():
                goes_on = True
                self._say(device, frame)
                for guest in self._here.values():
                    guest.receive(frame, now_us)
            for guest in self._here.values():
                for _, frame in guest.take():
                    goes_on = True
                    host.receive(frame, now_us)
        if host.state.agreed is not None and self._then is not None:
            agreed = {seat: guest.state.agreed for seat, guest in self._here.items()}
            tables = {seat: StandingTable.of(each) for seat, each in agreed.items() if each}
            stood = StandingTable.of(host.state.agreed)
            self.stood = stood
            with suppress(OSError):  # it may give way later
                self._seats.note_played([each.device.hex() for each in stood.agreed.people])
            self._mute.clear()
            self.numbers = host.state.numbers
            tables[len(stood.lost)] = stood
            then = self._then
            self._open()
            then(tables)
        if self._compared != self.comparing:
            self._compared = self.comparing
            self._changed()


def _is_guest(seats: PartySeats, phones: PhoneStreams, person: Attendee) -> bool | None:
    """Whether a handheld is that of a phone here, under its guest's name; None without a phone."""
    stored = seats.stored
    place = place_with(stored, person.device)
    if place_with(stored, person.carrier) is not None:
        return False  # no phone passes frames on
    if place is None:
        return None
    return place in phones.devices and seats.places()[place].name == person.name


def new_device(entropy: Callable[[int], bytes]) -> bytes:
    """Draw the six bytes that name a handheld."""
    return own_device(None, MemoryJournal(Path("none"), {}), entropy)
