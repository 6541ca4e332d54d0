"""Lobbies at one place: hands that tilt, tap and hold, and an air between the handhelds.

`Lone` is one device with a journal on a disk, and plays for whichever seat is to act.
"""

from functools import cache
from random import Random

from firmware.device.device import Device
from firmware.device.hot_seat import HotSeatState
from firmware.device.open import open_device
from firmware.display.oled.draw import draw
from firmware.display.screens import GestureKind, MatchOverPage, Meaning, Phrase
from firmware.display.screens.gesture_options import meaning_of
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES
from firmware.effects import Shell
from firmware.input.controls import LocalChoice
from firmware.input.gestures import Pressed
from firmware.journal.sqlite import Journal
from firmware.lobby.choices import OneHandheld
from firmware.lobby.lobby import Lobby
from firmware.settings import Settings
from game import RULES, legal_actions
from game.actions import EndMatch
from hw_sim.trials.faults import FrameFaults
from tests.support.net import MS, Net, S, Thumb, device

AIR_US = 20 * MS
fits = cache(draw)
"""Draws a screen; raises if something does not fit."""


class Hall(Net, Thumb):
    """``cores`` by number: anything with the face of a handheld, and somebody who operates it."""

    again_us = 10 * MS  # a hint is looked for elsewhere

    def __init__(self, cores, seed=0, loss=0.0, disks=None):
        faults, chance = FrameFaults(loss), Random(f"hall {seed}")
        super().__init__(cores, disks=disks, air_us=AIR_US, faults=faults, chance=chance)
        self.shown = [[] for _ in cores]
        for at, core in enumerate(cores):
            shell = () if isinstance(core, Device) else (Shell(),)
            self.follow(at, core.start(0, *shell))

    @classmethod
    def of_lobbies(cls, names, seed=0, loss=0.0):
        lobbies = [
            Lobby(device(at), Random(f"{seed}/{at}").randbytes, name)
            for at, name in enumerate(names)
        ]
        return cls(lobbies, seed, loss)

    def follow(self, at, effects):
        screen = self.cores[at].screen
        if screen not in self.shown[at][-1:]:
            self.shown[at].append(screen)
            for language in LANGUAGES:
                fits(screen, language)
        super().follow(at, effects)

    def reboot(self, at, core):
        """Switch a handheld on again, which goes on as another core."""
        self.outboxes[at].clear()
        self.cores[at] = core
        self.follow(at, core.start(self.now_us))

    def lobby(self, at):
        """The lobby of a handheld, whether it is one or is in one."""
        return getattr(self.cores[at], "core", self.cores[at])

    def gather(self, guests, *, game="class", watchers=()):
        """Let 0 open a table and the others find it."""
        self.choose(0, Text.OPEN_TABLE, Phrase(f"game_name.{game}"), Text.GO_ON)
        for guest in (*guests, *watchers):
            self.choose(guest, Text.WATCH_TABLE if guest in watchers else Text.JOIN_TABLE)
            self.until(lambda guest=guest: self.cores[guest].screen.dial.following is not None)
            self.choose(guest, Phrase(Text.TABLE_OF, name="Ana"))
        lobbies = [self.lobby(at) for at in (0, *guests, *watchers)]
        self.until(
            lambda: all(
                each.pairing is not None and len(each.pairing.state.people) == len(lobbies)
                for each in lobbies
            )
        )

    def to_the_numbers(self, first="Ana"):
        """Close the table, and wait until the numbers can be compared; returns who does."""
        self.choose(0, Text.ALL_HERE, Text.GO_ON, first)
        there = [at for at in range(len(self.cores)) if self.lobby(at).pairing is not None]
        self.until(lambda: all(self.lobby(at).pairing.state.numbers for at in there))
        self.wait(S)
        return there

    def choose(self, at, *items):
        """Tilt until each item is highlighted, then tap or hold as the display says."""
        for item in items:
            self.highlight(at, item)
            self.do_entry(at, holds=self.cores[at].screen.dial.holds)

    def highlight(self, at, item):
        """Tilt until ``item`` is highlighted: to the end of the dial, and back."""
        core, tilts = self.cores[at], iter((60.0, -60.0))
        self.rest(at)
        roll_deg = next(tilts)
        while core.screen.dial.current != item:
            before = core.screen.dial.index
            self.pose(at, roll_deg)
            self.wait(300 * MS)
            if core.screen.dial.index == before:
                roll_deg = next(tilts, None)
                assert roll_deg is not None, (item, core.screen)
                self.pose(at, 0.0)
        self.pose(at, 0.0)


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
            choices = [one for one in offered if one in (LocalChoice.GO_ON, LocalChoice.SHOW_THROW)]
            choices = choices or [one for one in legal if one != EndMatch()]
            if choices and meaning_of(self.cores[0].screen, GestureKind.TAP) is Meaning.GO_ON:
                self.tap(0)
            if choices:
                mine.dial.index = mine.dial.index_of(rng.choice(choices))
                self.do_entry(0, holds=mine.dial.entry.holds)
        self.wait(2 * S)
