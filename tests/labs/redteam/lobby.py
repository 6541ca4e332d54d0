"""A stranger who hears every frame of a lobby and sends any frame in anybody's name.

The stranger repeats, changes and readdresses frames, makes up LEAVE, DIFFER, TAP and STANDS with
every proof that was ever sent, and asks for places. Three promises must hold. A handheld breaks off
only if its player, or the fellow's player, has said so. A table stands for all or for nobody. No
stranger has more places than a second each. Places and terms are sent in clear, so the stranger
leaves those alone.
"""

from collections import Counter
from random import Random

from firmware.table.pairing.state import PairingPhase
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.invitations import EVERYBODY, InvitationKind
from hw_sim.trials.faults import turned_over
from tests.labs.redteam import numbers
from tests.support.net import S, device
from tests.support.pairing_room import CLASS, Room

ENDS = (InvitationKind.LEAVE, InvitationKind.DIFFER)
MADE_UP = (*ENDS, InvitationKind.TAP, InvitationKind.STANDS)
FEWEST = 6
"""The fewest pairings that are tried, however little time there is."""


class Siege(Room):
    """A room, and a stranger who says something ten times a second."""

    patience_s = 300

    def __init__(self, seed: str) -> None:
        self.chance = Random(f"lobby {seed}")
        size, loss, mess = self.chance.randrange(3, 7), self.chance.uniform(0, 0.3), 0.1
        super().__init__(size, seed, loss, mess)
        self.frames = 0
        self.have_places = False
        """Whether all have their places; who knocks can be told by anybody that there is none."""

    def tick(self) -> None:
        super().tick()
        for _ in range(self.chance.randrange(4)):
            makes_up = self.have_places and self.chance.random() < 0.7
            frame = self.made_up() if makes_up else self.repeated()
            self.frames += 1
            for at in range(len(self.cores)):
                self.hear(at, frame)

    def made_up(self) -> bytes:
        """A frame in somebody's name, with something that was told as its proof."""
        chance = self.chance
        kind, sender = chance.choice(MADE_UP), device(chance.randrange(len(self.cores)))
        to = chance.choice((EVERYBODY, device(chance.randrange(len(self.cores)))))
        told = [said.frame[18:] for said in self.said[-40:]] or [b""]
        size = chance.choice(wire.PLAIN_BYTES[kind])
        proof = chance.choice((chance.choice(told), chance.choice(told)[-size:], bytes(size)))
        data = proof[:size].ljust(size, b"\0")
        return wire.packed(wire.Head(kind, sender, to, self.host.state.session), wire.Plain(data))

    def repeated(self) -> bytes:
        """What was said, maybe by another, to another, or with a bit changed."""
        chance = self.chance
        frame = bytearray(chance.choice(self.said).frame if self.said else bytes(20))
        in_clear = (InvitationKind.TABLE, InvitationKind.PLACE, InvitationKind.TERMS)
        match -1 if frame[1] in in_clear or not self.have_places else chance.randrange(4):
            case 0:
                frame[2:8] = device(chance.randrange(len(self.cores)))
            case 1:
                frame[8:14] = chance.choice((EVERYBODY, device(chance.randrange(len(self.cores)))))
            case 2:
                frame[:] = turned_over(frame, chance)
        # A JOIN with another commitment takes a place in its owner's name; he asks for it again.
        return bytes(frame) if frame[1] != InvitationKind.JOIN else bytes(20)


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Besiege one room after the other."""
    found: Counter[str] = Counter()
    for number in numbers(seconds, FEWEST):
        at = f"{seed}/{number}"
        room = Siege(at)
        room.gather()
        room.have_places = True
        for _ in range(room.chance.randrange(20)):
            room.step()
        room.gather()
        room.host.as_host.close(CLASS, 0, room.now_us)
        # Who has not gone along by then is not to blame a stranger for: places are told in clear.
        room.reach(PairingPhase.COMPARING)
        end = room.chance.randrange(3)
        for core in room.cores[: None if end == 0 else -1]:
            core.tap(room.now_us)
        for _ in range(room.chance.randrange(60)):
            room.step()
        if end == 0:
            room.reach(PairingPhase.STANDS)
            keys = {core.state.agreed.key for core in room.cores}
            assert len(keys) == 1, f"{at}: {len(keys)} tables"
            found["stood"] += 1
        else:
            phases = Counter(core.state.phase for core in room.cores)
            waiting = {PairingPhase.TAPPED: len(room.cores) - 1, PairingPhase.COMPARING: 1}
            assert phases == waiting, f"{at}: {phases}"
            who = room.chance.choice(room.cores)
            who.leave()
            done = room.now_us + 60 * S
            while room.now_us < done:
                room.step()
            phases = {core.state.phase for core in room.cores}
            assert PairingPhase.STANDS not in phases, f"{at}: half a table stands"
            found["left"] += 1
        found["pairings"] += 1
        found["frames of strangers"] += room.frames
    return dict(found)
