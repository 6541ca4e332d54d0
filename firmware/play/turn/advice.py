"""What the display says when something cannot be done, or was said to the others."""

from firmware.display.text.alerts import Message
from firmware.effects.effects import Part
from firmware.play.turn.draft import Draft, keep_of
from game import AnyMatch, Match, Phase
from game.actions import Action, Leave, StopMatch, VoidRound

MISSING: dict[Part, Message] = {
    Part.ACCELEROMETER: Message.ACCELEROMETER,
    Part.PANEL: Message.DISPLAY,
    Part.LIGHT: Message.LIGHT_SENSOR,
}
"""What is said of a part that does not answer."""

WISHED: dict[type[Action], Message] = {
    Leave: Message.LEAVING,
    VoidRound: Message.WISHED,
    StopMatch: Message.WISHED,
}
"""What is said to who wishes for something that only the holder of the cup can enter (B-10)."""

WISH_OF: dict[type[Action], Message] = {
    VoidRound: Message.WISHES_TO_VOID,
    StopMatch: Message.WISHES_TO_STOP,
}
"""What is said to the others of it."""

_NOTHING_TO_SEE = (
    Phase.OPENING,
    Phase.ROLL_AGAIN,
    Phase.ROLL_OFF,
    Phase.TO_THROW,
    Phase.LEVELLING,
)


def look_refused(match: AnyMatch) -> Message:
    """Why a lift shows nothing."""
    return Message.THROW_FIRST if match.phase in _NOTHING_TO_SEE else Message.NO_LOOK


def throw_refused(match: AnyMatch, draft: Draft) -> Message:
    """Why a shake, or a hold, does not throw."""
    if isinstance(match, Match) or match.phase is not Phase.THROWN:
        return Message.NO_THROW
    keep = keep_of(match, draft)
    if keep is None:
        return Message.NO_BONUS
    everything = len(keep.aside) + keep.turned == len(draft)
    return Message.THROW_ALL_ASIDE if everything else Message.NOT_THESE_DICE
