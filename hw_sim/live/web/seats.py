"""The seats of people at a table: in one browser, or at a party; and the files that keep them.

`OpenSeats` are those of a lone player, or of people who pass one page on: all pages are those of
one browser, so a page plays the seat that it shows. `PartySeats` has guests, the next match and the
tally, written whole at every change, so that a party goes on when its tab was closed. Its file
keeps a digest of each guest's secret. It keeps the code as it is, since the table shows it again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hmac import compare_digest
from pathlib import Path
from secrets import choice, randbelow, token_urlsafe
from time import time
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from firmware.lobby.choices import CODE_DIGITS
from game import to_plain
from game.names import are_alike
from game.options import MOST_PLAYERS
from hw_sim.live.web import incoming, replace_file
from hw_sim.live.web.evening_card import (
    UNOPENED,
    CardLine,
    EveningCard,
    Lies,
    MatchResult,
    OwnThrows,
    card_lines,
    lies_of,
    testified,
)
from hw_sim.live.web.seating import (
    CHARACTERS,
    DRAWN,
    MOST_WRONG,
    Claims,
    MatchPlan,
    MatchTally,
    RoomSettings,
    SeatingError,
    counted,
    digest_of,
    digest_of_faces,
    is_face,
    readable_name,
)
from hw_sim.live.world.setup import WorldSetup
from hw_sim.players.bot_kinds import KINDS

HOST = "Mäxchen"
"""The name under which a party's host watches the lobby of its handhelds."""
CODE_LETTERS = "ACFHJKLMRSTUWXYZ"
"""Letters that neither look nor sound like each other."""
CODE_LENGTH = 4
EVENING_S = 8 * 3600.0
"""An evening is over so long after its last match."""
STORED_SEATINGS = 2
"""The seatings of the present match and of the one before, in case a new one cannot begin."""
_CHECKED = ("truth", "lie", "lies")
_CONFESSED = ("word", "confession", "confessions")
"""Lines about no, one and more lies: as they were counted, and as the player tells."""


class StoredSeats(msgspec.Struct, frozen=True):
    """The content of the file: the seats that a page has shown, and a tally by name.

    ``counted``: the number of the last match in the tally. Older files have other keys, too.
    """

    shown: tuple[int, ...] = ()
    tally: dict[str, MatchTally] = {}
    counted: int = -1


class PartyGuest(msgspec.Struct, frozen=True):
    """A guest who has a place; ``since`` counts all who came, ``face`` is an emoji or a name.

    ``back``: the digest of their three faces, empty for none.
    ``wrong``: how often others were tried. ``device``: of a handheld without a phone, in hex.
    ``own``: of the handheld that the guest's phone has itself, in hex; empty before it has come.
    ``once``: the digest of what the phone drew that sat down here; empty for none. ``played``:
    whether a handheld without a phone was at a table that stood.
    """

    name: str
    digest: str = ""
    face: str = ""
    since: int = 0
    back: str = ""
    wrong: int = 0
    device: str = ""
    own: str = ""
    once: str = ""
    played: bool = False


_NOBODY = PartyGuest("")


class OpenSeats:
    """The seats of people, and the plan of a lone player. A player is known by the seat's number.

    Args:
        path: the file, as `StoredSeats`; it need not exist. An invalid one counts as none.
        setup: the first match; its first seats are people's.

    Attributes:
        is_party, room, card, code: as if nobody had furnished a party; see `PartySeats`.
        people: how many of the first seats are people's.
        is_alone: whether one person plays here.
        plan: the next match, as a lone player chose it.
    """

    is_party = False
    room, card, code = RoomSettings(), EveningCard(), ""

    def __init__(self, path: Path, setup: WorldSetup) -> None:
        self._path = path
        self.people = setup.people
        self._name = setup.table.names[0]
        self.is_alone = setup.people == 1
        self._host = 0 if self.is_alone and {*setup.bots} <= {*KINDS} else None
        bots = [each for each in setup.bots if each in KINDS]
        self.plan = msgspec.convert({**to_plain(setup.table.rules), "bots": bots}, MatchPlan)
        self._stored = _read(path)

    def _store(self, **changes: Any) -> None:
        stored = msgspec.structs.replace(self._stored, **changes)
        replace_file(self._path, msgspec.json.encode(stored).decode())
        self._stored = stored

    def player_of(self, hello: incoming.Hello, *, is_host: bool = False) -> int | None:
        """Return the player of a page that says hello; None watches.

        Raises:
            RefusalError: it wants a seat that is not a person's.
        """
        del is_host  # nobody hosts such a table
        people, seat, view = self.people, hello.seat, hello.view
        if view == "seat" and (seat is None or seat >= people):
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody plays there but a bot")
        if view != "seat":
            seat = 0 if people == 1 and view != "screen" else None
        if seat is not None and seat not in self._stored.shown:
            with suppress(OSError):  # the seat is played all the same
                self._store(shown=(*self._stored.shown, seat))
        return seat

    def first_of(self, _here: Collection[int]) -> int | None:
        """Return who may choose the match: a lone player among built-in bots, else None."""
        return self._host

    def lies_at(self, _place: int | None) -> None:
        """Return what a guest may confess: nothing here."""

    def seat_of(self, player: int | None, _match: int | None) -> int | None:
        """Return the seat of a player in a match: the same in all."""
        return player

    def claims(self, _match: int | None) -> Claims:
        """Return which seats of people a page has shown."""
        return Claims([seat in self._stored.shown for seat in range(self.people)])

    @property
    def places(self) -> list[PartyGuest | None]:
        """The place of a lone player."""
        return [PartyGuest(self._name)]

    def choose(self, plan: MatchPlan) -> None:
        """Choose what is played next.

        Raises:
            SeatingError: as `MatchPlan.rules`.
        """
        _ = plan.rules
        self.plan = plan

    @property
    def hindrance(self) -> str:
        """Why a lone player cannot begin a match, as of a `MatchPlan`; empty if they can."""
        return self.plan.hindrance(1)

    def seat_people(self, _match: int, typed: str) -> tuple[str, ...]:
        """Return the lone player's name, as typed; empty keeps the old one.

        Raises:
            SeatingError: as `readable_name`.
        """
        self._name = readable_name(typed or self._name)
        return (self._name,)

    @property
    def tally(self) -> Mapping[str, MatchTally]:
        """All who have played a match here, by name."""
        return self._stored.tally

    def count(self, match: int, result: MatchResult, _unopened: OwnThrows = UNOPENED) -> None:
        """Add a match that is over to the tally of its people, once.

        Raises:
            OSError: it cannot be written down.
        """
        if match != self._stored.counted:
            self._store(
                tally=counted(self.tally, result.people, result.losers, result.crowned),
                counted=match,
            )


def _read(path: Path) -> StoredSeats:
    try:
        return msgspec.json.decode(path.read_bytes(), type=StoredSeats)
    except (OSError, msgspec.DecodeError, RecursionError):
        return StoredSeats()


class StoredParty(msgspec.Struct):
    """The content of the file.

    ``code``: of the room, to any free place; ``digits``: the same for handhelds at a broker.
    ``places``: their guests; None while one is free. ``seatings``: which places the seats of people
    have, by the number of the match; ``counted``: the last match that is in the tally. ``came``:
    how many guests have come so far. ``lies``: those of the last match that nobody has told yet.
    ``ended_s``: when the last match was counted, in s since 1970.
    """

    code: str
    digits: str
    places: Annotated[list[PartyGuest | None], Meta(max_length=MOST_PLAYERS)]
    plan: MatchPlan = MatchPlan()
    tally: dict[str, MatchTally] = {}
    seatings: dict[int, list[int]] = {}
    counted: int = -1
    came: int = 0
    room: RoomSettings = RoomSettings()
    card: EveningCard = EveningCard()
    lies: dict[str, Lies] = {}
    ended_s: float = 0.0

    def __post_init__(self) -> None:
        """Add the free places that a file of an earlier release lacks."""
        self.places = [*self.places, *[None] * (MOST_PLAYERS - len(self.places))]


def new_party() -> StoredParty:
    """Return a party without guests, in a room with codes of its own."""
    code = "".join(choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    digits = f"{randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
    return StoredParty(code, digits, [])


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


def placed(stored: StoredParty, place: int, guest: PartyGuest | None, came: int = 0) -> StoredParty:
    """Return a party in which a place has another guest, or none; ``came``: how many more came."""
    places = [guest if at == place else each for at, each in enumerate(stored.places)]
    return replace(stored, places=places, came=stored.came + came)


def seated_afar(stored: StoredParty, device: str, name: str) -> StoredParty:
    """Return a party in which a handheld elsewhere has a place; see `PartySeats.sit_afar`."""
    guests = [each for each in stored.places if each]
    was = next((each for each in guests if each.device == device), None)
    if was is not None and was.name == name:
        return stored
    if was not in stored.places or device in [each.own for each in guests]:
        raise SeatingError("used")
    if new_name(name, [each for each in guests if each is not was]) != name:
        raise SeatingError("name")
    face = next(each for each in DRAWN if each not in [guest.face for guest in guests])
    nobody = digest_of(token_urlsafe(32))
    guest = PartyGuest(name, nobody, face, stored.came, device=device)
    return placed(stored, stored.places.index(was), guest, came=1)


def place_for(stored: StoredParty, *, yields: bool) -> int | None:
    """Return a free place; None for none.

    ``yields``: a handheld without a phone gives way that has not played: the last one to come.
    Anybody at the broker may try its digits.
    """
    guests = stored.places
    if None in guests:
        return guests.index(None)
    new = {
        guest.since: place
        for place, guest in enumerate(guests)
        if yields and guest is not None and guest.device and not guest.played
    }
    return new[max(new)] if new else None


def guest_at(stored: StoredParty, place: int) -> PartyGuest:
    """Return the guest of a place; one without a name, secret and device for none."""
    return stored.places[place] or _NOBODY


def place_where(stored: StoredParty, is_so: Callable[[PartyGuest], bool]) -> int | None:
    """Return the first place whose guest is so; None for none."""
    guests = enumerate(stored.places)
    return next((at for at, guest in guests if guest is not None and is_so(guest)), None)


def place_with(stored: StoredParty, device: bytes) -> int | None:
    """Return the place whose phone has a handheld of its own with this device; None for none."""
    return place_where(stored, lambda guest: guest.own == device.hex()) if device else None


def freed(stored: StoredParty, place: int) -> StoredParty:
    """Return a party with a free place, and without what its guest could confess."""
    left = guest_at(stored, place).name
    lies = {name: each for name, each in stored.lies.items() if name != left}
    return replace(placed(stored, place, None), lies=lies)


def bound_to(stored: StoredParty, place: int, device: str, *, anew: bool) -> StoredParty:
    """Return a party in which the phone at a place has this handheld, in hex, and no other.

    ``anew``: it may have another than before: who has the guest's secret asks for that, and no
    other is connected.

    Raises:
        SeatingError: "device": the handheld is another guest's, or the place has another.
    """
    guest = stored.places[place]
    if guest is not None and guest.own == device:
        return stored
    is_taken = any(each and device in (each.own, each.device) for each in stored.places)
    if guest is None or is_taken or (guest.own and not anew):
        raise SeatingError("device")
    return placed(stored, place, replace(guest, own=device))


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
    guests = [stored.places[place] for place in stored.seatings.get(match, ())]
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


@dataclass
class PartySeats:
    """The places of a party, and the host's plan. A player is known by the number of their place.

    Places are kept from one evening to the next. Tally and card begin anew after `EVENING_S`.

    A missing or invalid file counts as a new party. If the file or a change cannot be written,
    OSError is raised, and the party stays as it was.

    Attributes:
        path: the file.
        now_s: returns the time in s since 1970.
        stored: its content.
        gathered: returns whether the handheld of a place is in the lobby; others do not play.
        closes: returns whether a table is made up of them, so that no place changes hands.
        is_party, is_alone: True and False; see `OpenSeats`.
    """

    path: Path
    now_s: Callable[[], float] = time
    stored: StoredParty = field(init=False)
    gathered: Callable[[int], bool] = lambda _place: True
    closes: Callable[[], bool] = bool
    is_party = True
    is_alone = False

    def __post_init__(self) -> None:
        try:
            self.stored = msgspec.json.decode(self.path.read_bytes(), type=StoredParty)
        except (OSError, msgspec.DecodeError, RecursionError):
            self._store(new_party())
        self._begin_evening()

    def _begin_evening(self) -> None:
        """Forget tally and card of an evening that is over."""
        was = self.stored
        if was.tally and self.now_s() - was.ended_s > EVENING_S:
            self._store(replace(was, tally={}, card=EveningCard(), lies={}))

    # ---- guests ------------------------------------------------------------------------------

    @property
    def guests(self) -> list[int]:
        """The places that somebody has."""
        return [place for place, each in enumerate(self.stored.places) if each is not None]

    @property
    def players(self) -> list[int]:
        """The places of all guests whose handhelds are in the lobby."""
        return [place for place in self.guests if self.gathered(place)]

    def first_of(self, here: Collection[int]) -> int | None:
        """Return who may begin: the guest with a phone who came first of those at these places.

        If nobody of them is here, it is the first of all; None without any guest.
        """
        places = enumerate(self.stored.places)
        came = sorted((each.since, at) for at, each in places if each and not each.device)
        phones = [at for _, at in came]
        return next((at for at in phones if at in here), phones[0] if phones else None)

    def place_of(self, secret: str | None) -> int | None:
        """Return the place whose guest has this secret, or None."""
        digest = digest_of(secret or "")
        return place_where(self.stored, lambda guest: compare_digest(guest.digest, digest))

    @property
    def room(self) -> RoomSettings:
        """How the big screen is set."""
        return self.stored.room

    @property
    def card(self) -> EveningCard:
        """The card of the last match."""
        return self.stored.card

    @property
    def code(self) -> str:
        """The code of the room."""
        return self.stored.code

    @property
    def free_place(self) -> int | None:
        """A place as of `place_for`; None for none."""
        return place_for(self.stored, yields=not self.closes())

    def note_played(self, devices: Collection[str]) -> None:
        """Note that a table stands with these devices, in hex: none of them is a stranger's."""
        for place, guest in enumerate(self.stored.places):
            if guest and guest.device in devices and not guest.played:
                self._store(placed(self.stored, place, replace(guest, played=True)))

    def sat_with(self, once: str) -> int | None:
        """Return the place at which a phone has sat down that drew this, or None."""
        drew = digest_of(once)
        found = place_where(self.stored, lambda guest: compare_digest(guest.once, drew))
        return found if once else None

    def sit(self, name: str, face: str = "", back: Sequence[str] = (), once: str = "") -> str:
        """Take a place, as of `place_for`; returns its secret, which is not kept here.

        ``back``: the three faces for `come_back`; without them nobody can. ``once``: what the phone
        has drawn: asked again with the same, it gets its place, and a new secret with new faces.

        Raises:
            SeatingError: "used": all places are taken; "face" is one that is no picture, or
                another guest's; or as `new_name`.
        """
        secret = token_urlsafe(32)
        known = digest_of_faces(back) if back else ""
        before = self.sat_with(once)
        if before is not None and (guest := self.stored.places[before]) is not None:
            guest = replace(guest, digest=digest_of(secret), back=known, wrong=0)
            self._store(placed(self.stored, before, guest))
            return secret
        place = self.free_place
        if place is None:
            raise SeatingError("used")
        others = [each for at, each in enumerate(self.stored.places) if each and at != place]
        name = new_name(name, others)
        if not is_face(face) or face in (each.face for each in others if each.face in DRAWN):
            raise SeatingError("face")
        drew = digest_of(once) if once else ""
        guest = PartyGuest(name, digest_of(secret), face, self.stored.came, known, once=drew)
        self._store(placed(self.stored, place, guest, came=1))
        return secret

    def sit_afar(self, device: str, name: str) -> None:
        """Give a place to a handheld elsewhere, or its guest another name.

        ``device``: in hex. A handheld keeps its place until that is freed.

        Raises:
            SeatingError: "used": all places are taken; or as `new_name`.
        """
        self._store(seated_afar(self.stored, device, name))

    def bind(self, place: int, device: str, *, anew: bool) -> None:
        """Let the phone at a place have this handheld, in hex; raises as `bound_to` does."""
        self._store(bound_to(self.stored, place, device, anew=anew))

    def come_back(self, place: int, faces: Sequence[str], back: Sequence[str]) -> str:
        """Use a guest's three faces up; returns the new secret of the place. The old one is void.

        ``back``: the faces for the next time.

        Raises:
            SeatingError: "faces": these are others, or `MOST_WRONG` were tried for that guest.
        """
        guest = guest_at(self.stored, place)
        if not guest.back or guest.wrong >= MOST_WRONG:
            raise SeatingError("faces")
        if not compare_digest(guest.back, digest_of_faces(faces)):
            self._store(placed(self.stored, place, replace(guest, wrong=guest.wrong + 1)))
            raise SeatingError("faces")
        secret = token_urlsafe(32)
        known = replace(guest, digest=digest_of(secret), back=digest_of_faces(back), wrong=0)
        self._store(placed(self.stored, place, replace(known, own="", once="")))
        return secret

    def free(self, place: int) -> None:
        """Free a place; nobody confesses for its guest."""
        self._store(freed(self.stored, place))

    # ---- what the table asks of its seats ------------------------------------------------------

    def player_of(self, hello: incoming.Hello, *, is_host: bool) -> int | None:
        """Return the player of a page that says hello, by a guest's secret.

        Raises:
            RefusalError: it wants a seat uninvited, or to be a screen and is not the host's.
        """
        place = self.place_of(hello.token) if hello.view == "seat" else None
        if (hello.view == "seat" and place is None) or (hello.view == "screen" and not is_host):
            raise incoming.RefusalError(incoming.WRONG_SEAT, "nobody has invited you here")
        return place

    def seat_of(self, player: int | None, match: int | None) -> int | None:
        """Return the seat of a player in a match, by its number; None for none."""
        seating = self._seating(match)
        return seating.index(player) if player in seating else None

    def claims(self, match: int | None) -> Claims:
        """Return which seats of people in a match are still somebody's, by their places."""
        seating = self._seating(match)
        guests = [guest_at(self.stored, place) for place in seating]
        afar = (seat for seat, guest in enumerate(guests) if guest.device)
        return Claims([guest is not _NOBODY for guest in guests], frozenset(afar))

    @property
    def places(self) -> list[PartyGuest | None]:
        """The guests of all places, None while one is free."""
        return self.stored.places

    @property
    def plan(self) -> MatchPlan:
        """The next match, with no more of the wanted bots than there are empty seats."""
        wanted = self.stored.plan
        return replace(wanted, bots=wanted.bots[: MOST_PLAYERS - len(self.players)])

    def choose(self, plan: MatchPlan) -> None:
        """Choose what is played next.

        Raises:
            SeatingError: as `MatchPlan.rules`.
        """
        _ = plan.rules
        self._store(replace(self.stored, plan=plan))

    @property
    def hindrance(self) -> str:
        """Why no match can be begun, as of a `MatchPlan`; empty if one can."""
        return self.plan.hindrance(len(self.players))

    def seat_people(self, match: int, _typed: str) -> tuple[str, ...]:
        """Seat all players at a match, by its number; returns their names."""
        self._begin_evening()
        known, last = self.stored.seatings, range(match - STORED_SEATINGS + 1, match)
        seatings = {each: known[each] for each in last if each in known} | {match: self.players}
        self._store(replace(self.stored, seatings=seatings))
        return tuple(guest_at(self.stored, place).name for place in seatings[match])

    @property
    def tally(self) -> dict[str, MatchTally]:
        """All who have played a match this evening, by name."""
        return self.stored.tally

    def count(self, match: int, result: MatchResult, unopened: OwnThrows = UNOPENED) -> None:
        """Add a match that is over to the tally of its people, once, and write its card."""
        if match <= self.stored.counted:
            return
        self._store(with_result(self.stored, match, result, self.now_s(), unopened))

    def lies_at(self, place: int | None) -> Lies | None:
        """Return what a guest may confess; None for nothing, and once they have answered."""
        return None if place is None else self.stored.lies.get(guest_at(self.stored, place).name)

    def confess(self, place: int, answer: incoming.Confess) -> None:
        """Put a guest's answer on the card, once; raises SeatingError as `testified` does."""
        lies = testified(self.lies_at(place), answer.of, answer.opened)
        if lies is not None:
            name = guest_at(self.stored, place).name
            self._store(confessed(self.stored, name, lies, tells=answer.tells))

    def _seating(self, match: int | None) -> list[int]:
        return [] if match is None else self.stored.seatings.get(match, [])

    def furnish(self, change: incoming.SetRoom) -> None:
        """Change the room as a page wishes."""
        wishes = msgspec.structs.asdict(change)
        kept = {key: value for key, value in wishes.items() if value is not None}
        self._store(replace(self.stored, room=replace(self.stored.room, **kept)))

    def _store(self, stored: StoredParty) -> None:
        if stored is not getattr(self, "stored", None):
            replace_file(self.path, msgspec.json.encode(stored).decode())
            self.stored = stored
