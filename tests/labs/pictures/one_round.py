"""Draws docs/round.gif: one round on two panels, with the cup above them. ``make screens``.

Simulated handhelds play, and the hands are those of simulated players, but their decisions are
given: Ana lies, Ben doubts. Both panels are sampled until the dice lie open; each shot of the film
shows samples of one kind of page. The times are those of the film, not of the match.

``python -m tests.labs.pictures.one_round FILE`` writes another file.
"""

import asyncio
import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

from firmware.bots import Sight
from firmware.display import screens
from firmware.display.oled import font
from firmware.display.oled.lettering import image_of
from firmware.input.controls import Choice
from game import RULES, Phase
from game.actions import Announce, Believe, Doubt, Roll
from game.actions import Look as LookAction
from game.bluff.rules import rank, value_of
from hw_sim.panel import COLUMNS, PALETTE, ROWS, panel, png
from hw_sim.table import TableSetup
from hw_sim.table.table import SimulatedTable
from tests.support.matches import play_match

WHERE = Path(__file__).parents[3] / "docs" / "round.gif"
SEED = 16
"""Ana opens, and her first throw is worth less than LIE."""
ANA, BEN = range(2)
LIE = 61
SAMPLE_S = 0.1
LONGEST_S = 120.0
"""Virtual seconds after which the round must be over."""
SCALE = 2
FRAME_MS = 100

STAGE = (292, 68)
"""The table with the cup, in panel pixels, as all sizes below."""
FELT_TOP = 48
CAPTION_ROWS = 18
PANEL = (COLUMNS + 8, ROWS + 8)
LEFT_OF = {ANA: 6, BEN: 150}
PLACES = {ANA: 74, BEN: 218}
"""The middle of the cup at each player: x, in panel pixels."""
FLOOR = 60
LIFTED = 26

COLOURS = (
    (24, 26, 31), (196, 200, 208), (36, 66, 50), (148, 94, 52), (104, 62, 34), (190, 134, 82),
    (240, 236, 222), (30, 26, 24),
)  # fmt: skip
_ROOM, _CAPTION, FELT, LEATHER, SHADE, RIM, IVORY, PIP = range(5, 13)
"""They follow the five colours of ``hw_sim.panel``."""

PIPS = {5: ((-3, -3), (3, -3), (0, 0), (-3, 3), (3, 3)), 2: ((3, -3), (-3, 3))}


class Mind(NamedTuple):
    """What a player decides, in place of ``firmware.bots.bot``; the numbers are as there."""

    lies: bool
    believes: bool
    nosy: float = 0.0
    physical: float = 1.0

    def decide(self, sight: Sight, rng: object) -> Choice:
        match = sight.match
        if match.phase is Phase.OFFERED:
            return Believe() if self.believes and Believe() in sight.options else Doubt()
        if match.phase is not Phase.THROWN:
            return Roll()
        if sight.seen is None and LookAction() in sight.options:
            return LookAction()
        values = [choice.value for choice in sight.options if isinstance(choice, Announce)]
        if sight.seen is not None and not self.lies and value_of(sight.seen) in values:
            return Announce(value_of(sight.seen))
        return Announce(next((value for value in values if rank(value) >= rank(LIE)), values[-1]))


MINDS = (Mind(lies=True, believes=False), Mind(False, False), Mind(False, True))


def give_minds(table: SimulatedTable) -> None:
    """Let the players of a table decide as is wanted."""
    assert table.setup.first == ANA, f"seat {table.setup.first} opens: choose another seed"
    for player, mind in zip(table.players, MINDS):
        player.personality = mind  # type: ignore[assignment]


class Sample(NamedTuple):
    """Both panels at one instant: their pages and their memories, by seat."""

    pages: dict[int, screens.Screen]
    memories: dict[int, bytes]


class Frame(NamedTuple):
    """One picture of the film: the panels, and the cup's place above the floor."""

    ms: int
    caption: str
    sample: Sample
    across: float = PLACES[ANA]
    height: float = 0.0


class _RoundOverError(Exception):
    """The round is over, and the match need not go on."""


def take_samples() -> list[Sample]:
    """Play the round and return both panels, sampled to its end."""
    samples: list[Sample] = []

    async def film(table: SimulatedTable) -> None:
        for _ in range(round(LONGEST_S / SAMPLE_S)):
            seats = {seat: table.seats[seat] for seat in (ANA, BEN)}
            samples.append(
                Sample(
                    {number: seat.handheld.screen for number, seat in seats.items()},
                    {number: seat.board.display.memory for number, seat in seats.items()},
                )
            )
            if _is_over(samples):
                raise _RoundOverError
            await asyncio.sleep(SAMPLE_S)

    setup = TableSetup(RULES["class"], players=len(MINDS), seed=SEED)
    with tempfile.TemporaryDirectory() as folder:
        try:
            play_match(setup, Path(folder), prepare=give_minds, beside=film)
        except* _RoundOverError:
            pass
        else:
            raise SystemExit("the round did not end with open dice: choose another seed")
    return samples


def _is_over(samples: list[Sample]) -> bool:
    """Return whether the last second showed open dice on Ben's panel."""
    last = samples[-10:]
    return len(last) == 10 and all(_is_open(sample.pages[BEN]) for sample in last)


def _is_open(page: screens.Screen) -> bool:
    return isinstance(page, screens.RevealPage) and page.dice is not None


def cut(samples: list[Sample]) -> list[Frame]:
    """Return the film: shots of the samples, with what the cup does meanwhile."""

    def of(seat: int, kind: type, is_it: Callable[[Any], bool] = lambda _: True) -> list[Sample]:
        pages = ((sample, sample.pages[seat]) for sample in samples)
        found = [sample for sample, page in pages if isinstance(page, kind) and is_it(page)]
        if not found:
            raise SystemExit("a page of the film is missing: choose another seed")
        return found

    opening = of(ANA, screens.ClosedPage, lambda page: page.throws == 0)
    shaking = of(ANA, screens.ShakingPage)
    thrown = of(ANA, screens.ClosedPage, lambda page: page.throws == 1)
    looking = of(ANA, screens.LookPage)
    on_dial = of(ANA, screens.ClosedPage, lambda page: isinstance(_value(page), int))
    chosen = of(ANA, screens.ClosedPage, lambda page: _value(page) == LIE)
    saying = of(ANA, screens.AnnouncingPage)
    on_way = of(ANA, screens.OnItsWayPage)
    asked = of(BEN, screens.OfferPage, lambda page: page.armed and page.doubt is None)
    lifting = of(BEN, screens.OfferPage, lambda page: page.armed and page.doubt is not None)
    opened = of(BEN, screens.RevealPage, _is_open)

    peek = "Ana peeks. The others do not see her dice."
    say = "She tilts to 61. That is a lie."
    doubt = "Ben doubts: he lifts the cup."
    steps = [next(group) for _, group in groupby(on_dial, lambda sample: _value(sample.pages[ANA]))]
    across = [PLACES[ANA] + (PLACES[BEN] - PLACES[ANA]) * step / 8 for step in range(9)]
    return [
        Frame(1200, "Ana has the cup.", opening[-1]),
        *(
            Frame(FRAME_MS, "She shakes it.", sample, PLACES[ANA] + 5 * way, 4 + 3 * way)
            for sample, way in zip(_spread(shaking, 12), (-1, 1, 0) * 4)
        ),
        Frame(600, "She shakes it.", thrown[0]),
        *(Frame(FRAME_MS, peek, looking[0], height=LIFTED * part / 3) for part in (1, 2)),
        Frame(1800, peek, looking[-1], height=LIFTED),
        *(Frame(FRAME_MS, peek, looking[-1], height=LIFTED * part / 3) for part in (2, 1)),
        *(Frame(150, say, sample) for sample in steps),
        Frame(1200, say, chosen[-1]),
        Frame(1000, "A tap announces 61 and offers the cup.", saying[0]),
        *(Frame(FRAME_MS, "The cup goes to Ben.", on_way[0], place, 3) for place in across),
        Frame(1700, "Does Ben believe it?", asked[-1], PLACES[BEN]),
        *(
            Frame(FRAME_MS, doubt, sample, PLACES[BEN], LIFTED * part / 6)
            for part, sample in enumerate(_spread(lifting, 6), 1)
        ),
        Frame(2700, "It was 52: Ana loses a match.", opened[-1], PLACES[BEN], LIFTED),
    ]


def _value(page: Any) -> object:
    return page.dial.current if page.throws else None


def _spread(samples: list[Sample], count: int) -> Iterator[Sample]:
    """Yield ``count`` of the samples, from the first to the last."""
    for number in range(count):
        yield samples[number * (len(samples) - 1) // (count - 1)]


def draw(frame: Frame) -> Image.Image:
    """Return one picture of the film."""
    stage = Image.new("P", STAGE, _ROOM)
    pen = ImageDraw.Draw(stage)
    pen.rounded_rectangle((6, FELT_TOP, STAGE[0] - 7, STAGE[1] - 3), 8, FELT)
    left, floor = round(frame.across), FLOOR - round(frame.height)
    if frame.height >= LIFTED / 3:
        _draw_die(pen, left - 10, FLOOR - 7, 5)
        _draw_die(pen, left + 9, FLOOR - 7, 2)
    _draw_cup(pen, left, floor)
    size = (STAGE[0] * SCALE, (STAGE[1] + PANEL[1] + CAPTION_ROWS) * SCALE)
    whole = Image.new("P", size, _ROOM)
    whole.paste(stage.resize((STAGE[0] * SCALE, STAGE[1] * SCALE), Image.Resampling.NEAREST))
    for seat, memory in frame.sample.memories.items():
        shown = Image.open(io.BytesIO(png(panel(memory, SCALE))))
        whole.paste(shown, (LEFT_OF[seat] * SCALE, STAGE[1] * SCALE))
    whole.putpalette([level for colour in (*PALETTE, *COLOURS) for level in colour])
    for seat, name in ((ANA, "Ana"), (BEN, "Ben")):
        _write(whole, name, LEFT_OF[seat] + 6, FLOOR + 1)
    _write(whole, frame.caption, LEFT_OF[ANA] + 2, STAGE[1] + PANEL[1] + 12)
    return whole


def _draw_die(pen: ImageDraw.ImageDraw, across: int, down: int, face: int) -> None:
    pen.rounded_rectangle((across - 7, down - 7, across + 7, down + 7), 2, IVORY)
    for right, below in PIPS[face]:
        pen.rectangle((across + right - 1, down + below - 1, across + right, down + below), PIP)


def _draw_cup(pen: ImageDraw.ImageDraw, across: int, floor: int) -> None:
    """Draw the cup upside down, its mouth on ``floor``."""
    top, mouth = floor - 32, 21
    pen.polygon(
        [(across - 14, top), (across + 14, top), (across + mouth, floor), (across - mouth, floor)],
        LEATHER,
    )
    pen.polygon(
        [(across + 5, top), (across + 14, top), (across + mouth, floor), (across + 9, floor)], SHADE
    )
    pen.rectangle((across - mouth - 2, floor - 3, across + mouth + 2, floor), RIM)
    pen.rectangle((across - 14, top - 1, across + 14, top + 1), RIM)


def _write(whole: Image.Image, text: str, left: int, baseline: int) -> None:
    ink = font.load(font.SMALL).render(text)
    size = (ink.mask.width * SCALE, ink.mask.height * SCALE)
    mask = image_of(ink.mask).resize(size, Image.Resampling.NEAREST)
    whole.paste(_CAPTION, (left * SCALE, (baseline - ink.top) * SCALE), mask)


def draw_round() -> bytes:
    """Return the film as the bytes of a GIF file that begins anew at its end."""
    film = cut(take_samples())
    first, *others = [draw(frame) for frame in film]
    times_ms = [frame.ms for frame in film]
    stream = io.BytesIO()
    first.save(stream, "GIF", save_all=True, append_images=others, duration=times_ms, loop=0)
    return stream.getvalue()


def main() -> None:
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else WHERE
    where.write_bytes(draw_round())
    print(f"wrote {where}")


if __name__ == "__main__":
    main()
