"""A match on one handheld: what is played by whom, a core for every seat, and what is kept of it.

What the cores say to each other never leaves the handheld. All they write is one journal: the
record once, as the seat that acts writes it, and the state of each seat under keys of its own.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from firmware.device.new_match import keys_at, new_handheld
from firmware.journal.sqlite import Append, Begin, Put, Survived, Write
from firmware.play.handheld import Handheld
from firmware.settings.toml import Faults, Seat, SettingsError, Table, rules_with
from firmware.table.handover.cup import Cup, CupError
from firmware.table.handover.handover import Handover
from firmware.table.log.entries import LogError, decode_noted, encode
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.seat import CUP_KEY, Passing
from game import OPTIONS, AnyRules, IllegalAction, public
from game.record import RecordError

ONE_KEY = "one handheld"
"""Where the journal keeps what is played on this handheld alone; no bytes where nothing is."""


class SeatsError(ValueError):
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
        rules = self.rules
        return json.dumps(
            {
                "game": rules.game,
                "options": {o.name: getattr(rules, o.name) for o in OPTIONS[rules.game]},
                "names": self.names,
                "first": self.first,
                "people": self.people,
                "key": self.key.hex(),
            }
        ).encode()

    @classmethod
    def decode(cls, data: bytes) -> "OneHandheld":
        """Read what ``encode`` wrote. Raises SeatsError."""
        try:
            told = json.loads(data)
            rules = rules_with(told["game"], told["options"])
            first, people, key = told["first"], told["people"], bytes.fromhex(told["key"])
            return cls(rules, tuple(told["names"]), int(first), int(people), key)
        except (ValueError, KeyError, TypeError, SettingsError) as error:
            raise SeatsError(f"the match on one handheld cannot be read ({error})") from None

    def table(self, faults: Faults) -> Table:
        """The table as a match needs it."""
        seats = tuple(Seat(name, "") for name in self.names)
        return Table(self.key, self.rules, seats, self.first, 0, faults)


class Kept:
    """Makes one journal of what all seats write.

    Args:
        entries: how many entries the record has already.
    """

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._batch: list[Write] = []

    def add(self, seat: int, batch: Iterable[Write]) -> None:
        """Take in what a seat writes. Whoever acts writes an entry first, with his dice in it."""
        for write in batch:
            match write:
                case Put(key, value):
                    self._batch.append(Put(f"{key} {seat}", value))
                case Append(place) if place == self._entries:
                    self._entries += 1
                    self._batch.append(write)
                case Begin() if self._entries == seat == 0:
                    self._batch.append(write)
                case _:
                    pass

    def take(self) -> tuple[Write, ...]:
        """Return what is to be written since the last call, as one transaction."""
        batch, self._batch = tuple(self._batch), []
        return batch


def begun(
    wanted: OneHandheld, faults: Faults, entropy: Callable[[int], bytes]
) -> tuple[tuple[Handheld, ...], tuple[Write, ...]]:
    """Make the cores of a match that begins, and tell what must be on the disk before."""
    table = wanted.table(faults)
    kept = Kept(0)
    cores = []
    for seat in range(len(wanted.names)):
        core, writes = new_handheld(table, seat, entropy, fair=False)
        kept.add(seat, writes)
        cores.append(core)
    return tuple(cores), (Put(ONE_KEY, wanted.encode()), *kept.take())


def resumed(
    wanted: OneHandheld, survived: Survived, faults: Faults, entropy: Callable[[int], bytes]
) -> tuple[Handheld, ...]:
    """Make the cores of a match that a power cut interrupted.

    Raises:
        SeatsError: what the journal has does not go together.
    """
    table = wanted.table(faults)
    fresh = PublicLog(wanted.rules, wanted.names, wanted.first)
    if survived.header != fresh.header:
        raise SeatsError("the record is not that of the match on one handheld")
    cores = []
    try:
        for seat in range(len(wanted.names)):
            cup = Cup.decode(survived.state[f"{CUP_KEY} {seat}"])
            log = PublicLog.restored(fresh.header, _as_known_to(seat, fresh, survived.entries))
            sealer = Sealer(keys_at(table, seat), seat, cup.epoch)
            passing = Passing(seat, log, Handover(sealer.seal, cup), sealer)
            cores.append(Handheld(passing, entropy, faults))
    except (KeyError, CupError, RecordError, LogConflict, LogError, IllegalAction) as error:
        raise SeatsError(f"the match on one handheld cannot be resumed ({error})") from None
    return tuple(cores)


def _as_known_to(seat: int, fresh: PublicLog, entries: Iterable[bytes]) -> list[bytes]:
    """The entries as a seat's own journal would have them: without dice that others covered."""
    log = PublicLog.restored(fresh.header, ())
    known = []
    for entry in entries:
        for action, note in decode_noted(entry):
            mine = log.match.to_act == seat
            known.append(encode(action if mine else public(action, log.match), note))
            log.append(action, note)
    return known
