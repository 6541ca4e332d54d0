"""The view of a page: one value, of which the page is sent what has changed. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from hw_sim.live.web.outgoing import (
    PANEL,
    AnyOutgoing,
    DisplayText,
    EyesUp,
    HandheldLook,
    LobbyState,
    SeatPrompt,
    StoryLines,
    TableState,
)
from hw_sim.panel.prompts import Prompt


class DisplayView(NamedTuple):
    """The display of a seat.

    ``panel``: a byte of contrast (0 is dark), then the 1024 of the memory; ``spoken``: its words,
    empty while it is dark; ``asked``: its prompt.
    """

    panel: bytes
    spoken: str
    asked: Prompt


class PageView(NamedTuple):
    """Everything that a page shows.

    Attributes:
        table: the values of a `TableState` by name, but for the looks.
        looks: of the handhelds, by seat, as `handheld_look` has them.
        displays: by seat; those that the page may see.
        lines: of the story so far.
        looks_up: whether its person is to look at the big screen, where a cup is being lifted.
        lobby: how the lobby is; None for a page that is not told.
    """

    table: Mapping[str, Any]
    looks: Mapping[int, Mapping[str, Any]]
    displays: Mapping[int, DisplayView]
    lines: tuple[str, ...] = ()
    looks_up: bool = False
    lobby: LobbyState | None = None


NO_VIEW: Final = PageView({}, {}, {})
"""The view of a page that has been sent nothing."""


def changes(was: PageView, now: PageView) -> Iterator[bytes | AnyOutgoing]:
    """Yield the messages that change one view into another: panels as bytes, the rest objects."""
    if was.looks_up != now.looks_up:
        yield EyesUp(now.looks_up)
    if now.lobby is not None and now.lobby is not was.lobby and now.lobby != was.lobby:
        yield now.lobby
    for seat, display in now.displays.items():
        before = was.displays.get(seat)
        if before is None or display.panel != before.panel:
            yield bytes((PANEL, seat)) + display.panel
        if before is None or display.spoken != before.spoken:
            yield DisplayText(seat, display.spoken)
        if before is None or display.asked != before.asked:
            yield SeatPrompt(seat, display.asked)
    table = _changed(was.table, now.table)
    looks = {seat: _changed(was.looks.get(seat, {}), look) for seat, look in now.looks.items()}
    seats = {str(seat): HandheldLook(**look) for seat, look in looks.items() if look}
    if table or seats:
        yield TableState(**table, seats=seats)
    if len(now.lines) > len(was.lines):
        yield StoryLines(list(now.lines[len(was.lines) :]))


def _changed(was: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in now.items() if was.get(key) != value}
