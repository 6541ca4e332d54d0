"""Lobbies at one place: hands that tilt, tap and hold, and an air between the handhelds."""

from functools import cache
from random import Random

from firmware.device.device import Device
from firmware.display.oled.draw import draw
from firmware.display.screens import Phrase
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES
from firmware.effects import Received, SendToDevice, Shell, Tick
from firmware.lobby.lobby import Lobby
from firmware.table.protocol.invitations import EVERYBODY
from tests.support.thumb import MS, S, Thumb

STEP_US = 10 * MS
fits = cache(draw)
"""Draws a screen; raises if something does not fit."""


def device(at):
    return bytes((0xF0, 0xF1, 0xF2, 0xF3, 0xF4, at))


class Hall(Thumb):
    """``cores`` by number: anything with the face of a handheld, and somebody who operates it."""

    def __init__(self, cores, seed=0, loss=0.0):
        self.rng = Random(f"hall {seed}")
        self.loss = loss
        self.now_us = 0
        self.cores = cores
        self.air = []
        self.gone = set()
        """The handhelds that nobody hears, and that hear nobody."""
        self.shown = [[] for _ in cores]
        for at, core in enumerate(cores):
            shell = () if isinstance(core, Device) else (Shell(),)
            self._do(at, core.start(0, *shell))

    @classmethod
    def of_lobbies(cls, names, seed=0, loss=0.0):
        lobbies = [
            Lobby(device(at), Random(f"{seed}/{at}").randbytes, name)
            for at, name in enumerate(names)
        ]
        return cls(lobbies, seed, loss)

    def _do(self, at, effects):
        screen = self.cores[at].screen
        if screen not in self.shown[at][-1:]:
            self.shown[at].append(screen)
            for language in LANGUAGES:
                fits(screen, language)
        for effect in effects:
            if isinstance(effect, SendToDevice):
                for other in range(len(self.cores)):
                    heard = effect.device in (None, EVERYBODY, device(other))
                    gone = self.gone & {at, other}
                    if other != at and heard and not gone and self.rng.random() >= self.loss:
                        self.air.append((self.now_us + 20 * MS, at, other, effect.frame))
            else:
                self.carry_out(at, effect)

    def carry_out(self, at, effect):
        """Carry out any other effect of a core."""

    def do(self, at, what):
        self._do(at, self.cores[at].handle(what, self.now_us))

    def wait(self, duration_us):
        """Let time pass in steps of 10 ms, and stop at those at which something is due."""
        until_us = self.now_us + duration_us
        while self.now_us < until_us:
            due = [until_us, *(sent[0] for sent in self.air)]
            due += [core.next_timer_us for core in self.cores if core.next_timer_us is not None]
            steps = -(-(min(due) - self.now_us) // STEP_US)
            self.now_us += max(1, steps) * STEP_US
            due = [sent for sent in self.air if sent[0] <= self.now_us]
            self.air = [sent for sent in self.air if sent[0] > self.now_us]
            for _, _, receiver, frame in due:
                self.do(receiver, Received(frame))
            for at, core in enumerate(self.cores):
                if core.next_timer_us is not None and core.next_timer_us <= self.now_us:
                    self.do(at, Tick())

    def until(self, done, most_s=60):
        end_us = self.now_us + most_s * S
        while not done():
            assert self.now_us < end_us, [core.screen for core in self.cores]
            self.wait(100 * MS)

    def lobby(self, at):
        """The lobby of a handheld, whether it is one or is in one."""
        return getattr(self.cores[at], "core", self.cores[at])

    def gather(self, guests, *, game="class", watchers=()):
        """Let 0 open a table and the others find it."""
        self.choose(0, Text.OPEN_TABLE)
        self.choose(0, Phrase(f"game_name.{game}"))
        self.choose(0, Text.GO_ON)
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
        self.choose(0, Text.ALL_HERE)
        self.choose(0, Text.GO_ON)
        self.choose(0, first)
        there = [at for at in range(len(self.cores)) if self.lobby(at).pairing is not None]
        self.until(lambda: all(self.lobby(at).pairing.state.numbers for at in there))
        self.wait(S)
        return there

    def choose(self, at, item):
        """Tilt until ``item`` is highlighted, then tap or hold as the display says."""
        self.highlight(at, item)
        self.do_entry(at, holds=self.cores[at].screen.dial.holds)

    def highlight(self, at, item):
        """Tilt until ``item`` is highlighted."""
        core = self.cores[at]
        for _ in range(6):
            self.pose(at, 0.0)
        for roll_deg in (60.0, -60.0):
            self.pose(at, 0.0)
            for _ in range(60):
                if core.screen.dial.current == item:
                    break
                before = core.screen.dial.index
                self.pose(at, roll_deg)
                self.wait(300 * MS)
                if core.screen.dial.index == before:
                    break
            if core.screen.dial.current == item:
                break
        assert core.screen.dial.current == item, (item, core.screen)
        self.pose(at, 0.0)
