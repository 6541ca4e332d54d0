"""Handhelds of one room that become a table, over air that loses and repeats."""

from random import Random

from firmware.effects import SendToDevice, Tick
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import PairingPhase
from game import RULES
from hw_sim.trials.faults import FrameFaults
from tests.support.net import MS, NetBelow, S, device

CLASS = RULES["class"]
NAMES = ("Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal", "Ida")
STEP_US, LATE_US = 100 * MS, (0, 3 * S)


class Gathering(NetBelow):
    """Cores that take clear frames, and are called ten times a second: pairings or lobbies.

    ``mess``: the share of frames that come twice, and of copies that come late.
    """

    patience_s = 120

    def __init__(self, cores, seed, loss=0.0, mess=0.0):
        faults = FrameFaults(loss, mess, mess, LATE_US, LATE_US)
        super().__init__(cores, air_us=STEP_US, faults=faults, chance=Random(f"room {seed}"))
        self.called_us = 0
        """When all are called next."""

    def pending(self, at):
        return [SendToDevice(to, frame) for to, frame in self.cores[at].take()]

    def timer_us(self, _at):
        return self.called_us

    def tick(self):
        if self.now_us >= self.called_us:
            self.called_us = self.now_us + STEP_US
            for at in range(len(self.cores)):
                self.report(at, Tick())

    def step(self):
        self.wait(STEP_US)


class Room(Gathering):
    """Pairings of players, the first of them the host, and behind them of watchers."""

    def __init__(self, size=3, seed=0, loss=0.0, mess=0.0, watchers=0):
        entropy = [Random(f"{seed}/{at}").randbytes for at in range(size + watchers)]
        self.host = Pairing.open_table(device(0), NAMES[0], entropy[0])
        session = self.host.state.session
        guests = (
            Pairing.join(device(at), NAMES[at], device(0), session, entropy[at], watches=at >= size)
            for at in range(1, size + watchers)
        )
        super().__init__([self.host, *guests], seed, loss, mess)

    def reach(self, phase):
        """Go on until all are there."""
        self.until(lambda: all(core.state.phase is phase for core in self.cores), self.patience_s)

    def gather(self):
        """Go on until all have their places, and know so."""
        self.until(self._is_gathered, self.patience_s)

    def _is_gathered(self):
        lists = {core.state.people for core in self.cores}
        return len(lists) == 1 and len(self.host.state.people) == len(self.cores)

    def close(self, first=0, rules=CLASS):
        """Gather all, and let the host tell them the terms."""
        self.gather()
        self.host.as_host.close(rules, first, self.now_us)

    def compare(self, first=0, rules=CLASS):
        self.close(first, rules)
        self.reach(PairingPhase.COMPARING)

    def stand(self):
        for core in self.cores:
            core.tap(self.now_us)
        self.reach(PairingPhase.STANDS)
