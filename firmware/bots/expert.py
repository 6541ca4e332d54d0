"""Players who follow the solved games, always or with a share of lapses."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from firmware.bots.bluff import match_of
from firmware.bots.bot import Bot
from firmware.bots.personality import Sight
from firmware.bots.solved import best, prepare, prepare_round
from firmware.input.controls.choice import Choice
from game import AnyMatch, AnyRules, Phase, hides_dice
from game.actions import EndMatch, SeatAction
from game.strategy import Known
from game.strategy.book import equilibrium


@dataclass(frozen=True)
class Expert(Bot):
    """Plays the equilibrium of ``solved``.

    Attributes:
        strength: the share of decisions by the equilibrium, 0 to 1; the others are those of its
            personality.
    """

    strength: float = 1.0

    def prepare(self, rules: AnyRules, players: int) -> None:
        """Build the tables, as ``Bot.prepare`` does."""
        prepare(rules, players)

    def prepare_round(self, match: AnyMatch) -> None:
        """Build the tables of the running round, as ``Bot.prepare_round`` does."""
        prepare_round(match)

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """Return the equilibrium's choice, else that of its personality."""
        if self.strength < 1.0 and rng.random() >= self.strength:
            return super().decide(sight, rng)
        choice = self.by_the_book(sight, rng)
        return super().decide(sight, rng) if choice is None else choice

    def by_the_book(self, sight: Sight, rng: Random) -> Choice | None:
        """Return the choice of the solved game; None if it has none."""
        match = sight.match
        if not hides_dice(match):
            return best(match)
        if EndMatch() in sight.options and match.round > self.rounds:
            return EndMatch()
        return drawn_of(equilibrium(match)(known_of(sight)), rng)


def known_of(sight: Sight) -> Known:
    """Return the player's knowledge, as a solved game takes it."""
    match = match_of(sight)
    if match.phase is Phase.THROWN:
        return Known(match, sight.seen if match.seen else None, sight.tower, sight.stood)
    return Known(match, sight.own, stood=sight.stood)


def drawn_of(chances: Mapping[SeatAction, float], rng: Random) -> SeatAction:
    """Draw one of the actions by their chances, which add up to 1."""
    return rng.choices(tuple(chances), tuple(chances.values()))[0]
