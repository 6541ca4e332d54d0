"""The seats of people at a table: in one browser, or at a party; and the files that keep them.

`OpenSeats` are those of a lone player, or of people who pass one page on: all pages are those of
one browser, so a page plays the seat that it shows. `PartySeats` has guests, the next match and the
tally, written whole at every change, so that a party goes on when its tab was closed. Its file
keeps a digest of each guest's secret. It keeps the code as it is, since the table shows it again.
A place is kept until somebody frees it; no time ends it.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from hmac import compare_digest
from pathlib import Path
from secrets import choice, randbelow, token_urlsafe
from time import time
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import asdict, replace

from firmware.lobby.choices import CODE_DIGITS
from game import to_plain
from game.names import are_alike
from game.options import MOST_PLAYERS
from hw_sim.live.web import incoming, replace_file
from hw_sim.live.web.evening_card import (
    EveningCard,
    Lies,
    MatchResult,
    card_lines,
    testified,
)
from hw_sim.live.web.match_plan import (
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
"""The letters of a code; chosen."""
EVENING_S = 8 * 3600.0
"""An evening is over so long after its last match; chosen."""
STORED_SEATINGS = 2
"""The number of seatings that are kept, chosen: those of the present match and of the one before,
in case a new one cannot begin."""


class StoredSeats(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The content of the file of all seats. Older files have other keys, too.

    ``tally``: by name; ``counted``: the number of the last match in it. ``shown``: the seats that a
    page of one browser has shown. ``code``: of a party's room, to any free place. ``room``: how its
    big screen is set; ``card``: of its last match.
    """

    tally: dict[str, MatchTally] = {}
    counted: int = -1
    shown: tuple[int, ...] = ()
    code: str = ""
    room: RoomSettings = RoomSettings()
    card: EveningCard = EveningCard()


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


class _Seats:
    """Seats of any kind; if a change cannot be written, OSError is raised, and nothing changes.

    Attributes:
        stored: the content of the file.
    """

    stored: StoredSeats

    def __init__(self, path: Path) -> None:
        self._path = path

    def _keep(self, **changes: Any) -> None:
        """Change what is kept: on the disk, then here."""
        stored = replace(self.stored, **changes)
        replace_file(self._path, msgspec.json.encode(stored).decode())
        self.stored = stored

    @property
    def tally(self) -> dict[str, MatchTally]:
        """All who have played a match: at a party this evening, else ever here; by name."""
        return self.stored.tally

    def count(self, match: int, result: MatchResult) -> None:
        """Add a match that is over, by its number, to the tally of its people, once."""
        if match != self.stored.counted:
            tally = counted(self.tally, result.people, result.losers, result.crowned)
            self._keep(tally=tally, counted=match, **self._told_of(match, result))

    def _told_of(self, _match: int, _result: MatchResult) -> dict[str, Any]:
        """Return what else is kept of a match that is over."""
        return {}


class OpenSeats(_Seats):
    """The seats of people, and the plan of a lone player. A player is known by the seat's number.

    Args:
        path: the file, as `StoredSeats`; it need not exist. An invalid one counts as none.
        setup: the first match; its first seats are people's.

    Attributes:
        people: how many of the first seats are people's.
        is_party, is_alone: False, and whether one person plays here.
        plan: the next match, as a lone player chose it.
    """

    is_party = False

    def __init__(self, path: Path, setup: WorldSetup) -> None:
        super().__init__(path)
        self.people = setup.people
        self._name = setup.table.names[0]
        self.is_alone = setup.people == 1
        self._host = 0 if self.is_alone and {*setup.bots} <= {*KINDS} else None
        bots = [each for each in setup.bots if each in KINDS]
        self.plan = msgspec.convert({**to_plain(setup.table.rules), "bots": bots}, MatchPlan)
        self.stored = _read(path, StoredSeats) or StoredSeats()
        if setup.boot == 0 and self.stored.counted >= 0:
            with suppress(OSError):  # a match that only begins is not in the tally
                self._keep(counted=-1)

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
        if seat is not None and seat not in self.stored.shown:
            with suppress(OSError):  # the seat is played all the same
                self._keep(shown=(*self.stored.shown, seat))
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
        return Claims([seat in self.stored.shown for seat in range(self.people)])

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


Content = TypeVar("Content", bound=StoredSeats)


def _read(path: Path, kind: type[Content]) -> Content | None:
    """Return the content of a file; None for a missing or invalid one."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, RecursionError):
        return None


class StoredParty(StoredSeats, kw_only=True):
    """The content of a party's file.

    ``digits``: what ``code`` is for handhelds at a broker.
    ``places``: their guests; None while one is free. ``seatings``: which places the seats of people
    have, by the number of the match. ``came``: how many guests have come so far. ``lies``: those of
    the last match that nobody has told yet. ``ended_s``: when the last match was counted, in s
    since 1970.
    """

    digits: str
    places: Annotated[list[PartyGuest | None], Meta(max_length=MOST_PLAYERS)] = []
    plan: MatchPlan = MatchPlan()
    seatings: dict[int, list[int]] = {}
    came: int = 0
    lies: dict[str, Lies] = {}
    ended_s: float = 0.0

    def __post_init__(self) -> None:
        """Add the free places that a new file, or one of an earlier release, lacks."""
        self.places = [*self.places, *[None] * (MOST_PLAYERS - len(self.places))]


def new_party() -> StoredParty:
    """Return a party without guests, in a room with codes of its own."""
    code = "".join(choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    digits = f"{randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"
    return StoredParty(code=code, digits=digits)


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


class PartySeats(_Seats):
    """The places of a party, and the host's plan. A player is known by the number of their place.

    Places are kept from one evening to the next. Tally and card begin anew after `EVENING_S`. A
    missing or invalid file counts as a new party.

    Args:
        path: the file, as `StoredParty`.
        now_s: returns the time in s since 1970.

    Attributes:
        gathered: returns whether the handheld of a place is in the lobby; others do not play.
        closes: returns whether a table is formed of them, so that no place changes hands.
        is_party, is_alone: True and False; see `OpenSeats`.
    """

    stored: StoredParty
    is_party = True
    is_alone = False

    def __init__(self, path: Path, now_s: Callable[[], float] = time) -> None:
        super().__init__(path)
        self._now_s = now_s
        self.gathered: Callable[[int], bool] = lambda _place: True
        self.closes: Callable[[], bool] = bool
        kept = _read(path, StoredParty)
        self.stored = kept or new_party()
        if kept is None:
            self._keep()
        self._begin_evening()

    def _begin_evening(self) -> None:
        """Forget tally and card of an evening that is over."""
        if self.tally and self._now_s() - self.stored.ended_s > EVENING_S:
            self._keep(tally={}, card=EveningCard(), lies={})

    # ---- guests ------------------------------------------------------------------------------

    @property
    def places(self) -> list[PartyGuest | None]:
        """The guests of all places, None while one is free."""
        return self.stored.places

    @property
    def guests(self) -> list[int]:
        """The places that somebody has."""
        return [place for place, each in enumerate(self.places) if each is not None]

    @property
    def players(self) -> list[int]:
        """The places of all guests whose handhelds are in the lobby."""
        return [place for place in self.guests if self.gathered(place)]

    def guest_at(self, place: int) -> PartyGuest:
        """Return the guest of a place; one without a name, secret and device for none."""
        return self.places[place] or _NOBODY

    def _others(self, place: int | None) -> list[PartyGuest]:
        """Return all guests but the one at a place; None: all of them."""
        return [self.guest_at(each) for each in self.guests if each != place]

    def _where(self, is_so: Callable[[PartyGuest], bool]) -> int | None:
        """Return the first place whose guest is so; None for none."""
        return next((at for at in self.guests if is_so(self.guest_at(at))), None)

    def place_of(self, secret: str | None) -> int | None:
        """Return the place whose guest has this secret, or None."""
        digest = digest_of(secret or "")
        return self._where(lambda guest: compare_digest(guest.digest, digest))

    def place_with(self, device: bytes) -> int | None:
        """Return the place whose phone has a handheld of its own with this device, or None."""
        return self._where(lambda guest: guest.own == device.hex()) if device else None

    def sat_with(self, once: str) -> int | None:
        """Return the place at which a phone has sat down that drew this, or None."""
        drew = digest_of(once)
        return self._where(lambda guest: compare_digest(guest.once, drew)) if once else None

    def first_of(self, here: Collection[int]) -> int | None:
        """Return who may begin: the guest with a phone who came first of those at these places.

        If nobody of them is here, it is the first of all; None without any guest.
        """
        phones = [at for at in self.guests if not self.guest_at(at).device]
        phones.sort(key=lambda at: (at not in here, self.guest_at(at).since))
        return phones[0] if phones else None

    @property
    def free_place(self) -> int | None:
        """A free place; None for none.

        Until a table is formed, a handheld without a phone gives way that has not played: the last
        one to come. Anybody at the broker may try its digits.
        """
        if None in self.places:
            return self.places.index(None)
        came = {self.guest_at(at).since: at for at in self.guests if self._gives_way(at)}
        return came[max(came)] if came else None

    def _gives_way(self, place: int) -> bool:
        guest = self.guest_at(place)
        return bool(guest.device) and not guest.played and not self.closes()

    def _seat(self, place: int, guest: PartyGuest | None, **changes: Any) -> None:
        """Give a place another guest, or none, and change what else is kept."""
        places = [guest if at == place else each for at, each in enumerate(self.places)]
        self._keep(places=places, **changes)

    def _let_in(
        self, place: int, guest: PartyGuest, back: Sequence[str] = (), came: int = 0
    ) -> str:
        """Give a place to a guest; returns its secret, which is not kept here.

        ``back``: the three faces for `come_back`; without them nobody can. ``came``: how many more
        have come.
        """
        secret = token_urlsafe(32)
        known = digest_of_faces(back) if back else ""
        guest = replace(guest, digest=digest_of(secret), back=known, wrong=0)
        self._seat(place, guest, came=self.stored.came + came)
        return secret

    def note_played(self, devices: Collection[str]) -> None:
        """Note that a table stands with these devices, in hex: none of them is a stranger's."""
        for place in self.guests:
            guest = self.guest_at(place)
            if guest.device in devices and not guest.played:
                self._seat(place, replace(guest, played=True))

    def sit(self, name: str, face: str = "", back: Sequence[str] = (), once: str = "") -> str:
        """Take the `free_place`; returns its secret, which is not kept here.

        ``back``: the three faces for `come_back`; without them nobody can. ``once``: what the phone
        has drawn: asked again with the same, it gets its place, and a new secret with new faces.

        Raises:
            SeatingError: "used": all places are taken; "face" is one that is no picture, or
                another guest's; or as `new_name`.
        """
        if (before := self.sat_with(once)) is not None:
            return self._let_in(before, self.guest_at(before), back)
        if (place := self.free_place) is None:
            raise SeatingError("used")
        others = self._others(place)
        name = new_name(name, others)
        if not is_face(face) or face in (each.face for each in others if each.face in DRAWN):
            raise SeatingError("face")
        drew = digest_of(once) if once else ""
        guest = PartyGuest(name, face=face, since=self.stored.came, once=drew)
        return self._let_in(place, guest, back, came=1)

    def place_afar(self, device: str, name: str) -> int:
        """Return the place of a handheld elsewhere, or the free one that it would get.

        ``device``: in hex. A handheld keeps its place until that is freed.

        Raises:
            SeatingError: "used": all places are taken; or as `new_name`.
        """
        place = self._where(lambda guest: guest.device == device)
        if place is not None and self.guest_at(place).name == name:
            return place
        is_own = device in (each.own for each in self._others(None))
        if is_own or (place is None and None not in self.places):
            raise SeatingError("used")
        if new_name(name, self._others(place)) != name:
            raise SeatingError("name")
        return self.places.index(None) if place is None else place

    def sit_afar(self, device: str, name: str) -> None:
        """Give its place to a handheld elsewhere, or its guest another name; see `place_afar`."""
        place = self.place_afar(device, name)
        if self.guest_at(place).name != name:
            taken = [guest.face for guest in self._others(None)]
            face = next(each for each in DRAWN if each not in taken)
            guest = PartyGuest(name, face=face, since=self.stored.came, device=device)
            self._let_in(place, guest, came=1)  # nobody has its secret

    def bind(self, place: int, device: str, *, anew: bool) -> None:
        """Let the phone at a place have this handheld, in hex, and no other.

        ``anew``: it may have another than before: who has the guest's secret asks for that, and no
        other is connected.

        Raises:
            SeatingError: "device": the handheld is another guest's, or the place has another.
        """
        guest = self.guest_at(place)
        if guest.own == device:
            return
        is_taken = any(device in (each.own, each.device) for each in self._others(None))
        if guest is _NOBODY or is_taken or (guest.own and not anew):
            raise SeatingError("device")
        self._seat(place, replace(guest, own=device))

    def come_back(self, place: int, faces: Sequence[str], back: Sequence[str]) -> str:
        """Use a guest's three faces up; returns the new secret of the place. The old one is void.

        ``back``: the faces for the next time.

        Raises:
            SeatingError: "faces": these are others, or `MOST_WRONG` were tried for that guest.
        """
        guest = self.guest_at(place)
        if not guest.back or guest.wrong >= MOST_WRONG:
            raise SeatingError("faces")
        if not compare_digest(guest.back, digest_of_faces(faces)):
            self._seat(place, replace(guest, wrong=guest.wrong + 1))
            raise SeatingError("faces")
        return self._let_in(place, replace(guest, own="", once=""), back)

    def free(self, place: int) -> None:
        """Free a place; nobody confesses for its guest."""
        self._seat(place, None, lies=self._lies_without(self.guest_at(place).name))

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
        guests = [self.guest_at(place) for place in self._seating(match)]
        afar = (seat for seat, guest in enumerate(guests) if guest.device)
        return Claims([guest is not _NOBODY for guest in guests], frozenset(afar))

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
        self._keep(plan=plan)

    @property
    def hindrance(self) -> str:
        """Why no match can be begun, as of a `MatchPlan`; empty if one can."""
        return self.plan.hindrance(len(self.players))

    def seat_people(self, match: int, _typed: str) -> tuple[str, ...]:
        """Seat all players at a match, by its number; returns their names.

        A match that only begins is not in the tally, whatever number a folder put aside had.
        """
        self._begin_evening()
        known, last = self.stored.seatings, range(match - STORED_SEATINGS + 1, match)
        players, last_counted = self.players, self.stored.counted
        self._keep(
            seatings={each: known[each] for each in last if each in known} | {match: players},
            counted=-1 if last_counted == match else last_counted,
        )
        return tuple(self.guest_at(place).name for place in players)

    def _told_of(self, match: int, result: MatchResult) -> dict[str, Any]:
        """Return the card of a match that is over, and what its people may confess.

        Those may who still have the place with which they played.
        """
        lies, people = result.lies, result.people
        seated = zip(people, self._seating(match))
        left = {name for name, place in seated if self.guest_at(place).name != name}
        card = self.stored.card
        lines = card_lines(result, {each.name for each in card.lines})
        return {
            "card": EveningCard(lines, [], card.matches + 1),
            "lies": {name: lies[name] for name in people if name in lies and name not in left},
            "ended_s": self._now_s(),
        }

    def lies_at(self, place: int | None) -> Lies | None:
        """Return what a guest may confess; None for nothing, and once they have answered."""
        return None if place is None else self.stored.lies.get(self.guest_at(place).name)

    def _lies_without(self, name: str) -> dict[str, Lies]:
        return {each: lies for each, lies in self.stored.lies.items() if each != name}

    def confess(self, place: int, answer: incoming.Confess) -> None:
        """Put a guest's answer on the card, once; raises SeatingError as `testified` does."""
        lies = testified(self.lies_at(place), answer.of, answer.opened)
        if lies is None:
            return
        name = self.guest_at(place).name
        card = self.stored.card.answered(name, lies, tells=answer.tells)
        self._keep(card=card, lies=self._lies_without(name))

    def _seating(self, match: int | None) -> list[int]:
        return [] if match is None else self.stored.seatings.get(match, [])

    def furnish(self, change: incoming.SetRoom) -> None:
        """Change the room as a page wishes."""
        kept = {key: value for key, value in asdict(change).items() if value is not None}
        self._keep(room=replace(self.stored.room, **kept))
