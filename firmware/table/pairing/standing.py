"""A table that stands: what a handheld keeps of it, and what it says for it between matches."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hmac import compare_digest

from firmware.table.pairing.transcript import Agreed
from firmware.table.protocol.invitations import (
    MAC_BYTES,
    Again,
    Attendee,
    Head,
    InvitationError,
    InvitationKind,
    Plain,
    body_of,
    head_of,
    packed,
)
from firmware.table.protocol.keys import derived
from game import rule_set, to_plain


class StandingTableError(ValueError):
    """The table in the journal cannot be used; the text is one line."""


@dataclass(frozen=True)
class StandingTable:
    """A table, between or within matches.

    Attributes:
        agreed: what the lobby agreed on.
        number: which match of the table it is, from 0.
        first: the seat that opens this match.
        lost: how many matches each player has lost here, by seat.
    """

    agreed: Agreed
    number: int
    first: int
    lost: tuple[int, ...]

    @classmethod
    def of(cls, agreed: Agreed) -> "StandingTable":
        """A table that has just come to stand."""
        players = sum(not person.watches for person in agreed.people)
        return cls(agreed, 0, agreed.first, agreed.lost[:players])

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return tuple(person.name for person in self.agreed.people if not person.watches)

    def device(self, seat: int) -> bytes:
        """The device at a seat."""
        return self.agreed.people[seat].device

    def seat_of(self, device: bytes) -> int | None:
        """The seat of a device; None where it has none."""
        people = enumerate(self.agreed.people)
        return next((seat for seat, person in people if person.device == device), None)

    def after(self, losers: tuple[int, ...]) -> "StandingTable":
        """The next match: who lost opens it, as who is penalised opens a round (B-6)."""
        lost = tuple(count + (seat in losers) for seat, count in enumerate(self.lost))
        first = losers[0] if losers else (self.first + 1) % len(self.lost)
        return replace(self, number=self.number + 1, first=first, lost=lost)

    # What is said between matches

    def wants(self, number: int, seat: int) -> bytes:
        """Return the frame that tells a seat that this one wants match ``number``."""
        me = self.agreed.me
        head = Head(InvitationKind.AGAIN, self.device(me), self.device(seat), self.agreed.session)
        return packed(head, Again(number, self._mac(number, me, seat)))

    def wanted(self, frame: bytes) -> tuple[int, int] | None:
        """Who wants which match, as a frame says it: its seat and the number; else None."""
        read = self._read(frame, InvitationKind.AGAIN)
        if read is None or not isinstance(body := body_of(frame), Again):
            return None
        true = compare_digest(body.mac, self._mac(body.number, read, read))
        return (read, body.number) if true else None

    def answer(self, frame: bytes) -> bytes | None:
        """The host's answer to a guest who does not know yet that the table stands; else None."""
        seat = self._read(frame, InvitationKind.TAP)
        if seat is None or seat not in self.agreed.stands:
            return None
        me = self.device(self.agreed.me)
        head = Head(InvitationKind.STANDS, me, self.device(seat), self.agreed.session)
        return packed(head, Plain(self.agreed.stands[seat]))

    def _read(self, frame: bytes, kind: InvitationKind) -> int | None:
        """The seat that says something of this kind to this one; None where nobody does."""
        try:
            head = head_of(frame)
            body_of(frame)
        except InvitationError:
            return None
        me = self.device(self.agreed.me)
        if (head.kind, head.session, head.receiver) != (kind, self.agreed.session, me):
            return None
        seat = self.seat_of(head.sender)
        return None if seat == self.agreed.me else seat

    def _mac(self, number: int, sender: int, peer: int) -> bytes:
        purpose = b"maexchen again %d %d" % (number, sender)
        return derived(self.agreed.pairs[peer], purpose, MAC_BYTES)

    # In the journal

    def encode(self) -> bytes:
        """Return its bytes for the journal."""
        agreed = self.agreed
        return json.dumps(
            {
                "session": agreed.session.hex(),
                "me": agreed.me,
                "people": [
                    [each.device.hex(), each.name, each.watches, each.commitment.hex()]
                    for each in agreed.people
                ],
                **to_plain(agreed.rules),
                "agreed_first": agreed.first,
                "agreed_lost": agreed.lost,
                "key": agreed.key.hex(),
                "pairs": _hexed(agreed.pairs),
                "stands": _hexed(agreed.stands),
                "number": self.number,
                "first": self.first,
                "lost": self.lost,
            }
        ).encode()

    @classmethod
    def decode(cls, data: bytes) -> "StandingTable":
        """Read what ``encode`` wrote. Raises StandingTableError."""
        try:
            told = json.loads(data)
            people = tuple(
                Attendee(bytes.fromhex(device), name, watches, bytes.fromhex(fixed))
                for device, name, watches, fixed in told["people"]
            )
            agreed = Agreed(
                bytes.fromhex(told["session"]),
                told["me"],
                people,
                rule_set(told["game"], told["options"]),
                told["agreed_first"],
                tuple(told["agreed_lost"]),
                bytes.fromhex(told["key"]),
                _unhexed(told["pairs"]),
                _unhexed(told["stands"]),
            )
            return cls(agreed, told["number"], told["first"], tuple(told["lost"]))
        except (ValueError, KeyError, TypeError) as error:
            raise StandingTableError(f"the table in the journal cannot be read ({error})") from None


def _hexed(keys: Mapping[int, bytes]) -> dict[str, str]:
    return {str(seat): data.hex() for seat, data in keys.items()}


def _unhexed(told: dict[str, str]) -> dict[int, bytes]:
    return {int(seat): bytes.fromhex(data) for seat, data in told.items()}
