"""Gestures, as the recognizer returns them. Times in µs on the handheld's clock."""

from typing import NamedTuple


class Shaking(NamedTuple):
    """A shake is under way: ``vigorous_us`` of it so far were vigorous. Sent about every 100 ms."""

    t_us: int
    vigorous_us: int


class Shaken(NamedTuple):
    """A shake has come to rest. It was vigorous for ``vigorous_us`` (at least a first throw's)."""

    t_us: int
    vigorous_us: int


class ShakeEnded(NamedTuple):
    """A shake that is no throw: too short, never at rest, or begun with the sensor uncovered.

    ``uncovered`` is True in the last case, so that the display can ask for the cup to be closed.
    """

    t_us: int
    uncovered: bool


class Lifted(NamedTuple):
    """The cup went from covered to light. Sent once per edge."""

    t_us: int


class Covered(NamedTuple):
    """The cup is closed: dark for 100 ms, or dark when the handheld woke."""

    t_us: int


class TooDark(NamedTuple):
    """The room has become too dark to tell a lifted cup (``too_dark``), or bright enough again."""

    t_us: int
    too_dark: bool


class Pressed(NamedTuple):
    """A finger came down on a still handheld. Tap, Held or Released follows."""

    t_us: int


class Tap(NamedTuple):
    """A finger came down and left within 0.5 s."""

    t_us: int


class Held(NamedTuple):
    """A finger has stayed for 0.8 s; sent while it is still down."""

    t_us: int


class Released(NamedTuple):
    """A finger left without a tap: after a hold, between 0.5 and 0.8 s, or a void grip."""

    t_us: int


class Pose(NamedTuple):
    """The pose of the handheld, sent about every 100 ms.

    ``roll_deg`` grows when the right edge goes down, ``pitch_deg`` when the far edge goes down.
    Both are within ±90, from the mean acceleration of the last 0.1 s. The sensor's axes are x to
    the right, y to the far edge, z up out of the display. A handheld lying flat reads +1 g on z,
    and lowering the right edge makes x negative. ``still`` is False in motion.
    """

    t_us: int
    roll_deg: float
    pitch_deg: float
    still: bool


class Dropped(NamedTuple):
    """Free fall of 180 ms or more and an impact over 3 g within 0.5 s."""

    t_us: int


Gesture = (
    Shaking
    | Shaken
    | ShakeEnded
    | Lifted
    | Covered
    | TooDark
    | Pressed
    | Tap
    | Held
    | Released
    | Pose
    | Dropped
)
