"""The result of a pairing, and the hashes that derive it from the frames."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from firmware.table.crypto.primitives import hkdf, seal, unseal
from firmware.table.protocol.invitations import (
    NONCE_BYTES,
    Attendee,
    Reveal,
    Terms,
    name_bytes,
    terms_bytes,
)
from game import AnyRules

COMPARED_NUMBERS = 5
NUMBERS = tuple(10 * tens + ones for tens in range(1, 10) for ones in range(tens))
"""The 45 numbers of two digits, the higher one first, from which the compared ones are drawn.

People compare in any order, and over a telephone "vierundzwanzig" is easily heard as 24 or 42. The
numbers are therefore a set, shown from low to high, and none is the mirror image of another. A
player who ignores order still distinguishes 45 over 5 = 1,221,759 transcripts: 20.2 bits.
"""
_NONCE = bytes(12)
"""The key seals one message only."""
_FAIR = 225
"""The largest multiple of 45 in a byte's range: bytes from here on are passed over."""


@dataclass(frozen=True)
class Agreed:
    """A table that stands.

    Attributes:
        session: of its pairing.
        me: this handheld's place; the players have the first ones.
        people: by place.
        rules: the game with its options.
        first: the seat that opens.
        lost: by place, how many matches were lost at the host's table before.
        key: 32 bytes that everybody at the table knows.
        pairs: by place, 32 bytes that only it and this handheld know.
        seed: the 32 bytes of this handheld's signatures.
        signers: by place, its public key for signatures.
        stands: by place, the host's answer to a tap; empty at a guest.
        carrier: the place of the carrier; None for none.
    """

    session: bytes
    me: int
    people: tuple[Attendee, ...]
    rules: AnyRules
    first: int
    lost: tuple[int, ...]
    key: bytes = field(repr=False)
    pairs: dict[int, bytes] = field(repr=False)
    seed: bytes = field(repr=False)
    signers: dict[int, bytes]
    stands: dict[int, bytes] = field(repr=False)
    carrier: int | None = None


def commitment(session: bytes, person: tuple[bytes, str, bool], key: bytes, nonce: bytes) -> bytes:
    """Return the 32-byte hash that fixes a key and a nonce for one person at one table.

    ``person``: device, name and whether the person watches.
    """
    device, name, watches = person
    fixed = session + device + bytes((watches,)) + name_bytes(name) + key + nonce
    return sha256(b"maexchen commitment\0" + fixed).digest()


def nonce_of(secret: bytes) -> bytes:
    """Return the nonce (`NONCE_BYTES`) whose preimage is a secret of as many bytes."""
    return sha256(b"maexchen nonce\0" + secret).digest()[:NONCE_BYTES]


def numbers_of(transcript: bytes) -> tuple[int, ...]:
    """Return five of `NUMBERS` for a transcript, low to high; each set is equally likely."""
    drawn: list[int] = []
    block = transcript
    while len(drawn) < COMPARED_NUMBERS:
        block = sha256(b"maexchen numbers\0" + block).digest()
        drawn += [NUMBERS[byte % len(NUMBERS)] for byte in block if byte < _FAIR]
        drawn = list(dict.fromkeys(drawn))
    return tuple(sorted(drawn[:COMPARED_NUMBERS]))


def transcript_of(
    session: bytes, terms: Terms, people: Sequence[Attendee], reveals: Sequence[Reveal]
) -> bytes:
    """Return the 32-byte hash of the pairing; ``people`` and ``reveals`` by place."""
    fields = [session, terms_bytes(terms), *(each.pack() for each in people)]
    fields += [each.key + each.nonce for each in reveals]
    return sha256(b"maexchen transcript\0" + b"".join(fields)).digest()


def sealed_secret(pair: bytes, secret: bytes, transcript: bytes) -> bytes:
    """Seal the table's secret for the guest that shares ``pair`` with the host."""
    return seal(_sealing_key(pair), _NONCE, secret, transcript)


def opened_secret(pair: bytes, sealed: bytes, transcript: bytes) -> bytes | None:
    """Return what ``sealed_secret`` sealed; None if another key or transcript sealed it."""
    return unseal(_sealing_key(pair), _NONCE, sealed, transcript)


def _sealing_key(pair: bytes) -> bytes:
    return hkdf(pair, b"maexchen stands")
