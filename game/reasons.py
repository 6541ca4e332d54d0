"""Why an action is not possible: every reason cites its rule."""

from enum import Enum

from game.actions import Action


class Reason(Enum):
    """Why an action is refused. ``rule`` is the rule's id, ``sentence`` says it in words."""

    MATCH_OVER = ("B-8", "the match is over")
    NOT_IN_THIS_GAME = ("B-1", "this game has no such action")
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
    NO_ROLL_LEFT = ("R-CLASS-4", "the holder has used up his rolls")
    NOT_ROLLED = ("R-CLASS-5", "the cup holds another's roll, it takes a roll of one's own")
    BLIND = ("R-CLASS-4", "this roll is passed on blind, only the first may be looked at")
    ALREADY_SEEN = ("R-CLASS-4", "this roll has been looked at")
    NOT_SEEN = ("R-CLASS-6", "only a Mäxchen that was seen can be shown")
    NO_MAEXCHEN = ("R-CLASS-6", "the dice are no Mäxchen")
    MAEXCHEN_STANDS = ("R-CLASS-7", "an announced Mäxchen cannot be believed")
    NO_MAEXCHEN_STANDS = ("R-CLASS-7", "one gives in only to an announced Mäxchen")
    NOTHING_STANDS = ("R-CLASS-10", "no announcement stands that would have to be beaten")
    HAS_AN_END = ("B-8", "this match has an end of its own")
    NOT_BETWEEN_ROUNDS = ("B-8", "a match is ended between two rounds")
    NOT_AT_THE_TABLE = ("B-10", "nobody who is still in has this seat")
    NO_ROUND = ("B-10", "no round has been opened that could be voided")

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
