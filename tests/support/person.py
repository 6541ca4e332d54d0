"""A person at seat 0 of a world, who does with his handheld what the page lets him do."""

from collections.abc import Callable
from random import Random

from firmware.display import screens
from firmware.display.screens import CupKind, Screen
from game.actions import Announce
from hw_sim.live.world.commands import Command, LiftCup, PressKey, TurnDial
from hw_sim.live.world.world import World
from hw_sim.panel.asked import asked

S = 1_000_000
GLANCE_US = S // 20
REACTION_US = 3 * S // 10
"""Until he does what needs no decision."""
DOUBTED_FROM = 61
"""He mostly believes what is below this value, and mostly doubts the rest."""
SHORTEST_US, LONGEST_US = 5_000, 800_000
"""How long he presses a key or the lid."""


class Person:
    """Plays `class`: throws once, looks, says what he has or the least that is higher.

    Args:
        world: his table; he alone plays there.
        thinks_s: virtual time until he has decided whether to believe, or what to say.
        seed: of how long he presses, and of his moods.
        passed: is called after every bit of virtual time with its length in µs.
    """

    def __init__(
        self,
        world: World,
        thinks_s: float,
        seed: int = 0,
        passed: Callable[[int], None] = lambda _us: None,
    ) -> None:
        self.world = world
        self._passed = passed
        self._thinks_us = round(thinks_s * S)
        self._rng = Random(f"person {seed}")
        self._value: int | None = None

    @property
    def screen(self) -> Screen | None:
        return self.world.screens.get(0)

    def wait(self, lasts_us: int) -> None:
        ends_us = self.world.now_us + lasts_us
        while self.world.now_us < ends_us:
            before_us = self.world.now_us
            self.world.advance(min(ends_us, before_us + GLANCE_US))
            self._passed(self.world.now_us - before_us)

    def until(self, seen: Callable[[Screen | None], bool], most_s: float = 300.0) -> Screen | None:
        """Wait until the display shows what ``seen`` is content with; returns the screen."""
        ends_us = self.world.now_us + round(most_s * S)
        while not seen(self.screen):
            assert self.world.now_us < ends_us, self.world.says(0)
            self.wait(GLANCE_US)
        return self.screen

    def press(self, *both: Command) -> None:
        """Press something for a moment: what goes down, and what comes up."""
        down, up = both
        self.world.do(down)
        self.wait(self._rng.randint(SHORTEST_US, LONGEST_US))
        self.world.do(up)

    def lift(self) -> None:
        self.press(LiftCup(0, open=True), LiftCup(0, open=False))

    def key(self, name: str, turn: int = 0) -> None:
        """Press a key, after the dial was moved by so many entries."""
        if turn:
            self.world.do(TurnDial(0, turn))
            wanted = self.screen.dial.index + turn
            self.until(lambda s: not hasattr(s, "dial") or s.dial.index == wanted, 12.0)
        down, up = PressKey(0, name, down=True), PressKey(0, name, down=False)
        self.world.do(down)
        self.world.do(up)

    def play(self, until: Callable[[], bool]) -> None:
        """Do what the display asks for, again and again."""
        while not until():
            before = self.screen
            if isinstance(before, screens.OfferPage):  # he reads it, and decides
                self.wait(self._thinks_us)
            elif self._is_asked():
                self.wait(REACTION_US)
            else:
                self.wait(GLANCE_US)
                continue
            before = self.screen
            if not self._is_asked():
                continue
            self._do(before)
            ends_us = self.world.now_us + 4 * S
            while self.screen == before and self.world.now_us < ends_us:
                self.wait(GLANCE_US)
            self._wait_for_rest()

    def _wait_for_rest(self) -> None:
        """Wait while the own hand is still about what was begun."""
        shown_us, last = self.world.now_us, self.screen
        while self.world.now_us - shown_us < S // 4 and self._is_asked():
            self.wait(GLANCE_US)
            if self.screen != last:
                shown_us, last = self.world.now_us, self.screen

    def _is_asked(self) -> bool:
        now = asked(self.screen, "en")
        return now.occasion != "" and any(way.due for way in now.ways)

    def _do(self, screen: Screen | None) -> None:
        match screen:
            case screens.OfferPage(said=Announce(value)):
                mood = self._rng.random()
                if mood < (0.75 if value >= DOUBTED_FROM or value % 11 == 0 else 0.15):
                    self.lift()
                else:
                    self._tap(screen)
            case screens.ClosedPage(kind=CupKind.THROWN, may_look=True) if self._value is None:
                self.lift()
                look = self.until(lambda s: isinstance(s, screens.LookPage), 3.0)
                self._value = getattr(look, "value", None)
                self.wait(self._thinks_us)
            case screens.ClosedPage(kind=CupKind.THROWN):
                self._say(screen)
            case screens.ClosedPage():
                self._value = None
                self.key("shake")
            case screens.LookPage():
                self.wait(GLANCE_US)
            case _:
                self._tap(screen)

    def _say(self, screen: screens.ClosedPage) -> None:
        entries = self.world.table.seats[0].handheld.dial.entries
        values = [
            (place - screen.dial.index, entry.choice)
            for place, entry in enumerate(entries)
            if isinstance(entry.choice, Announce)
        ]
        own = [turn for turn, choice in values if choice == Announce(self._value or 0)]
        turn = own[0] if own else values[0][0]
        self.key("tap", turn)

    def _tap(self, screen: Screen | None) -> None:
        ways = [way for way in asked(screen, "en").ways if way.gesture in ("tap", "hold")]
        if ways:
            self.key(ways[0].gesture, ways[0].turn)
