"""What one handheld for all is set up with."""

import json
from dataclasses import dataclass

from firmware.settings.table import Faults, TablePlayer, TableTerms
from game import AnyRules, rule_set, to_plain


class OneHandheldError(ValueError):
    """The match on one handheld that the journal has cannot be used; the text is one line."""


@dataclass(frozen=True)
class OneHandheld:
    """A match on this handheld alone.

    Attributes:
        rules: the game with its options.
        names: the players by seat.
        first: the seat that opens.
        people: so many of the first seats are people's; the handheld plays the others.
        key: 32 bytes that seal what the seats say to each other.
    """

    rules: AnyRules
    names: tuple[str, ...]
    first: int
    people: int
    key: bytes

    def encode(self) -> bytes:
        """Return its bytes for the journal."""
        return json.dumps(
            {
                **to_plain(self.rules),
                "names": self.names,
                "first": self.first,
                "people": self.people,
                "key": self.key.hex(),
            }
        ).encode()

    @classmethod
    def decode(cls, data: bytes) -> "OneHandheld":
        """Read what ``encode`` wrote. Raises OneHandheldError."""
        try:
            told = json.loads(data)
            rules = rule_set(told["game"], told["options"])
            first, people, key = told["first"], told["people"], bytes.fromhex(told["key"])
            return cls(rules, tuple(told["names"]), int(first), int(people), key)
        except (ValueError, KeyError, TypeError) as error:
            raise OneHandheldError(f"the match on one handheld cannot be read ({error})") from None

    def table(self, faults: Faults) -> TableTerms:
        """The table as a match needs it."""
        seats = tuple(TablePlayer(name, "") for name in self.names)
        return TableTerms(self.key, self.rules, seats, self.first, 0, faults)
