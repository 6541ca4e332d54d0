"""Frames of strangers at lobbies: hostile names, counts, terms and tallies, every screen drawn.

Strangers know the session, which is announced, and may give any device as the sender, the host's
too. Every resulting screen is drawn in both languages: nothing may raise, and everything must fit.
"""

from collections import Counter
from random import Random

from firmware.display.screens import Phrase
from firmware.display.text.labels import Text, game_name
from firmware.effects import Received
from firmware.lobby.lobby import Lobby
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import InvitationKind
from game import OPTIONS, RULES
from game.names import NAME_BYTES
from tests.labs.redteam import numbers
from tests.support.lobbies import Hall
from tests.support.net import MS, device
from tests.support.screens import NAMES

HOSTILE = (
    *(name for name in NAMES if len(name.encode()) <= NAME_BYTES),
    "{name}", "{0!r:>99}", "%s" * 8, "'\"\\", "…" * 5,
    "\u00e0\u0301\u0302", "\u05d0" * 8, "\ufffd",
    "i" * 16, "W" * 16, "Ŵ" * 8, "œ" * 8, "a b c d e f g h",
)  # fmt: skip
STRANGERS = tuple(device(at) for at in range(20, 40))
KINDS = tuple(InvitationKind)


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Besiege one lobby after the other."""
    figures: Counter[str] = Counter()
    for number in numbers(seconds):
        hall = besieged(f"{seed}/{number}")
        figures["lobbies"] += 1
        figures["frames"] += hall.frames
        figures["pictures"] += 2 * sum(map(len, hall.shown))
    return dict(figures)


class Siege(Hall):
    """A host and a guest, and strangers who say whatever they like to both."""

    def __init__(self, seed: str) -> None:
        self.chance = Random(f"siege {seed}")
        self.frames = 0
        name = self.chance.choice(HOSTILE)
        own = ("Ana", name) if name != "Ana" else ("Ana", "Ben")
        super().__init__(
            [Lobby(device(at), Random(f"{seed}/{at}").randbytes, own[at]) for at in range(2)], 0
        )

    def say(self) -> None:
        """Let a stranger say something to one of the two."""
        at = self.chance.randrange(2)
        pairing = self.cores[at].pairing or self.cores[1 - at].pairing
        session = self.chance.randbytes(4) if pairing is None else pairing.state.session
        sender = self.chance.choice((*STRANGERS, device(0)))
        kind = self.chance.choice((InvitationKind.JOIN, *KINDS))
        head = wire.Head(kind, sender, self.chance.choice((wire.EVERYBODY, device(at))), session)
        frame = bytearray(wire.packed(head, self.body(kind, sender)))
        if self.chance.random() < 0.1:
            frame[self.chance.randrange(18, len(frame) + 1) - 1] = self.chance.randrange(256)
        self.frames += 1
        self.do(at, Received(bytes(frame)))

    def body(self, kind: InvitationKind, sender: bytes) -> wire.Body:
        """The worst that a frame of a kind can carry."""
        chance = self.chance
        person = wire.Attendee(
            sender, chance.choice(HOSTILE), chance.random() < 0.6, chance.randbytes(32)
        )
        revision = chance.randrange(4)
        match kind:
            case InvitationKind.TABLE:
                people, game = chance.randrange(256), chance.randrange(9)
                return wire.TableNotice(chance.random() < 0.9, people, revision, game, person.name)
            case InvitationKind.JOIN:
                return person
            case InvitationKind.PLACE:
                places = chance.randrange(1, 20)
                return wire.Placement(revision, chance.randrange(places), places, person)
            case InvitationKind.TERMS:
                people = chance.randrange(wire.MOST_PEOPLE + 1)
                lost = tuple(chance.randrange(256) for _ in range(people))
                rules = RULES[chance.choice(tuple(RULES))]
                carrier = chance.choice((None, *range(15)))
                return wire.Terms(revision, people, chance.randrange(16), rules, lost, carrier)
            case InvitationKind.REVEAL:
                return wire.Reveal(chance.randrange(16), chance.randbytes(32), chance.randbytes(16))
            case InvitationKind.ASK:
                return wire.Missing(chance.randrange(1 << 16), chance.randrange(1 << 16), True)
            case InvitationKind.AGAIN:
                return wire.Again(chance.randrange(9), chance.randbytes(16))
            case _:
                leave = chance.choice((0, wire.MAC_BYTES, wire.OPENING_BYTES))
                sizes = {InvitationKind.STANDS: 48, InvitationKind.LEAVE: leave}
                return wire.Plain(chance.randbytes(sizes.get(kind, wire.MAC_BYTES)))


def besieged(seed: str, steps: int = 150) -> Siege:
    """Return a siege in which the players go about the lobby meanwhile."""
    hall = Siege(seed)
    game = hall.chance.choice(tuple(RULES))
    hall.choose(0, Text.OPEN_TABLE)
    hall.choose(0, Phrase(game_name(game)))
    if OPTIONS[game]:
        hall.choose(0, Text.GO_ON)
    hall.choose(1, hall.chance.choice((Text.JOIN_TABLE, Text.WATCH_TABLE)))
    hall.wait(1100 * MS)
    hall.choose(1, Phrase(Text.TABLE_OF, name="Ana"))
    for _ in range(steps):
        hall.say()
        match hall.chance.randrange(12):
            case 0:
                hall.pose(hall.chance.randrange(2), hall.chance.choice((-60.0, 0.0, 60.0)))
            case 1:
                hall.tap(hall.chance.randrange(2))
            case 2:
                hall.wait(hall.chance.randrange(3000) * MS)
    return hall
