"""The choices of the dial beside the actions of the game."""

from dataclasses import dataclass

from game.actions import Action


@dataclass(frozen=True, slots=True)
class Go:
    """Hand the cup to the seat that must act next."""


@dataclass(frozen=True, slots=True)
class ShowThrow:
    """Show on the own display the open throw that lies under the cup, as a lift does."""


@dataclass(frozen=True, slots=True)
class Die:
    """Change the draft of die ``place`` of the last throw, from 0 (T-2, T-3)."""

    place: int


@dataclass(frozen=True, slots=True)
class PageNumber:
    """A page of the help, from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class More:
    """Open the menu: the standings, the help, and the early ends of a match."""


@dataclass(frozen=True, slots=True)
class Back:
    """Leave a second dial and go back to the first one."""


@dataclass(frozen=True, slots=True)
class Without:
    """Vote for going on without ``seat``, whose handheld is gone for good (B-10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forget:
    """Leave this table for the lobby, whatever happens to its match."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Show the standings."""


@dataclass(frozen=True, slots=True)
class Help:
    """Show the rules of the game as they are played here."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Show a practising player what the solved game would do now."""


@dataclass(frozen=True, slots=True)
class Loudness:
    """Change the volume of sounds: one louder, and from the loudest to none."""


@dataclass(frozen=True, slots=True)
class Pick:
    """Entry ``number`` of a question of the lobby: 1, 2, … to the right, -1, -2, … to the left."""

    number: int


Choice = (
    Action
    | Go
    | ShowThrow
    | Die
    | PageNumber
    | More
    | Back
    | Without
    | Forget
    | Scores
    | Help
    | Hint
    | Loudness
    | Pick
)
