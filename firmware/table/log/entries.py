"""The entries of the public log: their bytes, the digests that chain them, and signatures.

Digest 0 is the SHA-256 of the match's header (rules, players, first opener), digest n+1 that of
digest n and public entry n. Messages carry the first 8 bytes. Signatures cover all 32, so that
nobody can make two logs for one signature.

A seat that enters something signs the log up to there, in its current epoch. In one epoch a log
only grows: a seat that has signed two different logs has told two stories.

An entry is one byte, or a first byte and the bytes that it announces. Numbers are hexadecimal.

=============  ===============  ====================================================================
first          then             entry
=============  ===============  ====================================================================
01                              a roll whose dice are not told
02 03 04                        look, believe, doubt
05 06 07                        Mäxchen shown, given in, owned up
08 09 0a                        match ended, round voided, match stopped
0b                              a cup refused that came the wrong way
0c 0d                           content with the throw, no coaster given
10 … 1f                         the player of seat 0 … 15 leaves
20 … 34                         announced: the place in the ranking, 0 (31) to 20 (Mäxchen)
35 36                           said: the same again, one more
39 … 3f        00 … 16          announced or said with more to it, see below
40 … 63                         a roll of two dice: 40 + 6 · (first die - 1) + second die - 1
80 … a3                         two dice lifted: 80 + 6 · (first die - 1) + second die - 1
a4 a5 a6       00 … 0f          dropped, moved, looked at against the rules by seat 0 … 15
a7             00 … 0f          another mistake of seat 0 … 15, as the table agreed
a8 a9 aa       00 … 23          a tower rolled, lifted, shown: 6 · (first die - 1) + second die - 1
b0 … bf                         a coaster given to seat 0 … 15
c1 … c7        a digit a die    a roll of 1, 3, 4, 5, 6 or 7 dice; 0 fills the last byte
d1 … d3        a digit a die    1 or 3 dice lifted; 0 fills the last byte
e0 e1 e2       two digits       dice set aside, 0 for none; 0, 1 or 2 sixes turned
f0             32 bytes         before a throw: the tenure that it begins (`DiceCommitment`)
f1             1 byte           before a throw whose dice are not told: which one of its tenure
f2             1 + 32 bytes     before dice that are laid open: which throw, and its opening
f3             1 + 64 bytes …   before what players wished for: bit n, seat n did; signatures
f4             1 + 2 + 64       after what one seat entered: the seat, the epoch, and its signature
f5             2 + 64 bytes …   f3 where a seat after the eighth wished, too
=============  ===============  ====================================================================

39 to 3f are 38 and any of: 1 "mit Luft", 2 "mit viel Luft", 3 drawn out, 4 passed the wrong way.
The next byte is the place in the ranking, or 15 for the same again, 16 for one more.

f0 to f3 and f5 begin a note beside the action that follows, in the same entry: f0 stands before f1
or f2, and these before an action. f4 is no part of an entry. It signs the entries back to the last
f4 (`firmware.table.log.entries`).

>>> [encode_entry(action).hex() for action in (do.Announce(62), do.Roll((6, 3)), do.Lift((6, 3)))]
['2a', '60', 'a0']
>>> encode_entry(do.Announce(62, do.Flourish.AIR)).hex(" ")
'39 0a'
>>> encode_entry(do.Fault(do.FaultKind.DROP, 2)).hex(" ")
'a4 02'
>>> encode_entry(do.Roll((6, 5, 4))).hex(" "), encode_entry(do.Keep((6, 1), turned=1)).hex(" ")
('c3 65 40', 'e1 61')

Spectators and latecomers believe a received entry by its signature, and by the seats that could
enter it. ``PublicLog.adopt(told, belief=Readers(signers, match))`` enters the entries of a LOG from
any sender, if rules and signatures allow them. `Cheated` names a seat that has signed two stories.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import accumulate
from struct import Struct
from typing import NamedTuple, Protocol, Self

from firmware.table.commitment.fair_dice import COMMITMENT_BYTES, DiceCommitment, ProofNote
from firmware.table.protocol import (
    DIGEST_BYTES,
    ENTRIES_AT_ONCE,
    MOST_ENTRIES,
    OPENING_BYTES,
    SIGNATURE_BYTES,
    LogPosition,
)
from firmware.table.protocol.messages import Log
from firmware.table.protocol.sealing import Verifier
from game import AnyMatch
from game import actions as do
from game.bluff.rules import DICE, RANKING
from game.dice import FACES, Dice
from game.status import AWAY

EPOCHS_PER_MATCH = 16
"""Epochs that a match takes up, by the header's table in PROTOCOL.md; votes can begin 15 of
them."""
_PLACE = Struct(">HH")
_WISH = Struct(">BHI")
_SIGNATURE = Struct(f">BH{SIGNATURE_BYTES}s")
SIGNED_BYTES = _SIGNATURE.size
_BY_MORE = Struct(">BH")


def begun(header: bytes) -> bytes:
    """Return the digest of a log without entries, 32 bytes, from the match's header."""
    return sha256(header).digest()


def chained(digest: bytes, entry: bytes) -> bytes:
    """Return the digest after one more public entry (without signature), 32 bytes."""
    return sha256(digest + entry).digest()


def short(digest: bytes) -> bytes:
    """Return the part of a digest that messages carry: 8 bytes."""
    return digest[:DIGEST_BYTES]


class Signature(NamedTuple):
    """The signature of a log by the seat that made its last entry.

    Attributes:
        seat: the signer.
        epoch: in which it signed.
        signed: the signature of ``statement``, 64 bytes (Ed25519).
    """

    seat: int
    epoch: int
    signed: bytes

    @staticmethod
    def statement(epoch: int, index: int, digest: bytes) -> bytes:
        """Return the signed statement: epoch, number of entries, and the digest after them."""
        return b"maexchen log\0" + _PLACE.pack(epoch, index) + digest

    def pack(self) -> bytes:
        """Return seat, epoch and signature in 67 bytes."""
        return _SIGNATURE.pack(*self)

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read what ``pack`` wrote. All bytes of this length are a signature."""
        return cls(*_SIGNATURE.unpack(data))


def wish_statement(seat: int, epoch: int, round_number: int, entry: bytes) -> bytes:
    """Return the statement of a wish for an entry, in a round; round 0 for leaving."""
    return b"maexchen wish\0" + _WISH.pack(seat, epoch, round_number) + entry


_SEATS = range(16)
_PLAIN: tuple[do.Action, ...] = (
    do.Roll(None),
    do.Look(),
    do.Believe(),
    do.Doubt(),
    do.ShowMaexchen(),
    do.GiveIn(),
    do.OwnUp(),
    do.EndMatch(),
    do.VoidRound(),
    do.StopMatch(),
    do.Refuse(),
    do.Stop(),
    do.GiveCoaster(None),
)
_SPOKEN = (do.Words.SAME, do.Words.ONE_MORE)
_FLOURISHES = (None, do.Flourish.AIR, do.Flourish.MUCH_AIR, do.Flourish.DRAWN_OUT)
_FAULTS = (do.FaultKind.DROP, do.FaultKind.MOVE, do.FaultKind.LOOK, do.FaultKind.OTHER)
_WITH_MORE = 0x38
_WRONG_WAY = 4
_ROLL, _LIFT, _KEEP = 0xC0, 0xD0, 0xE0
_DICE_OF: dict[int, type[do.Roll | do.Lift]] = {
    **{_ROLL + number: do.Roll for number in (1, 3, 4, 5, 6, 7)},
    **{_LIFT + number: do.Lift for number in (1, 3)},
}
"""Actions with dice digit by digit, by first byte; its last digit is the number of dice."""


_TENURE, _THROW, _OPENED, _WISHED, _SIGNED, _WISHED_BY_MORE = range(0xF0, 0xF6)


class Wished(NamedTuple):
    """The seats that wished for an entry, each with its signature (64 bytes)."""

    by: tuple[tuple[int, bytes], ...]


Note = ProofNote | Wished
"""The note beside an action."""


class LogEntry(NamedTuple):
    """An action, the note beside it, and the signature of the log up to it; None for none."""

    action: do.Action
    note: Note | None = None
    signature: Signature | None = None

    @property
    def proof(self) -> ProofNote | None:
        """The note, if it proves dice; else None."""
        return self.note if isinstance(self.note, ProofNote) else None

    def encode(self) -> bytes:
        """Return the bytes of the entry and of its signature."""
        return encode_entry(self.action, self.note) + signed_bytes(self.signature)


class EntryError(ValueError):
    """An action without an entry, or bytes that are no entry; the text names them."""


def _announced() -> Iterator[tuple[bytes, do.Action]]:
    """Yield every announcement, with its entry."""
    for extra in range(2 * _WRONG_WAY):
        wrong_way = extra >= _WRONG_WAY
        flourish = _FLOURISHES[extra % _WRONG_WAY]
        actions: list[do.Action] = [do.Announce(value, flourish, wrong_way) for value in RANKING]
        if flourish is None:
            actions += [do.Say(words, wrong_way) for words in _SPOKEN]
        for place, action in enumerate(actions):
            yield bytes([_WITH_MORE + extra, place] if extra else [0x20 + place]), action


def _kept() -> Iterator[tuple[bytes, do.Action]]:
    """Yield all dice that can be set aside, with their entry: two digits, the higher one first."""
    asides: list[Dice] = [(), *((die,) for die in FACES)]
    asides += [(high, low) for high in FACES for low in FACES if low <= high]
    for turned in range(3):
        for aside in asides:
            yield bytes([_KEEP + turned]) + _digits(aside or (0,)), do.Keep(aside, turned)


def _digits(dice: Dice) -> bytes:
    digits = "".join(map(str, dice))
    return bytes.fromhex(digits + "0" * (len(digits) % 2))


_ENTRIES: dict[bytes, do.Action] = {
    **{bytes([0x01 + place]): action for place, action in enumerate(_PLAIN)},
    **{bytes([0x10 + seat]): do.Leave(seat) for seat in _SEATS},
    **dict(_announced()),
    **{bytes([0x40 + place]): do.Roll(dice) for place, dice in enumerate(DICE)},
    **{bytes([0x80 + place]): do.Lift(dice) for place, dice in enumerate(DICE)},
    **{
        bytes([0xA4 + place, seat]): do.Fault(kind, seat)
        for place, kind in enumerate(_FAULTS)
        for seat in _SEATS
    },
    **{bytes([0xA8, place]): do.Roll(dice, tower=True) for place, dice in enumerate(DICE)},
    **{bytes([0xA9, place]): do.Lift(dice, tower=True) for place, dice in enumerate(DICE)},
    **{bytes([0xAA, place]): do.ShowTower(dice) for place, dice in enumerate(DICE)},
    **{bytes([0xB0 + seat]): do.GiveCoaster(seat) for seat in _SEATS},
    **dict(_kept()),
}
_BYTES = {action: entry for entry, action in _ENTRIES.items()}
_SIZES = {entry[0]: len(entry) for entry in _ENTRIES} | {
    first: 1 + (first % 0x10 + 1) // 2 for first in _DICE_OF
}
"""Length of an entry in bytes, by its first byte."""


def encode_entry(action: do.Action, note: Note | None = None) -> bytes:
    """Return the entry of an action: its note, and one to five bytes.

    Raises:
        EntryError: it has none, such as a lift with unknown dice.
    """
    entry = _BYTES.get(action)
    if entry is None:
        entry = _encode_dice(action)
    if entry is None:
        raise EntryError(f"{type(action).__name__} has no entry in a log")
    return entry if note is None else _encode_note(note) + entry


def signed_bytes(signature: Signature | None) -> bytes:
    """Return the bytes of a signature behind an entry; none for None."""
    return b"" if signature is None else bytes([_SIGNED]) + signature.pack()


def _encode_note(note: Note) -> bytes:
    if isinstance(note, Wished):
        bits = sum(1 << seat for seat, _ in note.by)
        first = bytes([_WISHED, bits]) if bits < 0x100 else _BY_MORE.pack(_WISHED_BY_MORE, bits)
        return first + b"".join(signed for _, signed in note.by)
    tenure = b"" if note.tenure is None else bytes([_TENURE]) + note.tenure.pack()
    if note.opening is None:
        return tenure + bytes([_THROW, note.throw])
    return tenure + bytes([_OPENED, note.throw]) + note.opening


def _encode_dice(action: do.Action) -> bytes | None:
    if not isinstance(action, do.Roll | do.Lift) or action.dice is None or action.tower:
        return None
    first = (_ROLL if isinstance(action, do.Roll) else _LIFT) + len(action.dice)
    if _DICE_OF.get(first) is not type(action) or not all(die in FACES for die in action.dice):
        return None
    return bytes([first]) + _digits(action.dice)


def decode_entries(entries: bytes) -> tuple[do.Action, ...]:
    """Return the actions of consecutive entries.

    Raises:
        EntryError: a byte begins no entry, or an entry is cut off or unknown.
    """
    return tuple(entry.action for entry in read_entries(entries))


def read_entries(entries: bytes) -> tuple[LogEntry, ...]:
    """Return entries with their notes and signatures.

    Raises:
        EntryError: as in `decode_entries`, or a note is cut off.
    """
    decoded = list[LogEntry]()
    at = 0
    while at < len(entries):
        if entries[at] == _SIGNED and decoded and decoded[-1].signature is None:
            signed, at = _taken(entries, at + 1, SIGNED_BYTES)
            decoded[-1] = decoded[-1]._replace(signature=Signature.unpack(signed))
            continue
        note, at = _decode_note(entries, at)
        size = _SIZES.get(entries[at], 1) if at < len(entries) else 1
        entry = entries[at : at + size]
        action = _ENTRIES.get(entry)
        if action is None and entry:
            action = _decode_dice(entry)
        wished = isinstance(note, Wished) and not isinstance(action, do.TableAction)
        if action is None or len(entry) < size or wished:
            raise EntryError(f"0x{entry.hex()} is no entry of a log")
        decoded.append(LogEntry(action, note))
        at += size
    return tuple(decoded)


def _taken(entries: bytes, at: int, size: int) -> tuple[bytes, int]:
    """Return ``size`` bytes from ``at`` on, and their end."""
    if len(taken := entries[at : at + size]) < size:
        raise EntryError("what stands beside an entry is cut off")
    return taken, at + size


def _decode_note(entries: bytes, at: int) -> tuple[Note | None, int]:
    """Return the note beside the next action, and the place where the action begins."""
    tenure = opening = None
    if entries[at] in (_WISHED, _WISHED_BY_MORE):
        told, at = _taken(entries, at + 1, 1 if entries[at] == _WISHED else 2)
        bits = int.from_bytes(told, "big")
        if len(told) == 2 and bits < 0x100:
            raise EntryError(f"0x{told.hex()} needs no second byte")
        wishing = [seat for seat in _SEATS if bits >> seat & 1]
        signed, at = _taken(entries, at, SIGNATURE_BYTES * len(wishing))
        cuts = range(0, len(signed), SIGNATURE_BYTES)
        each = (signed[cut : cut + SIGNATURE_BYTES] for cut in cuts)
        return Wished(tuple(zip(wishing, each, strict=True))), at
    if entries[at] == _TENURE:
        packed, at = _taken(entries, at + 1, COMMITMENT_BYTES)
        if at >= len(entries) or entries[at] not in (_THROW, _OPENED):
            raise EntryError("a tenure begins without a throw")
        tenure = DiceCommitment.unpack(packed)
    if entries[at] not in (_THROW, _OPENED):
        return None, at
    opens = entries[at] == _OPENED
    (throw,), at = _taken(entries, at + 1, 1)
    if opens:
        opening, at = _taken(entries, at, OPENING_BYTES)
    return ProofNote(throw, tenure, opening), at


def _decode_dice(entry: bytes) -> do.Action | None:
    kind = _DICE_OF.get(entry[0])
    if kind is None:
        return None
    number = entry[0] % 0x10
    digits = entry[1:].hex()
    dice = tuple(int(digit, 16) for digit in digits[:number])
    if any(die not in FACES for die in dice) or digits[number:].strip("0"):
        return None
    return kind(dice)


class SignedEntries:
    """The entries of a match.

    Args:
        digest: before the first entry, 32 bytes.
    """

    def __init__(self, digest: bytes) -> None:
        self._local: list[bytes] = []
        self._public: list[bytes] = []
        self._signatures: list[Signature | None] = []
        self._digests = [digest]
        self.cuts = 0
        """How often entries were removed."""

    @property
    def index(self) -> int:
        """The number of entries; also the index of the first one that is missing."""
        return len(self._local)

    @property
    def digest(self) -> bytes:
        """The digest of all public entries, as messages carry it."""
        return short(self._digests[-1])

    @property
    def at(self) -> LogPosition:
        """The position of the log's end."""
        return self.position(self.index)

    def position(self, index: int) -> LogPosition:
        """Return the position after ``index`` entries. Raises IndexError beyond the end."""
        return LogPosition(index, short(self._digests[index]))

    def signers(self, since: int = 0) -> frozenset[tuple[int, int]]:
        """Return the seats, with epochs, that have signed entries from index ``since`` on."""
        return frozenset((one.seat, one.epoch) for one in self._signatures[since:] if one)

    def part(self, first: int, most: int = MOST_ENTRIES) -> Log:
        """Return the LOG of at most ``most`` public entries from index ``first``.

        The last known signature covers all entries of one seat in a row, in one epoch. Equal
        entries therefore have equal bytes, whichever earlier signatures are known.

        Raises:
            EntryError: ``first`` is beyond the end of the log.
        """
        if not 0 <= first <= self.index:
            raise EntryError(f"entry {first} is beyond the end of the log, {self.index}")
        end = min(first + most, self.index)
        entries, after = list[bytes](), None
        for index in reversed(range(first, end)):
            one = self._signatures[index]
            goes_on = one is not None and after is not None and one[:2] == after[:2]
            entries.append(self._public[index] + signed_bytes(None if goes_on else one))
            after = one or after
        return Log(first, end - first, b"".join(reversed(entries)), short(self._digests[end]))

    def tellable(self, first: int, end: int, most: int = ENTRIES_AT_ONCE) -> int:
        """Return how many entries to send from index ``first`` on, before index ``end``.

        That is ``most``, and further ones up to the next signature.
        """
        count = min(most, end - first)
        while first + count < end and self._signatures[first + count - 1] is None:
            count += 1
        return count

    def last(self, most_bytes: int) -> tuple[int, bytes]:
        """Return the newest public entries in at most so many bytes: their number and bytes."""
        count, size = 0, 0
        while count < self.index and size + len(self._public[-1 - count]) <= most_bytes:
            size += len(self._public[-1 - count])
            count += 1
        return count, b"".join(self._public[self.index - count :])

    def since(self, index: int) -> tuple[bytes, ...]:
        """Return the local entries from ``index`` on, with their signatures."""
        kept = zip(self._local[index:], self._signatures[index:], strict=True)
        return tuple(entry + signed_bytes(signature) for entry, signature in kept)

    def _enter(self, entry: LogEntry, digest: bytes, action: do.Action) -> None:
        """Append a public ``entry``; ``action`` may have dice that are known here alone."""
        self._local.append(encode_entry(action, entry.note))
        self._public.append(encode_entry(entry.action, entry.note))
        self._signatures.append(None)
        self._digests.append(digest)

    def _keep(self, index: int) -> None:
        """Remove the entries from ``index`` on; the caller updates the standing."""
        self.cuts += 1
        del self._local[index:], self._public[index:], self._signatures[index:]
        del self._digests[index + 1 :]


HasSigned = Callable[[int, bytes, bytes], bool]
"""Returns whether a seat has signed a statement."""


class Claim(NamedTuple):
    """The claim that ``seat`` has entered something.

    Attributes:
        seat: the claimed maker of the entry.
        epoch: of the signature; None if ``seat`` has only sealed the entry so far.
        last: the epoch in which the entry before was signed; None for none.
        match: the match before the entry.
        holders: the seats that could have the cup then.
        entry: the claimed entry.
    """

    seat: int
    epoch: int | None
    last: int | None
    match: AnyMatch
    holders: frozenset[int]
    entry: LogEntry


class Belief(Protocol):
    """The knowledge by which a reader of the log judges entries."""

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Return whether a seat has signed a statement."""
        ...

    def believes(self, claim: Claim) -> bool:
        """Return whether a claim can be true."""
        ...


class ReceivedEntries:
    """The entries of a received LOG, by index.

    Args:
        log: the LOG.
        digest: before the first of these entries, in the log here.
        belief: checks signatures; None accepts all.

    Raises:
        EntryError: the entries cannot be read, or their number is not that of the LOG.
    """

    def __init__(self, log: Log, digest: bytes, belief: Belief | None) -> None:
        self.first = log.first
        self._entries = read_entries(log.entries)
        if len(self._entries) != log.count:
            raise EntryError(f"{log.count} entries were announced, {len(self._entries)} came")
        public = (encode_entry(entry.action, entry.note) for entry in self._entries)
        self._digests = list(accumulate(public, chained, initial=digest))
        self._signed = self._signatures(belief)
        self.end = self.first + log.count
        self.ends_well = short(self._digests[-1]) == log.digest
        """True if the digest after these entries is that of the LOG."""

    def __getitem__(self, index: int) -> LogEntry:
        return self._entries[index - self.first]

    def digest(self, index: int) -> bytes:
        """Return the digest of the log up to ``index``, with these entries."""
        return self._digests[index - self.first]

    def signature(self, index: int) -> Signature | None:
        """Return the signature that covers an entry: the next one, if it is good; else None."""
        return self._signed[index - self.first]

    def signers(self, since: int) -> frozenset[tuple[int, int]]:
        """Return the seats, with epochs, that have signed entries from an index on."""
        return frozenset((one.seat, one.epoch) for one in self._signed[since - self.first :] if one)

    def _signatures(self, belief: Belief | None) -> list[Signature | None]:
        found, good = list[Signature | None](), None
        for place in reversed(range(len(self._entries))):
            one = self._entries[place].signature
            if one is not None:
                statement = Signature.statement(
                    one.epoch, self.first + place + 1, self._digests[place + 1]
                )
                is_good = belief is None or belief.has_signed(one.seat, statement, one.signed)
                good = one if is_good else None
            found.append(good)
        return found[::-1]


def is_borne_out(claim: Claim, epoch: int, gone: frozenset[int] | None, signed: HasSigned) -> bool:
    """Return whether a seat can have made the claimed entry, with the signed wishes that it takes.

    Args:
        claim: the seat and its entry.
        epoch: of the entry.
        gone: the seats without which the epoch began, if it began with the cup at that seat; else
            None. The seat can then void the round, and enter the leaves of the gone.
        signed: returns whether a seat has signed a statement.
    """
    seat, match, action = claim.seat, claim.match, claim.entry.action
    if not isinstance(action, do.TableAction):
        return seat == match.to_act
    if seat not in claim.holders and gone is None:
        return False
    if isinstance(action, do.Fault) and action.kind is not do.FaultKind.OTHER:
        return action.seat == seat
    if gone is not None and isinstance(action, do.Leave) and action.seat in gone:
        return True
    if gone is not None and isinstance(action, do.VoidRound) and claim.last != epoch:
        return True
    wishing = _wishing(claim, epoch, signed)
    if isinstance(action, do.Leave):
        return action.seat in wishing
    there = {one for one, status in enumerate(match.status) if status not in AWAY}
    return 2 * len(wishing & there) > len(there)


def wished_in(action: do.Action, round_number: int) -> int:
    """Return the round of a wish, as it is signed; 0 for leaving."""
    return 0 if isinstance(action, do.Leave) else round_number


def _wishing(claim: Claim, epoch: int, signed: HasSigned) -> set[int]:
    note, action = claim.entry.note, claim.entry.action
    if not isinstance(note, Wished):
        return set()
    statement = (epoch, wished_in(action, claim.match.round), encode_entry(action))
    return {seat for seat, one in note.by if signed(seat, wish_statement(seat, *statement), one)}


class Readers(Verifier):
    """The `Belief` of a reader without a seat.

    A reader cannot know the votes. The seat that enters something first in a new epoch counts as
    its keeper, and may enter leaves.

    Args:
        signers: by seat, the public keys, 32 bytes each.
        match: the number of the match; its epochs begin at 16 times this number.

    Raises:
        ValueError: a key has not 32 bytes.
    """

    def __init__(self, signers: Sequence[bytes], match: int) -> None:
        super().__init__(dict(enumerate(signers)))
        self._match = match
        self._begun: dict[int, int] = {}
        """By epoch, the seat that entered something in it first."""

    def believes(self, claim: Claim) -> bool:
        """Return whether a claim can be true."""
        epoch, seat = claim.epoch, claim.seat
        if epoch is None or epoch // EPOCHS_PER_MATCH != self._match:
            return False
        seats = frozenset(range(len(claim.match.players)))
        if seat not in seats or epoch < (claim.last or 0):
            return False
        if claim.last != epoch:
            self._begun[epoch] = seat
        begins = self._begun.get(epoch) == seat and epoch % EPOCHS_PER_MATCH > 0
        gone = seats - {seat} if begins else None
        return is_borne_out(claim, epoch, gone, self.has_signed)
