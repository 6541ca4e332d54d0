"""How the bots of a table play: by kinds, all by what their player could see and no more."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Literal, get_args

from firmware.bots import Manner, Sight
from firmware.bots.bluff import seen_value
from firmware.bots.expert import Expert
from firmware.bots.opponents import LAPSES, STRENGTHS, Shark
from firmware.input.controls import Choice
from game import Phase, SetupError, hides_dice, legal_actions
from game.actions import Announce, Believe, Doubt, EndMatch, GiveIn, Lift, Look, Roll, Say
from hw_sim.players.foreign import BotError, ForeignBot
from hw_sim.players.player_hand import PlayerPersonality

log = logging.getLogger(__name__)
BotKind = Literal["honest", "trusting", "cheeky", "random", "learner", "skilled", "expert", "shark"]
KINDS: tuple[BotKind, ...] = get_args(BotKind)
RATINGS: Mapping[BotKind, int] = {
    "honest": 63,
    "trusting": 56,
    "cheeky": 49,
    "random": 9,
    "learner": 77,
    "skilled": 94,
    "expert": 100,
    "shark": 100,
}
"""How strong each is, in one number: 100 less what the best opponent gains from it in 100 rounds of
``class`` between two (docs/strength.md). The shark's holds once its stake is lost."""
RATED = ", ".join(f"{kind} ({rating})" for kind, rating in RATINGS.items())
USUAL_KINDS: tuple[BotKind, ...] = ("honest", "trusting", "cheeky", "random")
"""The default kinds of a table's bots."""

_CHANCES: dict[str, dict[str, Any]] = {
    "honest": {
        **{"trust": 0.25, "daring": 0.05, "lazy": 0.0, "physical": 1.0, "nosy": 0.0},
        "manner": Manner.SAFE,
    },
    "trusting": {
        **{"trust": 0.45, "daring": 0.25, "lazy": 0.05, "physical": 0.95, "nosy": 0.0},
        "manner": Manner.EARLY,
    },
    "cheeky": {
        **{"trust": 0.1, "daring": 0.85, "lazy": 0.15, "physical": 0.95, "nosy": 0.08},
        "manner": Manner.CHASE,
    },
    **{
        kind: {**LAPSES, "physical": 0.95, "nosy": 0.0, "strength": strength}
        for kind, strength in STRENGTHS.items()
    },
    "random": {"trust": 0.5, "daring": 0.5, "lazy": 0.2, "physical": 0.9, "nosy": 0.0},
}
_SANE = (Believe, Doubt, GiveIn, Lift, Look, Roll)


@dataclass(frozen=True)
class ExpertPersonality(Expert, PlayerPersonality):
    """Plays by the book, with lapses or without."""


@dataclass(frozen=True)
class SharkPersonality(Shark, PlayerPersonality):
    """Plays for the errors of the others."""


class HonestPersonality(PlayerPersonality):
    """Announces the dice that it has seen whenever the rules allow it."""

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """The choice of any personality, but for a lie that is not needed."""
        choice, seen = super().decide(sight, rng), seen_value(sight)
        if isinstance(choice, Announce) and seen is not None and Announce(seen) in sight.options:
            return Announce(seen)
        return choice


class RandomPersonality(PlayerPersonality):
    """Picks any entry of its dial at a bluff game, and any legal action with open dice."""

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """One of the dial's choices by chance; ends a match that can be ended after ``rounds``."""
        if not hides_dice(sight.match):
            if sight.match.phase is Phase.THROWN:
                return rng.choice(legal_actions(sight.match))
            return super().decide(sight, rng)
        if sight.match.phase is Phase.DOUBTED:
            return super().decide(sight, rng)
        if EndMatch() in sight.options and sight.match.round > self.rounds:
            return EndMatch()
        said = [option for option in sight.options if isinstance(option, Announce | Say)]
        done = [option for option in sight.options if isinstance(option, _SANE)]
        if said and (not done or rng.random() < 0.6):
            return said[min(int(rng.expovariate(0.35)), len(said) - 1)]
        return rng.choice(done) if done else super().decide(sight, rng)


@dataclass(frozen=True)
class ForeignPersonality(PlayerPersonality):
    """Plays as a bot that somebody else wrote; once that is in trouble, by itself.

    ``name`` as ``ForeignBot`` has it. A warning tells the cause of the trouble once.
    """

    name: str = field(kw_only=True)
    _trouble: list[BotError] = field(default_factory=list, init=False)

    @cached_property
    def _bot(self) -> ForeignBot:
        return ForeignBot(self.name)

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """The bot's choice."""
        if not self._trouble:
            try:
                return self._bot.decide(sight, rng)
            except BotError as error:
                log.warning("%s: its seat is played by the house from here on", error)
                self._trouble.append(error)
        return super().decide(sight, rng)


_OWN: dict[str, type[PlayerPersonality]] = {
    "honest": HonestPersonality,
    "random": RandomPersonality,
    "learner": ExpertPersonality,
    "skilled": ExpertPersonality,
    "expert": ExpertPersonality,
    "shark": SharkPersonality,
}


def is_foreign(name: str) -> bool:
    """Return whether this names a bot of somebody else, as `ForeignBot` does."""
    module, colon, kind = name.rpartition(":")
    return bool(module and colon and kind)


def check_bot(name: str) -> None:
    """Raise SetupError unless this is one of `KINDS`, or names a foreign bot."""
    if name not in KINDS and not is_foreign(name):
        shown, known = name if name.isprintable() else repr(name), ", ".join(KINDS)
        raise SetupError(f"bot {shown}: choose of {known}, or a class as path/to/file.py:Class")


def personality_of(kind: str) -> PlayerPersonality:
    """A new personality of a kind, its chances those of the kind; or a foreign bot's, by name.

    Raises SetupError if there is no such kind.
    """
    check_bot(kind)
    if kind not in KINDS:
        return ForeignPersonality(**_CHANCES["honest"], name=kind)
    return _OWN.get(kind, PlayerPersonality)(**_CHANCES[kind])
