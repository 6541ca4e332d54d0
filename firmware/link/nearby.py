"""A table, packed into the bytes of a Bluetooth advertisement."""

import struct

from firmware.table.protocol.invitations import (
    DEVICE_BYTES,
    EVERYBODY,
    SESSION_BYTES,
    Head,
    InvitationError,
    InvitationKind,
    TableNotice,
    body_of,
    device_of,
    head_of,
    name_bytes,
    packed,
)
from game.names import NAME_BYTES, beginning

_ANNOUNCED = struct.Struct(f">{SESSION_BYTES}sBBB{NAME_BYTES}s")
_SHORT_BYTES = 11
ELLIPSIS = "…"
"""Stands for a name whose first picture is longer."""
_PASSED_ON = struct.Struct(f">{SESSION_BYTES}sBBB{DEVICE_BYTES}s{_SHORT_BYTES}s")
"""A table whose host is another device: this layout has one byte more."""
_OPEN = 0x80


def announcement(frame: bytes, device: bytes) -> bytes:
    """Pack a TABLE frame into the bytes that ``device`` advertises: 23, or 24 for another's table.

    The name of another's host is cut to 11 bytes. Raises InvitationError for an unreadable
    invitation.
    """
    head, table = head_of(frame), body_of(frame)
    assert isinstance(table, TableNotice), "only tables are announced"
    people = table.people | (_OPEN if table.is_open else 0)
    told = head.session, people, table.revision, table.game
    if head.sender == device:
        return _ANNOUNCED.pack(*told, name_bytes(table.name))
    short = beginning(table.name, _SHORT_BYTES) or ELLIPSIS
    return _PASSED_ON.pack(*told, head.sender, short.encode())


def announced(address: str, data: bytes) -> bytes | None:
    """Return the TABLE frame, addressed to everybody, that ``address`` advertises in ``data``.

    The sender is the host, which may be another device. None if ``data`` is no announcement or
    ``address`` is no handheld's.
    """
    try:
        device = device_of(address)
        if len(data) == _PASSED_ON.size:
            session, people, revision, game, device, name = _PASSED_ON.unpack(data)
        else:
            session, people, revision, game, name = _ANNOUNCED.unpack(data)
        host = name.rstrip(b" \0").decode()
        table = TableNotice(bool(people & _OPEN), people & ~_OPEN, revision, game, host)
        frame = packed(Head(InvitationKind.TABLE, device, EVERYBODY, session), table)
        body_of(frame)
    except (InvitationError, ValueError, struct.error):
        return None
    return frame if len(device) == DEVICE_BYTES else None
