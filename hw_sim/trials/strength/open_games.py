"""What the open games offer at best, and how near three who play by the book are to that."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from game import RULES, CoasterMatch, apply, new_match
from game.actions import Roll
from game.coaster.state import Hand
from game.coaster.values import RANKS
from game.dice import Dice
from game.sevens.rules import SevensRules
from game.strategy import among, odds
from game.strategy.open_games import OpenRules
from game.strategy.turns import HANDS, Turn

MOST_TO_COME = 2
"""The least losses are told for so many players to come."""
DIGITS = 13
HELD = {
    ("maxen", 1): (3, 3, 3),
    ("maxen", 2): (7, 7, 7),
    ("chicago", 1): (1, 1, 1),
    ("chicago", 2): (2, 2, 2),
}
"""By game and phase: the coasters of three in the round whose gap is measured."""


def variants(game: str) -> Iterator[tuple[str, OpenRules, bool]]:
    """Yield what changes the odds of an open game: its name, rules, whether sixes are turned."""
    rules = RULES[game]
    assert isinstance(rules, OpenRules), f"{game} is no open game"
    yield "usual", rules, True
    if isinstance(rules, SevensRules):
        yield "seven_dice", replace(rules, seven_dice=True), True
    else:
        yield "no turning", rules, False


def offered(game: str) -> dict[str, Any]:
    """Return the odds of an open game as JSON has them; keys are strings.

    By variant: ``means`` by throws, ``kinds`` by name and throws, and with the rules as they are
    ``least_loss`` by players to come, throws and the hand to beat, and ``leads`` by players.
    """
    found: dict[str, Any] = {}
    for name, rules, turning in variants(game):
        throws = range(1, odds.most_throws(rules) + 1)
        found[name] = told = {
            "means": {str(n): _told(odds.mean(rules, n, turning)) for n in throws},
            "kinds": {
                kind: {str(n): _told(odds.best(rules, n, wanted, turning)) for n in throws}
                for kind, wanted in odds.kinds(rules).items()
            },
        }
        if turning:
            told["least_loss"] = {
                str(to_come): {
                    str(n): {
                        hand: _told(odds.least_loss(rules, n, mark, to_come))
                        for mark, hand in odds.marks(rules).items()
                    }
                    for n in throws
                }
                for to_come in range(MOST_TO_COME + 1)
            }
            told["leads"] = {
                str(players): _told(odds.least_loss(rules, 1, None, players - 1))
                for players in range(2, rules.most_players + 1)
            }
    return found


def _told(number: Any) -> float:
    return round(float(number), DIGITS)


def gap(game: str) -> float:
    """Return what a best response gains a round among three by the book, in coasters.

    It is the most over both phases and over seats; what counts is one's own against the mean of
    the others'. Third throws of ``maxen`` are taken as open.
    """
    return max(_gap(_begun(game, phase)) for phase in (1, 2))


def _begun(game: str, phase: int) -> CoasterMatch:
    match: Any = new_match(RULES[game], ("first", "second", "third"), 0)
    for face in (1, 2, 3):
        match = apply(match, Roll((face,) * 3)).match
    held = HELD[game, phase]
    assert isinstance(match, CoasterMatch), "a game of three dice"
    pile = match.rules.coasters - sum(held) if phase == 1 else 0
    return match.replace(stage=phase, coasters=held, pile=pile)


Ended = Mapping[Dice, float]
"""The chance of each hand to end with, one for each rank."""


class _Book:
    """A round of three who all play by the book, from the leader on."""

    def __init__(self, match: CoasterMatch) -> None:
        self._match, self._ranks = match, RANKS[match.rules.game]
        self._shows = {self._ranks[hand]: hand for hand in HANDS}
        self._stakes = among.stakes(match, 0)

    def turn(self, limit: int, *hands: Dice) -> Turn:
        """The turn of who comes after those hands."""
        known = [Hand((), hand) for hand in hands] + [None] * (3 - len(hands))
        return among.turn(self._match.replace(to_act=len(hands), hands=tuple(known), limit=limit))

    def shown(self, hand: Dice) -> Dice:
        """The hand that stands for all of its rank."""
        return self._shows[self._ranks[hand]]

    def ended(self, chances: list[float]) -> Ended:
        """Chances by hand, those of equal rank taken together."""
        found: dict[Dice, float] = {}
        for hand, chance in zip(HANDS, chances):
            if chance:
                found[self.shown(hand)] = found.get(self.shown(hand), 0.0) + chance
        return found

    def brought(self, hands: tuple[Dice, ...]) -> list[float]:
        """What three hands bring everybody."""
        ranks = [self._ranks[hand] for hand in hands]
        best = ranks.index(max(ranks))
        worst = max(seat for seat in range(3) if ranks[seat] == min(ranks))
        stake = next(each for each in self._stakes if max(ranks) <= each.top)
        moved = [stake.gives * (seat == best) - stake.loses * (seat == worst) for seat in range(3)]
        return [each - (sum(moved) - each) / 2 for each in moved]


def _gap(match: CoasterMatch) -> float:
    """The gap of one round.

    The last of three knows all that counts. The second one takes him, and the first one both, to
    throw for not being lowest or for being highest alone: what that costs is the gap.
    """
    book = _Book(match)

    @cache
    def followed(limit: int, first: Dice) -> tuple[float, float]:
        """What a hand of the leader brings him, and what the second one could have more."""
        turn = book.turn(limit, first)
        led: dict[Dice, float] = {}
        own: dict[Dice, float] = {}
        for hand in {book.shown(hand) for hand in HANDS}:
            last = book.ended(_sum_of(book.turn(limit, first, hand).finals()))
            results = [(chance, book.brought((first, hand, each))) for each, chance in last.items()]
            led[hand] = sum(chance * each[0] for chance, each in results)
            own[hand] = sum(chance * each[1] for chance, each in results)
        ended = book.ended(_sum_of(turn.finals()))
        ends = [own[book.shown(hand)] for hand in HANDS]
        best = Turn(match.rules.game, limit, [ends] * limit).worth
        more = best - sum(chance * own[hand] for hand, chance in ended.items())
        return sum(chance * led[hand] for hand, chance in ended.items()), more

    finals = book.turn(3).finals()
    second = own = 0.0
    for number, chances in enumerate(finals):
        for hand, chance in book.ended(chances).items():
            brings, more = followed(min(number + 1, 3), hand)
            own += chance * brings
            second += chance * more
    ends = [[followed(n, book.shown(hand))[0] for hand in HANDS] for n in (1, 2, 3)]
    first: float = Turn(match.rules.game, 3, ends).worth - own
    return max(first, second)


def _sum_of(finals: list[list[float]]) -> list[float]:
    """By hand, however often was thrown."""
    return [sum(chances) for chances in zip(*finals)]
