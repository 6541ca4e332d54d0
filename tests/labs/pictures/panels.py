"""Draws docs/screens.png: one turn on real panels, from lie to loser. ``make screens``.

Three simulated handhelds play a match. The hands are those of simulated players, but what they
decide is given: Ana lies, Ben never believes, Cem always does. Each picture is the memory of an
SSD1306, taken when its handheld has shown a screen of the kind wanted for a moment.

``python -m tests.labs.pictures.panels FILE`` writes another file. Without FILE the first picture of
a start is drawn, too.
"""

import asyncio
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from drivers.ssd1306 import Panel
from firmware.bots.personality import Sight
from firmware.display import screens
from firmware.display.oled.draw import draw
from firmware.display.text.language import LANGUAGES
from firmware.input.controls.choice import Choice
from firmware.table.seat.position import Position
from game import RULES, Phase
from game.actions import Announce, Believe, Doubt, Roll
from game.actions import Look as LookAction
from game.bluff.values import rank, value_of
from hw_sim.panel import picture
from hw_sim.table.setup import TableSetup
from hw_sim.table.table import SimulatedTable
from tests.support.matches import play_match, shows

STARTING = Path(__file__).parents[3] / "firmware" / "runtime" / "pictures"
WHERE = Path(__file__).parents[3] / "docs" / "screens.png"
SEED = 16
"""Ana opens, and her first throw is worth less than LIE."""
ANA, BEN, CEM = range(3)
LIE = 61
STEADY_S = 0.2
"""A screen that stands this long is worth a picture."""
TAP_S = 0.2
SCALE = 2


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


class Moment(NamedTuple):
    """A picture to take: the first screen at ``seat`` that ``is_it``."""

    caption: str
    seat: int
    is_it: Callable[[screens.Screen], bool]


MOMENTS = (
    Moment(
        "Ana opens: shake to throw",
        ANA,
        lambda screen: isinstance(screen, screens.ClosedPage) and screen.throws == 0,
    ),
    Moment(
        "she lifts, and only she sees", ANA, lambda screen: isinstance(screen, screens.LookPage)
    ),
    Moment(
        "she tilts: what to say?",
        ANA,
        lambda screen: isinstance(screen, screens.ClosedPage) and screen.dial.current == LIE,
    ),
    Moment("she taps, and says it", ANA, lambda screen: isinstance(screen, screens.AnnouncingPage)),
    Moment(
        "Cem hears it",
        CEM,
        lambda screen: isinstance(screen, screens.WaitingPage) and screen.said == Announce(LIE),
    ),
    Moment(
        "Ben: believe or doubt?",
        BEN,
        lambda screen: isinstance(screen, screens.OfferPage) and screen.armed,
    ),
    Moment(
        "Ben lifts: it was a lie",
        BEN,
        lambda screen: isinstance(screen, screens.RevealPage) and screen.dice is not None,
    ),
    Moment(
        "a tap shows the standings", CEM, lambda screen: isinstance(screen, screens.StandingsPage)
    ),
    Moment("the end of the match", CEM, lambda screen: isinstance(screen, screens.MatchOverPage)),
)


class Camera:
    """Takes the pictures of one table, in the order of `MOMENTS`."""

    def __init__(self) -> None:
        self.taken: list[tuple[bytes, str]] = []

    def watch(self, table: SimulatedTable) -> None:
        assert table.first == ANA, f"seat {table.first} opens: choose another seed"
        for player, mind in zip(table.players, MINDS):
            player.personality = mind  # type: ignore[assignment]
        for seat in table.seats:
            self._watch(seat, asyncio.get_running_loop())

    def _watch(self, seat, loop: asyncio.AbstractEventLoop) -> None:
        def on_show(screen: screens.Screen) -> None:
            if self._is_next(seat.seat, screen):
                loop.call_later(STEADY_S, take, screen)

        def take(screen: screens.Screen) -> None:
            if self._is_next(seat.seat, screen) and shows(seat, screen, "en"):
                self.taken.append((seat.board.display.memory, MOMENTS[len(self.taken)].caption))

        seat.on_show.append(on_show)

    def _is_next(self, seat: int, screen: screens.Screen) -> bool:
        if len(self.taken) == len(MOMENTS):
            return False
        moment = MOMENTS[len(self.taken)]
        return moment.seat == seat and moment.is_it(screen)

    async def ask_for_scores(self, table: SimulatedTable) -> None:
        """Let Cem tap on his handheld while he has nothing to do."""
        seat = table.seats[CEM]
        while not self._is_next(CEM, screens.StandingsPage(())) or not self._idle(seat):
            await asyncio.sleep(STEADY_S)
        await asyncio.sleep(1.0)
        seat.touch(True)
        await asyncio.sleep(TAP_S)
        seat.touch(False)

    @staticmethod
    def _idle(seat) -> bool:
        return seat.handheld.position is Position.WATCHING and isinstance(
            seat.handheld.screen, screens.WaitingPage
        )


def draw_screens() -> bytes:
    """Play the match and return the sheet of its pictures as a PNG file."""
    camera = Camera()
    setup = TableSetup(RULES["class"], players=len(MINDS), seed=SEED)
    with tempfile.TemporaryDirectory() as folder:
        play_match(setup, Path(folder), prepare=camera.watch, beside=camera.ask_for_scores)
    missing = [moment.caption for moment in MOMENTS[len(camera.taken) :]]
    if missing:
        raise SystemExit(f"the match went by without: {', '.join(missing)}: choose another seed")
    return picture.png(picture.sheet(camera.taken, columns=3, scale=SCALE))


def main() -> None:
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else WHERE
    where.parent.mkdir(exist_ok=True)
    where.write_bytes(draw_screens())
    print(f"wrote {where}")
    if where == WHERE:
        draw_starting()


def draw_starting() -> None:
    """Draw what the handheld shows before it has loaded what draws."""
    for language in LANGUAGES:
        path = STARTING / f"starting-{language}.bin"
        path.write_bytes(Panel.pack(draw(screens.StartingPage(), language).columns))
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
