"""Handhelds of one room that become a table, over air that loses and repeats."""

from random import Random

from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import PairingPhase
from game import RULES

S = 1_000_000
CLASS = RULES["class"]
NAMES = ("Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal", "Ida")


def device(at):
    return bytes((0xF0, 0xF1, 0xF2, 0xF3, 0xF4, at))


class Room:
    """Handhelds that hear each other over bad air, and a clock."""

    def __init__(self, size=3, seed=0, loss=0.0, mess=0.0, watchers=0):
        self.rng = Random(f"room {seed}")
        self.loss, self.mess = loss, mess
        self.now_us = 0
        self.air = []
        self.said = []
        entropy = [Random(f"{seed}/{at}").randbytes for at in range(size + watchers)]
        self.host = Pairing.open_table(device(0), NAMES[0], entropy[0])
        self.cores = [self.host] + [
            Pairing.join(
                device(at), NAMES[at], device(0), self.host.state.session, entropy[at],
                watches=at >= size,
            )
            for at in range(1, size + watchers)
        ]  # fmt: skip

    def step(self):
        for core in self.cores:
            core.tick(self.now_us)
            self.send(core)
        due = [sent for sent in self.air if sent[0] <= self.now_us]
        self.air = [sent for sent in self.air if sent[0] > self.now_us]
        for _, core, frame in due:
            core.receive(frame, self.now_us)
            self.send(core)
        self.now_us += 100_000

    def send(self, core):
        for to, frame in core.take():
            self.said.append((core, frame))
            for other in self.cores:
                if other is not core and to in (None, other.state.me.device):
                    copies = 0 if self.rng.random() < self.loss else 1
                    copies += self.rng.random() < self.mess
                    for _ in range(copies):
                        late_us = self.rng.randrange(3 * S) if self.rng.random() < self.mess else 0
                        self.air.append((self.now_us + late_us, other, frame))

    def reach(self, phase):
        """Go on until all are there."""
        self.until(lambda: all(core.state.phase is phase for core in self.cores))

    def until(self, done, most_s=120):
        end_us = self.now_us + most_s * S
        while not done():
            assert self.now_us < end_us, [core.state.phase for core in self.cores]
            self.step()

    def gather(self):
        self.until(lambda: all(len(core.state.people) == len(self.cores) for core in self.cores))
        self.until(lambda: all(core.state.place is not None for core in self.cores))

    def compare(self, first=0, rules=CLASS):
        self.gather()
        self.host.close(rules, first, self.now_us)
        self.reach(PairingPhase.COMPARING)

    def stand(self):
        for core in self.cores:
            core.tap(self.now_us)
        self.reach(PairingPhase.STANDS)
