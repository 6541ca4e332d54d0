"""Why an action is not possible: every reason cites its rule. Checks of all families begin here."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from game.actions import Action, Leave, StopMatch
from game.status import AWAY, OVER, Phase


class Reason(Enum):
    """The reason of a refusal. ``rule`` is the rule's id, ``sentence`` the reason in words."""

    MATCH_OVER = ("B-8", "the match is over")
    NOT_IN_THIS_GAME = ("B-1", "this game has no such action")
    NOT_WHOLE_NUMBERS = ("B-1", "dice, values and numbers of dice are whole numbers")
    NO_SUCH_DICE = ("V-1", "two dice of 1 to 6 are needed")
    NO_SUCH_VALUE = ("V-2", "no two dice have this value")
    CUP_EMPTY = ("B-6", "the cup is empty, its opener must roll")
    ANSWER_DUE = ("B-2", "the cup is offered, it has to be answered first")
    NOTHING_OFFERED = ("B-2", "no cup is offered, there is nothing to answer")
    LIFT_DUE = ("B-2", "the announcement is doubted, the cup has to be lifted")
    NOTHING_DOUBTED = ("B-2", "a cup is lifted only after a doubt")
    TOO_LOW = ("B-3", "an announcement must beat the one that stands")
    DICE_NEEDED = ("B-4", "the dice are not known here, a lift must say what it showed")
    OTHER_DICE = ("B-4", "these are not the dice that were rolled")
    NO_ROLL_LEFT = ("B-1", "the holder has used up his rolls")
    NOT_ROLLED = ("B-7", "the cup holds another's roll, it takes a roll of one's own")
    BLIND = ("B-1", "this roll is passed on blind, it may not be looked at")
    ALREADY_SEEN = ("B-1", "this roll has been looked at")
    NOT_SEEN = ("R-CLASS-6", "only a Mäxchen that was seen can be shown")
    NO_MAEXCHEN = ("R-CLASS-6", "the dice are no Mäxchen")
    MAEXCHEN_STANDS = ("R-CLASS-7", "an announced Mäxchen cannot be believed")
    NO_MAEXCHEN_STANDS = ("R-CLASS-7", "one gives in only to an announced Mäxchen")
    NOTHING_STANDS = ("R-CLASS-10", "no announcement stands that would have to be beaten")
    ONE_ROLL = ("R-PHYS-1", "who opens a round rolls once")
    MUST_ROLL = ("R-PHYS-3", "over a Mäxchen one has to roll")
    NO_SUCH_FLOURISH = ("R-PHYS-6", "this game knows no such addition to an announcement")
    NO_SUCH_FAULT = ("R-PHYS-7", "this game knows no such fault")
    EMPTY_CUP = ("R-HF-5", "an empty cup knows no faults")
    NOT_THE_HOLDER = ("R-HF-5", "this seat does not have the cup")
    NOT_PASSED = ("R-HF-5", "dice are moved in passing only while the cup is on offer")
    MAY_LOOK = ("R-HF-1", "this roll may be looked at, which is no fault")
    NO_WRONG_WAY = ("R-HF-5", "there is no wrong direction to pass the cup")
    RIGHT_WAY = ("R-HF-5", "only a cup that came the wrong way can be refused")
    NO_SUCH_TOWER = ("R-HF-8", "a tower needs two known dice and a game that knows towers")
    NO_TOWER = ("R-HF-8", "only a tower that was seen can be shown")
    ROLL_DUE = ("R-HF-8", "the dice of a tower are void, they have to be rolled again")
    NO_WORDS = ("R-HF-9", "this game knows no announcement in such words")
    HAS_AN_END = ("B-8", "this match has an end of its own")
    NOT_BETWEEN_ROUNDS = ("B-8", "a match is ended between two rounds")
    NOT_AT_THE_TABLE = ("B-10", "nobody who is still in has this seat")
    NO_ROUND = ("B-10", "no round has been opened that could be voided")

    THROW_DUE = ("T-1", "a throw is due")
    NO_THROW_LEFT = ("T-1", "the throws are used up")
    NOT_THE_DICE_IN_PLAY = ("T-2", "exactly the dice not set aside are thrown, 1 to 6 each")
    NOTHING_ASIDE = ("T-2", "no die is set aside, to throw all of them again is a roll")
    NOT_THESE_DICE = ("T-2", "what is set aside are dice of the last throw, named high to low")
    ALL_ASIDE = ("T-2", "at least one die is thrown, to set all of them aside is to stop")
    NO_TURN = ("T-3", "of two sixes of the last throw one can be turned, of three sixes two")
    OTHER_SIX = ("T-3", "the six that is not turned has to be thrown again")
    NO_BONUS = ("T-4", "after the third throw only turned sixes bring another one")
    ONLY_ONES = ("T-4", "for a bonus throw every die set aside has to be a one")
    COVERED = ("T-5", "the covered dice have to be lifted first")
    NOTHING_COVERED = ("T-5", "no covered dice are to be lifted now")
    COVERED_UNKNOWN = ("T-5", "the covered dice are not known here, a lift must say what it showed")
    OTHER_COVERED = ("T-5", "these are not the dice that were thrown")
    THROWN_OPENLY = ("T-5", "this throw lies open, it must say what fell")
    LEVELLING_DUE = ("R-CHI-4", "first a coaster is given, or none")
    NOT_LEVELLING = ("R-CHI-4", "a coaster is given only before phase two")
    NOT_WITH_ONE = ("R-CHI-4", "a coaster is given to a player with exactly one")
    NOT_ALL_DICE = ("S-1", "all six dice are thrown, seven with seven_dice, 1 to 6 each")
    THROWN_BEFORE_ALL = ("S-2", "all throws lie open, a throw must say what fell")
    FIRST_THROW_DUE = ("S-2", "everybody throws at least once")

    def __init__(self, rule: str, sentence: str) -> None:
        self.rule = rule
        self.sentence = sentence


class IllegalAction(Exception):  # noqa: N818 - it names what was tried, as callers read it
    """An action the rules refuse; the match is untouched. Carries ``reason`` and ``action``."""

    def __init__(self, reason: Reason, action: Action) -> None:
        super().__init__(reason, action)
        self.reason = reason
        self.action = action

    def __str__(self) -> str:
        return f"{self.action} is not possible: {self.reason.sentence} ({self.reason.rule})"


Refusals = Mapping[Phase, Reason]
"""Why an action is refused in a phase; a phase that is missing allows it."""
Check = Callable[[Any, Any], Reason | None]
"""Takes a match and an action; returns why it is not possible now, or None if it is."""


def outside(phases: tuple[Phase, ...], due: Refusals, others: Reason | None = None) -> Refusals:
    """Return why an action of some ``phases`` is refused in the others.

    ``due`` has the reason of each phase that waits for another action, and ``others`` is the reason
    of the rest.
    """
    reasons = {phase: due.get(phase, others) for phase in Phase if phase not in phases}
    return {phase: reason for phase, reason in reasons.items() if reason is not None}


def checked(refusals: Refusals, check: Check | None = None, option: str = "") -> Check:
    """Return the check of an action: its game has the ``option``, and its phase allows it.

    ``check`` is asked after that; None asks nothing more.
    """

    def in_phase(match: Any, action: Any) -> Reason | None:
        return refusals.get(match.phase) or (check(match, action) if check else None)

    def in_game(match: Any, action: Any) -> Reason | None:
        has = getattr(match.rules, option)
        return in_phase(match, action) if has else Reason.NOT_IN_THIS_GAME

    return in_game if option else in_phase


def not_at_the_table(match: Any, action: Any) -> Reason | None:
    """Check that the seat that an action names is in the match."""
    seat, status = action.seat, match.status
    there = type(seat) is int and 0 <= seat < len(status) and status[seat] not in AWAY
    return None if there else Reason.NOT_AT_THE_TABLE


IF_OVER: Refusals = {OVER: Reason.MATCH_OVER}
TABLE_CHECKS: Mapping[type, Check] = {
    Leave: checked(IF_OVER, not_at_the_table),
    StopMatch: checked(IF_OVER),
}
"""By action of the table in every game: its check (B-10)."""
