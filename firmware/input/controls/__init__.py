"""Controls of a hand: a dial by tilting, a pad by touching, a question with answers. Pure.

The dial is the list of actions possible now. A tilt moves its highlight, and may say no. Entries
stand on both sides of a neutral one, on which the dial opens, so that a stray tap does nothing. A
tap does the entries on the right, a hold those on the left. The list has ends; it does not wrap
around. Lowering the right edge of the handheld moves the highlight to the right.

Numbers without a source are chosen.

May import: input.gestures, display.screens, display.text, game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Generic, NamedTuple, TypeVar, cast

from firmware.display.screens import DialStrip, Item, QuestionPage
from firmware.display.text.labels import Text
from firmware.input.gestures import HOLD_US, Gesture, Held, Pose, Pressed, Released, Tap
from game import AnyMatch, legal_actions
from game.actions import Action, Announce, FaultKind, Say, SeatAction


class LocalChoice(Enum):
    """Choices that are no actions of the rules and have no value."""

    GO_ON = auto()
    """Hand the cup to the seat that must act next."""
    SHOW_THROW = auto()
    """Show on the own display the open throw that lies under the cup, as a lift does."""
    MORE = auto()
    """Open the menu: the standings, the help, and the early ends of a match."""
    BACK = auto()
    """Leave a second dial and go back to the first one."""
    SCORES = auto()
    """Show the standings."""
    HELP = auto()
    """Show the rules of the game as they are played here."""
    HINT = auto()
    """Show a practising player what the solved game would do now."""
    LOUDER = auto()
    """Change the volume of sounds: one louder, and from the loudest to none."""
    FORGET_TABLE = auto()
    """Leave this table for the lobby, whatever happens to its match."""


@dataclass(frozen=True, slots=True)
class Die:
    """Change the draft of die ``place`` of the last throw, from 0 (T-2, T-3)."""

    place: int


@dataclass(frozen=True, slots=True)
class PageNumber:
    """A page of the help, from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class Without:
    """Vote for going on without ``seat``, whose handheld is gone for good (B-10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pick:
    """Entry ``number`` of a question of the lobby: 1, 2, … to the right, -1, -2, … to the left."""

    number: int


Choice = Action | LocalChoice | Die | PageNumber | Without | Pick


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


HOLD_STEPS = 4
"""The bar of a hold moves in so many steps."""
ARMED_AFTER_US = 800_000
"""An offer can be answered once it has stood this long and the pad was free."""


class Pad:
    """The finger, and the offer it may answer. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.pressed_us: int | None = None
        """When the finger that is on the pad came down; None while it is free."""
        self.armed = False
        """Whether the offer on the display can be answered now."""
        self._was_free = True
        self._offer_since_us: int | None = None

    def press(self, now_us: int) -> None:
        """Begin a hold: a finger comes down."""
        self.pressed_us = now_us

    def release(self) -> None:
        """End a hold: the finger leaves, and an offer may be answered from now on."""
        self.pressed_us = None
        self._was_free = True

    def progress(self, now_us: int) -> float | None:
        """Return how far a hold has come: 0, 0.25 … 1; None while the pad is free."""
        if self.pressed_us is None:
            return None
        held_us = min(now_us - self.pressed_us, HOLD_US)
        return held_us * HOLD_STEPS // HOLD_US / HOLD_STEPS

    def next_step_us(self, now_us: int) -> int | None:
        """Return when ``progress`` changes next; None if it will not."""
        if self.pressed_us is None or self.progress(now_us) == 1.0:
            return None
        done = (now_us - self.pressed_us) * HOLD_STEPS // HOLD_US
        return self.pressed_us + -(-(done + 1) * HOLD_US // HOLD_STEPS)

    def begin(self, now_us: int, *, offer: bool) -> None:
        """Begin anew, unarmed: another offer stands on the display (``offer``), or none.

        A finger that is on the pad now has to leave it before the offer can be answered.
        """
        self._offer_since_us = now_us if offer else None
        self.armed = False
        self._was_free = self.pressed_us is None

    def tick(self, now_us: int, *, hidden: bool) -> None:
        """Arm the offer when its time has come; while it is hidden, its time does not run."""
        since_us = self._offer_since_us
        if since_us is None:
            return
        if hidden:
            self._offer_since_us = now_us
            self.armed = False
        elif self._was_free:
            self.armed = self.armed or since_us + ARMED_AFTER_US <= now_us

    @property
    def armed_us(self) -> int | None:
        """When the offer can be answered; None if it can already, or there is none."""
        if self._offer_since_us is None or self.armed or not self._was_free:
            return None
        return self._offer_since_us + ARMED_AFTER_US


C_co = TypeVar("C_co", covariant=True)
C = TypeVar("C")


class DialAnswer(NamedTuple, Generic[C_co]):
    """An answer: its label on the dial, and the value that it stands for.

    ``holds``: it is chosen by a hold, not by a tap.
    """

    item: Item
    choice: C_co
    holds: bool = False


class DialQuestion(NamedTuple, Generic[C_co]):
    """A question and its answers.

    Attributes:
        title: the first line of the page.
        right, left: the answers on either side of the neutral entry, nearest first.
        lines: below the title.
        about: the key of an explanation instead of them; None for none.
        hint: the last line; None for the usual hint of a dial.
    """

    title: Item
    right: Sequence[DialAnswer[C_co]] = ()
    left: Sequence[DialAnswer[C_co]] = ()
    lines: tuple[Item, ...] = ()
    about: str | None = None
    hint: Text | None = None


class QuestionDial(Generic[C]):
    """The question on the display, with the dial and the pad that answer it."""

    def __init__(self) -> None:
        self.dial: Dial | None = None
        self.pad = Pad()
        self._question: DialQuestion[C] | None = None
        self._key: object = None
        self._answers: dict[Pick, DialAnswer[C]] = {}

    @property
    def place(self) -> int:
        """The place of the highlight: 1, 2, … right of the neutral entry, -1, … left of it."""
        return 0 if self.dial is None else self.dial.index - self.dial.neutral_index

    @property
    def key(self) -> object:
        """The key that ``ask`` was given; None while nothing is asked."""
        return self._key

    @property
    def holds(self) -> bool:
        """Whether the highlighted answer wants a hold."""
        return self.dial is not None and self.dial.entry.holds

    def next_timer_us(self, now_us: int) -> int | None:
        """Return when the bar of a hold moves on, in µs; None while there is none."""
        return self.pad.next_step_us(now_us) if self.holds else None

    def ask(self, key: object, question: DialQuestion[C] | None, now_us: int) -> None:
        """Ask ``question``, or nothing (None). The same ``key`` again may have other answers.

        The highlight stays in its place while the number of answers stays the same. Otherwise it
        stays with its answer; if that is gone, it moves to the neutral entry. A tap thus never does
        what was not highlighted before.
        """
        self._question = question
        if question is None:
            self.dial = self._key = None
            return
        left = {Pick(-at): each for at, each in enumerate(question.left, start=1)}
        right = {Pick(at): each for at, each in enumerate(question.right, start=1)}
        before = self._highlighted
        self._answers = left | right
        dial = Dial(
            tuple(Entry(pick, each.holds) for pick, each in left.items()),
            tuple(Entry(pick, each.holds) for pick, each in right.items()),
            now_us,
        )
        if self.dial is None or key != self._key:
            self.dial, self._key = dial, key
        elif dial.entries != self.dial.entries:
            pick = None if before is None else self.pick(before.item)
            self.dial.entries, self.dial.neutral_index = dial.entries, dial.neutral_index
            index = None if pick is None else dial.index_of(pick)
            self.dial.index = dial.neutral_index if index is None else index

    def pick(self, item: Item) -> Pick | None:
        """Return the entry with the label ``item``; None if none has it."""
        answers = self._answers.items()
        return next((pick for pick, each in answers if each.item == item), None)

    def move(self, entries: int) -> None:
        """Move the highlight ``entries`` to the right, within the dial."""
        if self.dial is not None:
            self.dial.index = min(max(self.dial.index + entries, 0), len(self.dial.entries) - 1)

    def handle(self, gesture: Gesture, now_us: int, *, attends: bool = True) -> C | None:
        """Follow a gesture; return the value of the answer it chose, None if none.

        ``attends`` False means that something hides the question, and nothing can be chosen.
        """
        chosen = None
        match gesture:
            case Pressed():
                self.pad.press(now_us)
            case Held() if attends and self.holds:
                chosen = self._highlighted
            case Tap():
                self.pad.release()
                if attends and not self.holds:
                    chosen = self._highlighted
            case Released():
                self.pad.release()
            case Pose() if attends and self.dial is not None:
                self.dial.tilt(gesture, self.pad.pressed_us is not None)
            case _:
                pass
        return None if chosen is None else chosen.choice

    def screen(self, now_us: int) -> QuestionPage:
        """Return the page of the question, which there must be."""
        question, dial = self._question, self.dial
        assert question is not None, "something is asked"
        assert dial is not None, "what is asked has a dial"
        strip = dial.view.strip(self._word, self.pad.progress(now_us) if self.holds else None)
        return QuestionPage(
            question.title, question.lines, question.about, dial=strip, hint=question.hint
        )

    def _word(self, entry: Entry) -> Item:
        choice = entry.choice
        return self._answers[choice].item if isinstance(choice, Pick) else Text.NEUTRAL

    @property
    def _highlighted(self) -> DialAnswer[C] | None:
        """The answer under the highlight; None where that is on no answer."""
        choice = None if self.dial is None else self.dial.entry.choice
        return self._answers.get(choice) if isinstance(choice, Pick) else None
