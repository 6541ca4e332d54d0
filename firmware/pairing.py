"""How strangers become a table: fresh keys, and five dice that show that nobody sits in between.

One handheld is the host; the others, its guests, speak to it, and it passes on what all must know.

1. *Gather.* The host tells of its table. A guest answers with its name and the hash of a fresh
   X25519 key and a nonce: a *commitment*, which fixes both and tells neither.
2. *Close.* The host tells the list of places, every commitment in it, and what is played.
3. *Reveal.* A handheld that knows **all** commitments, and not before, reveals its key and nonce.
   It does so once; from then on it takes no other list, whatever it hears.
4. *Compare.* The hash of all that was said (the transcript) is five dice on every display. The
   players compare them: a tap says they are the same, a hold that they differ.
5. *Stand.* When all have tapped, the host sends each guest the table's secret, sealed for it.

Why commitments: whoever sits in between shows each side keys of his own, so the sides have
different transcripts, and he needs two that give the same dice. He would have to try nonces until
they do, but has committed to his before he sees a single one of theirs: he passes with a chance of
1 in 6⁵ = 7776, once. A handheld that revealed never starts anew by itself, so that he cannot throw
again unseen: that takes a player's hand.

Frames may be lost, doubled, late and out of order: a guest asks for what it misses every second,
and the host answers every tap. A frame that does not fit changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from hmac import compare_digest
from typing import NamedTuple, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from firmware.agreement import (
    Agreed,
    commitment,
    derived,
    dice_of,
    opened_secret,
    sealed_secret,
    transcript_of,
)
from firmware.invitations import (
    DEVICE_BYTES,
    EVERYBODY,
    KEY_BYTES,
    MAC_BYTES,
    MOST_LOST,
    MOST_PEOPLE,
    NONCE_BYTES,
    SESSION_BYTES,
    Ask,
    Body,
    Head,
    InvitationError,
    Kind,
    Person,
    Place,
    Plain,
    Reveal,
    Table,
    Terms,
    body_of,
    head_of,
    packed,
)
from game import RULES, AnyRules, SetupError, new_match
from game.values import Dice

AGAIN_US = 1_000_000
"""What has had no effect is said again after this long."""


class Phase(Enum):
    """How far a table has come."""

    GATHERING = auto()
    REVEALING = auto()
    COMPARING = auto()
    """All dice are there; this player has not tapped."""
    TAPPED = auto()
    """This player has tapped; not all others are known to have."""
    STANDS = auto()
    BROKEN = auto()
    """No table comes of it; ``Pairing.broken`` tells why."""


class Broken(Enum):
    """Why no table came of it."""

    DIFFERS = auto()
    """Somebody saw other dice: another handheld may sit in between."""
    GIVEN_UP = auto()
    """The host gave the table up."""
    CLOSED = auto()
    """It was closed without this handheld."""


class Outgoing(NamedTuple):
    """A frame for a device; None: for everybody who hears it."""

    device: bytes | None
    frame: bytes


class Pairing:
    """One handheld's share in making up a table; ``open_table`` and ``join`` make one.

    Time is in µs on the handheld's clock.
    """

    def __init__(
        self,
        device: bytes,
        host: bytes,
        session: bytes,
        name: str,
        *,
        watches: bool,
        entropy: Callable[[int], bytes],
    ) -> None:
        if len(device) != DEVICE_BYTES or device == EVERYBODY:
            raise ValueError(f"a device is named by {DEVICE_BYTES} bytes that are not all zero")
        self.host = host
        self.session = session
        self.phase = Phase.GATHERING
        self.broken: Broken | None = None
        self.agreed: Agreed | None = None
        self.refused = 0
        """Frames that did not fit and changed nothing."""
        self.people: tuple[Person, ...] = ()
        """By place, as far as it is known here."""
        self.game = next(iter(RULES))
        self._private = X25519PrivateKey.from_private_bytes(entropy(KEY_BYTES))
        self._mine = Reveal(0, self._private.public_key().public_bytes_raw(), entropy(NONCE_BYTES))
        fixed = commitment(session, (device, name, watches), self._mine.key, self._mine.nonce)
        self.me = Person(device, name, watches, fixed)
        self._secret = entropy(KEY_BYTES)
        self._terms: Terms | None = None
        self._places: dict[int, Person] = {}
        self._revision = 0
        self._reveals: dict[int, Reveal] = {}
        self._pairs: dict[int, bytes] = {}
        self._transcript = b""
        self._taps: set[int] = set()
        self._out: list[Outgoing] = []
        self._due_us: int | None = 0
        self._stale = False
        """Whether the host's list is known to be another than the one here."""
        self._closed = False
        if self.is_host:
            self.people = (self.me,)

    @classmethod
    def open_table(cls, device: bytes, name: str, entropy: Callable[[int], bytes]) -> Self:
        """Open a table as its host.

        Raises:
            ValueError: the name cannot be used.
        """
        session = entropy(SESSION_BYTES)
        return cls(device, device, session, name, watches=False, entropy=entropy)

    @classmethod
    def join(
        cls,
        device: bytes,
        name: str,
        host: bytes,
        session: bytes,
        entropy: Callable[[int], bytes],
        *,
        watches: bool = False,
    ) -> Self:
        """Ask for a place at a table that was heard of.

        Raises:
            ValueError: the name cannot be used.
        """
        return cls(device, host, session, name, watches=watches, entropy=entropy)

    @property
    def is_host(self) -> bool:
        """Whether this handheld opened the table."""
        return self.me.device == self.host

    @property
    def place(self) -> int | None:
        """The place that this handheld has; None while it has none."""
        return next((at for at, each in enumerate(self.people) if each == self.me), None)

    @property
    def dice(self) -> Dice | None:
        """The dice to compare; None until everything is revealed."""
        return dice_of(self._transcript) if self._transcript else None

    @property
    def tapped(self) -> int:
        """How many are known here to have tapped."""
        return len(self._taps)

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to say; None if never."""
        return self._due_us

    def take(self) -> list[Outgoing]:
        """Return what is to be sent since the last call."""
        out, self._out = self._out, []
        return out

    # What the player does

    def arrange(self, devices: Sequence[bytes]) -> None:
        """The host seats its guests in this order. Devices that have no place are passed over."""
        if self.is_host and self.phase is Phase.GATHERING:
            ranks = {device: at for at, device in enumerate(devices)}
            last = len(ranks)
            self._seat(sorted(self.people, key=lambda each: ranks.get(each.device, last)))

    def close(
        self, rules: AnyRules, first: int, now_us: int, lost: Mapping[bytes, int] | None = None
    ) -> None:
        """The host lets nobody else join, and reveals.

        ``lost``: by device, how many matches were lost at this table before; None for none.

        Raises:
            SetupError: these rules are not for these players.
        """
        if not self.is_host or self.phase is not Phase.GATHERING:
            return
        players = tuple(person.name for person in self.people if not person.watches)
        new_match(rules, players, first)
        tally = tuple(min((lost or {}).get(each.device, 0), MOST_LOST) for each in self.people)
        self._terms = Terms(self._revision, len(self.people), first, rules, tally)
        self._freeze()
        for at in range(len(self.people)):
            self._tell_place(at)
        self._say(None, Kind.TERMS, self._terms)
        self._reveal()
        self._due_us = now_us + AGAIN_US

    def tap(self, now_us: int) -> None:
        """Say that this player sees the same dice as the others."""
        if self.phase is Phase.COMPARING:
            self.phase = Phase.TAPPED
            self._taps.add(self._at)
            self._due_us = now_us
            self._stand_when_all_tapped()
            self.tick(now_us)

    def differ(self) -> None:
        """Say to all that this player sees other dice."""
        if self.phase in (Phase.COMPARING, Phase.TAPPED):
            self._say(None, Kind.DIFFER, Plain(b""))
            self._break(Broken.DIFFERS)

    def leave(self) -> None:
        """Go, because this player thought better of it; a host gives the table up."""
        if self.phase not in (Phase.STANDS, Phase.BROKEN):
            self._say(None if self.is_host else self.host, Kind.LEAVE, Plain(b""))
            self._break(Broken.GIVEN_UP)

    # What others and time do

    def tick(self, now_us: int) -> None:
        """Say again what has had no effect yet."""
        if self._due_us is None or self._due_us > now_us:
            return
        self._due_us = now_us + AGAIN_US
        if self.is_host:
            if self.phase in (Phase.GATHERING, Phase.REVEALING):
                self._tell_of_table()
            else:
                self._due_us = None  # the guests ask, and tap, until they are answered
        elif self.phase is Phase.TAPPED:
            self._say(self.host, Kind.TAP, Plain(self._tap_mac(self._at, 0)))
        elif self.phase is Phase.GATHERING and self.place is None and self._terms is None:
            self._say(self.host, Kind.JOIN, self.me)
        if not self.is_host and self.phase in (Phase.GATHERING, Phase.REVEALING):
            self._ask()

    def receive(self, frame: bytes, now_us: int) -> bool:
        """Take in a frame. Returns whether it fitted; one that did not changed nothing."""
        try:
            head, body = head_of(frame), body_of(frame)
        except InvitationError:
            self.refused += 1
            return False
        fits = (
            head.session == self.session
            and head.sender != self.me.device
            and head.receiver in (EVERYBODY, self.me.device)
            and (self.is_host or head.sender == self.host or head.kind is Kind.DIFFER)
            and self.phase is not Phase.BROKEN
            and self._take_in(head, body, now_us)
        )
        self.refused += not fits
        return fits

    def _take_in(self, head: Head, body: Body, now_us: int) -> bool:
        if head.kind is Kind.DIFFER:
            return self._on_differ(head)
        match body:
            case Person() if self.is_host:
                return self._on_join(head, body)
            case Ask() if self.is_host:
                return self._on_ask(head, body)
            case Reveal():
                return self._on_reveal(head, body)
            case Plain(data) if head.kind is Kind.TAP and self.is_host:
                return self._on_tap(head, data)
            case Plain() if head.kind is Kind.LEAVE:
                return self._on_leave(head)
            case Place() if not self.is_host:
                return self._on_place(body, now_us)
            case Terms() if not self.is_host:
                return self._on_terms(body, now_us)
            case Table() if not self.is_host:
                return self._on_table(body, now_us)
            case Plain(data) if head.kind is Kind.STANDS and not self.is_host:
                return self._on_stands(data)
            case _:
                return False

    # The host

    def _on_join(self, head: Head, person: Person) -> bool:
        if person.device != head.sender:
            return False
        known = next((at for at, each in enumerate(self.people) if each == person), None)
        if known is not None:
            self._tell_place(known)
            return True
        if self.phase is not Phase.GATHERING or len(self.people) >= MOST_PEOPLE:
            return False
        others = [each for each in self.people if each.device != person.device]
        if any(each.name == person.name for each in others):
            return False
        self._seat([*others, person])
        self._tell_place(self.people.index(person))
        self._tell_of_table()
        return True

    def _on_ask(self, head: Head, ask: Ask) -> bool:
        if all(person.device != head.sender for person in self.people):
            return False
        for at in range(len(self.people)):
            if ask.places >> at & 1:
                self._tell_place(at)
            if ask.reveals >> at & 1 and at in self._reveals:
                self._say(None, Kind.REVEAL, self._reveals[at])
        if ask.terms and self._terms is not None:
            self._say(None, Kind.TERMS, self._terms)
        return True

    def _on_tap(self, head: Head, mac: bytes) -> bool:
        at = self._place_of(head.sender)
        if at is None or at not in self._pairs or not self._transcript:
            return False
        if not compare_digest(mac, self._tap_mac(at, at)):
            return False
        self._taps.add(at)
        self._stand_when_all_tapped()
        if self.agreed is not None:
            self._say(self.people[at].device, Kind.STANDS, Plain(self.agreed.stands[at]))
        return True

    def _stand_when_all_tapped(self) -> None:
        if self.is_host and len(self._taps) == len(self.people) and self.agreed is None:
            sealed = {
                at: sealed_secret(pair, self._secret, self._transcript)
                for at, pair in self._pairs.items()
            }
            self._stand(self._secret, sealed)
            for at, data in sealed.items():
                self._say(self.people[at].device, Kind.STANDS, Plain(data))

    def _seat(self, people: Sequence[Person]) -> None:
        """Give the places out anew: players first, each kind in the order given."""
        self.people = tuple(sorted(people, key=lambda each: each.watches))
        self._revision += 1

    def _tell_place(self, at: int) -> None:
        place = Place(self._revision, at, len(self.people), self.people[at])
        self._say(None, Kind.PLACE, place)

    def _tell_of_table(self) -> None:
        game = tuple(RULES).index(self.game)
        is_open = self.phase is Phase.GATHERING
        table = Table(is_open, len(self.people), self._revision & 0xFF, game, self.me.name)
        self._say(None, Kind.TABLE, table)

    # The guest

    def _on_table(self, table: Table, now_us: int) -> bool:
        if self.phase is not Phase.GATHERING:
            if self.phase in (Phase.COMPARING, Phase.TAPPED):
                self._reveal()  # the host still misses something
            return True
        self.game = tuple(RULES)[table.game] if table.game < len(RULES) else self.game
        self._stale = self._revision & 0xFF != table.revision
        self._stale = self._stale or len(self._places) != table.people
        self._closed = self._closed or not table.is_open
        if self._stale or self._closed:
            self._due_us = now_us
        return True

    def _on_place(self, place: Place, now_us: int) -> bool:
        if self.phase is not Phase.GATHERING:
            return place.revision == self._revision and place.person in self.people
        if place.revision < self._revision or not place.number < place.places <= MOST_PEOPLE:
            return False
        if place.revision > self._revision:
            if self._terms is not None:
                return False
            self._places = {}
            self._revision = place.revision
        self._places[place.number] = place.person
        self.people = tuple(person for _, person in sorted(self._places.items()))
        self._freeze_when_complete(now_us)
        return True

    def _on_terms(self, terms: Terms, now_us: int) -> bool:
        if self._terms is not None:
            return terms == self._terms
        if not 1 < terms.people <= MOST_PEOPLE or terms.revision < self._revision:
            return False
        if terms.revision > self._revision:
            self._places = {}
            self._revision = terms.revision
        self._terms = terms
        self.game = terms.rules.game
        self._due_us = now_us
        self._freeze_when_complete(now_us)
        return True

    def _freeze_when_complete(self, now_us: int) -> None:
        """Reveal as soon as every commitment is known: never before, and never for another list."""
        terms = self._terms
        if terms is None or sorted(self._places) != list(range(terms.people)):
            return
        people = tuple(self._places[at] for at in range(terms.people))
        if self.me not in people:
            self._break(Broken.CLOSED)
            return
        players = tuple(person.name for person in people if not person.watches)
        try:
            new_match(terms.rules, players, terms.first)
        except SetupError:
            self._break(Broken.CLOSED)
            return
        devices = {person.device for person in people}
        watchers_last = sorted(people, key=lambda each: each.watches) == list(people)
        if self.host not in devices or len(devices) != len(people) or not watchers_last:
            self._break(Broken.CLOSED)
            return
        self.people = people
        self._freeze()
        self._reveal()
        self._due_us = now_us + AGAIN_US

    def _ask(self) -> None:
        if self.phase is Phase.REVEALING:
            missing = sum(1 << at for at in range(len(self.people)) if at not in self._reveals)
            self._say(self.host, Kind.REVEAL, self._reveals[self._at])
            self._say(self.host, Kind.ASK, Ask(0, missing, False))
        elif self._stale or self._closed or self._terms is not None:
            count = MOST_PEOPLE if self._terms is None else self._terms.people
            known = () if self._stale and self._terms is None else self._places
            missing = sum(1 << at for at in range(count) if at not in known)
            self._say(self.host, Kind.ASK, Ask(missing, 0, self._terms is None))

    def _on_stands(self, sealed: bytes) -> bool:
        if self.phase is Phase.STANDS:
            return True
        at = self._place_of(self.host)
        if self.phase is not Phase.TAPPED or at is None:
            return False
        try:
            secret = opened_secret(self._pairs[at], sealed, self._transcript)
        except InvalidTag:
            return False
        self._stand(secret, {})
        self._due_us = None
        return True

    # Both

    def _on_leave(self, head: Head) -> bool:
        if not self.is_host:
            if self.phase is not Phase.STANDS:
                self._break(Broken.GIVEN_UP)
            return True
        if self.phase is not Phase.GATHERING or self._place_of(head.sender) is None:
            return False
        self._seat([person for person in self.people if person.device != head.sender])
        self._tell_of_table()
        return True

    def _on_differ(self, head: Head) -> bool:
        known = self._place_of(head.sender) is not None
        if not known or self.phase not in (Phase.REVEALING, Phase.COMPARING, Phase.TAPPED):
            return False
        if self.is_host:
            self._say(None, Kind.DIFFER, Plain(b""))
        self._break(Broken.DIFFERS)
        return True

    def _on_reveal(self, head: Head, reveal: Reveal) -> bool:
        if self.phase is Phase.GATHERING or reveal.number >= len(self.people):
            return False
        person = self.people[reveal.number]
        if self.is_host and head.sender != person.device:
            return False
        if reveal.number in self._reveals:
            return reveal == self._reveals[reveal.number]
        named = (person.device, person.name, person.watches)
        fixed = commitment(self.session, named, reveal.key, reveal.nonce)
        if not compare_digest(fixed, person.commitment):
            return False
        try:
            self._private.exchange(X25519PublicKey.from_public_bytes(reveal.key))
        except ValueError:  # a key that makes every secret the same
            return False
        self._reveals[reveal.number] = reveal
        if self.is_host:
            self._say(None, Kind.REVEAL, reveal)
        self._compare_when_complete()
        return True

    def _freeze(self) -> None:
        self.phase = Phase.REVEALING
        self._mine = self._mine._replace(number=self._at)
        self._reveals[self._at] = self._mine

    def _reveal(self) -> None:
        self._say(None if self.is_host else self.host, Kind.REVEAL, self._mine)

    def _compare_when_complete(self) -> None:
        if len(self._reveals) < len(self.people):
            return
        assert self._terms is not None, "nothing is revealed before the terms are known"
        reveals = [reveal for _, reveal in sorted(self._reveals.items())]
        self._transcript = transcript_of(self.session, self._terms, self.people, reveals)
        for at, reveal in self._reveals.items():
            if at != self._at:
                shared = self._private.exchange(X25519PublicKey.from_public_bytes(reveal.key))
                self._pairs[at] = derived(shared, self._transcript, b"maexchen pair")
        self.phase = Phase.COMPARING

    def _stand(self, secret: bytes, stands: dict[int, bytes]) -> None:
        assert self._terms is not None, "only a table with terms can stand"
        key = derived(secret, self._transcript, b"maexchen table")
        self.agreed = Agreed(
            self.session,
            self._at,
            self.people,
            self._terms.rules,
            self._terms.first,
            self._terms.lost,
            key,
            dict(self._pairs),
            stands,
        )
        self.phase = Phase.STANDS

    def _break(self, why: Broken) -> None:
        self.phase = Phase.BROKEN
        self.broken = why
        self._due_us = None

    @property
    def _at(self) -> int:
        place = self.place
        assert place is not None, "a list without this handheld is not taken"
        return place

    def _place_of(self, device: bytes) -> int | None:
        return next((at for at, each in enumerate(self.people) if each.device == device), None)

    def _tap_mac(self, tapper: int, pair: int) -> bytes:
        """What only ``tapper`` and the host can say; ``pair``: whose common key it is made with."""
        if not self.is_host:
            pair = next(at for at, each in enumerate(self.people) if each.device == self.host)
        purpose = b"maexchen tap %d" % tapper
        return derived(self._pairs[pair], self._transcript, purpose)[:MAC_BYTES]

    def _say(self, to: bytes | None, kind: Kind, body: Body) -> None:
        head = Head(kind, self.me.device, to or EVERYBODY, self.session)
        self._out.append(Outgoing(to, packed(head, body)))
