"""What handhelds send to each other, from messages to parts of a frame and back.

A message is told by four parts: its kind, a number, a count and a body. The first three travel in
the clear header of a frame, the body sealed (`firmware.table.protocol.sealing`). What they mean is
in the message's own docstring, and in the `Layout` beside it. Numbers are big-endian.
"""

import struct
from dataclasses import dataclass
from typing import cast

from firmware.table.protocol import cup_messages, dice_messages, log_messages, table_messages
from firmware.table.protocol.cup_messages import Answer, Cancel, Give, Nak, Propose, Taken
from firmware.table.protocol.dice_messages import Caught, Fresh, Share
from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import MessageError
from firmware.table.protocol.log_messages import Log, Recall, Want
from firmware.table.protocol.table_messages import Question, Vote, Wish

Message = (
    Propose
    | Answer
    | Give
    | Taken
    | Cancel
    | Nak
    | Log
    | Want
    | Wish
    | Question
    | Vote
    | Fresh
    | Share
    | Caught
    | Recall
)
_LAYOUTS = (
    *cup_messages.LAYOUTS,
    *log_messages.LAYOUTS,
    *table_messages.LAYOUTS,
    *dice_messages.LAYOUTS,
)
_BY_KIND = {layout.kind: layout for layout in _LAYOUTS}
_BY_CLASS = {layout.message: layout for layout in _LAYOUTS}


@dataclass(frozen=True, slots=True)
class Parts:
    """A message as a frame carries it; the body is still, or again, in clear."""

    kind: MessageKind
    number: int
    count: int
    body: bytes


def encode(message: Message) -> Parts:
    """Take a message apart.

    Raises:
        MessageError: a field does not fit its bytes.
    """
    layout = _BY_CLASS[type(message)]
    try:
        return Parts(layout.kind, *layout.pack(message))
    except struct.error as error:
        raise MessageError(f"a field of {type(message).__name__} does not fit: {error}") from None


def decode(parts: Parts) -> Message:
    """Put a message together. The inverse of ``encode``.

    Raises:
        MessageError: the body is not as long as its kind's, or a field has no meaning.
    """
    try:
        unpacked = _BY_KIND[parts.kind].unpack(parts.number, parts.count, parts.body)
    except struct.error as error:
        raise MessageError(f"{parts.kind.name} has {len(parts.body)} bytes: {error}") from None
    return cast("Message", unpacked)
