"""What a table agrees on, and the hashes by which it follows from the frames of the pairing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from firmware.table.protocol.invitations import (
    Attendee,
    Reveal,
    Terms,
    name_bytes,
    terms_bytes,
)
from firmware.table.protocol.keys import derived
from game import AnyRules
from game.dice import Dice

COMPARED_DICE = 5
"""Dice that players compare: 6⁵ = 7776 transcripts to tell apart."""
_NONCE = bytes(12)
"""The key seals one message only."""
_FAIR = 252
"""The largest multiple of 6 in a byte's range: bytes from here on are passed over."""


@dataclass(frozen=True)
class Agreed:
    """A table that stands.

    Attributes:
        session: which pairing it came from.
        me: this handheld's place; the players have the first ones.
        people: by place.
        rules: the game with its options.
        first: the seat that opens.
        lost: by place, how many matches were lost at the host's table before.
        key: 32 bytes that everybody at the table knows.
        pairs: by place, 32 bytes that only it and this handheld know.
        stands: by place, what the host answers a tap with; empty at a guest.
    """

    session: bytes
    me: int
    people: tuple[Attendee, ...]
    rules: AnyRules
    first: int
    lost: tuple[int, ...]
    key: bytes = field(repr=False)
    pairs: dict[int, bytes] = field(repr=False)
    stands: dict[int, bytes] = field(repr=False)


def commitment(session: bytes, person: tuple[bytes, str, bool], key: bytes, nonce: bytes) -> bytes:
    """Return the 32-byte hash that fixes a key and a nonce for one person at one table.

    ``person``: device, name and whether he watches.
    """
    device, name, watches = person
    fixed = session + device + bytes((watches,)) + name_bytes(name) + key + nonce
    return sha256(b"maexchen commitment\0" + fixed).digest()


def dice_of(transcript: bytes) -> Dice:
    """Return the five dice that stand for a transcript, each face equally likely."""
    dice: list[int] = []
    block = transcript
    while len(dice) < COMPARED_DICE:
        block = sha256(b"maexchen dice\0" + block).digest()
        dice += [byte % 6 + 1 for byte in block if byte < _FAIR]
    return tuple(dice[:COMPARED_DICE])


def transcript_of(
    session: bytes, terms: Terms, people: Sequence[Attendee], reveals: Sequence[Reveal]
) -> bytes:
    """Return the 32-byte hash of the pairing; ``people`` and ``reveals`` by place."""
    said = [session, terms_bytes(terms), *(each.pack() for each in people)]
    said += [each.key + each.nonce for each in reveals]
    return sha256(b"maexchen transcript\0" + b"".join(said)).digest()


def sealed_secret(pair: bytes, secret: bytes, transcript: bytes) -> bytes:
    """Seal the table's secret for the guest who shares ``pair`` with the host."""
    return _sealer(pair).encrypt(_NONCE, secret, transcript)


def opened_secret(pair: bytes, sealed: bytes, transcript: bytes) -> bytes:
    """Open what ``sealed_secret`` made.

    Raises:
        InvalidTag: another key or transcript sealed it.
    """
    return _sealer(pair).decrypt(_NONCE, sealed, transcript)


def _sealer(pair: bytes) -> ChaCha20Poly1305:
    return ChaCha20Poly1305(derived(pair, b"maexchen stands"))
