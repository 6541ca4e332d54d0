"""The games for OpenSpiel: importing this registers ``python_maexchen``.

``pyspiel.load_game("python_maexchen(game=class,players=2,rounds=1)")``: ``game`` is a name in
``game.RULES``, ``players`` how many, ``first`` the seat that opens, ``rounds`` and what is gained
as in ``Episode``, ``options`` those of the game as ``ends:last_standing;understating:lie``.
OpenSpiel could not read a ``=`` in them again.
"""

from typing import Any

import numpy as np
import pyspiel

from game import RULES, SetupError
from game.dice import throws
from research.learning.episode import MOST_ACTIONS, Episode, features, rules_of

NAME = "python_maexchen"
MOST_A_ROUND = 4.0
"""No round costs anybody more matches, penalties or coasters; chosen, as a bound."""
_CHANCE, _TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
_DEFAULTS = {"game": "class", "players": 3, "rounds": 0, "first": 0, "options": ""}
_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Mäxchen and its relatives",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=max(rules.most_players for rules in RULES.values()),
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class MaexchenGame(pyspiel.Game):  # type: ignore[misc]
    """A game for OpenSpiel; its ``params`` are told above. Raises ValueError for those it is not.

    Chance has the outcomes of ``game.rolls`` with its exact chances, the likeliest first.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        asked = {**_DEFAULTS, **(params or {})}
        pairs = [pair.partition(":") for pair in asked["options"].split(";") if pair]
        self._players, self._rounds, self._first = asked["players"], asked["rounds"], asked["first"]
        if not all(colon for _, colon, _ in pairs):
            raise ValueError(f"options are written name:value;name:value, not {asked['options']!r}")
        try:
            options = {name: value for name, _, value in pairs}
            self._rules = rules_of(asked["game"], self._players, options)
            begun = self.begun()
        except SetupError as error:
            raise ValueError(str(error)) from None
        stake = MOST_A_ROUND * self._rounds or 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=len(begun.numbers.actions),
            max_chance_outcomes=len(throws(7)),
            num_players=self._players,
            min_utility=-stake,
            max_utility=stake,
            utility_sum=0.0,
            max_game_length=MOST_ACTIONS,
        )
        super().__init__(_TYPE, info, params or {})

    def begun(self) -> Episode:
        """Return its beginning."""
        return Episode(self._rules, self._players, self._first, self._rounds)

    def new_initial_state(self) -> "MaexchenState":
        """Return where it begins."""
        return MaexchenState(self)

    def make_py_observer(self, _kind: object = None, _params: object = None) -> "MaexchenObserver":
        """Return what tells a state as a player may know it."""
        return MaexchenObserver(self)


class MaexchenState(pyspiel.State):  # type: ignore[misc]
    """A state: an ``Episode``, under the names that OpenSpiel has."""

    def __init__(self, game: MaexchenGame) -> None:
        super().__init__(game)
        self.episode = game.begun()
        self._player: int = _CHANCE if self.episode.seat is None else self.episode.seat
        """As ``current_player``; OpenSpiel asks for it five times a step."""

    def current_player(self) -> int:
        """Return the player who decides: a seat, chance, or the terminal player."""
        return self._player

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return what can be done by number, by ``player`` or by whoever is to act."""
        if self._player == _CHANCE:
            return [number for number, _ in self.episode.due_by_number]
        return list(self.episode.choices()) if player in (None, self._player) else []

    def _legal_actions(self, _player: int) -> list[int]:
        return self.episode.choices()

    def is_chance_node(self) -> bool:
        """Whether dice are due."""
        return self._player == _CHANCE

    def chance_outcomes(self) -> tuple[tuple[int, float], ...]:
        """All that chance can bring, by number, with the chances."""
        return self.episode.due_by_number

    def _apply_action(self, action: int) -> None:
        episode = self.episode
        if self._player == _CHANCE:
            episode.fall(action)
        else:
            episode.choose(action)
        decides = _CHANCE if episode.seat is None else episode.seat
        self._player = _TERMINAL if episode.is_over else decides

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return repr(self.episode.due[action][0])
        return repr(self.episode.numbers.actions[action])

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.episode.is_over

    def returns(self) -> list[float]:
        """Return every player's gain; 0 until the episode is over."""
        return self.episode.returns() if self.episode.is_over else [0.0] * self.episode.players

    def __str__(self) -> str:
        return f"{self.episode.arena.match} due={len(self.episode.due)}"


class MaexchenObserver:
    """Tells a state as a player may know it: ``tensor`` as ``features``, text as ``knows``."""

    def __init__(self, game: MaexchenGame) -> None:
        known = features(game.begun(), 0)
        self.tensor: np.ndarray[Any, Any] = np.frombuffer(known, np.float32).copy()
        self.dict = {"known": self.tensor}
        self._bytes = self.tensor.data.cast("B")

    def set_from(self, state: MaexchenState, player: int) -> None:
        """Write what ``player`` knows into ``tensor``."""
        self._bytes[:] = features(state.episode, player)

    def string_from(self, state: MaexchenState, player: int) -> str:
        """All that ``player`` has seen."""
        return state.episode.knows(player)


pyspiel.register_game(_TYPE, MaexchenGame)
