"""A hand that does anything to its handheld, and then what it is asked to."""

from random import Random

from hw_sim.hand.control.grip import KEYS
from hw_sim.live.world.commands import (
    Drag,
    Drop,
    LiftCup,
    PressKey,
    PressPad,
    SetFault,
    SetLanguage,
    Tilt,
    TurnDial,
)
from hw_sim.live.world.world import World
from hw_sim.panel.asked import asked
from tests.support.worlds import drag, setup

S = 1_000_000
WHIMS = 0.25
"""The chance of any gesture at all; else the hand does what it is asked to."""
MOST_US = 4 * 3600 * S
DARK_US = 20 * S
"""The longest time without light for the seat to act: alerts and rattling dice pass by
themselves."""
SHORT = {
    "class": {},
    "physicist": {},
    "holy-family": {"points": 2},
    "maxen": {},
    "chicago": {},
    "sevens": {"rounds": 1},
}


class RandomHand:
    """Plays seat 0 of a world: sometimes by whim, else one of the gestures that are due."""

    def __init__(self, world, seed, whims=WHIMS):
        self.world = world
        self.whims = whims
        self.rng = Random(seed)
        self.lit_us = 0

    def wait(self, seconds):
        self.world.advance(self.world.now_us + round(seconds * S))
        assert self.world.trouble is None

    def press(self, key, seconds=0.1):
        self.world.do(PressKey(0, key, down=True))
        self.wait(seconds)
        self.world.do(PressKey(0, key, down=False))

    def whim(self):
        rng, world = self.rng, self.world
        match rng.randrange(8):
            case 0:
                world.do(Drag(0, drag(world.now_us + 15_000, rng.uniform(0.2, 2.0))))
            case 1:
                world.do(LiftCup(0, open=rng.random() < 0.5))
            case 2:
                world.do(PressPad(0, down=rng.random() < 0.5))
            case 3:
                world.do(Tilt(0, rng.uniform(-65, 65), rng.uniform(-45, 45)))
            case 4:
                self.press(rng.choice(list(KEYS)), rng.uniform(0.0, 3.0))
            case 5:
                world.do(Drop(0))
            case 7:
                world.do(TurnDial(0, rng.randint(-40, 40)))
            case 6:
                fault = rng.choice(["link", "brownout"])
                world.do(SetFault(0, fault, there=True))
                self.wait(rng.uniform(0.0, 20.0))
                world.do(SetFault(0, "link", there=False))
        self.wait(rng.choice([0.05, 0.5, 3.0, 30.0]))

    def let_go(self):
        for key in KEYS:
            self.world.do(PressKey(0, key, down=False))
        self.world.do(PressPad(0, down=False))
        self.world.do(LiftCup(0, open=False))
        self.world.do(Tilt(0, 0.0, 0.0))
        self.wait(0.7)

    def obey(self):
        """Do one of the gestures that are due, if there are any."""
        language = self.world.languages[0]
        ways = asked(self.world.screens.get(0), language).ways
        if all(way.gesture != "cover" for way in ways):
            self.world.do(LiftCup(0, open=False))  # as a page does
        due = [way for way in ways if way.due]
        if due or not self.world.asks_person:
            self.lit_us = self.world.now_us
        assert self.world.now_us - self.lit_us < DARK_US, self.world.says(0)
        if not due:
            self.wait(1.0)
            return
        way = self.rng.choice(due)
        if way.turn:
            self.world.do(TurnDial(0, way.turn))
        match way.gesture:
            case "lift":
                self.world.do(LiftCup(0, open=True))
                self.wait(1.5)
                self.world.do(LiftCup(0, open=False))
            case "open":
                self.world.do(LiftCup(0, open=True))
            case "cover":
                self.world.do(LiftCup(0, open=False))
            case "tilt":
                self.press(self.rng.choice(["left", "right"]), self.rng.uniform(0.1, 2.0))
            case key:
                self.press(key)
        self.wait(2.5)

    def play(self):
        while not self.world.is_over:
            assert self.world.now_us < MOST_US, self.world.says(0)
            if self.rng.random() < self.whims:
                self.whim()
                self.let_go()
                self.lit_us = self.world.now_us
            else:
                self.obey()


def played(folder, game, seed, players=3, language="en", whims=WHIMS):
    """Play a match, and return its virtual seconds; ``whims``: how often the hand has one."""
    world = World(setup(game, players=players, seed=seed, **SHORT[game]), folder)
    world.do(SetLanguage(0, language))
    RandomHand(world, seed, whims).play()
    lasted_s = world.now_us / S
    leaks = [leak for seat in world.table.seats[1:] for leak in seat.watch.leaks]
    world.close()
    assert leaks == []
    return lasted_s
