"""The equilibrium of a solved round as a strategy, and the belief of a player without a look.

It follows from all actions so far, if everybody plays by the book. An announcement that the book
never makes is believed as far as the book believes it. It is taken at its word if the book never
doubts it. If the book sometimes doubts it, there are as many lies as make that no mistake. A player
who could look counts as one who has looked.
"""

from collections.abc import Mapping

from game.actions import (
    Announce,
    Believe,
    Doubt,
    GiveIn,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    SeatAction,
    ShowMaexchen,
    ShowTower,
)
from game.bluff.legality import is_wrong_way, playing_order
from game.bluff.rules import MAEXCHEN, PLACE, RANKING, BluffRules, Match, value_of
from game.status import THROWN, Phase
from game.strategy.bluff import Blind, BluffTurn, Round, place_of
from game.strategy.ends import shifted
from game.strategy.position import Known, State, after, known
from game.strategy.signal import TOP, Signal


class Equilibrium:
    """The equilibrium of a solved round, for every seat in it.

    Off its path it assumes that every player who could look has looked, and that nobody has
    announced less than they had.
    """

    def __init__(self, solved: Round) -> None:
        self._round, self.solving = solved, solved.solving

    @property
    def solved(self) -> Round:
        """The round, solved to its end."""
        self._round.solve()
        return self._round

    def __call__(self, known: Known) -> Mapping[SeatAction, float]:
        """Return the chances of the actions of the seat that is to act."""
        match known.match.phase:
            case Phase.OFFERED:
                if is_wrong_way(known.match):
                    return {Refuse(): 1.0}
                doubt, _ = self.answer(known)
                return _shares((Doubt(), doubt), (self._accepts(known.match), 1 - doubt))
            case Phase.BELIEVED if known.own is not None:
                _, higher = self._believing(known.match, PLACE[value_of(known.own)])
                return {Roll() if higher is None else Announce(RANKING[higher]): 1.0}
            case Phase.BELIEVED:
                doubt, hand_on = self.answer(known)
                believed = sum(hand_on.values()) / (1 - doubt) if doubt < 1 else 0.0
                ways = [(Announce(RANKING[p]), s / (1 - doubt)) for p, s in hand_on.items()]
                return _shares((Roll(), 1 - believed), *ways)
            case Phase.DOUBTED:
                return {Lift(): 1.0}
            case Phase.THROWN:
                return self._thrown(known)
            case _:
                return {Roll(): 1.0}

    def answer(self, known: Known) -> tuple[float, Mapping[int, float]]:
        """Return how an offered cup is answered, in shares of all answers.

        The first number is the chance of a doubt. The mapping has, by place, the chance that the
        dice are handed on unrolled with it. The rest is to believe and roll.
        """
        match = known.match
        place = place_of(match.announced)
        if known.own is not None:
            return self._answer_knowing(match, place, PLACE[value_of(known.own)]), {}
        by, rolls = _player(match, match.announcer), match.announcer_rolls
        if not rolls and known.stood is None:
            return self._answer_unseen(by, place, False)
        return self.answer_to(by, place_of(known.stood), rolls, place)

    def answer_to(
        self, announcer: int, stands: int, rolls: int, place: int
    ) -> tuple[float, Mapping[int, float]]:
        """Return ``answer`` to a player who announced ``place`` over ``stands``.

        With 0 ``rolls`` the dice were seen by the player who rolled them, and were handed on.
        """
        rules = self.solved.rules
        if 0 < rolls <= rules.looks:
            stage = self.solved.turn(announcer, stands).rolls[rolls - 1]
            assert isinstance(stage, Signal), "a roll that may be looked at is a signal"
            higher, often = stage.handed_on[place]
            return stage.doubts[place], {higher: often} if often else {}
        if not rolls:
            # The announcer who rolled them announced all that they had: this is a lie.
            return float(self._catches(announcer, place)), {}
        return self._answer_unseen(
            announcer, place, bool(rules.tower_one_in) and rolls == rules.rolls
        )

    def _answer_unseen(
        self, announcer: int, place: int, spared: bool
    ) -> tuple[float, Mapping[int, float]]:
        unseen = self.solved.answer(announcer, place, spared)
        hands_on = {} if unseen.hand_on is None else {unseen.hand_on: 1.0}
        return float(unseen.doubt), hands_on

    def _accepts(self, match: Match) -> SeatAction:
        """Return the answer without a doubt: believe, or give in to a Mäxchen (R-CLASS-7).

        With more players it can pay to pay: the opener of the next round is far from the cup.
        """
        gives_in = match.announced == MAEXCHEN and self.solved.rules.customs.meiern
        return GiveIn() if gives_in else Believe()

    def _answer_knowing(self, match: Match, place: int, rolled: int) -> float:
        """Return 0 or 1: whether to doubt an announcement about dice that one has seen."""
        solved, player = self.solved, _player(match, match.to_act)
        lie = place != rolled if solved.rules.understating == "lie" else place > rolled
        if lie:
            return 1.0
        own = solved.prices.doubted(player, 0, place, rolled)
        return float(own[0] >= self._believing(match, rolled)[0])

    def _believing(self, match: Match, rolled: int) -> tuple[float, int | None]:
        """Return the worth of believing when one has seen the dice, and the place to hand on.

        None means to roll. Dice that are handed on count as a lie, so only the truth will do.
        """
        solved, player = self.solved, _player(match, match.to_act)
        best: tuple[float, int | None] = solved.believed(player, place_of(match.announced))[0], None
        truths = range(place_of(match.announced) + 1, rolled + 1)
        for place in truths if solved.rules.understating == "no_lie" else truths[-1:]:
            worth = solved.believed(player + 1, place)[-1]
            if self._catches(player, place):
                worth = solved.prices.doubted(player, 1, place, rolled)[0]
            best = max(best, (worth, place), key=lambda each: each[0])
        return best

    def _catches(self, announcer: int, place: int) -> bool:
        """Return whether the next player doubts a certain lie; to let it pass can be worth more."""
        caught = self.solved.prices.doubted(announcer, 0, place, 0)[1]
        return caught >= self.solved.believed(announcer + 1, place)[0]

    def _thrown(self, known: Known) -> Mapping[SeatAction, float]:
        match = known.match
        rolled = None if known.own is None else PLACE[value_of(known.own)]
        player, stands = _player(match, match.to_act), place_of(match.announced)
        return self.thrown(player, stands, match.rolls, rolled, known.tower)

    def thrown(
        self, player: int, stands: int, roll: int, rolled: int | None, tower: bool = False
    ) -> Mapping[SeatAction, float]:
        """Return the chances of the actions after a roll, from 1, over the place ``stands``.

        ``rolled`` is the place of the dice if the player has seen them.
        """
        turn = self.solved.turn(player, stands)
        stage, besides = turn.rolls[roll - 1], self._besides(turn, roll - 1)
        if isinstance(stage, Blind):
            return {besides if stage.announce is None else Announce(RANKING[stage.announce]): 1.0}
        if rolled is None:
            return {Look(): 1.0}
        shown = stage.towers[rolled] if tower else 0.0
        told, lied = 1 - shown, stage.lied[rolled] * (1 - shown)
        ways: list[tuple[SeatAction, float]] = [(ShowTower(), shown)]
        ways += [(_said(self.solved.rules, p), told * s) for p, s in stage.truths[rolled]]
        ways += [(Announce(RANKING[p]), lied * s) for p, s in enumerate(stage.lies) if lied * s]
        ways += [(besides, 1 - sum(share for _, share in ways))]
        return _shares(*ways)

    def _besides(self, turn: BluffTurn, roll: int) -> SeatAction:
        """Return the action if no announcement is any good."""
        if turn.again[roll]:
            return Roll()
        if self.solved.rules.customs.meiern:
            return OwnUp()
        return Announce(RANKING[0])  # too low on purpose: a fault is cheaper than such a lie


def _player(match: Match, seat: int | None) -> int:
    """Return a seat's place in playing order from the opener."""
    return 0 if seat == match.opener else playing_order(match).index(seat or 0)


def _said(rules: BluffRules, place: int) -> SeatAction:
    """Return the action that announces ``place`` for dice that show no less."""
    shows = place == TOP and rules.customs.meiern
    return ShowMaexchen() if shows else Announce(RANKING[place])


def _shares(*ways: tuple[SeatAction, float]) -> dict[SeatAction, float]:
    shares: dict[SeatAction, float] = {}
    for action, share in ways:
        if share > 1e-15:
            shares[action] = shares.get(action, 0.0) + share
    return shares


Belief = tuple[tuple[State, float], ...]
"""Positions that look alike to a player, with their chances, which add up to 1."""


def followed(play: Equilibrium, belief: Belief, action: SeatAction) -> Belief:
    """Return the belief after an action that is neither a roll nor lays dice open."""
    if type(action) is Announce and _could_look(belief[0][0]):
        belief = tuple((after(state, Look()), chance) for state, chance in belief)
    right = Announce(action.value) if type(action) is Announce else action
    shared = [(state, chance * play(known(state)).get(right, 0.0)) for state, chance in belief]
    total = sum(chance for _, chance in shared)
    if total:
        told = [(state, chance / total) for state, chance in shared if chance]
    else:
        told = _surprised(play, belief, action)
    return tuple((after(state, action), chance) for state, chance in told)


def _could_look(state: State) -> bool:
    match = state.match
    return match.phase is THROWN and not match.seen and match.rolls <= match.rules.looks


def _surprised(play: Equilibrium, belief: Belief, action: SeatAction) -> list[tuple[State, float]]:
    """Return the belief about an action that the book never does."""
    match = belief[0][0].match
    if type(action) is not Announce or match.phase is not THROWN or match.rolls > match.rules.looks:
        return list(belief)
    lies, place = _lies(play, belief[0][0], action), PLACE[action.value]
    exact = match.rules.understating == "lie"
    sides: tuple[list[tuple[State, float]], ...] = ([], [])
    for state, chance in belief:
        assert state.match.dice is not None, "all dice are known here"
        rolled = PLACE[value_of(state.match.dice)]
        if rolled == place:
            sides[0].append((state, chance))
        elif exact or rolled < place:
            sides[1].append((state, chance))
    told = []
    for side, share in zip(sides, (1 - lies, lies)):
        whole = sum(chance for _, chance in side)
        told += [(state, share * chance / whole) for state, chance in side if share]
    return told or list(belief)


def _lies(play: Equilibrium, state: State, action: Announce) -> float:
    """Return the share of lies, 0 to 1, among announcements that the book never makes."""
    offered = after(state, action)
    match, solved = offered.match, play.solved
    if match.round != state.match.round or match.announced is None or match.announcer is None:
        return 0.0  # it was a fault
    doubt, _ = play.answer(known(offered)._replace(own=None))
    if not doubt:
        return 0.0
    player, place = playing_order(match).index(match.announcer), PLACE[match.announced]
    lie, truth = (solved.prices.doubted(player, payer, place, place * payer)[1] for payer in (0, 1))
    believed = shifted(solved.believed(player + 1, place), -1)[1]
    return min(1.0, max(0.0, believed - truth) / (lie - truth)) if lie > truth else 0.0
