"""The cost of screens on the bus, in bytes that the display really received."""

import asyncio
from collections.abc import Iterable, Iterator

import pytest

from drivers.bus import I2CBus, Priority
from drivers.ssd1306 import Panel
from firmware.display.oled.draw import draw
from firmware.display.screens import (
    AnnouncingPage,
    ClosedPage,
    CupKind,
    Delivery,
    DialStrip,
    Item,
    Judgement,
    LiftingPage,
    LookPage,
    OfferPage,
    OnItsWayPage,
    RevealPage,
    Screen,
    ShakingPage,
    Tally,
    Verdict,
    WaitingPage,
)
from firmware.display.text.labels import Text
from firmware.display.text.language import Language
from game.actions import Announce
from game.bluff.values import RANKING
from hw_sim.board.board import SimulatedBoard
from hw_sim.clock.virtual import run

FULL_FRAME_BYTES = 1037
"""The bytes of the Adafruit class for one ``show()``: six commands of two bytes, and 1 + 1024."""
DIAL_STEP_BYTES = 130
"""On average, a step between two values: its digits, its neighbours, now and then its place."""


def dial(*entries: Item, at: Item, count: int = 23, held: float | None = None) -> DialStrip:
    """Return the dial on one of its entries; ``held`` is how far a hold of it has come."""
    index = entries.index(at)
    return DialStrip(
        entries[index - 1] if index else None,
        at,
        entries[index + 1] if index + 1 < len(entries) else None,
        index,
        max(count, len(entries)),
        holds=held is not None,
        progress=held,
    )


def from_offer_to_offer(announced: int, said: int, dice: tuple[int, int]) -> Iterator[Screen]:
    """A turn of Ben's: he believes Ana, throws, looks, dials a value, and Cem believes him."""
    answers = (Text.MORE, Text.DOUBT, Text.NEUTRAL, Text.BELIEVE)
    mine = Tally(3)
    yield OfferPage("Ana", Announce(announced), dial(*answers, at=Text.NEUTRAL, count=4), False)
    yield OfferPage("Ana", Announce(announced), dial(*answers, at=Text.NEUTRAL, count=4), True)
    yield OfferPage("Ana", Announce(announced), dial(*answers, at=Text.BELIEVE, count=4), True)
    yield WaitingPage("Ben", Announce(announced), "Ana", mine)
    higher = RANKING[RANKING.index(announced) + 1 :]
    entries: tuple[Item, ...] = (Text.MORE, Text.THROW, Text.NEUTRAL, *higher)
    yield ClosedPage(
        CupKind.BELIEVED,
        dial(*entries, at=Text.NEUTRAL),
        Announce(announced),
        "Ana",
        may_throw=True,
    )
    yield ShakingPage()
    entries = (Text.MORE, Text.LOOK, Text.NEUTRAL, *higher)
    neutral = dial(*entries, at=Text.NEUTRAL)
    thrown = ClosedPage(CupKind.THROWN, neutral, Announce(announced), "Ana", 1, may_look=True)
    yield thrown
    yield LookPage(dice, said)
    yield thrown
    for value in higher[: higher.index(said) + 1]:
        yield ClosedPage(
            CupKind.THROWN, dial(*entries, at=value), Announce(announced), "Ana", 1, may_look=True
        )
    yield AnnouncingPage(Announce(said), "Cem")
    for way in (Delivery.CALLING, Delivery.OFFERED, Delivery.GIVING):
        yield OnItsWayPage("Cem", Announce(said), way)
    yield WaitingPage("Cem", Announce(said), "Ben", mine)


def a_round() -> Iterator[Screen]:
    """Ben's screens from one round's beginning to the next one's."""
    mine = Tally(3)
    yield WaitingPage("Ana", None, None, mine)
    yield WaitingPage("Ben", Announce(42), "Ana", mine)
    yield from from_offer_to_offer(42, 54, (5, 4))
    yield WaitingPage("Ana", Announce(61), "Cem", mine)
    yield WaitingPage("Ben", Announce(63), "Ana", mine)
    yield from from_offer_to_offer(63, 66, (6, 6))
    yield WaitingPage("Ana", Announce(21), "Cem", mine)
    yield LiftingPage("Cem", Announce(21), "Ana")
    verdict = Verdict(Judgement.LIE, "Cem", 1, Tally(2))
    yield RevealPage(verdict, (6, 4), 21, "Cem", "Ana")
    yield WaitingPage("Cem", None, None, mine)


async def bytes_for(shown: Iterable[Screen], language: Language) -> tuple[int, int]:
    """Show screens one after the other: the bytes the panel received, and how many differed."""
    board = SimulatedBoard(1, asyncio.get_running_loop())
    bus = I2CBus(board.bus, board.bus.execute)
    panel = Panel(bus.adapter)
    await bus.run(panel.begin, Priority.PICTURE)
    begun = board.display.received_bytes
    pictures = 0
    for screen in shown:
        picture = panel.pack(draw(screen, language).columns)
        pictures += picture != panel.memory
        for window in panel.changes(picture):
            await bus.run(lambda each=window: panel.write(each), Priority.PICTURE)
        assert board.display.memory == picture
    return board.display.received_bytes - begun, pictures


@pytest.mark.parametrize(("language", "admitted"), [("en", 0.25), ("de", 0.25)])
def test_a_round_costs_about_a_quarter_of_whole_frames(language: Language, admitted: float) -> None:
    received, pictures = run(bytes_for(a_round(), language))
    assert pictures > 40
    assert received <= admitted * FULL_FRAME_BYTES * pictures


def test_a_step_of_the_dial_costs_its_digits_and_its_neighbours() -> None:
    values = RANKING[:-1]
    steps = [
        ClosedPage(CupKind.THROWN, dial(*values, at=value), Announce(31), "Ana", 1)
        for value in values
    ]
    first, _ = run(bytes_for(steps[:1], "en"))
    received, pictures = run(bytes_for(steps, "en"))
    assert (received - first) / (pictures - 1) <= DIAL_STEP_BYTES


def test_what_was_announced_costs_nothing_while_it_is_passed_on() -> None:
    calling, giving = (
        OnItsWayPage("Cem", Announce(63), way) for way in (Delivery.CALLING, Delivery.GIVING)
    )
    (first, _), (both, _) = (
        run(bytes_for(shown, "en")) for shown in ((calling,), (calling, giving))
    )
    assert 0 < both - first <= 100
