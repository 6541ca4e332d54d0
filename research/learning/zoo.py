"""The games for PettingZoo: every seat is an agent that acts in its turn (AEC).

``env(game="class", players=3)`` makes one; it ends a match at an illegal action, as is usual there.
An agent's ``infos`` have its legal actions as ``action_mask``.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from research.learning.episode import Episode, features, rules_of

ILLEGAL = -1.0
"""The reward of an illegal action, in penalties; chosen."""

Observed = dict[str, np.ndarray[Any, Any]]


def env(**kwargs: Any) -> Any:
    """Return the environment that is meant to be used: ``MaexchenEnv`` in the usual wrappers."""
    raw = MaexchenEnv(**kwargs)
    bounded = wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, ILLEGAL))
    return wrappers.OrderEnforcingWrapper(bounded)


def observation_space(episode: Episode) -> spaces.Dict:
    """Return the space of what a seat of a game may see."""
    known, numbers = len(known_by(episode, 0)), len(episode.numbers.actions)
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (known,), np.float32),
            "action_mask": spaces.Box(0, 1, (numbers,), np.int8),
        }
    )


def legal(episode: Episode, seat: int) -> np.ndarray[Any, Any]:
    """Return a 1 for everything that ``seat`` may do now, by number; else 0. It is read-only."""
    mask = episode.mask() if episode.seat == seat else episode.numbers.none_legal
    return np.frombuffer(mask, np.int8)


def known_by(episode: Episode, seat: int) -> np.ndarray[Any, Any]:
    """Return what ``seat`` knows, as ``features``; the caller may write on it."""
    return np.frombuffer(features(episode, seat), np.float32).copy()


def observed(episode: Episode, seat: int) -> Observed:
    """Return what ``seat`` sees: what it knows, and what is legal."""
    return {"observation": known_by(episode, seat), "action_mask": legal(episode, seat).copy()}


def let_fall(episode: Episode, rng: np.random.Generator) -> None:
    """Let the dice that are due fall, if any are."""
    if episode.due:
        episode.draw(rng.random())


class MaexchenEnv(AECEnv, EzPickle):  # type: ignore[misc]
    """A match for PettingZoo.

    Args:
        game: a name in ``game.RULES``.
        players: how many; they are the agents ``seat_0`` and so on.
        rounds: as in ``Episode``, and so is what is gained, when it is over.
        options: of the game.
        render_mode: "ansi" or None.
    """

    metadata = {  # noqa: RUF012 - as pettingzoo has it
        "name": "maexchen_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str = "class",
        players: int = 3,
        rounds: int = 0,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        EzPickle.__init__(self, game, players, rounds, options, render_mode)
        self._rules, self._rounds = rules_of(game, players, options), rounds
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        episode = Episode(self._rules, players, rounds=rounds)
        space, actions = observation_space(episode), len(episode.numbers.actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space["observation"])
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._no_action = np.frombuffer(episode.numbers.none_legal, np.int8)
        self._chance, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of what agents can do."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - pettingzoo's
    ) -> None:
        """Begin anew; ``seed`` decides all chance from here on, who opens too."""
        if seed is not None:
            self._chance, _ = seeding.np_random(seed)
        players = len(self.possible_agents)
        first = int(self._chance.integers(players))
        self.episode = Episode(self._rules, players, first, self._rounds)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[first]
        self._tell_legal()

    def observe(self, agent: str) -> np.ndarray[Any, Any]:
        """Return an agent's knowledge."""
        return known_by(self.episode, self._seats[agent])

    def _tell_legal(self) -> None:
        """Write the legal actions of every agent into ``infos``; none while it is not its turn."""
        nothing: dict[str, Any] = {"action_mask": self._no_action}
        self.infos: dict[str, dict[str, Any]] = dict.fromkeys(self.agents, nothing)
        if self.episode.seat is not None:
            agent = self.possible_agents[self.episode.seat]
            self.infos[agent] = {"action_mask": legal(self.episode, self.episode.seat)}

    def step(self, action: int | None) -> None:
        """Do what ``action`` stands for, for the agent whose turn it is, and let dice fall."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "an agent that is in acts"
        self.episode.choose(int(action))
        let_fall(self.episode, self._chance)
        if self.episode.is_over:
            self.rewards = dict(zip(self.agents, self.episode.returns()))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()  # until then all of them are 0
        elif self.episode.seat is not None:
            self.agent_selection = self.possible_agents[self.episode.seat]
        self._tell_legal()

    def render(self) -> str | None:
        """All that the agent whose turn it is has seen; None unless it renders as "ansi"."""
        known = self.episode.knows(self._seats[self.agent_selection])
        return known if self.render_mode == "ansi" else None
