"""An announcement and its variants: with air, drawn out, in a direction."""

from typing import cast

from game import AnyMatch, legal_actions
from game.actions import Announce, Say, SeatAction


def variants(match: AnyMatch, said: Announce | Say) -> tuple[Announce | Say, ...]:
    """Return the legal announcements with the value or words of ``said``, the plain one first."""
    kind, name = type(said), "value" if isinstance(said, Announce) else "words"
    wanted = getattr(said, name)
    return tuple(
        action
        for action in cast(tuple[Announce | Say, ...], legal_actions(match))
        if type(action) is kind and getattr(action, name) == wanted
    )


def plain(action: SeatAction) -> SeatAction:
    """Return an announcement without its additions; any other action as it is."""
    match action:
        case Announce(value):
            return Announce(value)
        case Say(words):
            return Say(words)
        case _:
            return action
