"""Accounts and access rules of one table at mosquitto: a seat reads and writes its own topics.

``password_file`` and ``acl_file`` of mosquitto.conf(5) take these lines. A seat with an account of
the table can send to the other seats and see who is here. It publishes presence and match for
itself alone. A client without an account can read what tables publish.
"""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import pbkdf2_hmac

from firmware.effects.effects import TableAddress
from firmware.link.broker import topics

SALT_BYTES = 12
_ROUNDS = 101
_SHA512_PBKDF2 = 7
"""The format of mosquitto_passwd(1): 101 rounds of PBKDF2 with SHA-512, 64 bytes."""


WATCHERS = f"topic read {topics.public('+')}"
"""The line of ``acl_file`` for clients without an account; it precedes those of any account."""

GUESTS = f"pattern readwrite {topics.ROOT}/#"
"""The line of ``acl_file`` for all phones of an evening: topics of handhelds, and no others."""


def password_line(user: str, password: str, salt: bytes) -> str:
    """Return the line of ``password_file`` for an account; ``salt``: `SALT_BYTES` random bytes."""
    made = pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    shown = "$".join(b64encode(each).decode() for each in (salt, made))
    return f"{user}:${_SHA512_PBKDF2}${_ROUNDS}${shown}"


def access_lines(table_addresses: Sequence[TableAddress]) -> list[str]:
    """Return the lines of ``acl_file`` for a table's seats and for spectators behind them."""
    lines = []
    for table_address in table_addresses:
        tag, seat = table_address.tag, table_address.seat
        receivers: list[int | str] = [other.seat for other in table_addresses if other.seat != seat]
        read: list[int | str] = ["+"] if table_address.carries else [seat, topics.ALL]
        lines += [
            f"user {table_address.user}",
            *(f"topic read {topics.to(tag, each)}" for each in read),
            *(f"topic write {topics.to(tag, each)}" for each in (*receivers, topics.ALL)),
            f"topic read {topics.here(tag, '+')}",
            f"topic write {topics.here(tag, seat)}",
            f"topic write {topics.public_match(tag, seat)}",
            f"topic write {topics.public_entries(tag, seat, '+')}",
            "",
        ]
    return lines
