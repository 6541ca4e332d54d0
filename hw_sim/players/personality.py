"""How simulated people play: their hands, their pace, and what they do by accident."""

from dataclasses import dataclass, field
from random import Random
from typing import Self

from firmware.bots.bot import Bot


@dataclass(frozen=True)
class Slips:
    """A player's clumsiness and honesty; every value is a chance from 0 to 1.

    Attributes:
        drops: to drop the handheld, each time the player is to act with the cup.
        shakes: to shake it while the cup is on offer, each time the player glances at it.
        honest: to let a fault count that the handheld has noticed.
    """

    drops: float = 0.0
    shakes: float = 0.0
    honest: float = 0.8

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw somebody; most are seldom clumsy."""
        return cls(
            drops=rng.uniform(0.0, 0.006),
            shakes=rng.uniform(0.0, 0.004),
            honest=rng.uniform(0.5, 1.0),
        )


Seconds = tuple[float, float]
"""Drawn between these two bounds, in virtual seconds."""


@dataclass(frozen=True)
class Tempo:
    """How long things take; the defaults are those of people who play for the first time.

    Attributes:
        reaction_s: until the player notices a change.
        thinking_s: until the player has decided.
        looking_s: how long dice are looked at.
        reading_s: how long a verdict is looked at.
        said_s: how long an announcement stands before it is said.
        done_s: after a choice that needs no more.
        shake_s, again_s: how long a shake lasts, for a first throw and for another.
        after_shake_s: the handheld wants rest before it has rolled.
        covered_s: after covering, until the handheld has noticed.
        glance_s: between two looks at the display during an action.
        settle_s: level and still for this time, a dial finds its neutral pose.
        settles: whether the player waits for that before every tilt, else only since the dial
            opened.
        steep_deg: the tilt, by how many entries are more than still to go.
        tilt_s: how long a tilt takes; None: as long as the person's do.
        checks_s: how long the player checks that the highlight stays.
        tap_s: how long a tap lasts; None: as long as the person's do.
        free_s: from one touch until the next thing.
    """

    reaction_s: Seconds = (0.4, 1.2)
    thinking_s: Seconds = (0.6, 2.2)
    looking_s: Seconds = (1.0, 2.0)
    reading_s: Seconds = (1.5, 3.5)
    said_s: float = 1.2
    done_s: float = 0.3
    shake_s: Seconds = (1.2, 2.2)
    again_s: Seconds = (1.8, 2.8)
    after_shake_s: float = 0.9
    covered_s: float = 0.3
    glance_s: float = 0.1
    settle_s: float = 0.55
    settles: bool = True
    steep_deg: tuple[tuple[int, float], ...] = ((9, 54.0), (3, 40.0), (0, 26.0))
    tilt_s: float | None = None
    checks_s: float = 0.45
    tap_s: float | None = None
    free_s: float = 0.25


USUAL = Tempo()
BRISK = Tempo(
    reaction_s=(0.1, 0.2),
    thinking_s=(0.0, 0.3),
    looking_s=(0.4, 0.6),
    reading_s=(1.5, 2.5),
    said_s=0.1,
    done_s=0.1,
    shake_s=(1.0, 1.3),
    again_s=(1.5, 1.8),
    after_shake_s=0.55,
    covered_s=0.2,
    glance_s=0.03,
    settle_s=0.5,
    settles=False,
    steep_deg=((2, 54.0), (0, 40.0)),
    tilt_s=0.12,
    checks_s=0.3,
    tap_s=0.24,
    free_s=0.05,
)
"""At a table where people play: nobody waits for a bot longer than its handheld needs."""


@dataclass(frozen=True)
class PlayerPersonality(Bot):
    """How a person plays; both values are chances from 0 to 1.

    Attributes:
        physical: to shake and lift rather than choose on the dial.
        nosy: to lift the cup when no peek is due.
    """

    physical: float = field(kw_only=True)
    nosy: float = field(kw_only=True)

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw every value, from ``rng`` alone."""
        bot = Bot.drawn(rng)
        return cls(
            bot.trust,
            bot.daring,
            bot.lazy,
            physical=rng.uniform(0.8, 1.0),
            nosy=rng.uniform(0.0, 0.2),
        )
