"""Answers to an offered cup, and the contents that the log allows in a cup.

A seat takes a cup only if its contents are possible. With other dice than the log allows, no later
action could be judged.
"""

from firmware.table.protocol.contents import Contents
from firmware.table.protocol.cup_messages import CupAnswer
from game import AnyMatch, Phase, hides_dice, illegality
from game.actions import Action, Believe, Doubt, GiveIn, Lift, Refuse

_DICE = 2
_ANSWERS: dict[CupAnswer, Action] = {
    CupAnswer.BELIEVE: Believe(),
    CupAnswer.DOUBT: Doubt(),
    CupAnswer.GIVE_IN: GiveIn(),
    CupAnswer.REFUSE: Refuse(),
}
_CHOICES = {type(action): choice for choice, action in _ANSWERS.items()}


def choice_of(answer: Action) -> CupAnswer:
    """Return the choice for an answer.

    Raises:
        KeyError: the action is no answer to an offer.
    """
    return _CHOICES[type(answer)]


def answer_of(choice: CupAnswer) -> Action | None:
    """Return the action of a choice; None if there was nothing to answer."""
    return _ANSWERS.get(choice)


def is_offered(match: AnyMatch, seat: int) -> bool:
    """Return whether ``seat`` has to answer, by the log."""
    return match.to_act == seat and match.phase is Phase.OFFERED


def can_be(match: AnyMatch, seat: int, choice: CupAnswer, contents: Contents) -> bool:
    """Return whether ``seat`` can get a cup with these contents, after this answer for it.

    Covered dice lie in an offered cup, and in one that has to be lifted again (R-HF-8). Every other
    cup comes empty. Dice that were thrown here must come back unchanged.
    """
    dice, tower, answer = contents.dice, contents.tower, answer_of(choice)
    if answer is None:
        if match.to_act != seat or match.phase is Phase.OFFERED:
            return False
        to_lift = match.phase is Phase.DOUBTED
        return illegality(match, Lift(dice, tower)) is None if to_lift else not dice
    if not (hides_dice(match) and is_offered(match, seat) and len(dice) == _DICE):
        return False
    if illegality(match, answer) is not None or (tower and not match.rules.tower_one_in):
        return False
    return match.dice is None or (match.dice, match.tower) == (dice, tower)
