"""The dial: the list of actions possible now. A tilt moves its highlight, and may say no.

Entries stand on both sides of a neutral one, on which the dial opens, so that a stray tap does
nothing. A tap does the entries on the right, a hold those on the left. The list has ends; it does
not wrap around. Lowering the right edge of the handheld moves the highlight to the right.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

from firmware.display.screens import DialStrip, Item
from firmware.input.gestures.gesture import Pose
from game import AnyMatch, legal_actions
from game.actions import Action, Announce, FaultKind, Say, SeatAction


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


NEUTRAL_REST_US = 390_000
"""The neutral pose is the mean pose of this much rest after the dial has opened. By any
accelerometer's clock that is two poses of a slow sensor, five of a quick one …"""
NEUTRAL_SPREAD_DEG = 6.0
"""… in which no two poses differ by more than this: a tilt under way is no rest."""
RECENTRE_US = 1_200_000
"""A pose held for this long that moves nothing becomes the neutral one. The first rest of a dial
takes as long if it is further than `ON_DEG` from the pose of the last dial: most likely, that is a
tilt which began too early."""
ASTRAY_DEG = 65.0
"""Nobody holds a handheld this far from the neutral pose at an end of the list: it lay or leant
when the neutral pose was found. The pose that is held becomes the neutral one."""
ON_DEG = 20.0
"""A tilt begins to move the highlight at this angle from the neutral pose …"""
OFF_DEG = 12.0
"""… and stops below this one."""
STEP_US = ((50.0, 100_000), (35.0, 220_000), (0.0, 400_000))
"""Time between two steps from each angle on: steeper is faster. Poses arrive every 100 ms."""


class Entry(NamedTuple):
    """One entry of the dial: ``choice`` None is the neutral entry; ``holds``: chosen by a hold."""

    choice: Choice | None
    holds: bool = False


NEUTRAL = Entry(None)


@dataclass(frozen=True, slots=True)
class DialView:
    """The entries of a dial, from left to right, and the index of the highlighted one, from 0."""

    entries: tuple[Entry, ...]
    index: int

    @property
    def entry(self) -> Entry:
        """The highlighted entry."""
        return self.entries[self.index]

    def strip(self, word: Callable[[Entry], Item], progress: float | None) -> DialStrip:
        """Return the dial as it is drawn.

        Args:
            word: returns the label of an entry.
            progress: how far a hold has come, 0 to 1; None while the pad is free.
        """
        entries, at = self.entries, self.index
        return DialStrip(
            previous=word(entries[at - 1]) if at > 0 else None,
            current=word(self.entry),
            following=word(entries[at + 1]) if at + 1 < len(entries) else None,
            index=at,
            count=len(entries),
            holds=self.entry.holds,
            progress=progress,
        )


class Dial:
    """The highlight on a list of entries, moved by poses.

    Args:
        held: entries that a hold chooses, nearest to the neutral one first.
        tapped: entries that a tap chooses, nearest to the neutral one first.
        now_us: when the dial opened.
        level_deg: the neutral pose of the dial before, None if there was none.
    """

    def __init__(
        self,
        held: tuple[Entry, ...],
        tapped: tuple[Entry, ...],
        now_us: int,
        level_deg: float | None = None,
    ) -> None:
        self.entries: tuple[Entry, ...] = (*reversed(held), NEUTRAL, *tapped)
        self.neutral_index = len(held)
        self.index = self.neutral_index
        self.follows = True
        """Whether the neutral pose follows a hand that rests elsewhere; else the first one
        stays."""
        self._level_deg = level_deg
        self._rest: list[tuple[int, float]] = []
        self._neutral_deg: float | None = None
        self._direction = 0
        self._stepped_us = now_us

    @property
    def entry(self) -> Entry:
        """The highlighted entry."""
        return self.entries[self.index]

    @property
    def view(self) -> DialView:
        """The dial as it stands now."""
        return DialView(self.entries, self.index)

    @property
    def level_deg(self) -> float | None:
        """The neutral pose; while it is not known, that of the dial before; None for neither."""
        return self._level_deg if self._neutral_deg is None else self._neutral_deg

    def index_of(self, choice: Choice) -> int | None:
        """Return the index in ``entries`` of a choice, None if the dial does not offer it."""
        for index, entry in enumerate(self.entries):
            if entry.choice == choice:
                return index
        return None

    def centre(self) -> None:
        """Go back to the neutral entry; the pose that counts as level stays."""
        self.index = self.neutral_index
        self._direction = 0

    def angle_deg(self, pose: Pose) -> float | None:
        """Return how far a pose is tilted from the neutral one; None while that is not known."""
        return None if self._neutral_deg is None else pose.roll_deg - self._neutral_deg

    def tilt(self, pose: Pose, touched: bool) -> bool:
        """Follow a pose; return True if the highlight moved.

        It does not move while touched, in motion, or before the neutral pose is known (0.4 s of
        rest).
        """
        if touched or not pose.still:
            self._rest.clear()
            return False
        self._follow_rest(pose)
        if self._neutral_deg is None:
            return False
        angle_deg = pose.roll_deg - self._neutral_deg
        steepness_deg = abs(angle_deg)
        direction = 1 if angle_deg > 0 else -1
        if steepness_deg < OFF_DEG or (self._direction and direction != self._direction):
            self._direction = 0
            return False
        if self._direction == 0:
            if steepness_deg < ON_DEG:
                return False
            self._direction = direction
        elif pose.t_us - self._stepped_us < _step_us(steepness_deg):
            return False
        self._stepped_us = pose.t_us
        index = min(max(self.index + self._direction, 0), len(self.entries) - 1)
        moved = index != self.index
        self.index = index
        return moved

    def _follow_rest(self, pose: Pose) -> None:
        """Find the neutral pose, and follow a hand that has come to rest in another one."""
        rest = self._rest
        rest.append((pose.t_us, pose.roll_deg))
        while len(rest) > 1 and pose.t_us - rest[1][0] >= RECENTRE_US:
            rest.pop(0)
        angles_deg = [roll_deg for _, roll_deg in rest]
        if max(angles_deg) - min(angles_deg) > NEUTRAL_SPREAD_DEG:
            del rest[:-1]
            return
        mean_deg = sum(angles_deg) / len(angles_deg)
        far = self._level_deg is not None and abs(mean_deg - self._level_deg) >= ON_DEG
        quick = self._neutral_deg is None and not far
        wanted_us = NEUTRAL_REST_US if quick else RECENTRE_US
        moves = self._direction and not self._is_astray(mean_deg)
        if not moves and (self.follows or quick) and pose.t_us - rest[0][0] >= wanted_us:
            self._neutral_deg = mean_deg

    def _is_astray(self, angle_deg: float) -> bool:
        """Return whether a wrong neutral pose has run the highlight to an end of the list."""
        at_end = self.index in (0, len(self.entries) - 1)
        neutral_deg = self._neutral_deg
        return at_end and neutral_deg is not None and abs(angle_deg - neutral_deg) >= ASTRAY_DEG


def _step_us(steepness_deg: float) -> int:
    return next(step_us for angle_deg, step_us in STEP_US if steepness_deg >= angle_deg)


class Denial:
    """Follows the poses since a question or an announcement was put on the display."""

    def __init__(self) -> None:
        self._levelled = False

    def by(self, dial: Dial, pose: Pose, *, touched: bool) -> bool:
        """Return whether a still pose is `ON_DEG` off the neutral one, after one within `OFF_DEG`.

        False while ``touched``, and while the neutral pose is not known.
        """
        angle_deg = dial.angle_deg(pose)
        if angle_deg is None or touched or not pose.still:
            return False
        self._levelled = self._levelled or abs(angle_deg) < OFF_DEG
        return self._levelled and abs(angle_deg) >= ON_DEG


class FaultPrompt:
    """A question that stands on the display of the player it is about.

    Args:
        kind: the fault that was sensed.
        now_us: when it was asked.
    """

    def __init__(self, kind: FaultKind, now_us: int) -> None:
        self.kind = kind
        self._denial = Denial()
        self._dial = Dial((), (), now_us)
        self._dial.follows = False

    def denied_by(self, pose: Pose, touched: bool) -> bool:
        """Follow a pose; return True if it is a tilt that denies the fault."""
        self._dial.tilt(pose, touched)
        return self._denial.by(self._dial, pose, touched=touched)


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
