"""A table that a watcher has formed in a lobby, of cores that keep their dice themselves."""

import re
from base64 import b64decode
from random import Random

from firmware.journal import FAIR_KEY, SEAT_KEY
from firmware.settings import Settings
from firmware.table.commitment.fair_dice import CommitterState
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import PairingPhase
from firmware.table.protocol.messages import Give, encode
from firmware.table.protocol.sealing import Sealer
from game import RULES
from game.actions import Believe, Roll
from tests.support.core_table import CoreTable
from tests.support.net import device
from tests.support.pairing_room import Gathering

NAMES = ("Ana", "Ben", "Cem")
WATCHER = len(NAMES)


def lobby(seed, game="class"):
    """The table as each place knows it, after a lobby that the watcher made; and all frames."""
    host, guests, said = paired(seed, game)
    return [StandingTable.of(each.state.agreed) for each in (*guests, host)], said


def paired(seed, game="class"):
    """The pairings of the watcher, who is host, and of its guests, once all have tapped."""
    entropy = Random(f"lobby {seed}").randbytes
    host = Pairing.open_table(device(0), "Host", entropy, watches=True)
    guests = [
        Pairing.join(device(1 + at), name, device(0), host.state.session, entropy)
        for at, name in enumerate(NAMES)
    ]
    for guest in guests:
        host.as_host.admit(guest.state.me)
    host.as_host.close(RULES[game], 0, 0)
    room = Gathering([host, *guests], seed)
    room.until(lambda: all(each.state.phase is PairingPhase.COMPARING for each in room.cores))
    for each in room.cores:
        each.tap(room.now_us)
    room.until(lambda: all(each.state.agreed is not None for each in room.cores))
    return host, guests, [said.frame for said in room.said]


class OwnTable(CoreTable):
    """The cores of the three and of the watcher, at a table that a lobby has formed."""

    def __init__(self, folder, seed, game="class"):
        self.tables, self.in_lobby = lobby(seed, game)
        how = {"game": game, "folder": folder, "names": NAMES, "seed": seed}
        super().__init__(len(self.tables), epoch=0, **how)

    def settings(self, seat):
        return Settings(journal=self.folder / f"seat{seat}.sqlite", standing=self.tables[seat])

    def start(self, place):
        for each, table in zip(self.places, self.tables):
            each.sealer = Sealer(table.keys, each.seat, each.own_seat.epoch)
        super().start(place)

    @property
    def throws(self):
        return sum(isinstance(action, Roll) for action in self.places[WATCHER].actions)

    def of_host(self):
        """All that the host has: every frame, what was told it, and what it stores."""
        told = [encode(m).body for place in self.places for to, m, _ in place.left if to == WATCHER]
        frames = [said.frame for said in self.said]
        files = [path.read_bytes() for path in sorted(self.folder.glob(f"seat{WATCHER}.sqlite*"))]
        keys = self.tables[WATCHER].encode()
        return b"\n".join((*self.in_lobby, *frames, *told, *files, keys))

    def gives(self):
        """Every covered cup between two players: who gets it, its contents and its frame."""
        for place in self.places[:WATCHER]:
            for to, message, frame in place.left:
                if isinstance(message, Give) and message.contents.dice:
                    yield to, message.contents, frame

    def secrets(self):
        """Return all that would reveal dice: secrets, keys, openings of cups that stayed closed."""
        public = b"".join(self.places[WATCHER].entries)
        openings = {contents.opening for _, contents, _ in self.gives()}
        hidden = {each for each in openings if each not in public and any(each)}
        for table, place in zip(self.tables[:WATCHER], self.places):
            state = place.journal._now.state
            hidden.add(CommitterState.decode(state[FAIR_KEY]).secret)
            hidden.add(table.keys.seed)
            hidden |= {key for to, key in table.keys.pairs.items() if to != WATCHER}
            assert state[SEAT_KEY], "it is the journal of a match"
        return hidden


def credulous(rng):
    """Choices of people who like to believe: cups travel far, and few are opened."""

    def pick(choices):
        if Believe() in choices and rng.random() < 0.9:
            return Believe()
        return rng.choice(choices)

    return pick


WINDOW = 8
"""A secret is looked for in pieces of so many bytes: any 15 of its bytes in a row are found."""
_HEX = re.compile(rb"[0-9a-fA-F]{16,}")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{8,}={0,2}")


def found(secrets, known):
    """Return the secrets of which a piece is in ``known``: raw, as hex or in base64."""
    view = b"\n\n".join(_views(known))
    pieces = {
        secret: [secret[at : at + WINDOW] for at in range(0, len(secret) - WINDOW + 1, WINDOW)]
        for secret in secrets
    }
    return {secret for secret, parts in pieces.items() if any(part in view for part in parts)}


def _views(known):
    yield known
    for run in _HEX.findall(known):
        for at in (0, 1):
            yield bytes.fromhex(run[at : len(run) - (len(run) - at) % 2].decode())
    for run in _BASE64.findall(known.replace(b"-", b"+").replace(b"_", b"/")):
        for at in range(4):
            part = run.rstrip(b"=")[at:]
            part = part[: len(part) - (len(part) % 4 == 1)]
            yield b64decode(part + b"=" * (-len(part) % 4))
