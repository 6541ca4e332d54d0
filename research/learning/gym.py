"""The games for Gymnasium: one seat learns, bots play the others."""

from collections.abc import Mapping
from random import Random
from typing import Any

import gymnasium
from gymnasium import spaces

from hw_sim.players.bot_kinds import BotKind, personality_of
from research.learning.episode import Episode, rules_of
from research.learning.zoo import ILLEGAL, Observed, let_fall, observation_space, observed


class SeatEnv(gymnasium.Env[Observed, int]):  # type: ignore[misc]
    """Seat 0 of a match; who opens is drawn.

    Args:
        game: a name in ``game.RULES``.
        players: how many, with the one who learns.
        rounds: as in ``Episode``, and so is what is gained, when it is over.
        opponents: how the others play.
        options: of the game.
        render_mode: "ansi" or None.

    An illegal action ends it.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as gymnasium has it

    def __init__(
        self,
        game: str = "class",
        players: int = 2,
        rounds: int = 0,
        opponents: BotKind = "expert",
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._rules, self._rounds, self._players = rules_of(game, players, options), rounds, players
        self._bots = [personality_of(opponents) for _ in range(players)]
        self.render_mode = render_mode
        self.episode = Episode(self._rules, players, rounds=rounds)
        self.observation_space = observation_space(self.episode)
        self.action_space = spaces.Discrete(len(self.episode.numbers.actions))

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - gymnasium's
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin anew where seat 0 has something to do; ``seed`` decides all chance from here on."""
        super().reset(seed=seed)
        self._moods = Random(int(self.np_random.integers(2**32)))
        while True:
            first = int(self.np_random.integers(self._players))
            self.episode = Episode(self._rules, self._players, first, self._rounds, watched=True)
            self._go_on()
            if not self.episode.is_over:
                break
        return observed(self.episode, 0), {}

    def step(self, action: int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Do what ``action`` stands for, and let dice fall and bots play until seat 0 is to act."""
        episode = self.episode
        if int(action) not in episode.choices():
            return observed(episode, 0), ILLEGAL, True, False, {}
        episode.choose(int(action))
        self._go_on()
        gained = episode.returns()[0] if episode.is_over else 0.0
        return observed(episode, 0), gained, episode.is_over, False, {}

    def render(self) -> str | None:
        """All that seat 0 has seen; None unless it renders as "ansi"."""
        return self.episode.knows(0) if self.render_mode == "ansi" else None

    def _go_on(self) -> None:
        episode = self.episode
        let_fall(episode, self.np_random)
        while not episode.is_over and (seat := episode.seat) != 0:
            assert seat is not None, "no dice are due"
            done = self._bots[seat].decide(episode.sight(), self._moods)
            episode.choose(episode.numbers[done])
            let_fall(episode, self.np_random)
