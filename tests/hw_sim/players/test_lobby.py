"""People in the lobby tap again where the pad has missed their finger, as one that dozes may."""

import asyncio

from firmware.display.screens import MatchOverPage, QuestionPage
from firmware.display.text.labels import Text
from hw_sim.clock.virtual import run
from hw_sim.players.lobby import LobbyPlayer
from hw_sim.table.evening import arrive
from hw_sim.table.handheld import Surroundings
from tests.support.matches import short_setup

TAPPED_AWAY = {Text.SAME_NUMBERS, MatchOverPage}


def missed_once(handheld, missed):
    """A finger on the pad of a handheld, but for the first one on a page that a tap closes."""

    def touch(down):
        screen = handheld.device.screen
        page = screen.title if isinstance(screen, QuestionPage) else type(screen)
        if down and page in TAPPED_AWAY - missed:
            missed.add(page)
        else:
            handheld.touch(down)

    return touch


def test_a_person_taps_again_where_the_pad_missed_them(tmp_path):
    missed = set()

    async def main():
        setup = short_setup("sevens", players=2)
        around = Surroundings.of(setup)
        guests = [arrive(at, name, setup, around, tmp_path) for at, name in enumerate(setup.names)]
        (_, ana), (handheld, _) = guests
        ben = LobbyPlayer(
            "Ben",
            handheld.name,
            handheld.device,
            handheld.read_dice,
            missed_once(handheld, missed),
            handheld.hand,
            lambda: handheld.watch,
        )
        running = [asyncio.ensure_future(guest.handheld.run()) for guest in guests]
        await asyncio.gather(ana.invite(setup.rules, setup.names, "Ana"), ben.join("Ana"))
        await asyncio.gather(ana.play(clumsy=False), ben.play(clumsy=False))
        await asyncio.gather(ana.again(), ben.again())
        for task in running:
            task.cancel()

    run(main())
    assert missed == TAPPED_AWAY
