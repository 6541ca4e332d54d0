"""The ways of players whose play is known: how their turns go, and how they answer.

A bot's own code makes a way (``firmware.bots.chances``), or a solved round does (``ByTheBook``).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from game.actions import Announce, Look, Roll, SeatAction, ShowMaexchen, ShowTower
from game.bluff.rules import BluffRules
from game.bluff.values import PLACE
from game.strategy.bluff import lowest_over
from game.strategy.equilibrium import Equilibrium
from game.strategy.signal import CHANCES, PLACES, TOP

Masses = Sequence[float]
"""The chances of the dice under a cup, by their place; they need not add up to 1."""


class KnownAnswer(NamedTuple):
    """The shares of all answers to an announcement; the rest believe and roll.

    ``hands_on`` has by place the share that believes and hands the dice on unrolled with it.
    """

    doubt: float
    gives_in: float
    hands_on: tuple[tuple[int, float], ...] = ()


class KnownTurn(NamedTuple):
    """How a turn of a known player goes.

    Attributes:
        offers: by announced place, and number of the roll: the chances of the dice.
        pays: the chance that the player owns up, or makes a fault.
        shows: the chance that the player shows a Mäxchen.
    """

    offers: Mapping[tuple[int, int], Masses]
    pays: float
    shows: float
    bundles: tuple[tuple[int, int, "DiceOffered"], ...]
    """The same as ``offers``: place, number of the roll, and the dice."""


class DiceOffered(NamedTuple):
    """Dice under an announcement: the chances of a lie, of a truth, and of a Mäxchen."""

    lie: float
    truth: float
    top: float


def bundle(rules: BluffRules, place: int, dice: Masses) -> DiceOffered:
    """Return dice as they are under the announcement of ``place``."""
    others = dice[:TOP]
    lie = sum(others[:place]) + (sum(others[place + 1 :]) if rules.understating == "lie" else 0.0)
    return DiceOffered(lie, max(0.0, sum(others) - lie), dice[TOP])


class KnownWay(Protocol):
    """The way of a known player; ``stands`` is a place, or ``NOTHING``."""

    def told(self, stands: int) -> KnownTurn:
        """Return how the player's turn over ``stands`` goes."""
        ...

    def answer(self, stands: int, roll: int, place: int) -> KnownAnswer:
        """Return how the player answers ``place``, announced over ``stands`` after that roll.

        ``roll`` is 0 for dice that were handed on.
        """
        ...


class ThrowsActions(Protocol):
    """The actions of a player after a roll."""

    def __call__(self, stands: int, roll: int, rolled: int | None) -> Mapping[SeatAction, float]:
        """Return the chances of actions; ``rolled`` is the place of dice that were seen."""
        ...


def told(rules: BluffRules, stands: int, throws: ThrowsActions) -> KnownTurn:
    """Return how a turn goes, from the actions after each roll."""
    offers: dict[tuple[int, int], list[float]] = {}
    pays = shows = 0.0
    lowest, rolling = lowest_over(rules, stands), 1.0
    for roll in range(1, rules.rolls + 1):
        whole, rolling = rolling, 0.0
        if not whole:
            break
        unseen = dict(throws(stands, roll, None))
        looks = whole * unseen.pop(Look(), 0.0)
        every: list[tuple[int, float, Mapping[SeatAction, float]]] = [
            (rolled, whole * chance, unseen) for rolled, chance in enumerate(CHANCES)
        ]
        if looks:
            every += [(r, looks * c, throws(stands, roll, r)) for r, c in enumerate(CHANCES)]
        for rolled, mass, ways in every:
            for action, share in ways.items():
                if isinstance(action, Roll | ShowTower):
                    rolling += mass * share
                elif isinstance(action, ShowMaexchen):
                    shows += mass * share
                elif isinstance(action, Announce) and PLACE[action.value] >= lowest:
                    key = PLACE[action.value], roll
                    offers.setdefault(key, [0.0] * PLACES)[rolled] += mass * share
                else:
                    pays += mass * share
    bundles = [(p, roll, bundle(rules, p, dice)) for (p, roll), dice in offers.items()]
    return KnownTurn(offers, pays, shows, tuple(bundles))


class ByTheBook:
    """The way of a player who plays a solved round; ``player`` counts from its opener."""

    def __init__(self, book: Equilibrium, player: int) -> None:
        self._book, self._player = book, player
        self._told: dict[int, KnownTurn] = {}

    def told(self, stands: int) -> KnownTurn:
        """See ``KnownWay``."""
        if stands not in self._told:
            self._told[stands] = told(self._book.solved.rules, stands, self.throws)
        return self._told[stands]

    def throws(self, stands: int, roll: int, rolled: int | None) -> Mapping[SeatAction, float]:
        """See ``ThrowsActions``."""
        return self._book.thrown(self._player, stands, roll, rolled)

    def answer(self, stands: int, roll: int, place: int) -> KnownAnswer:
        """See ``KnownWay``."""
        solved = self._book.solved
        by = (self._player - 1) % solved.seats
        doubt, hands_on = self._book.answer_to(by, stands, roll, place)
        if place == TOP and solved.rules.customs.meiern:
            return KnownAnswer(doubt, 1 - doubt)
        return KnownAnswer(doubt, 0.0, tuple(hands_on.items()))
