"""An open throw, and a player's plan for its dice before it is carried out (T-2, T-3).

The dial changes a draft die by die; the next throw, or stopping, carries it out. A draft has a
state for every die of the last throw, in the order of the match.
"""

from typing import NamedTuple

from firmware.display.screens import DieState
from game import AnyMatch, Phase, illegality, keeps_dice, legal_actions
from game.actions import Keep, Roll
from game.dice import Dice

Draft = tuple[DieState, ...]
"""One state for each die of the last throw; empty where none can be set aside."""

_SIX = 6


class Thrown(NamedTuple):
    """An open throw of seat ``seat``.

    ``dice`` are those of the throw, ``aside`` those set aside before. It was the ``number``-th of
    the round (from 1), of at most ``limit``; ``for_the_lead``: it only decides who leads.
    """

    seat: int
    dice: Dice
    aside: Dice
    number: int
    limit: int
    for_the_lead: bool


def new_draft(match: AnyMatch) -> Draft:
    """Return the draft that changes nothing; empty where no dice can be set aside."""
    if not keeps_dice(match) or match.phase is not Phase.THROWN:
        return ()
    return (DieState.IN_PLAY,) * len(match.dice or ())


def changed(match: AnyMatch, draft: Draft, place: int) -> Draft:
    """Return the draft with die ``place`` (from 0) in its next state: in play, aside, turned.

    States that no legal ``Keep`` has for this die are skipped. The draft as a whole may be illegal
    (``can_throw``): a legal one may be reached only through others.
    """
    assert match.dice is not None, "dice have been thrown"
    states = [DieState.IN_PLAY]
    keeps = [action for action in legal_actions(match) if isinstance(action, Keep)]
    if any(match.dice[place] in keep.aside for keep in keeps):
        states.append(DieState.ASIDE)
    if match.dice[place] == _SIX and any(keep.turned for keep in keeps):
        states.append(DieState.TURNED)
    following = states[(states.index(draft[place]) + 1) % len(states)]
    return (*draft[:place], following, *draft[place + 1 :])


def keep_of(match: AnyMatch, draft: Draft) -> Keep | None:
    """Return the ``Keep`` of a draft, high to low; None where it leaves all dice in play."""
    if not keeps_dice(match) or match.dice is None:
        return None
    aside = sorted(
        (die for die, state in zip(match.dice, draft) if state is DieState.ASIDE), reverse=True
    )
    turned = draft.count(DieState.TURNED)
    return Keep(tuple(aside), turned) if aside or turned else None


def can_throw(match: AnyMatch, draft: Draft) -> bool:
    """Return whether the seat that is to act may throw now, with the dice the draft sets aside."""
    keep = keep_of(match, draft)
    return illegality(match, Roll() if keep is None else keep) is None


def drafted(dice: Dice, keep: Keep) -> Draft:
    """Return the draft of ``dice`` that sets aside and turns the dice of ``keep``."""
    aside, turned = list(keep.aside), keep.turned
    states: list[DieState] = []
    for die in dice:
        if die in aside:
            aside.remove(die)
            states.append(DieState.ASIDE)
        elif die == _SIX and turned:
            turned -= 1
            states.append(DieState.TURNED)
        else:
            states.append(DieState.IN_PLAY)
    return tuple(states)
