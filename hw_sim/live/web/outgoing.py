"""Messages from the table to a page: objects whose ``is`` names their kind.

The table sends only the changed keys of a `TableState` and its seats. Panels are bytes: `PANEL`,
the seat, contrast (0 is dark), and the display's 1024 bytes, page by page.

The standing of a match is as pages get it: all of it is public.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from game import AnyMatch, hides_dice, view
from game.actions import Say
from game.bluff.legality import repeats
from game.coaster.rules import CUP, Kind, chicago_points, kind
from game.dice import Dice, high_to_low
from game.sevens import SEVEN, score
from game.status import Phase, Status, Unit
from hw_sim.live.web.evening_card import EveningCard
from hw_sim.live.web.match_plan import MatchPlan, RoomSettings
from hw_sim.panel.prompts import Prompt
from hw_sim.story.card import Moment

_Worth: TypeAlias = tuple[int, str]
_STANDS = {Status.SWIMS: "swims", Status.OUT: "out", Status.SAFE: "safe", Status.LEFT: "left"}


class Score(msgspec.Struct, frozen=True):
    """A player's standing: matches left, or their count of another unit.

    ``status``: "swims", "out", "safe" or "left" where it is one of these, else "".
    """

    count: int
    unit: Unit
    status: str


class Bid(msgspec.Struct, frozen=True):
    """The last announcement: its seat, its value, and its words if it was said in words.

    ``again``: whoever acts may say it once more.
    """

    value: int
    words: str
    by: int
    again: bool


class ThrowOnTable(msgspec.Struct, frozen=True):
    """Open dice of a seat: those set aside, those of the last throw, and what they are worth.

    ``dice`` are empty while a throw is due, and while they are covered. ``worth`` is a sum, points,
    or the highest die of a Max, and None where dice are missing or covered; ``kind`` is that of a
    throw of ``maxen``, else empty.
    """

    seat: int
    aside: Dice
    dice: Dice
    worth: int | None
    kind: str = ""


class DiceOnTable(msgspec.Struct, frozen=True):
    """The open dice: the throw of the seat to act, and the finished ones of the round in order.

    ``number`` of at most ``limit`` throws; ``pile``: coasters not dealt yet.
    """

    throw: ThrowOnTable | None
    number: int
    limit: int
    pile: int
    done: tuple[ThrowOnTable, ...]


class Scoreboard(msgspec.Struct, frozen=True):
    """The state of the match: standings by seat, announcement, next to act; None for nobody.

    ``phase``: the decision that is due. ``open``: the dice of a game without a cup, else None.
    """

    scores: tuple[Score, ...]
    bid: Bid | None
    turn: int | None
    phase: Phase
    open: DiceOnTable | None = None


def scoreboard_of(match: AnyMatch) -> Scoreboard:
    """How a match stands, as everybody at the table may know it."""
    bid = None
    if hides_dice(match) and match.announced is not None and match.announcer is not None:
        spoken = str(match.said.words) if isinstance(match.said, Say) else ""
        again = match.phase is Phase.THROWN and repeats(match.rules, match.announced)
        bid = Bid(match.announced, spoken, match.announcer, again)
    scores = tuple(_score(match, seat) for seat in range(len(match.players)))
    table = None if hides_dice(match) else _open_table(view(match, None))
    return Scoreboard(scores, bid, match.to_act, match.phase, table)


def ladder_of(match: AnyMatch) -> list[int]:
    """All values of a game that is played by announcing them, low to high; else none."""
    return list(match.rules.ladder) if hides_dice(match) else []


def _score(match: AnyMatch, seat: int) -> Score:
    status = _STANDS.get(match.status[seat], "")
    return Score(match.score[seat], match.rules.unit, status)


def _open_table(match: Any) -> DiceOnTable:
    """Return what lies open in a match without a cup that goes round."""
    throw, worth = None, _WORTHS.get(match.rules.game, _sum)
    if match.phase is Phase.ROLL_OFF:  # only the sum counts
        worth = _sum
    if match.to_act is not None and (match.dice or match.aside):
        throw = _throw(match.to_act, match.aside, match.dice or (), worth)
    done = [
        _throw(seat, (), match.shown(seat) or (), worth)
        for seat in match.order
        if match.hands[seat] is not None
    ]
    return DiceOnTable(throw, match.throws, match.limit, match.pile, tuple(done))


def _throw(seat: int, aside: Dice, dice: Dice, worth: Callable[[Dice], _Worth]) -> ThrowOnTable:
    whole = high_to_low(aside + dice)
    return ThrowOnTable(
        seat, aside, dice, *(worth(whole) if dice and len(whole) >= CUP else (None, ""))
    )


def _sum(dice: Dice) -> _Worth:
    return sum(dice), ""


def _maxen(dice: Dice) -> _Worth:
    found = kind(dice)
    return (max(dice) if found is Kind.MAX else int("".join(map(str, dice)))), found


def _chicago(dice: Dice) -> _Worth:
    return chicago_points(dice), ""


def _sevens(dice: Dice) -> _Worth:
    return score(dice, seven_dice=len(dice) == SEVEN), ""


_WORTHS = {"maxen": _maxen, "chicago": _chicago, "sevens": _sevens}
"""By game: the worth of a throw, and its kind (M-1, C-1, S-1, S-3)."""


PANEL = 1
"""The code of a panel, in the first byte of a binary message; chosen."""


class OutgoingMessage(msgspec.Struct, frozen=True, tag_field="is"):
    """A message to a page; ``is`` names its kind."""


class Welcome(OutgoingMessage, frozen=True, tag="welcome"):
    """The page's rights from now on, and the match that is played.

    Attributes:
        seat: whose handheld it plays; None if it only watches.
        rights: whether it may use the bench.
        entitled: the seats whose panels it is sent.
        names: by seat; the first ``people`` are people's, the others play as ``bots`` say.
        title, rules: of the game, in the language of the page; the first one says what it is.
        ladder: all values that can be announced, low to high; none where nothing is announced.
        phones: whether it is a match of a party, where nobody takes a seat without an invitation.
        apart: whether people's handhelds are not here: the table knows no dice of theirs.
        handhelds: the seats of those who play without a phone.
    """

    seat: int | None
    rights: bool
    entitled: list[int]
    names: list[str]
    people: int
    bots: list[str]
    title: str
    rules: list[str]
    ladder: list[int]
    phones: bool
    apart: bool
    handhelds: list[int]


class DisplayText(OutgoingMessage, frozen=True, tag="says"):
    """The text of a seat's display, in words; empty while it is dark."""

    seat: int
    text: str


class HandheldLook(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a handheld looks; see `hw_sim.live.world.world.handheld_look`."""

    cup: bool | UnsetType = UNSET
    lid: float | UnsetType = UNSET
    led: bool | UnsetType = UNSET
    power: bool | UnsetType = UNSET
    faults: list[str] | UnsetType = UNSET
    doing: str | UnsetType = UNSET
    roll: int | UnsetType = UNSET
    pitch: int | UnsetType = UNSET


class TableState(OutgoingMessage, frozen=True, tag="state", omit_defaults=True):
    """The state of the table.

    Attributes:
        seats: how the handhelds look, by seat.
        over: whether the match is.
        speed: how fast time goes, 1 is as in life; ``paused``: whether it stands still.
        past: whether what is shown was earlier.
        trouble: what went wrong with the table, else None.
        claimed: of the seats of people, which are somebody's, or have been shown.
        here: the seats whose pages are connected.
        standing: how the match stands.
    """

    seats: dict[str, HandheldLook]
    over: bool | UnsetType = UNSET
    speed: float | UnsetType = UNSET
    paused: bool | UnsetType = UNSET
    past: bool | UnsetType = UNSET
    trouble: str | UnsetType | None = UNSET
    claimed: list[bool] | UnsetType = UNSET
    here: list[int] | UnsetType = UNSET
    standing: Scoreboard | UnsetType = UNSET


class StoryLines(OutgoingMessage, frozen=True, tag="heard"):
    """More lines of the story; after `MatchReplaced` and a new connection from the first."""

    lines: list[str]


class BenchReadings(OutgoingMessage, frozen=True, tag="bench"):
    """The bench's latest readings: times in s, packets, and points and bus lines by seat."""

    t: float
    end: float
    air: list[dict[str, Any]]
    seats: dict[str, Any]


class SeatPrompt(OutgoingMessage, frozen=True, tag="asked"):
    """The prompt on a seat's display; only its player's page gets it."""

    seat: int
    asked: Prompt


class VerdictMessage(OutgoingMessage, frozen=True, tag="verdict"):
    """A moment of this instant for which everybody looks up."""

    moment: Moment


class PatterLine(msgspec.Struct, frozen=True):
    """A line that the bot of a seat says."""

    seat: int
    text: str


class PublicEvents(OutgoingMessage, frozen=True, tag="happened"):
    """The latest events of a match, for the big screen.

    Attributes:
        events: a ``kind`` and the fields of each, as in `game.events`.
        drum_s: how long the drum is to roll before the lifted cup shows its dice; 0 without one.
        lines: what bots say to that.
    """

    events: list[dict[str, Any]]
    drum_s: float = 0.0
    lines: list[PatterLine] = []


class BotSmile(OutgoingMessage, frozen=True, tag="smiles"):
    """The smile of a bot that is about to doubt, for the big screen."""

    seat: int


class EyesUp(OutgoingMessage, frozen=True, tag="eyes"):
    """Whether everybody is to look at the big screen, where a cup is being lifted."""

    up: bool


class ReactionMessage(OutgoingMessage, frozen=True, tag="reaction"):
    """A reaction of a guest, for the big screen."""

    place: int
    reaction: str


class SeatTones(OutgoingMessage, frozen=True, tag="tones"):
    """The tones of a seat's piezo: (virtual ms, Hz, duty in percent) in turn, silence with 0."""

    seat: int
    waves: tuple[tuple[float, float, float], ...]


class MatchReplaced(OutgoingMessage, frozen=True, tag="again"):
    """Another match, or this one set up anew: all of it is sent again."""


class SeatLost(OutgoingMessage, frozen=True, tag="left"):
    """The seat of this page has been given up."""


class RequestRefused(OutgoingMessage, frozen=True, tag="refused"):
    """A refused request.

    ``why``: it needs "rights", room on the "disk", or a "plan" that can be played; for that one
    there is "nobody" to play, or there are too "few" or too "many".
    ``between``: the two options of a plan that contradict each other, in words; else empty.
    """

    why: str
    between: list[str] = []


class LobbyPlace(msgspec.Struct, frozen=True):
    """A place at a party.

    Attributes:
        name: its guest's, None while it is free; ``face``: a drawn one's name, or an emoji.
        here: whether a page of it is connected.
        plays: whether it has a seat in the match that is played.
        own: whether its handheld is in the lobby; else the next match begins without its guest.
        handheld: whether its guest has a handheld elsewhere instead of a phone.
    """

    name: str | None
    here: bool
    plays: bool
    face: str = ""
    own: bool = False
    handheld: bool = False


class GatheringRoom(msgspec.Struct, frozen=True):
    """The room in which handhelds gather for the next match: code, and in hex host and session."""

    code: str
    host: str
    session: str


class LobbyDoor(msgspec.Struct, frozen=True):
    """The way in for every guest: the code of the room, its address, and that as a picture.

    ``room``: the digits that a handheld elsewhere asks for; empty where it cannot come in.
    ``others``: more addresses of the same, for phones that do not reach the first. They and the
    picture are for the screen; empty on a phone.
    """

    code: str
    link: str
    picture: str
    room: str = ""
    others: tuple[str, ...] = ()


class LobbyTally(msgspec.Struct, frozen=True):
    """The matches that a guest has played this evening, those lost, and those with a crown."""

    name: str
    played: int
    lost: int
    crowns: int = 0


class LiesOffered(msgspec.Struct, frozen=True):
    """The lies that a guest may confess, those of them that were caught, and those nobody has seen.

    ``of``: the session of the table, in hex, whose other lies the guest's own handheld knows; None
    if the host knows all.
    """

    told: int
    caught: int
    hidden: int
    of: str | None = None


class LobbyState(OutgoingMessage, frozen=True, tag="lobby"):
    """The state of a party, or the choice of a lone player; sent whole whenever it has changed.

    Attributes:
        host: whether this page is the host's.
        place: whose page it is, None for nobody's.
        places: all of them.
        plan: what is played next.
        sentence: about its rules; empty if they cannot be played.
        differences: between them and the nearest known table, a line each.
        playing: whether a match is played now.
        hindrance: why no match can be begun, as in `RequestRefused`; empty if one can.
        tally: all who have played a match this evening.
        secure: the address of the same page over TLS; None if there is none.
        alone: whether it is no party, but one person against bots: there a match that is begun
            lets the one that is played wait.
        gathering: where handhelds join that are not at the host's; None where none can.
        comparing: the numbers that people at handhelds compare and tap for; None for none.
        first: the place of the guest who is the host, if a guest is.
        door: the way in, which a guest may keep for another evening; None for a watcher.
        room: how the big screen is set; ``screen``: whether there is one.
        card: of the last match; ``lies``: what this guest may confess of it, else None.
        unreached: for the screen, the address of the guests' broker while it does not answer; else
            empty.
    """

    host: bool
    place: int | None
    places: list[LobbyPlace]
    plan: MatchPlan
    sentence: str
    differences: list[str]
    playing: bool
    hindrance: str
    tally: list[LobbyTally]
    secure: str | None
    alone: bool = False
    gathering: GatheringRoom | None = None
    comparing: tuple[int, ...] | None = None
    first: int | None = None
    door: LobbyDoor | None = None
    room: RoomSettings = RoomSettings()
    screen: bool = False
    card: EveningCard = EveningCard()
    lies: LiesOffered | None = None
    unreached: str = ""


AnyOutgoing = (
    Welcome
    | LobbyState
    | DisplayText
    | TableState
    | StoryLines
    | BenchReadings
    | MatchReplaced
    | SeatLost
    | RequestRefused
    | SeatPrompt
    | VerdictMessage
    | SeatTones
    | PublicEvents
    | BotSmile
    | EyesUp
    | ReactionMessage
)
