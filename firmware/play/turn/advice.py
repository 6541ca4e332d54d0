"""The alerts for a refused gesture, and for the wishes of players."""

from firmware.display.text.alerts import Alert
from firmware.play.turn.draft import Draft, keep_of
from game import AnyMatch, Phase, hides_dice
from game.actions import Action, Fault, Leave, StopMatch, VoidRound

WISHED: dict[type[Action], Alert] = {
    Leave: Alert.LEAVING,
    VoidRound: Alert.WISHED,
    StopMatch: Alert.WISHED,
    Fault: Alert.WISHED,
}
"""The alert for the player with the wish: only the holder of the cup can enter it (B-10)."""

WISH_OF: dict[type[Action], Alert] = {
    VoidRound: Alert.WISHES_TO_VOID,
    StopMatch: Alert.WISHES_TO_STOP,
    Fault: Alert.WISHES_MISTAKE,
}
"""The alert for the others, with the player's name (a fault: the offender's); ``Leave`` has
none."""

_NOTHING_TO_SEE = (Phase.OPENING, Phase.ROLL_AGAIN, Phase.ROLL_OFF, Phase.TO_THROW, Phase.LEVELLING)


def look_refused(match: AnyMatch) -> Alert:
    """Return why a lift shows nothing, for a seat that may not look."""
    return Alert.THROW_FIRST if match.phase in _NOTHING_TO_SEE else Alert.NO_LOOK


def throw_refused(match: AnyMatch, draft: Draft) -> Alert:
    """Return why a shake or a hold does not throw, for a seat that ``can_throw`` denies it."""
    if hides_dice(match) or match.phase is not Phase.THROWN:
        return Alert.NO_THROW
    keep = keep_of(match, draft)
    if keep is None:
        return Alert.NO_BONUS
    everything = len(keep.aside) + keep.turned == len(draft)
    return Alert.THROW_ALL_ASIDE if everything else Alert.NOT_THESE_DICE
