"""A table that stands: its keys, its state in the journal, and its frames between matches."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hmac import compare_digest

from firmware.effects import TableAddress
from firmware.table.crypto import KEY_BYTES, hkdf
from firmware.table.pairing.state import Agreed
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.sealing import (
    Keys,
    broker_password,
    key_to_all,
    number_of_table,
    tag_of_table,
)
from game import AnyRules, rule_set, to_plain

MOST_MATCHES = 4096
"""Most matches of a table: epochs have 16 bits, and each match takes up 16 (PROTOCOL.md)."""


class StandingTableError(ValueError):
    """The table in the journal cannot be used; the text is one line."""


@dataclass(frozen=True)
class StandingTable:
    """A table, between or within matches.

    Attributes:
        agreed: the result of the lobby.
        number: of the match at the table, from 0.
        first: the seat that opens this match.
        lost: how many matches each player has lost here, by seat.
    """

    agreed: Agreed
    number: int
    first: int
    lost: tuple[int, ...]

    @classmethod
    def of(cls, agreed: Agreed) -> "StandingTable":
        """Return the table of the first match after a pairing."""
        players = sum(not person.watches for person in agreed.people)
        return cls(agreed, 0, agreed.first, agreed.lost[:players])

    @classmethod
    def fixed(
        cls,
        key: bytes,
        keys: Keys,
        me: int,
        players: Sequence[tuple[str, bytes]],
        rules: AnyRules,
        first: int,
        number: int = 0,
        carrier: int | None = None,
    ) -> "StandingTable":
        """Return a table that no lobby has formed; nobody leaves it at the display.

        Args:
            key: 32 bytes that everybody at the table knows.
            keys: of this seat.
            me: this seat.
            players: names and devices, by seat.
            rules: the game with its options.
            first: the seat that opens the match.
            number: of the match.
            carrier: the seat of the carrier; None for none.
        """
        people = tuple(wire.Attendee(device, name, False, b"") for name, device in players)
        session, lost = hkdf(key, b"maexchen session", wire.SESSION_BYTES), (0,) * len(people)
        pairs, signers = dict(keys.pairs), dict(keys.signers)
        agreed = Agreed(
            session, me, people, rules, first, lost, key, pairs, keys.seed, signers, {}, carrier
        )
        return cls(agreed, number, first, lost)

    @property
    def is_fixed(self) -> bool:
        """Whether the settings name this table: nobody has committed to a key in a lobby."""
        return not any(person.commitment for person in self.agreed.people)

    @property
    def keys(self) -> Keys:
        """The keys of this handheld's place."""
        agreed = self.agreed
        number, everybody = number_of_table(agreed.key), key_to_all(agreed.key)
        return Keys(number, agreed.pairs, agreed.seed, agreed.signers, everybody)

    @property
    def table_address(self) -> TableAddress:
        """The place of this handheld at a broker, also of a spectator, with the carrier."""
        agreed = self.agreed
        carried = agreed.people if agreed.carrier is not None else ()
        devices = tuple(person.device for person in carried)
        password = broker_password(agreed.seed)
        return TableAddress(
            *(tag_of_table(agreed.key), agreed.me, devices, agreed.carrier, password),
            seats=len(self.names),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple(person.name for person in self.agreed.people if not person.watches)

    def device(self, seat: int) -> bytes:
        """Return the six bytes of the handheld at a place; watchers begin at ``len(lost)``."""
        return self.agreed.people[seat].device

    def seat_of(self, device: bytes) -> int | None:
        """Return the seat of a device; None if it has none."""
        people = enumerate(self.agreed.people)
        return next((seat for seat, person in people if person.device == device), None)

    def after(self, losers: tuple[int, ...]) -> "StandingTable":
        """Return the table of the next match, after ``losers`` (seats) lost this one.

        The first loser opens it (as by B-6 a round); without a loser, the next seat does.
        """
        lost = tuple(count + (seat in losers) for seat, count in enumerate(self.lost))
        first = losers[0] if losers else (self.first + 1) % len(self.lost)
        return replace(self, number=self.number + 1, first=first, lost=lost)

    # Frames between matches

    def wants(self, number: int, seat: int) -> bytes:
        """Return the AGAIN frame for ``seat``: this seat wants match ``number``."""
        me = self.agreed.me
        head = wire.Head(
            wire.InvitationKind.AGAIN, self.device(me), self.device(seat), self.agreed.session
        )
        return wire.packed(head, wire.Again(number, self._mac(number, me, seat)))

    def wanted(self, frame: bytes) -> tuple[int, int] | None:
        """Return the sender's seat and the number of the match that it wants.

        None for any other frame, and for a MAC that is not the sender's.
        """
        read = self._read(frame, wire.InvitationKind.AGAIN)
        if read is None or not isinstance(body := wire.body_of(frame), wire.Again):
            return None
        true = compare_digest(body.mac, self._mac(body.number, read, read))
        return (read, body.number) if true else None

    def answer(self, frame: bytes) -> bytes | None:
        """Return the host's answer to a guest that missed STANDS, or to a JOIN; else None.

        A guest gets STANDS, even if it leaves. A stranger gets LEAVE: no place is left.
        """
        if not self.agreed.stands:
            return None
        me, session = self.device(self.agreed.me), self.agreed.session
        sender = self._sender(frame, wire.InvitationKind.JOIN)
        if sender is not None and self.seat_of(sender) is None:
            return wire.packed(
                wire.Head(wire.InvitationKind.LEAVE, me, sender, session), wire.Plain(b"")
            )
        seat = self._read(frame, wire.InvitationKind.TAP)
        if seat is None:  # the guest tapped and left before STANDS came: it sits here
            seat = self._read(frame, wire.InvitationKind.LEAVE)
        if seat is None or seat not in self.agreed.stands:
            return None
        head = wire.Head(wire.InvitationKind.STANDS, me, self.device(seat), session)
        return wire.packed(head, wire.Plain(self.agreed.stands[seat]))

    def _read(self, frame: bytes, kind: wire.InvitationKind) -> int | None:
        """Return the seat that sent this one a frame of a kind; None for any other frame."""
        sender = self._sender(frame, kind)
        seat = None if sender is None else self.seat_of(sender)
        return None if seat == self.agreed.me else seat

    def _sender(self, frame: bytes, kind: wire.InvitationKind) -> bytes | None:
        """Return the device that sent this one a frame of a kind; None for any other frame."""
        try:
            head = wire.head_of(frame)
            wire.body_of(frame)
        except wire.InvitationError:
            return None
        me = self.device(self.agreed.me)
        fits = (head.kind, head.session, head.receiver) == (kind, self.agreed.session, me)
        return head.sender if fits else None

    def _mac(self, number: int, sender: int, peer: int) -> bytes:
        purpose = b"maexchen again %d %d" % (number, sender)
        return hkdf(self.agreed.pairs[peer], purpose, wire.MAC_BYTES)

    # In the journal

    def encode(self) -> bytes:
        """Return the table as JSON for the journal, with its secrets."""
        agreed = self.agreed
        people = [(each.device, each.name, each.watches, each.commitment) for each in agreed.people]
        plain = {
            "session": agreed.session,
            "me": agreed.me,
            "people": people,
            **to_plain(agreed.rules),
            "agreed_first": agreed.first,
            "agreed_lost": agreed.lost,
            "key": agreed.key,
            "pairs": agreed.pairs,
            "seed": agreed.seed,
            "signers": agreed.signers,
            "stands": agreed.stands,
            "carrier": agreed.carrier,
            "number": self.number,
            "first": self.first,
            "lost": self.lost,
        }
        return json.dumps(plain, default=bytes.hex).encode()

    @classmethod
    @lru_cache(maxsize=4)  # pages ask again and again for the table that stands
    def decode(cls, data: bytes) -> "StandingTable":
        """Read what ``encode`` wrote.

        Raises:
            StandingTableError: the bytes are something else.
        """
        try:
            plain = json.loads(data)
            people = tuple(
                wire.Attendee(bytes.fromhex(device), name, watches, bytes.fromhex(fixed))
                for device, name, watches, fixed in plain["people"]
            )
            agreed = Agreed(
                bytes.fromhex(plain["session"]),
                plain["me"],
                people,
                rule_set(plain["game"], plain["options"]),
                plain["agreed_first"],
                tuple(plain["agreed_lost"]),
                bytes.fromhex(plain["key"]),
                _unhexed(plain["pairs"]),
                bytes.fromhex(plain["seed"]),
                _unhexed(plain["signers"]),
                _unhexed(plain["stands"]),
                plain.get("carrier"),  # older journals have none
            )
            return cls(agreed, plain["number"], plain["first"], tuple(plain["lost"]))._checked()
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise StandingTableError(f"the table in the journal cannot be read ({error})") from None

    def _checked(self) -> "StandingTable":
        """Return the table. Raises ValueError or TypeError if no match can be played at it."""
        agreed, players, places = self.agreed, len(self.names), len(self.agreed.people)
        for person in agreed.people:
            wire.name_bytes(person.name)
            if len(person.device) != wire.DEVICE_BYTES:
                raise ValueError(
                    f"a device has {wire.DEVICE_BYTES} bytes, not {len(person.device)}"
                )
        seats = {"me": (agreed.me, places), "first": (self.first, players)}
        if agreed.carrier is not None:
            seats["carrier"] = (agreed.carrier, players)
        seats |= {"agreed_first": (agreed.first, players), "number": (self.number, MOST_MATCHES)}
        for name, (value, end) in seats.items():
            if type(value) is not int or value not in range(end):
                raise ValueError(f"{name} is none of 0 to {end - 1}")
        keys = [agreed.key, agreed.seed, *agreed.pairs.values(), *agreed.signers.values()]
        if any(len(key) != KEY_BYTES for key in keys) or len(self.lost) != players:
            raise ValueError("keys or players are missing")
        others = set(range(places)) - {agreed.me}
        if set(agreed.pairs) != others or set(agreed.signers) != others | {agreed.me}:
            raise ValueError("the keys are not those of the people")
        if any(type(lost) is not int for lost in (*self.lost, *agreed.lost)):
            raise ValueError("matches are counted in whole numbers")
        return self


def _unhexed(plain: dict[str, str]) -> dict[int, bytes]:
    return {int(seat): bytes.fromhex(data) for seat, data in plain.items()}
