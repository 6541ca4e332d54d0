"""The public messages of a match for a broker: names, rules, entries; no covered dice.

The entries are those that a LOG carries, so a reader follows them as a seat does. The format is
JSON, readable by people and other programs (PROTOCOL.md, "Over a broker").

Numbers without a source are chosen.
"""

from collections.abc import Callable
from typing import Annotated, Self

import msgspec

from firmware.device.device import Device
from firmware.effects import TableAddress
from firmware.link.broker import Message, topics
from firmware.play.handheld import Handheld
from firmware.table.protocol import DIGEST_BYTES
from firmware.table.protocol.messages import Log

VERSION = 1
"""Numbers the layout of these messages; a change that readers cannot skip raises it."""
BLOCK = 32
"""Entries in one message: a message that is resent with every entry stays short."""
MOST_BYTES = 256 * 1024
"""A longer message belongs to no feed; a match has some hundred entries."""
KEPT_S = 24 * 3600
"""How long a broker keeps the messages of a match."""

_Number = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
_Hex = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")]
_Digest = Annotated[str, msgspec.Meta(pattern=f"^[0-9a-f]{{{2 * DIGEST_BYTES}}}$")]
_Signers = Annotated[list[Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]],
                     msgspec.Meta(max_length=16)]  # fmt: skip


class FeedError(ValueError):
    """A message belongs to no feed; the text is one line."""


class _FeedMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fields of every message of a feed: the match, and the epoch of its table."""

    version: Annotated[int, msgspec.Meta(ge=VERSION, le=VERSION)] = VERSION
    match: _Number
    epoch: _Number

    def encode(self) -> bytes:
        """Return the message as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Read what ``encode`` wrote.

        Raises:
            FeedError: it is something else, or longer than `MOST_BYTES`.
        """
        if len(data) > MOST_BYTES:
            raise FeedError(f"{len(data)} bytes are more than {MOST_BYTES}")
        try:
            return msgspec.json.decode(data, type=cls)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise FeedError(str(error)) from None


class MatchNotice(_FeedMessage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a match stands.

    Attributes:
        header: rules, names by seat and first opener, as `game.record.read` reads them.
        signers: by seat, the public key that it signs with, in hex; spectators follow.
        count: how many entries there are.
        digest: of the log after all of them, in hex.
    """

    header: Annotated[str, msgspec.Meta(max_length=4096)]
    signers: _Signers
    count: _Number
    digest: _Digest


class EntryBlock(_FeedMessage, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A block of a log: ``count`` entries from ``first`` on, a multiple of `BLOCK`, in hex.

    It goes on to the signature of a seat's entries in a row, so the next block may begin with
    entries of this one. ``digest``: of the log after the last of them.
    """

    first: _Number
    count: Annotated[int, msgspec.Meta(ge=0, le=2 * BLOCK)]
    digest: _Digest
    entries: _Hex

    @property
    def log(self) -> Log:
        """The block as a LOG brings it to a seat."""
        return Log(self.first, self.count, bytes.fromhex(self.entries), bytes.fromhex(self.digest))


class Publisher:
    """Publishes every match that a handheld is at.

    Args:
        device: the handheld.
        publish: takes messages.
        tell: gets the tag of each table whose match it begins to publish.
    """

    def __init__(
        self,
        device: Device,
        publish: Callable[[Message], None],
        tell: Callable[[str], None] = lambda _tag: None,
    ) -> None:
        self._tell = tell
        self._device = device
        self._publish = publish
        self._core: Handheld | None = None
        self._feed: Feed | None = None

    def update(self, stored: int) -> None:
        """Publish the news; ``stored`` entries of the match are on the disk."""
        core, table = self._device.core, self._device.standing
        if not isinstance(core, Handheld) or table is None:
            self._core = self._feed = None
            return
        if core is not self._core or self._feed is None:
            signers = table.agreed.signers
            keys = tuple(signers[each] for each in sorted(signers))
            self._core = core
            self._feed = Feed(core, table.table_address, keys, self._publish)
            self._tell(table.table_address.tag)
        self._feed.update(stored)


class Feed:
    """Publishes one match, as far as it is on the disk of this handheld.

    Args:
        handheld: plays, or watches, the match.
        table_address: its seat; it publishes there, and nowhere else.
        signers: by seat, the public keys.
        publish: takes messages.
    """

    def __init__(
        self,
        handheld: Handheld,
        table_address: TableAddress,
        signers: tuple[bytes, ...],
        publish: Callable[[Message], None],
    ) -> None:
        self._handheld = handheld
        self._table_address = table_address
        self._signers = [each.hex() for each in signers]
        self._publish = publish
        self._published: dict[int, EntryBlock] = {}
        self._notice: MatchNotice | None = None

    def update(self, stored: int) -> None:
        """Publish the news of the first ``stored`` entries, which are on the disk.

        It publishes only what the table may know: no throw under a cup that is still to be lifted.
        """
        log = self._handheld.own_seat.log
        count = min(stored, self._handheld.own_seat.public_end)
        place, epoch = self._table_address, self._handheld.own_seat.epoch
        for number in range((count + BLOCK - 1) // BLOCK):
            first = number * BLOCK
            part = log.part(first, log.tellable(first, count, BLOCK))
            block = EntryBlock(
                match=epoch >> 4,
                epoch=epoch,
                first=part.first,
                count=part.count,
                digest=part.digest.hex(),
                entries=part.entries.hex(),
            )
            if self._published.get(number) != block:
                self._published[number] = block
                topic = topics.public_entries(place.tag, place.seat, number)
                self._say(topic, block.encode())
        notice = MatchNotice(
            match=epoch >> 4,
            epoch=epoch,
            header=log.header.decode(),
            signers=self._signers,
            count=count,
            digest=log.position(count).digest.hex(),
        )
        if notice != self._notice:
            self._notice = notice
            self._say(topics.public_match(place.tag, place.seat), notice.encode())

    def _say(self, topic: str, payload: bytes) -> None:
        self._publish(Message(topic, payload, retained=True, sure=True, expires_s=KEPT_S))
