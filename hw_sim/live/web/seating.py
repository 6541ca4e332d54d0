"""Words of both kinds of seats: those of an open table and those of a party."""

from collections.abc import Mapping
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
    """A place: the name of its player, None while it is free, and its invitation, if it has one.

    ``face``: the name of a drawn face, or an emoji; empty for none. ``device``: of a handheld
    without a phone, in hex; empty for none.
    """

    name: str | None
    invitation: str = ""
    face: str = ""
    device: str = ""


class Claims(NamedTuple):
    """The seats of people in a match.

    ``taken``: for each whether it is somebody's. ``afar``: those whose handhelds are elsewhere,
    without a phone.
    """

    taken: list[bool]
    afar: frozenset[int] = frozenset()


class RoomSettings(msgspec.Struct, frozen=True):
    """The big screen of a party: its language, the volume of its sounds from 0 to 1, its bots.

    ``silent``: whether these say nothing.
    """

    language: str = ""
    volume: float = 0.7
    silent: bool = False


class MatchTally(msgspec.Struct, frozen=True):
    """The matches of a player here; ``crowns``: those in which they lost least."""

    played: int = 0
    lost: int = 0
    crowns: int = 0


def counted(
    tally: Mapping[str, MatchTally],
    names: tuple[str, ...],
    losers: tuple[str, ...],
    crowned: tuple[str, ...],
) -> dict[str, MatchTally]:
    """Return a tally with one more match of these players."""
    more = dict(tally)
    for name in names:
        was = more.get(name, MatchTally())
        lost, crowns = was.lost + (name in losers), was.crowns + (name in crowned)
        more[name] = MatchTally(was.played + 1, lost, crowns)
    return more


def digest_of(token: str) -> str:
    """Return the digest that is kept instead of a token."""
    return sha256(token.encode()).hexdigest()
