"""Messages from a browser to the table: small JSON objects, checked to the last key.

Anything else ends the connection with a reason; see `parse`. The gestures of a hand and the actions
on the bench are in `hw_sim.live.world.session`.

Numbers without a source are chosen.
"""

from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from firmware.display.text.language import Language, check_language
from firmware.table.protocol import OPENING_BYTES
from hw_sim.live.web.match_plan import MatchPlan, ReturnFaces
from hw_sim.live.world import session
from hw_sim.live.world.session import Seat, TaggedMessage

MOST_BYTES = 8192
"""No message has more characters."""
MESSAGES_PER_S = 150
"""The most messages a second, in the long run …"""
BURST = 300
"""… and the most at once."""
MOST_SAMPLES = 64
"""The most samples of places or motion in one message."""
MOST_MM = 3000.0
"""The farthest place that a page may send, in mm."""
MOST_MPS2 = 160.0
"""The strongest acceleration that a page may send."""
SLOWEST, FASTEST = 0.1, 50.0
"""How many times as fast as life a page may ask for."""
TOKEN_LENGTH = 43
"""The letters of a token: 32 bytes in base64 without padding (RFC 4648)."""
MOST_NAME = 200
"""The most characters of a name; a longer one is refused unread."""
MOST_OPENED = 128
"""The most throws that a confession opens."""

View = Literal["table", "seat", "bench", "screen"]
Token = Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_-]{{{TOKEN_LENGTH}}}\Z")]
_LogIndex = Annotated[int, Meta(ge=0, le=0xFFFF)]
_Opening = Annotated[bytes, Meta(min_length=OPENING_BYTES, max_length=OPENING_BYTES)]
_TimeMs = Annotated[float, Meta(ge=0, le=1e13)]
_PlaceMm = Annotated[float, Meta(ge=-MOST_MM, le=MOST_MM)]
_Felt = Annotated[float, Meta(ge=-MOST_MPS2, le=MOST_MPS2)]
_SOME = Meta(min_length=1, max_length=MOST_SAMPLES)

MALFORMED, WRONG_SEAT, TOO_MANY = 4400, 4403, 4429
"""With which code a connection ends, of those that RFC 6455 (7.4.2) leaves to applications, …"""
LATER = 1013
"""… or because there is no room for it now, or none on the disk."""


class RefusalError(Exception):
    """Why a connection ends: one of the codes above, and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class ProtocolError(RefusalError):
    """A message that no page of ours sends; the text says what is wrong with it."""

    def __init__(self, reason: str) -> None:
        super().__init__(MALFORMED, reason)


class Hello(TaggedMessage, frozen=True, tag="hello"):
    """The first message: what a page shows, and the seat whose handheld it shows, if any.

    ``token``: at a party, the secret of the guest's place.
    """

    view: View
    language: Language
    seat: Seat | None = None
    token: Token | None = None

    def __post_init__(self) -> None:
        check_language(self.language)


class DragMessage(TaggedMessage, frozen=True, tag="drag"):
    """Positions of a handheld's picture: (ms of the browser, mm right, mm up) in turn."""

    seat: Seat
    rows: Annotated[tuple[tuple[_TimeMs, _PlaceMm, _PlaceMm], ...], _SOME] = field(name="at")

    def __post_init__(self) -> None:
        _go_forward(self.rows)


class PhoneMotionMessage(TaggedMessage, frozen=True, tag="felt"):
    """Accelerations of a phone: (ms of the browser, x, y, z in m/s²) in turn."""

    seat: Seat
    rows: Annotated[tuple[tuple[_TimeMs, _Felt, _Felt, _Felt], ...], _SOME] = field(name="at")

    def __post_init__(self) -> None:
        _go_forward(self.rows)


class LeaveSeat(TaggedMessage, frozen=True, tag="leave"):
    """Give a guest's place up; ``seat`` is that of the present match, None without one."""

    seat: Seat | None


class StayAwake(TaggedMessage, frozen=True, tag="alive"):
    """Say that the page is still there: one that is silent sleeps."""


class PlayAgain(TaggedMessage, frozen=True, tag="again"):
    """Play another match: this one is over."""


class ChooseMatch(TaggedMessage, frozen=True, tag="choose"):
    """Choose the next match; for the host of a party, or a lone player."""

    plan: MatchPlan


class BeginMatch(TaggedMessage, frozen=True, tag="begin"):
    """Begin a match with all who are seated, in place of the one that is played.

    ``name`` is the new name of a lone player; empty keeps the old one. Their unfinished match waits
    until the same is begun again. At a party ``name`` is not used.
    """

    name: Annotated[str, Meta(max_length=MOST_NAME)] = ""


class FreePlace(TaggedMessage, frozen=True, tag="free"):
    """Free the place of a guest who has gone home; for the host of a party."""

    place: Seat


class VerdictShown(TaggedMessage, frozen=True, tag="shown"):
    """The big screen shows a verdict: phones may show it now."""


class Confess(TaggedMessage, frozen=True, tag="confess"):
    """Have one's lies of the last match on the evening's card, or refuse to testify.

    A handheld that is not at the host's proves them: ``of`` is the session of its table, in hex,
    and ``opened`` has throws with lies: the index in the log, and the opening.
    """

    tells: bool
    of: Annotated[str, Meta(max_length=64)] = ""
    opened: Annotated[tuple[tuple[_LogIndex, _Opening], ...], Meta(max_length=MOST_OPENED)] = ()


class SetRoom(TaggedMessage, frozen=True, tag="room"):
    """Set the big screen: its language for the host, the rest for any guest.

    Attributes:
        language: of the screen; None keeps it.
        volume: 0 to 1 of its sounds; None keeps it.
        silent: whether bots say nothing; None keeps it.
    """

    language: Language | None = None
    volume: Annotated[float, Meta(ge=0, le=1)] | None = None
    silent: bool | None = None

    def __post_init__(self) -> None:
        if self.language is not None:
            check_language(self.language)


class React(TaggedMessage, frozen=True, tag="react"):
    """Show a reaction of a guest on the big screen."""

    reaction: Literal["laugh", "gasp", "liar", "cheers"] = field(name="as")


class Hide(TaggedMessage, frozen=True, tag="hidden"):
    """A page is out of sight from now on, as when a phone is locked, or (False) seen again."""

    on: bool


class Shake(TaggedMessage, frozen=True, tag="shaken"):
    """A phone with a handheld of its own is shaken from now on, or (False) lies still again."""

    on: bool


class Pause(TaggedMessage, frozen=True, tag="pause"):
    """Let time stand still, or go on."""

    on: bool


class SetSpeed(TaggedMessage, frozen=True, tag="speed"):
    """Let time pass ``factor`` times as fast as life."""

    factor: Annotated[float, Meta(ge=SLOWEST, le=FASTEST)] = field(name="x")


class StepTime(TaggedMessage, frozen=True, tag="step"):
    """While time stands still, let this much pass; 0 is until something happens."""

    ms: Annotated[float, Meta(ge=0, le=10_000)]


class Seek(TaggedMessage, frozen=True, tag="seek"):
    """Look at the match as it was at a virtual time."""

    s: Annotated[float, Meta(ge=0, le=1e6)]


class GoLive(TaggedMessage, frozen=True, tag="live"):
    """Look at the match as it is."""


SeatMessage = DragMessage | PhoneMotionMessage | session.GripCommand
"""Messages that only the holder of a seat may send."""
TableMessage = PlayAgain | LeaveSeat | ChooseMatch | BeginMatch | FreePlace
"""Messages that change the players or the game."""
BenchMessage = Pause | SetSpeed | StepTime | Seek | GoLive | session.BenchCommand
"""Messages that change the table for everybody."""
RoomMessage = VerdictShown | React | SetRoom | Confess | Hide | Shake
"""Messages about the room that the party is in."""
AnyIncoming = Hello | StayAwake | RoomMessage | SeatMessage | TableMessage | BenchMessage

_decoder: msgspec.json.Decoder[AnyIncoming] = msgspec.json.Decoder(AnyIncoming)


def parse(text: str | bytes) -> AnyIncoming:
    """Make a message of its JSON: an object whose "do" says which it is.

    Raises:
        ProtocolError: it is not exactly one of those known, or longer than `MOST_BYTES`.
    """
    if len(text) > MOST_BYTES:
        raise ProtocolError(f"longer than {MOST_BYTES} characters")
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise ProtocolError(" ".join(str(error).split())) from None


def _go_forward(rows: tuple[tuple[Any, ...], ...]) -> None:
    """Refuse rows whose times (ms, the first column) run back."""
    if any(one[0] > other[0] for one, other in pairwise(rows)):
        raise ValueError("time runs back")


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``/sit``, which asks for a place.

    ``once``: what this phone alone has drawn; asked again with the same, it gets the same place.
    """

    name: Annotated[str, Meta(max_length=MOST_NAME)]
    face: Annotated[str, Meta(max_length=16)] = ""
    once: Annotated[str, Meta(max_length=64)] = ""


class Invited(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``/invited``, which asks whether there is a place; ``once``: see `Sit`."""

    once: Annotated[str, Meta(max_length=64)] = ""


class Return(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``/return``: a guest's place and three faces."""

    place: Seat
    faces: ReturnFaces
