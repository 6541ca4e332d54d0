"""Words of both kinds of seats: those of an open table and those of a party."""

from hashlib import sha256
from typing import NamedTuple

import msgspec


class Admission(NamedTuple):
    """The player of a page, by number; None watches.

    ``is_host``: whether it is the page of a party's host. ``token`` is that of a seat which the
    page has just taken, else None.
    """

    player: int | None = None
    is_host: bool = False
    token: str | None = None


class NamedPlace(NamedTuple):
    """A place: the name of its player, None while it is free, and its invitation, if it has one."""

    name: str | None
    invitation: str = ""


class MatchTally(msgspec.Struct, frozen=True):
    """The matches that a guest has played this evening, and those that they have lost."""

    played: int = 0
    lost: int = 0


def digest_of(token: str) -> str:
    """Return the digest that is kept instead of a token."""
    return sha256(token.encode()).hexdigest()
