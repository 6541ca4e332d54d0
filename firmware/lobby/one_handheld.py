"""The set-up of a match on one handheld, the names that it offers, and its bytes in the journal."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from unicodedata import combining, normalize

from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.invitations import DEVICE_BYTES, name_bytes
from firmware.table.protocol.sealing import keys_of_table
from game import RULES, AnyRules, rule_set, to_plain
from game.names import are_alike

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
