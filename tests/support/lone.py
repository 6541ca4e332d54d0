"""One device with a journal on a disk, and somebody who plays whatever it is that seat's turn."""

from random import Random

from firmware.device.hot_seat import HotSeatState
from firmware.device.open import open_device
from firmware.display.screens import GestureKind, MatchOverPage, Meaning
from firmware.display.screens.gesture_options import meaning_of
from firmware.input.controls import Go, ShowThrow
from firmware.input.gestures import Pressed
from firmware.journal.sqlite import Journal
from firmware.lobby.choices import OneHandheld
from firmware.settings import Settings
from game import RULES, legal_actions
from game.actions import EndMatch
from tests.support.lobbies import Hall
from tests.support.net import S

NAMES = ("Ana", "Ben")
KEY = bytes(range(32))


class PowerCutError(Exception):
    """The power fails right after a write."""


class Lone(Hall):
    """One device with a journal on a disk; its power can be cut after any write."""

    def __init__(self, folder, seed=0, opponent="usual"):
        self.opponent = opponent
        self.path = folder / "one.sqlite"
        self.journal = Journal(self.path)
        self.chance = Random(seed).randbytes
        self.writes = 0
        self.cut_at = None
        super().__init__([self.open()], seed, disks=[self.journal])

    def open(self):
        settings = Settings(name="Ana", address="F0:F1:F2:F3:F4:00", opponent=self.opponent)
        return open_device(settings, self.journal, self.chance)

    def write(self, at, store):
        super().write(at, store)
        self.writes += 1
        if self.writes == self.cut_at:
            raise PowerCutError
        return True

    def reboot(self):
        self.journal.close()
        self.disks[0] = self.journal = Journal(self.path)
        super().reboot(0, self.open())

    def begin(self, game="physicist", names=NAMES, first=0, people=2, *, learns=False):
        self.wanted = OneHandheld(RULES[game], names, first, people, KEY, learns)
        self.cores[0].core.one_handheld = self.wanted
        self.do(0, Pressed(self.now_us))
        return self.seat

    @property
    def seat(self):
        return self.cores[0].core

    def play_on(self, rng):
        for _ in range(100):
            self.play(rng)

    def play(self, rng):
        """Play for the seat that has the cup: any legal action."""
        seat = self.seat
        if seat.hand is HotSeatState.MASKED:
            self.tap(0)
            return
        mine = seat.seats[seat.turn]
        self.wait(S)
        if isinstance(self.cores[0].screen, MatchOverPage):
            return
        if mine.dial is not None:
            offered = [entry.choice for entry in mine.dial.entries]
            legal = [one for one in legal_actions(mine.match) if one in offered]
            choices = [one for one in offered if isinstance(one, Go | ShowThrow)]
            choices = choices or [one for one in legal if one != EndMatch()]
            if choices and meaning_of(self.cores[0].screen, GestureKind.TAP) is Meaning.GO_ON:
                self.tap(0)
            if choices:
                mine.dial.index = mine.dial.index_of(rng.choice(choices))
                self.do_entry(0, holds=mine.dial.entry.holds)
        self.wait(2 * S)
