"""The hand at a kernel's boards, tested without a kernel; and the contents of the log."""

import asyncio
import re

from steckbrett.board.bus import SimulatedSMBus
from steckbrett.parts.adxl345 import ADXL345

from drivers.adxl345 import Accelerometer
from drivers.bus import BusioAdapter
from drivers.panel import pack
from firmware.display.oled.canvas import PageCanvas
from firmware.display.text.language import say
from hw_sim.board import SimulatedBoard
from hw_sim.clock import run
from hw_sim.trials.faults import CATALOGUE
from tests.labs.kernel import care, compare, match
from tests.labs.kernel.__main__ import LOG, PARTS
from tests.labs.kernel.match import HINTS, Player, hint_of


def test_the_committed_log_is_of_a_whole_run_in_which_all_was_as_it_should_be():
    _, *sections = LOG.read_text().split("\n## ")
    said = dict(zip(PARTS, sections))
    assert [text.split("\n")[0] for text in sections] == [*PARTS]
    for name, part in PARTS.items():
        assert f"\n\n{part.__doc__}\n\n" in said[name], "make kernel does something else by now"
        assert said[name].count("\nAs it should be.\n") == 1, name
    differences = re.findall(r"^(.*): .* (\d+) differences$", said["comparison"], re.M)
    assert differences == [(fault, "0") for fault in ("well", *compare.FAULTS)]
    assert re.search(r"^[1-9]\d* passed, 0 failed$", said["board"], re.M)
    for fault in care.FAULTS:
        assert re.search(f"^{fault}: .*{care.words_of(fault)}", said["doctor"], re.M), fault
    assert said["match"].count("the match is over; 0 violations") == len(match.NAMES)
    assert "booted 2 times" in said["match"]


def test_a_hand_reads_every_hint_off_the_panel():
    for hint in HINTS:
        page = PageCanvas("en")
        page.hint(hint)
        read = hint_of(pack(page.image.columns))
        assert read is not None
        assert say(read, "en") == say(hint, "en")
    assert hint_of(bytes(1024)) is None


def test_a_hand_moves_a_handheld_that_sleeps():
    async def main():
        player = Player(SimulatedBoard(1, asyncio.get_running_loop()), "Ana")
        playing = asyncio.ensure_future(player.play())
        await asyncio.sleep(60)
        playing.cancel()
        return player.hand.free_us

    assert run(main()) > 0


def test_a_turn_is_felt_by_a_board_that_takes_its_samples_late():
    model = ADXL345(compare.SEED)
    now_us = 20_000
    driver = Accelerometer(BusioAdapter(SimulatedSMBus({0x53: model}, lambda: now_us)))
    model.acceleration = lambda _t_us: compare.FLAT
    driver.begin()
    driver.watch_for_motion()
    model.acceleration = compare.turned_at(now_us + 500_000)
    model.advance(now_us + 1_500_000)
    assert model.output("int1") == 1


def test_the_faults_for_the_doctor_can_be_done_to_a_board_alone():
    async def main():
        for fault in care.FAULTS:
            board = SimulatedBoard(1, asyncio.get_running_loop())
            CATALOGUE[fault](care.patient_of(board))
            board.close()

    run(main())
