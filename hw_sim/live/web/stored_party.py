"""The content of a party's file: places with their guests, the next match, the tally."""

from collections.abc import Sequence
from secrets import choice, randbelow, token_urlsafe
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from firmware.lobby.rooms import CODE_DIGITS
from game.names import are_alike, fitting, tidied
from hw_sim.live.web.evening_card import (
    CardLine,
    EveningCard,
    MatchResult,
    card_lines,
)
from hw_sim.live.web.faces import CHARACTERS, DRAWN
from hw_sim.live.web.match_plan import MOST_PLAYERS, MatchPlan, SeatingError, readable_name
from hw_sim.live.web.seating import MatchTally, RoomSettings, counted, digest_of
from hw_sim.live.web.testimony import Lies, OwnThrows, lies_of

HOST = "Mäxchen"
"""The name under which a party's host watches the lobby of its handhelds."""
CODE_LETTERS = "ACFHJKLMRSTUWXYZ"
"""Letters that neither look nor sound like each other."""
CODE_LENGTH = 4
INVITATION_BYTES = 12
_CHECKED = ("truth", "lie", "lies")
_CONFESSED = ("word", "confession", "confessions")
"""Lines about no, one and more lies: as they were counted, and as the player tells."""


class PartyGuest(msgspec.Struct, frozen=True):
    """A guest who has a place; ``since`` counts all who came, ``face`` is an emoji or a name.

    ``back``: the digest of their three faces, empty for none.
    ``wrong``: how often others were tried. ``device``: of a handheld without a phone, in hex.
    ``own``: of the handheld that the guest's phone has itself, in hex; empty before it has come.
    ``once``: the digest of what the phone drew that sat down here; empty for none.
    """

    name: str
    digest: str
    face: str = ""
    since: int = 0
    back: str = ""
    wrong: int = 0
    device: str = ""
    own: str = ""
    once: str = ""


class PartyPlace(msgspec.Struct, frozen=True):
    """One of the places: its invitation as long as it is free, else its guest."""

    invitation: str
    guest: PartyGuest | None = None


class StoredParty(msgspec.Struct):
    """The content of the file.

    ``seatings``: which places the seats of people have, by the number of the match; ``counted``:
    the last match that is in the tally. ``code``: of the room, to any free place; ``digits``: the
    same for handhelds at a broker. ``came``: how many guests have come so far. ``lies``: those of
    the last match that nobody has told yet. ``ended_s``: when the last match was counted, in s
    since 1970.
    """

    host: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{43}\Z")]
    places: Annotated[list[PartyPlace], Meta(min_length=MOST_PLAYERS, max_length=MOST_PLAYERS)]
    plan: MatchPlan = MatchPlan()
    tally: dict[str, MatchTally] = {}
    seatings: dict[int, list[int]] = {}
    counted: int = -1
    code: str = ""
    digits: str = ""
    came: int = 0
    room: RoomSettings = RoomSettings()
    card: EveningCard = EveningCard()
    lies: dict[str, Lies] = {}
    ended_s: float = 0.0


def with_codes(stored: StoredParty) -> StoredParty:
    """Return a party with the codes of its room, which may be missing."""
    code = "".join(choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    digits = f"{randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
    return replace(stored, code=stored.code or code, digits=stored.digits or digits)


def new_name(typed: str, others: Sequence[PartyGuest]) -> str:
    """Return a typed name as it is shown.

    Raises:
        SeatingError: as `readable_name`, or "double": another guest or a bot has it, or one that
            looks like it.
    """
    name = readable_name(typed)
    taken = (HOST, *CHARACTERS.values(), *(each.name for each in others))
    if any(are_alike(name, each) for each in taken):
        raise SeatingError("double")
    return name


def with_names(stored: StoredParty) -> StoredParty:
    """Return a party whose guests all have names that a table bears, which older files lack.

    A name that is too long is cut. A guest without a name of their own has to sit down again.
    """
    places: list[PartyPlace] = []
    for each in stored.places:
        guest, before = each.guest, [one.guest for one in places if one.guest]
        if guest is not None:
            try:
                name = new_name(fitting(tidied(guest.name)), before)
                each = PartyPlace(each.invitation, replace(guest, name=name))
            except SeatingError:
                each = PartyPlace(token_urlsafe(INVITATION_BYTES))
        places.append(each)
    return stored if places == stored.places else replace(stored, places=places)


def seated_afar(stored: StoredParty, device: str, name: str) -> StoredParty:
    """Return a party in which a handheld elsewhere has a place; see `PartySeats.sit_afar`."""
    guests = [each.guest for each in stored.places]
    was = next((each for each in guests if each and each.device == device), None)
    if was is not None and was.name == name:
        return stored
    if was not in guests or device in [each.own for each in guests if each]:
        raise SeatingError("used")
    if new_name(name, [each for each in guests if each and each is not was]) != name:
        raise SeatingError("name")
    nobody = digest_of(token_urlsafe(32))
    places = list(stored.places)
    faces = [each.face for each in guests if each]
    face = next(each for each in DRAWN if each not in faces)
    guest = PartyGuest(name, nobody, face, stored.came, device=device)
    places[guests.index(was)] = PartyPlace("", guest)
    return replace(stored, places=places, came=stored.came + 1)


def digest_at(stored: StoredParty, place: int) -> str:
    """Return the digest of the secret of a place's guest; empty for none."""
    guest = stored.places[place].guest
    return "" if guest is None else guest.digest


def own_at(stored: StoredParty, place: int) -> str:
    """Return the device of the handheld that the phone at a place has had, in hex; or empty."""
    guest = stored.places[place].guest
    return "" if guest is None else guest.own


def place_with(stored: StoredParty, device: bytes) -> int | None:
    """Return the place whose phone has a handheld of its own with this device; None for none."""
    places = range(len(stored.places)) if device else ()
    return next((place for place in places if own_at(stored, place) == device.hex()), None)


def freed(stored: StoredParty, place: int, invitation: str) -> StoredParty:
    """Return a party with a free place, and without what its guest could confess."""
    guest = stored.places[place].guest
    lies = {name: each for name, each in stored.lies.items() if not guest or name != guest.name}
    places = list(stored.places)
    places[place] = PartyPlace(invitation)
    return replace(stored, places=places, lies=lies)


def bound_to(stored: StoredParty, place: int, device: str, *, anew: bool) -> StoredParty:
    """Return a party in which the phone at a place has this handheld, in hex, and no other.

    ``anew``: it may have another than before: who has the guest's secret asks for that, and no
    other is connected.

    Raises:
        SeatingError: "device": the handheld is another guest's, or the place has another.
    """
    guest = stored.places[place].guest
    if guest is not None and guest.own == device:
        return stored
    others = [each.guest for each in stored.places if each.guest is not None]
    is_taken = any(device in (each.own, each.device) for each in others)
    if guest is None or is_taken or (guest.own and not anew):
        raise SeatingError("device")
    places = list(stored.places)
    places[place] = PartyPlace("", replace(guest, own=device))
    return replace(stored, places=places)


def with_result(
    stored: StoredParty,
    match: int,
    result: MatchResult,
    now_s: float,
    unopened: OwnThrows,
) -> StoredParty:
    """Return a party with one more match that is over, by its number, and with its card.

    A guest may confess who still has the place with which they played.
    """
    card, lies, nothing = stored.card, lies_of(result.record), Lies(0, 0)
    for name, throws in unopened.items():
        lies[name] = replace(lies.get(name, nothing), unopened=throws)
    lines = card_lines(result, {each.name for each in card.lines})
    guests = [stored.places[place].guest for place in stored.seatings.get(match, ())]
    left = {name for name, guest in zip(result.people, guests) if not guest or guest.name != name}
    return replace(
        stored,
        tally=counted(stored.tally, result.people, result.losers, result.crowned),
        counted=match,
        card=EveningCard(lines, [], card.matches + 1),
        lies={name: lies[name] for name in result.people if name in lies and name not in left},
        ended_s=now_s,
    )


def confessed(stored: StoredParty, name: str, lies: Lies, *, tells: bool) -> StoredParty:
    """Return a party with a guest's answer on the card; see `PartySeats.confess`."""
    lines, refused = [*stored.card.lines], [*stored.card.refused]
    if tells:
        places: dict[str, str | int] = {"A": name, "n": lies.told, "c": lies.caught}
        others = [each for each in lines if each.name != name]
        keys = _CONFESSED if lies.is_unsure else _CHECKED
        key = keys[min(lies.told, len(keys) - 1)]
        lines = [CardLine(name, key, places), *others]
    else:
        refused.append(name)
    left = {each: kept for each, kept in stored.lies.items() if each != name}
    card = EveningCard(lines, refused, stored.card.matches)
    return replace(stored, card=card, lies=left)
