"""A player's choices in the lobby: games and options, rooms, tables nearby, steps, players.

Numbers without a source are chosen.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Final, NamedTuple
from unicodedata import combining, normalize

from firmware.display.screens import Item, Phrase
from firmware.display.text.labels import Text
from firmware.display.text.rulebook import short_key, value_key
from firmware.effects import ListenAt, Nearby, Place, Room
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import PairingState
from firmware.table.protocol.invitations import DEVICE_BYTES, Head, TableNotice, name_bytes
from firmware.table.protocol.sealing import keys_of_table
from game import OPTIONS, RULES, AnyRules, Option, nearest_table, rule_set, to_plain
from game.names import are_alike
from game.options import SetupError


class LobbyStep(Enum):
    """The questions of the lobby."""

    NAME = auto()
    START = auto()
    GAME = auto()
    OPTIONS = auto()
    GATHER = auto()
    """A host waits for guests."""
    SEATS = auto()
    FIRST = auto()
    HANDICAP = auto()
    TABLES = auto()
    JOINING = auto()
    """A guest waits until the host has set everything up."""
    COMPARE = auto()
    PLAYERS = auto()
    """The players on this one handheld."""
    BROKEN = auto()
    ROOM = auto()
    """The choice between neighbours and a room at a broker."""
    CODE = auto()
    """The code of a room, digit by digit."""


class Company(Enum):
    """The handhelds that a match is played on."""

    SHARED = auto()
    """Everybody has a handheld."""
    AROUND = auto()
    """One handheld goes from hand to hand."""
    PRACTICE = auto()
    """One person, against this handheld."""


CODE_DIGITS: Final = 4
"""Few enough to read out. A guessed code shows a table; the compared numbers keep a stranger out.
"""


class RoomStep(Enum):
    """The steps around rooms."""

    NEW = auto()
    """Make one, with a random code."""
    TYPE = auto()
    """Enter a room's code, digit by digit."""
    ERASE = auto()
    """Take the last digit back; without one, go back."""
    LEAVE = auto()
    """Leave the room: only neighbours are met."""


class InRoom(NamedTuple):
    """Do a step around rooms; ``digit`` is the one to type."""

    step: RoomStep
    digit: str = ""


class RoomsView(NamedTuple):
    """The ``code`` of the current room, None for none, and the digits ``typed`` so far."""

    code: str | None
    typed: str


class Rooms:
    """The lobby's current room, and the digits typed of another's code.

    ``afar``: there is a broker. ``code`` is that of the room; None for none.
    """

    def __init__(self, afar: bool, code: str | None = None) -> None:
        self.code = code
        self.typed = ""
        self._afar = afar
        self._place: Place | None = None

    @property
    def view(self) -> RoomsView | None:
        """The state that a question depends on; None without a broker."""
        return RoomsView(self.code, self.typed) if self._afar else None

    def listen(self, table: PairingState | None) -> list[ListenAt]:
        """Take the place where the lobby meets others, unless it has it; return the effect, if any.

        In a room, a player's handheld passes frames of its table on. ``table``: None for none.
        """
        before, self._place = self._place, Nearby.NEARBY if self.code is None else Room(self.code)
        if isinstance(self._place, Room) and table and not (table.is_host or table.me.watches):
            self._place = Room(self._place.code, table.host, table.session)
        return [] if self._place == before else [ListenAt(self._place)]

    def take(self, choice: InRoom, entropy: Callable[[int], bytes]) -> LobbyStep:
        """Do a step and return the next one. ``entropy`` gives random bytes."""
        match choice.step:
            case RoomStep.NEW:
                number = int.from_bytes(entropy(8), "big") % 10**CODE_DIGITS
                self.code, self.typed = f"{number:0{CODE_DIGITS}}", ""
            case RoomStep.LEAVE:
                self.code, self.typed = None, ""
            case RoomStep.TYPE:
                self.typed += choice.digit
                if len(self.typed) < CODE_DIGITS:
                    return LobbyStep.CODE
                self.code, self.typed = self.typed, ""
            case RoomStep.ERASE:
                before, self.typed = self.typed, self.typed[:-1]
                return LobbyStep.CODE if before else LobbyStep.ROOM
        return LobbyStep.START


MOST_NEARBY = 12
"""Most tables kept; while there are so many, others' announcements are ignored."""
HEARD_FOR_US = 6_000_000
"""A table that was not announced for this long is dropped."""


class TableNearby(NamedTuple):
    """An open table: ``host`` and ``session`` name it, ``name`` is the host's.

    ``game``: a key of ``game.RULES``; ``people``: how many have a place so far.
    """

    host: bytes
    session: bytes
    name: str
    game: str
    people: int


class TablesNearby:
    """The newest notice of each host, by the order of first notices. Times in µs on one clock."""

    def __init__(self) -> None:
        self._tables: dict[bytes, TableNearby] = {}
        self._heard_us: dict[bytes, int] = {}

    @property
    def tables(self) -> tuple[TableNearby, ...]:
        """The tables to choose from, at most `MOST_NEARBY`."""
        return tuple(self._tables.values())

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has a table to drop; None while there is none."""
        return min(self._heard_us.values()) + HEARD_FOR_US if self._heard_us else None

    def add(self, head: Head, notice: TableNotice, now_us: int) -> None:
        """Keep the notice of a host; drop its table if closed."""
        host = head.sender
        if not notice.is_open:
            self._forget(host)
        elif host in self._tables or len(self._tables) < MOST_NEARBY:
            game = tuple(RULES)[notice.game]
            self._tables[host] = TableNearby(host, head.session, notice.name, game, notice.people)
            self._heard_us[host] = now_us

    def name_of(self, host: bytes) -> str | None:
        """The name of a host; None for one without an open table."""
        return self._tables[host].name if host in self._tables else None

    def tick(self, now_us: int) -> None:
        """Drop the tables that were not announced for `HEARD_FOR_US`."""
        for host, heard_us in tuple(self._heard_us.items()):
            if heard_us + HEARD_FOR_US <= now_us:
                self._forget(host)

    def clear(self) -> None:
        """Drop all tables."""
        self._tables.clear()
        self._heard_us.clear()

    def _forget(self, host: bytes) -> None:
        self._tables.pop(host, None)
        self._heard_us.pop(host, None)


MOST_DIFFERENCES: Final = 4
"""The most lines about what differs from a known table."""


def differences(rules: AnyRules) -> tuple[Item, ...]:
    """Return what differs from the nearest game or preset, in at most `MOST_DIFFERENCES` lines."""
    lines: list[Item] = [line_about(*each) for each in nearest_table(rules).changes.items()]
    if len(lines) > MOST_DIFFERENCES:
        more = len(lines) - MOST_DIFFERENCES + 1
        lines[-more:] = [f"… +{more}"]
    return tuple(lines)


def line_about(option: str, value: object) -> Phrase:
    """Return an option and its value in a line."""
    return Phrase(short_key(option), option_item(value))


def packed(rules: AnyRules) -> bytes:
    """Return a player's own house rules as the journal keeps them: JSON of the game and options."""
    return json.dumps(to_plain(rules)).encode()


def unpacked(kept: bytes) -> AnyRules | None:
    """Return the rules that ``packed`` wrote; None if this version has no such rules.

    A custom that is newer than the rules has its usual value.
    """
    try:
        plain = json.loads(kept)
        return rule_set(plain["game"], plain["options"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


_MOST_STEPS = 20
"""The dial has so many values of a number without steps of its own, from its least on."""


def option_item(value: object) -> Text | Phrase | str:
    """Return the label of an option's value on the dial."""
    if isinstance(value, bool):
        return Text.YES if value else Text.NO
    return Phrase(value_key(value)) if isinstance(value, str) else str(value)


def next_value(option: Option, value: object) -> object:
    """Return the value after a tap; after the last comes the first."""
    values: tuple[object, ...] = option.choices or option.steps
    if not values:
        greatest = min(option.greatest, option.least + _MOST_STEPS - 1)
        values = tuple(range(option.least, greatest + 1))
    if value not in values:
        return values[0]
    return values[(values.index(value) + 1) % len(values)]


def changed(rules: AnyRules, number: int) -> AnyRules:
    """Return the rules with option ``number`` of ``game.OPTIONS`` at its next legal value.

    It skips values that the other options forbid; if none is left, it returns the same rules.
    """
    option = OPTIONS[rules.game][number]
    value = getattr(rules, option.name)
    while (value := next_value(option, value)) != getattr(rules, option.name):
        try:
            return replace(rules, **{option.name: value})  # type: ignore[arg-type]
        except SetupError:
            continue
    return rules


def handicapped(
    rules: AnyRules, names: Sequence[str], handicap: Mapping[str, int]
) -> AnyRules | None:
    """Return the rules with a handicap by name; None if they allow no such start."""
    try:
        return replace(rules, handicap=tuple(handicap.get(name, 0) for name in names))
    except SetupError:
        return None


class PlainChoice(Enum):
    """Choices without a value."""

    LEAVE = auto()
    """Leave the table that is being made; its host gives it up."""
    LOUDER = auto()
    """Set the next volume; after the loudest comes silence."""
    OUR_RULES = auto()
    """Take the player's own house rules."""
    KEEP_RULES = auto()
    """Keep the rules as the player's own, beyond the next start."""
    RULES_SETTLED = auto()
    """Finish the options and go on to the players."""
    LEARN = auto()
    """Begin a first match, alone and explained."""
    REMOVE_PLAYER = auto()
    """Remove the last player from this handheld's list."""


class GoTo(NamedTuple):
    """Go to another question; NAME, START and TABLES drop the pairing."""

    step: LobbyStep


class CallMe(NamedTuple):
    """Take this name."""

    name: str


class Begin(NamedTuple):
    """Begin a match in this company."""

    company: Company


class LookForTables(NamedTuple):
    """List the tables near, to join one as a player or to watch."""

    watches: bool


class Join(NamedTuple):
    """Ask for a place at a table."""

    table: TableNearby


class Game(NamedTuple):
    """Choose this game or preset (a name in ``game.TABLES``), with its usual options."""

    name: str


class ChangeOption(NamedTuple):
    """Set option ``number`` of ``game.OPTIONS`` to its next value."""

    number: int


class PutOut(NamedTuple):
    """Put out the guest whose device has these six bytes, for good."""

    device: bytes


class MoveSeat(NamedTuple):
    """Seat the player at ``seat`` one place further."""

    seat: int


class MoreHandicap(NamedTuple):
    """Take one more from a player's start; after the most comes none."""

    name: str


class AddPlayer(NamedTuple):
    """Add a player to this handheld."""

    name: str


class OpensRound(NamedTuple):
    """Finish, and let this seat open the first round; None draws one by lot."""

    seat: int | None


LobbyChoice = (
    PlainChoice | GoTo | CallMe | Begin | LookForTables | Join | Game | ChangeOption | PutOut
    | MoveSeat | MoreHandicap | AddPlayer | OpensRound | InRoom
)  # fmt: skip


NAMES = (
    "Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Leo", "Mia",
    "Nils", "Ole", "Pia", "Rosa", "Sam", "Tom", "Uta", "Vera", "Willi", "Zoe",
)  # fmt: skip
"""Names to choose from by tilting."""

_SPELLINGS = tuple(
    (re.compile(pattern), digits)
    for pattern, digits in (
        (r"[dt](?=[csz])", "8"),
        (r"ph", "3"),
        (r"(?<=[ckq])x", "8"),
        (r"x", "48"),
        (r"(?<![sz])c(?=[ahkoqux])|\bc(?=[lr])", "4"),
        (r"h", ""),
        (r"[csz]", "8"),
        (r"[bp]", "1"),
        (r"[dt]", "2"),
        (r"[fvw]", "3"),
        (r"[gkq]", "4"),
        (r"l", "5"),
        (r"[mn]", "6"),
        (r"r", "7"),
        (r"[^\W\d]", "0"),
    )
)
"""Digits for the sounds of letters; vowels are 0. The table of the Cologne phonetics: H. J. Postel,
"Die Kölner Phonetik", IBM-Nachrichten 19 (1969)."""


def sounds_of(name: str) -> frozenset[str]:
    """Return the sound of a name's words, as digits: words that sound alike have the same.

    Anna, Ana and Hannah are "06". Without letters it is empty.
    """
    plain = normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in plain if not combining(letter))
    found = set()
    for word in re.findall(r"[^\W\d_]+", plain):
        for spelling, digits in _SPELLINGS:
            word = spelling.sub(digits, word)
        word = re.sub(r"(.)\1+", r"\1", word)
        found.add(word[:1] + word[1:].replace("0", ""))
    return frozenset(found)


def names_of_bots(people: Sequence[str], count: int) -> tuple[str, ...]:
    """Return ``count`` of `NAMES`, none of which is that of a person.

    As long as possible, they do not sound like ``people`` either.
    """
    heard = frozenset[str]().union(*map(sounds_of, people))
    free = [name for name in NAMES if not any(are_alike(name, each) for each in people)]
    free.sort(key=lambda name: bool(sounds_of(name) & heard))  # stable: else in their order
    return tuple(free[:count])


class OneHandheldError(ValueError):
    """The journal's match on one handheld is unusable; the text is one line."""


@dataclass(frozen=True)
class OneHandheld:
    """A match on this handheld alone.

    Attributes:
        rules: the game with its options.
        names: the players by seat.
        first: the seat that opens.
        people: number of people's seats, from 0; the handheld plays the others.
        key: 32 bytes that seal the frames between the seats.
        learns: it is a player's first match: the handheld explains it, and does not lie.
    """

    rules: AnyRules
    names: tuple[str, ...]
    first: int
    people: int
    key: bytes = field(repr=False)
    learns: bool = False

    def encode(self) -> bytes:
        """Return the bytes for the journal: JSON, with the key."""
        return json.dumps(
            {
                **to_plain(self.rules),
                "names": self.names,
                "first": self.first,
                "people": self.people,
                "key": self.key.hex(),
                "learns": self.learns,
            }
        ).encode()

    @classmethod
    def decode(cls, data: bytes) -> "OneHandheld":
        """Read what ``encode`` wrote.

        Raises:
            OneHandheldError: it is something else.
        """
        try:
            plain = json.loads(data)
            rules = rule_set(plain["game"], plain["options"])
            first, people, key = plain["first"], plain["people"], bytes.fromhex(plain["key"])
            names = tuple(plain["names"])
            for name in names:
                name_bytes(name)
            if first not in range(len(names)) or people not in range(len(names) + 1):
                raise ValueError(f"{len(names)} names, {first} opens, {people} are people")
            return cls(rules, names, first, people, key, bool(plain.get("learns")))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise OneHandheldError(f"the match on one handheld cannot be read ({error})") from None

    def table(self, seat: int) -> StandingTable:
        """Return the table of match 0 as a seat knows it; the seats have no devices."""
        keys = keys_of_table(self.key, seat, range(len(self.names)))
        players = [(name, bytes(DEVICE_BYTES)) for name in self.names]
        return StandingTable.fixed(self.key, keys, seat, players, self.rules, self.first)


def players_alone(name: str, rules: AnyRules) -> tuple[str, ...]:
    """Return the player ``name`` and as many others as a match needs."""
    return (name, *names_of_bots((name,), rules.fewest_players - 1))


def first_match(name: str, key: bytes) -> OneHandheld:
    """Return a player's first match: the first game, opened by that player; ``key`` as above."""
    rules = next(iter(RULES.values()))
    return OneHandheld(rules, players_alone(name, rules), 0, 1, key, learns=True)
