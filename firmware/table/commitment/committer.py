"""One seat's own part in fair dice: what it commits to, contributes, and has seen as a witness.

Everything is derived from one secret of the match, which is on the disk before the match begins: a
tenure's seed from its epoch, hop and attempt, a contribution from whose tenure it is and its root.
So a handheld that loses its power throws the same dice afterwards, and says the same again.

Where no giver contributes (at the beginning of a match or an epoch, and when a tenure is used up),
the holder sends its root to the seat before it (FRESH) and gets a contribution (SHARE). That seat
remembers the root, and contributes to no other one of the same tenure. Who throws before the
contribution has come throws dice that are *unchecked*: its handheld could have chosen the root.
"""

from dataclasses import replace

from firmware.table.commitment.charges import Charge
from firmware.table.commitment.hash_chain import Source, keyed, opening_of, root_of, source_of
from firmware.table.commitment.ledger import Ledger, ProofNote
from firmware.table.commitment.state import NONE_YET, CommitterState, TenureKey
from firmware.table.commitment.tenure import NOBODY, THROWS, Tenure, TenurePlace
from firmware.table.protocol.dice_messages import Fresh, Share
from firmware.table.protocol.retry import Retry
from firmware.table.protocol.sizes import CONTRIBUTION_BYTES, NO_CONTRIBUTION, NO_SECRET
from game import AnyMatch, covers_next

FRESH_AGAIN_US = 1_000_000
"""A FRESH that nobody answers is sent again after this long."""


class Committer:
    """Fair dice at one seat.

    Args:
        seat: this handheld's seat.
        match: the digest of the match's header.
        kept: what the journal has.
    """

    def __init__(self, seat: int, match: bytes, kept: CommitterState) -> None:
        self.seat = seat
        self.kept = kept
        """What must be on the disk before anything that follows from it is sent."""
        self._retry = Retry(FRESH_AGAIN_US, FRESH_AGAIN_US)
        self._match = match
        self._source = Source(b"")

    def root(self, epoch: int, hop: int) -> bytes:
        """What this seat commits to, 16 bytes, when it answers for a hop."""
        return self._root((epoch, hop, 0))

    def contribution(self, epoch: int, taker: int, hop: int, root: bytes) -> bytes:
        """What this seat adds, 8 bytes, when it gives the cup to one who commits to ``root``."""
        return self._contribution(taker, (epoch, hop, 0), root)

    @property
    def due_us(self) -> int | None:
        """When ``ask`` wants to be called; None while no contribution is missing."""
        return self._retry.due_us

    # The own tenure

    def cup_taken(self, epoch: int, hop: int, giver: int, contribution: bytes) -> None:
        """The cup is here: a tenure begins."""
        witness = NOBODY if contribution == NO_CONTRIBUTION else giver
        self._begin((epoch, hop, 0), witness, contribution)

    def prepare(self, epoch: int, hop: int, ledger: Ledger, now_us: int) -> bool:
        """With the cup here, see to it that there is a tenure to throw in.

        Returns whether a new one was begun, whose root the seat before this one must be told.
        """
        old_epoch, old_hop, attempt = self.kept.current
        begun = old_epoch == epoch and (old_hop, attempt) != NONE_YET
        if begun and self._made(ledger) < THROWS:
            return False
        if begun:
            hop, attempt = old_hop, attempt + 1
        else:
            attempt = 1
        self._begin((epoch, hop, attempt), NOBODY, NO_CONTRIBUTION)
        self._retry = self._retry.at(now_us)
        return True

    def ask(self, now_us: int) -> Fresh | None:
        """What to send to the seat before this one, if it is time to."""
        if not self._retry.due(now_us):
            return None
        self._retry = self._retry.sent(now_us)
        _, hop, attempt = self.kept.current
        return Fresh(hop, attempt, self._root(self.kept.current))

    def receive_share(self, sender: int, epoch: int, share: Share, ledger: Ledger) -> bool:
        """A contribution came. Returns whether it is to the tenure that lacks one."""
        wanted = self.kept.current == (epoch, share.hop, share.attempt)
        if self.due_us is None or not wanted or self._made(ledger):
            return False
        self._retry = self._retry.answered()
        self.kept = replace(self.kept, witness=sender, contribution=share.contribution)
        return True

    def begin_throw(self, match: AnyMatch, ledger: Ledger) -> ProofNote:
        """Have ``draw`` bring the next throw; return what is told beside it."""
        made = self._made(ledger)
        key = self.kept.current
        tenure = self._tenure()
        self._retry = self._retry.answered()
        throw = made + 1
        opening = opening_of(self._seed(key), throw)
        place = tenure.place(self._match, self.seat)
        self._source = source_of(opening, tenure.contribution, throw, place)
        return ProofNote(throw, None if made else tenure, None if covers_next(match) else opening)

    def draw(self, number: int) -> bytes:
        """Random bytes for the throw that has begun."""
        return self._source(number)

    def proof(self, tenure: Tenure, throw: int) -> bytes:
        """The opening of a throw that was made here."""
        return opening_of(self._seed(tenure.order), throw)

    # As a witness

    def remember_root(self, taker: int, epoch: int, hop: int, root: bytes) -> None:
        """Keep the root that ``taker`` commits to in a hop, so that ``testify`` recognises it."""
        self._remember(taker, (epoch, hop, 0), root)

    def asked(
        self, seat: int, epoch: int, fresh: Fresh, ledger: Ledger, *, first: bool
    ) -> Share | Charge | None:
        """Contribute to another seat's tenure, once the one before is known to be over.

        Otherwise it could ask for one after the other, until it likes what will fall, or throw in
        the one or the other, whichever brings what it likes. ``first``: nobody can have thrown
        before. A charge if the seat told another root before; None if there is nothing to
        contribute to.
        """
        key = (epoch, fresh.hop, fresh.attempt)
        tenure, _ = ledger.tenures.get(seat, (None, 0))
        begun = None if tenure is None else tenure.order
        first = first and key[1:] == (0, 1)
        follows = begun == (epoch, fresh.hop, fresh.attempt - 1) and ledger.is_over(seat)
        at, root = self._seen.get(seat, ((0, 0, 0), fresh.root))
        if key == at and root != fresh.root:
            return Charge.ROOT
        if key != at and not (fresh.attempt and key > at and (follows or first)):
            return None
        if key != at:
            self._remember(seat, key, fresh.root)
        return Share(fresh.hop, fresh.attempt, self._contribution(seat, key, fresh.root))

    def testify(self, seat: int, tenure: Tenure, epoch: int) -> Charge | None:
        """What is wrong with another seat's tenure, as far as is known here.

        It is the newest that this seat contributed to, or newer than that: who has got the cup with
        a contribution throws in no tenure of before. ``epoch``: of the table, now.
        """
        if seat == self.seat:
            return None
        order, root = self._seen.get(seat, ((0, 0, 0), b""))
        if tenure.witness != self.seat:
            return Charge.ROOT if order[0] == epoch and tenure.order < order else None
        agreed = self._contribution(seat, tenure.order, tenure.root)
        known = (order, root) == (tenure.order, tenure.root)
        return None if known and tenure.contribution == agreed else Charge.ROOT

    @property
    def _seen(self) -> dict[int, tuple[TenureKey, bytes]]:
        return {seat: (key, root) for seat, key, root in self.kept.seen}

    def _remember(self, seat: int, key: TenureKey, root: bytes) -> None:
        seen = {**self._seen, seat: (key, root)}
        kept = tuple((there, *what) for there, what in sorted(seen.items()))
        self.kept = replace(self.kept, seen=kept)

    # How

    def _begin(self, key: TenureKey, witness: int, contribution: bytes) -> None:
        self._retry = self._retry.answered()
        self.kept = replace(self.kept, current=key, witness=witness, contribution=contribution)

    def _tenure(self) -> Tenure:
        kept = self.kept
        return Tenure(*kept.current, kept.witness, self._root(kept.current), kept.contribution)

    def _made(self, ledger: Ledger) -> int:
        """How many throws are used up in the current tenure."""
        tenure, made = ledger.tenures.get(self.seat, (None, 0))
        return made if tenure is not None and tenure.order == self.kept.current else 0

    def _seed(self, key: TenureKey) -> bytes:
        return keyed(self.kept.secret, b"seed", TenurePlace(self._match, self.seat, *key).pack())

    def _root(self, key: TenureKey) -> bytes:
        return root_of(self._seed(key), TenurePlace(self._match, self.seat, *key))

    def _contribution(self, seat: int, key: TenureKey, root: bytes) -> bytes:
        if root == NO_SECRET:
            return NO_CONTRIBUTION
        place = TenurePlace(self._match, seat, *key).pack()
        return keyed(self.kept.secret, b"share", place, root)[:CONTRIBUTION_BYTES]
