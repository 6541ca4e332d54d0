"""A round of a bluff game, solved by backward induction over the standing value.

A player who believes rolls afresh. The worth of a position therefore depends only on the standing
value and on who is to roll. The standing value rises or, if equal values may be announced, stays;
then the worth is a fixed point. Each stage is a game between the roller and the next player alone;
the others get what follows from it.

Dice that nobody has seen are worth the same to all. Such a cup is doubted, believed or handed on by
its announced value alone. Dice that their roller has seen are handed on only if two play and they
may be a Mäxchen announced as less. Nobody announces less than they have otherwise, so a higher
announcement would be a lie.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from math import fsum, inf
from typing import NamedTuple

from game.bluff.rules import PLACE, BluffRules, Equal
from game.strategy.ends import Ends, Prices, Worths, shifted
from game.strategy.signal import ALWAYS, CHANCES, PLACES, TOP, Signal, SignalTerms, blended, signal

NOTHING = PLACES
"""The place that stands for no announcement."""
_CLOSE = 4e-15
_FIXED = 1e-14
"""A fixed point is found until it changes less than this."""
_NEAR = 1e-6
"""A round of three and more for the match is worked out until it changes less than this."""
_TRIES = 60


class Unseen(NamedTuple):
    """The worth of having announced dice that nobody has seen, from the announcer on.

    ``doubt`` says whether the announcement is doubted. ``hand_on`` is the place as which the dice
    are handed on unrolled, None if they are not.
    """

    worths: Worths
    doubt: bool
    hand_on: int | None = None


class Blind(NamedTuple):
    """The best choice after a roll that may not be seen.

    ``announce`` is the place to announce. None is the best other choice: roll again, or give up.
    """

    announce: int | None


class BluffTurn(NamedTuple):
    """How a player plays over a standing value: ``rolls[k]`` is the play after roll ``k + 1``.

    ``outside[k]`` is the worth of not announcing then, to the player. ``again[k]`` says whether
    that is to roll once more rather than to give up. ``worths`` count from the player on.
    """

    worths: Worths
    rolls: tuple[Signal | Blind, ...]
    outside: tuple[float, ...]
    again: tuple[bool, ...]


class _LinearWorth(NamedTuple):
    """Worths that may depend on a worth that is being worked out.

    They are ``rest``, plus ``back`` times the worth of being believed with the value that stood.
    """

    rest: Worths
    back: float = 0.0

    def of(self, stays: Worths) -> Worths:
        """Return the worths if being believed with the value that stood is worth ``stays``."""
        return tuple([each + self.back * stay for each, stay in zip(self.rest, stays)])


class _SolvedTurn(NamedTuple):
    """A turn as it was worked out: see ``BluffTurn``.

    ``stages[k]`` is the worth of roll ``k + 1``.
    """

    rolls: tuple[Signal | Blind, ...]
    stages: tuple[_LinearWorth, ...]
    outside: tuple[float, ...]
    again: tuple[bool, ...]


class InPieces:
    """A round that is solved piece by piece, from the highest standing value down.

    ``solving`` makes the pieces. It ends when the round is asked: then the rest is solved at once.
    After an error the next ``solving`` begins anew.
    """

    def __init__(self) -> None:
        self.solving = self._pieces()

    def solve(self) -> None:
        """Solve what is left to solve. Raises ValueError from within this very solving."""
        list(self.solving)

    def _pieces(self) -> Iterator[None]:
        try:
            for stands in (*range(TOP, -1, -1), NOTHING):
                yield from self._solve(stands)
                yield
        except BaseException:
            self.solving = self._pieces()
            raise

    def _solve(self, stands: int) -> Iterator[None]:
        raise NotImplementedError


class Round(InPieces):
    """A solved round. Players count in playing order from its opener, 0.

    Args:
        rules: of a bluff game.
        seats: how many play.
        ends: the worths of its ends; None counts penalties, and all seats play alike.
        at_once: whether to solve it now.
    """

    def __init__(
        self, rules: BluffRules, seats: int = 2, ends: Ends | None = None, *, at_once: bool = True
    ) -> None:
        super().__init__()
        self.rules, self.seats = rules, seats
        self.prices = Prices(rules, seats, ends)
        self._rollers = range(self.prices.rollers)
        self.turns: list[list[BluffTurn | None]] = [[None] * (PLACES + 1) for _ in self._rollers]
        """By player and standing place; None over a Mäxchen that cannot be believed."""
        self.fresh: list[list[Worths]] = [[()] * PLACES for _ in self._rollers]
        """By player and believed place: the worths of rolling then, from the player on."""
        self._unseen: dict[tuple[int, int, bool], Unseen] = {}
        """By announcer and place: the answer to dice that nobody has seen; and whether a tower
        would spare the announcer (R-HF-8)."""
        self._told = [tuple([0.0] * PLACES for _ in range(5)) for _ in self._rollers]
        """By player: ``believed``, ``lie``, ``truth``, ``ratios`` and ``rooms`` of SignalTerms."""
        self._taken: list[list[Worths]] = [[()] * PLACES for _ in self._rollers]
        """By announcer and place: the worths, from the announcer on, of being believed."""
        self._tie, self._twice = 0.0, list[float]()
        self._is_scored = ends is not None and seats > 2
        self._hides = seats == 2 and rules.understating == "no_lie"
        self._lessens = self._is_scored and rules.understating == "no_lie"
        self._towers = 1 / rules.tower_one_in if rules.tower_one_in else 0.0
        if at_once:
            self.solve()

    @property
    def worths(self) -> Worths:
        """The worths of the round, from its opener on."""
        return self.turn(0, NOTHING).worths

    def turn(self, player: int, stands: int) -> BluffTurn:
        """Return how a player plays over the place ``stands``, or ``NOTHING``."""
        self.solve()
        found = self.turns[self.prices.alike(player)][stands]
        assert found is not None, "over a Mäxchen there is nothing to play"
        return found

    def answer(self, announcer: int, place: int, spared: bool) -> Unseen:
        """Return the answer to an announcement of ``place`` about dice that nobody has seen."""
        self.solve()
        return self._answer(announcer, place, spared)

    def _answer(self, announcer: int, place: int, spared: bool) -> Unseen:
        return self._unseen[self.prices.alike(announcer), place, spared]

    def believed(self, player: int, place: int) -> Worths:
        """Return the worths, from ``player`` on, if that player believes ``place`` and rolls."""
        self.solve()
        return self._believed(player, place)

    def _believed(self, player: int, place: int) -> Worths:
        return self.fresh[self.prices.alike(player)][place]

    def _solve(self, stands: int) -> Iterator[None]:
        if stands == TOP and self.rules.customs.meiern:
            for player in self._rollers:
                self.fresh[player][TOP] = self.prices.paid(player, 0, 1)  # the player gives in
            self._answers(TOP)
            return
        stays = stands != NOTHING and lowest_over(self.rules, stands) == stands
        again, close = [self.prices.paid(player, 0, 1) for player in self._rollers], _CLOSE
        if self._is_scored:
            close = _NEAR
            again = [self.fresh[p][stands + 1] for p in self._rollers] if stands < TOP else again
        shown = [[each[0]] * self.rules.rolls for each in again]
        tries, gap = (_TRIES if stays or self._towers else 1), 1.0
        sides: dict[bool, Worths] = {}
        earlier: object = None
        while tries and gap > close:
            if stays:
                self._assume(stands, again)
            turns = [self._turn(p, stands, shown[p]) for p in self._rollers]
            before, again = again, [_reproduced(self.prices, p, turns) for p in self._rollers]
            told, shown = shown, [_shown(self.prices, p, turns[p], again) for p in self._rollers]
            pairs = [*zip(before, again), *zip(told, shown)]
            gap = max(abs(a - b) for one, other in pairs for a, b in zip(one, other))
            tries -= 1
            if (again, shown) == earlier:
                tries %= 2  # it goes to and fro between two
            earlier = before, told
            sides[again[0][-1] > before[0][-1]] = before[0]
            yield
        if gap > _CLOSE and len(sides) == 2 and len(turns) == 1:
            turns, again = self._tied(stands, sides[False], sides[True], shown)
        if stays and gap > close and self._is_scored:
            turns, again = yield from self._balanced(stands, before, shown)
        for row, worths, turn in zip(self.turns, again, turns):
            row[stands] = BluffTurn(worths, turn.rolls, turn.outside, turn.again)
        if stands != NOTHING:
            self._assume(stands, again)

    def _balanced(
        self, stands: int, guess: list[Worths], shown: list[list[float]]
    ) -> Generator[None, None, tuple[list[_SolvedTurn], list[Worths]]]:
        """Solve the turns of different players that go to and fro between two ways to play.

        Ever smaller steps find the worths between which they do. There both ways are equally good,
        and one of them is played.
        """
        for step in range(_TRIES):
            self._assume(stands, guess)
            turns = [self._turn(p, stands, shown[p]) for p in self._rollers]
            again = [_reproduced(self.prices, p, turns) for p in self._rollers]
            shown = [_shown(self.prices, p, turns[p], again) for p in self._rollers]
            share = 2 / (step + 3)
            guess = [
                tuple([one + share * (other - one) for one, other in zip(*each)])
                for each in zip(guess, again)
            ]
            yield
        return turns, guess

    def _tied(
        self, stands: int, falls: Worths, rises: Worths, shown: list[list[float]]
    ) -> tuple[list[_SolvedTurn], list[Worths]]:
        """Solve a turn that comes back to itself and has no pure fixed point.

        ``falls`` is a worth assumed too high, ``rises`` one assumed too low. Between them two ways
        to play are equally good. Mix them so that the resulting worth equals the assumed one. The
        last worth that was tied over the two places above is tried first.
        """
        likely, told, tries = self._twice, [shown] * 2, _TRIES
        while True:
            guess = tuple([(one + other) / 2 for one, other in zip(falls, rises)])
            if likely and falls[-1] != rises[-1]:
                *likely, wanted = likely
                share = (falls[-1] - wanted) / (falls[-1] - rises[-1])
                guess = tuple([f + share * (r - f) for f, r in zip(falls, rises)])
            elif not tries or (guess[-1] in (falls[-1], rises[-1]) and shown == told[0]):
                break  # nothing lies between them
            told, tries = [told[1], shown], tries - 1
            self._assume(stands, [guess])
            turn = self._turn(0, stands, shown[0])
            again = _reproduced(self.prices, 0, [turn])
            if again[-1] > guess[-1]:
                rises, more = guess, turn
            else:
                falls, less = guess, turn
            shown = [_shown(self.prices, 0, turn, [again])]

        def off(share: float) -> float:
            nonlocal turn, again
            turn = self._turn(0, stands, shown[0], (less, more, share))
            again = _reproduced(self.prices, 0, [turn])
            return share + again[-1] - guess[-1]

        fixed_point(off, 0.5)
        tie, self._tie = self._tie, falls[-1]
        self._twice = [falls[-1], rises[-1]] if abs(falls[-1] - tie) < _CLOSE else []
        return [turn], [again]

    def _assume(self, stands: int, worths: list[Worths]) -> None:
        """Assume ``worths``, by player, for having believed ``stands``."""
        for player in self._rollers:
            self.fresh[player][stands] = worths[player]
        self._answers(stands)

    def _answers(self, place: int) -> None:
        """Work out the answers to an announcement of ``place`` that nobody has seen."""
        for announcer in self._rollers:
            believed = shifted(self._believed(announcer + 1, place), -1)
            _tell(self._told[announcer], self.prices, announcer, place, believed)
            self._taken[announcer][place] = believed
            for spared in (False, True)[: 2 if self._towers else 1]:
                answer = self._best_answer(announcer, place, believed, spared)
                self._unseen[announcer, place, spared] = answer

    def _best_answer(self, announcer: int, place: int, believed: Worths, spared: bool) -> Unseen:
        best = Unseen(self.prices.unseen(announcer, place, self._towers if spared else 0.0), True)
        if believed[1] > best.worths[1]:
            best = Unseen(believed, False)
        for higher in range(place + 1, PLACES):
            handed_on = shifted(self._answer(announcer + 1, higher, False).worths, -1)
            if handed_on[1] > best.worths[1] + _CLOSE:
                best = Unseen(handed_on, False, higher)
        return best

    def _turn(
        self, player: int, stands: int, shown: list[float],
        tied: tuple[_SolvedTurn, _SolvedTurn, float] | None = None,
    ) -> _SolvedTurn:  # fmt: skip
        """Return how a player plays over ``stands``; ``shown`` is the worth of showing a tower.

        ``tied`` has two ways to play and the share of the second one.
        """
        rules, customs, nothing = self.rules, self.rules.customs, stands == NOTHING
        best: _LinearWorth | None = None
        worth = floor = -inf
        if customs.open_mistakes or (customs.meiern and not nothing):
            best = _LinearWorth(self.prices.paid(player, 0, 1))
            worth = floor = best.rest[0]
        last = 1 if nothing and customs.opener_rolls_once else rules.rolls
        stays = () if nothing else self.fresh[self.prices.alike(player + 1)][stands]
        rolls: list[Signal | Blind] = []
        stages, outside, again = [], [], []
        for roll in range(last, 0, -1):
            outside.append(worth)
            again.append(worth > floor)
            if roll > rules.looks:
                blind, stage = self._blind(player, stands, roll, worth, best)
                rolls.append(blind)
            else:
                terms = self._terms(player, stands, worth, shown[roll - 1])
                played = signal(terms) if tied is None else _of_both(*tied, roll)
                rolls.append(played)
                stage = self._stage(player, stands, played, best)
            stages.append(stage)
            after = stage.of(shifted(stays, -1))[0] if stage.back else stage.rest[0]
            if after > worth:
                best, worth = stage, after
        return _SolvedTurn(
            tuple(rolls[::-1]), tuple(stages[::-1]), tuple(outside[::-1]), tuple(again[::-1])
        )

    def _blind(
        self, player: int, stands: int, roll: int, outside: float, besides: _LinearWorth | None
    ) -> tuple[Blind, _LinearWorth]:
        spared = bool(self._towers) and roll == self.rules.rolls
        best, found, nothing = None, besides, (0.0,) * self.seats
        for place in range(lowest_over(self.rules, stands), PLACES):
            answer = self._answer(player, place, spared)
            if answer.worths[0] > outside:
                comes_back = place == stands and not answer.doubt and answer.hand_on is None
                best, outside = place, answer.worths[0]
                found = _LinearWorth(nothing, 1.0) if comes_back else _LinearWorth(answer.worths)
        assert found is not None, "something can be announced"
        return Blind(best), found

    def _terms(self, player: int, stands: int, outside: float, shown: float) -> SignalTerms:
        hidden = self.prices.doubted(player, 1, 0, TOP)[0]
        back = [_back(self, player, at, TOP)[0] for at in (TOP - 1, TOP) if self._hides]
        lowest = lowest_over(self.rules, stands)
        believed, lie, truth, ratios, rooms = self._told[self.prices.alike(player)]
        return SignalTerms(
            lowest, believed, lie, truth, ratios, outside, self._towers, shown, hidden, back,
            rooms if self._lessens else (),
        )  # fmt: skip

    def _stage(
        self, player: int, stands: int, played: Signal, besides: _LinearWorth | None
    ) -> _LinearWorth:
        """Return the worths of a stage, from its roller on."""
        worths, back, shown, lying, rest = [0.0] * self.seats, 0.0, 0.0, 0.0, 1.0
        said: list[tuple[float, int, int, int]] = []
        for rolled in range(PLACES):
            seen = CHANCES[rolled] * (1 - self._towers * played.towers[rolled])
            shown += CHANCES[rolled] - seen
            lying += seen * played.lied[rolled]
            said += [(seen * share, place, rolled, 1) for place, share in played.truths[rolled]]
        said += [(lying * share, place, 0, 0) for place, share in enumerate(played.lies) if share]
        for told, place, rolled, payer in said:
            rest -= told
            each, comes = self._answered(player, stands, place, rolled, payer, played)
            worths = [one + told * other for one, other in zip(worths, each)]
            back += told * comes
        rest -= shown
        if besides is not None:
            worths = [one + rest * other for one, other in zip(worths, besides.rest)]
            back += rest * besides.back
        return _LinearWorth(tuple([each / (1 - shown) for each in worths]), back / (1 - shown))

    def _answered(
        self, player: int, stands: int, place: int, rolled: int, payer: int, played: Signal
    ) -> tuple[Sequence[float], float]:
        """Return the worths of having announced ``place``; ``payer`` pays if it is doubted."""
        doubt, (higher, often) = played.doubts[place], played.handed_on[place]
        passed, stays = 1 - doubt - often, place == stands
        taken = (0.0,) * self.seats if stays else self._taken[self.prices.alike(player)][place]
        if passed == 1:
            return taken, stays
        rest = [doubt * each for each in self.prices.doubted(player, payer, place, rolled)]
        if often:
            handed_on = _back(self, player, higher, rolled)
            rest = [one + often * each for one, each in zip(rest, handed_on)]
        return [one + passed * each for one, each in zip(rest, taken)], passed * stays


def _tell(
    columns: tuple[list[float], ...], prices: Prices, player: int, place: int, taken: Worths
) -> None:
    """Set the columns of an announcement: see ``Round._told``.

    ``taken`` are the worths of being believed, from the player on. There is room for higher rolls
    until the next player would rather hand the dice on as the place above.
    """
    lied, told = (prices.doubted(player, payer, place, payer * place) for payer in (0, 1))
    mine, next_one = taken[:2]
    ratio = 0.0
    if next_one > told[1]:
        caught = lied[1] - next_one
        ratio = min(ALWAYS, (next_one - told[1]) / caught) if caught > 0 else ALWAYS
    room = 0.0
    if ratio and place < TOP:
        wrong, right = (
            prices.doubted(player + 1, p, place + 1, p * (place + 1))[0] for p in (0, 1)
        )
        gains = right - next_one - ratio * (next_one - wrong)
        room = max(0.0, (1 + ratio) * (next_one - wrong) / gains) if gains > 0 else inf
    for column, each in zip(columns, (mine, lied[0], told[0], ratio, room)):
        column[place] = each


def _back(solved: Round, player: int, place: int, rolled: int) -> Worths:
    """Return the worths of getting one's own dice back with ``place`` announced."""
    if rolled < place:
        return solved.prices.doubted(player, 1, place, rolled)
    return max(solved.prices.doubted(player, 0, place, rolled), solved._believed(player, place))


def _of_both(one: _SolvedTurn, other: _SolvedTurn, share: float, roll: int) -> Signal:
    """Return how a roll is played: as in ``other`` with chance ``share``, else as in ``one``."""
    first, second = one.rolls[roll - 1], other.rolls[roll - 1]
    assert isinstance(first, Signal), "a roll that may be looked at is a signal"
    assert isinstance(second, Signal), "a roll that may be looked at is a signal"
    return blended(first, second, share)


def _reproduced(prices: Prices, player: int, turns: list[_SolvedTurn]) -> Worths:
    """Return the worths of a turn that comes back to itself with some chance.

    If it always comes back, nobody would ever end the round: then the player pays.
    """
    worths, share = turns[player].stages[0]
    for by in range(1, len(worths)):
        rest, back = turns[prices.alike(player + by)].stages[0]
        worths = tuple([w + share * r for w, r in zip(worths, shifted(rest, -by))])
        share *= back
    ends = 1 - share
    return tuple([each / ends for each in worths]) if ends > _CLOSE else prices.paid(player, 0, 1)


def _shown(prices: Prices, player: int, turn: _SolvedTurn, again: list[Worths]) -> list[float]:
    """Return by roll the worth to the player of showing a tower and rolling again."""
    stays = shifted(again[prices.alike(player + 1)], -1)
    return [stage.of(stays)[0] for stage in turn.stages]


def fixed_point(function: Callable[[float], float], start: float) -> float:
    """Return the fixed point of ``function``, to the last digits.

    It changes less than its argument does, and is linear but for few kinks: secants find it.
    """
    before, number = start, function(start)
    gap_before = number - before
    while abs(gap_before) > _FIXED:
        gap = function(number) - number
        if abs(gap) <= _FIXED or gap == gap_before:
            break
        step = gap * (number - before) / (gap_before - gap)
        before, number, gap_before = number, number + step, gap
    return number


def lowest_over(rules: BluffRules, stands: int) -> int:
    """Return the lowest place that may be announced over ``stands`` after rolling (B-3)."""
    if stands == NOTHING:
        return 0
    equal = rules.customs.equal
    stays = equal is Equal.ANY or (equal is Equal.MAEXCHEN and stands == TOP)
    return stands if stays else stands + 1


def beaten_by(rules: BluffRules, stands: int) -> float:
    """Return the chance that one roll may be announced truly over the place ``stands``."""
    return fsum(CHANCES[lowest_over(rules, stands) :])


def place_of(value: int | None) -> int:
    """Return the place of a value that stands; ``NOTHING`` for None."""
    return NOTHING if value is None else PLACE[value]
