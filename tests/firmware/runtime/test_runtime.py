"""The runtime on simulated boards: drivers, core, queue of stores, and parts that fail."""

import asyncio
from contextlib import suppress
from functools import partial
from inspect import Parameter, Signature, signature

import pytest

from drivers.bus import Priority, Superseded
from firmware.display import screens
from firmware.display.text.labels import Alert
from firmware.display.text.language import LANGUAGES, book
from firmware.effects import Blank, Part, Received, SendToDevice, Store, Stored, Tick
from firmware.journal import Put
from firmware.journal.sqlite import JournalError
from firmware.runtime.panel import BRIGHT_CONTRAST, DARK_CONTRAST
from firmware.runtime.runtime import Observers, Ports, StoreOrderError, Writer
from firmware.runtime.sleep import Switch
from firmware.table.protocol import MessageKind
from firmware.table.seat.cup_custody import Position
from hw_sim.clock import run
from hw_sim.panel import read_dice
from hw_sim.trials.faults import CATALOGUE
from tests.support.rigs import Rig, alone, switched_on

SAYS = {f.place: f.shown for f in CATALOGUE.values() if f.panel and f.board.startswith("unplug")}


OF_A_RIG = {"seed", "light", "profile"}


def on_a_board(**how):
    """Have a test run with one seat, which is its first argument and keeps to the data sheets.

    The seat of a test has the arguments of ``OF_A_RIG`` that the test is given.
    """

    def decorated(test):
        def run_test(tmp_path, **given):
            of_rig = {name: given[name] for name in OF_A_RIG & given.keys()}
            rig = alone(tmp_path, partial(test, **given), **how, **of_rig)
            assert rig.board.violations == []

        own = [each for each in signature(test).parameters.values() if each.name != "rig"]
        folder = Parameter("tmp_path", Parameter.POSITIONAL_OR_KEYWORD)
        run_test.__signature__ = Signature([folder, *own])
        run_test.__doc__ = test.__doc__
        return run_test

    return decorated


# ---- at work -------------------------------------------------------------------------------------


def test_a_shake_a_look_and_the_panel_in_step_with_them(tmp_path):
    async def scenario(rig):
        assert rig.shown[0] == screens.StartingPage()
        assert rig.on_glass
        assert rig.board.display.contrast == DARK_CONTRAST
        await rig.shake()
        assert isinstance(rig.core.screen, screens.ClosedPage)
        assert rig.core.match.rolls == 1
        await rig.lift()
        assert isinstance(rig.core.screen, screens.LookPage)
        assert rig.on_glass
        assert rig.board.display.contrast == BRIGHT_CONTRAST
        assert sorted(read_dice(rig.board.display.memory)) == sorted(rig.core.match.dice)
        await rig.cover()
        assert rig.on_glass
        assert read_dice(rig.board.display.memory) is None
        assert rig.board.display.contrast == DARK_CONTRAST

    rig = alone(tmp_path, scenario)
    assert rig.board.violations == []
    assert rig.runtime.shows == len(rig.shown)


def is_fresh(data):
    """Whether a frame only asks for a contribution to dice that have not fallen yet."""
    return data[0] % 16 == MessageKind.FRESH


def test_a_journal_that_fails_stops_it_visibly_and_sends_nothing(tmp_path):
    sent = []

    async def scenario(rig):
        rig.send = lambda seat, data: sent.append(data)
        rig.disk_is_full = True
        await rig.shake()
        await asyncio.sleep(0.5)
        assert rig.core.screen == screens.AlertPage(Alert.STORE)
        assert rig.on_glass
        await asyncio.sleep(20.0)
        await rig.shake()
        assert rig.core.position is Position.STOPPED

    alone(tmp_path, scenario)
    assert all(is_fresh(data) for data in sent)


@pytest.mark.parametrize("report", [Tick, Received])
def test_a_core_that_fails_in_a_call_of_the_loop_ends_it(tmp_path, report):
    """Else the loop logs it, no tick comes any more, and the watchdog is fed for ever."""

    async def main():
        rig = Rig(tmp_path)
        handle = rig.core.handle

        def broken(what, now_us):
            if isinstance(what, report):
                raise ZeroDivisionError
            return handle(what, now_us)

        rig.core.handle = broken

        async def play():
            async with switched_on(rig):
                await rig.shake()
                asyncio.get_running_loop().call_soon(rig.runtime.receive, b"a frame")
                await asyncio.sleep(10)

        with pytest.raises(ExceptionGroup) as caught:
            await play()
        assert caught.group_contains(ZeroDivisionError)

    run(main(), limit_s=60)


# ---- parts that fail -----------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["accelerometer", "light"])
@on_a_board()
async def test_a_part_that_is_pulled_is_named_and_served_again_when_it_is_back(rig, part):
    await rig.shake()
    rig.board.unplug(part)
    await asyncio.sleep(1.0)
    assert rig.core.screen == screens.AlertPage(SAYS[part])
    assert rig.on_glass
    await asyncio.sleep(3.0)
    rig.board.replug(part)
    await asyncio.sleep(1.5)
    assert isinstance(rig.core.screen, screens.ClosedPage)
    assert rig.core.match.rolls == 1, "nothing is lost"
    await rig.lift()
    assert isinstance(rig.core.screen, screens.LookPage)
    await rig.cover()
    await rig.shake()
    assert rig.core.match.rolls == 2


@pytest.mark.parametrize("errors", [1, 3, 5])
@on_a_board()
async def test_dice_leave_in_time_even_if_the_bus_fails_just_then(rig, errors):
    await rig.shake()
    await rig.lift()
    assert isinstance(rig.core.screen, screens.LookPage)
    rig.board.nack(errors, "display")
    await rig.cover()
    assert read_dice(rig.board.display.memory) is None
    assert not rig.device.shell.part_alerts
    assert rig.on_glass


@pytest.mark.whole
@pytest.mark.parametrize("level", [0, 1])
@on_a_board()
async def test_a_stuck_interrupt_costs_no_more_than_a_good_one(rig, level):
    await rig.shake()
    before = rig.board.bus.transactions
    await asyncio.sleep(5.0)
    usual = rig.board.bus.transactions - before
    rig.board.tie("accelerometer.int1", level)
    before = rig.board.bus.transactions
    await asyncio.sleep(5.0)
    assert rig.board.bus.transactions - before < 1.2 * usual
    await rig.shake()
    assert rig.core.match.rolls == 2, "and the hand is followed as before"


@pytest.mark.parametrize("part", SAYS)
def test_a_part_that_is_missing_at_the_start_is_waited_for(tmp_path, part):
    async def scenario(rig):
        await asyncio.sleep(0.5)
        assert rig.core.screen == screens.AlertPage(SAYS[part])
        rig.board.replug(part)
        await asyncio.sleep(2.0)
        assert isinstance(rig.core.screen, screens.ClosedPage)
        assert rig.on_glass

    alone(tmp_path, scenario, prepare=lambda rig: rig.board.unplug(part))


SETTINGS = {"en": "settings", "de": "Einstellungen", "fr": "réglages"}


def test_a_light_sensor_that_the_settings_do_not_name_leads_to_them(tmp_path):
    async def scenario(rig):
        await asyncio.sleep(0.5)
        assert rig.core.screen == screens.AlertPage(Alert.LIGHT_SENSOR)
        (line,) = rig.troubles
        assert "check that the settings name the light sensor" in line

    alone(tmp_path, scenario, prepare=lambda rig: rig.board.replace("light", "bh1750"))
    assert set(SETTINGS) == set(LANGUAGES)
    for language, word in SETTINGS.items():
        assert word in book(language).texts["Alert.LIGHT_SENSOR.body"]


@pytest.mark.parametrize(("part", "name"), [("accelerometer", "ADXL345"), ("light", "VEML7700")])
def test_another_chip_in_its_place_is_told_and_named(tmp_path, part, name):
    async def scenario(rig):
        await asyncio.sleep(0.5)
        assert rig.core.screen == screens.AlertPage(Alert.WRONG_PART, name)
        (line,) = rig.troubles
        assert "but is not a" in line
        assert name in line

    alone(tmp_path, scenario, prepare=lambda rig: rig.board.wrong_chip(part))


def test_a_stuck_bus_is_got_over(tmp_path):
    async def scenario(rig):
        rig.board.stick()
        await asyncio.sleep(3.0)
        assert set(rig.device.shell.part_alerts) >= {Part.ACCELEROMETER, Part.LIGHT}
        rig.board.stick(stuck=False)
        await asyncio.sleep(2.0)
        assert not rig.device.shell.part_alerts
        assert rig.on_glass

    alone(tmp_path, scenario)


# ---- waiting for the switch ----------------------------------------------------------------------


async def test_waiting_for_a_switch_ends_in_time_or_when_it_is_on():
    switch = Switch()
    await switch.turned_on(0.5)
    assert asyncio.get_running_loop().time() == pytest.approx(0.5)
    waiting = asyncio.ensure_future(switch.turned_on(9.0))
    await asyncio.sleep(0.1)
    switch.set(True)
    await waiting
    assert asyncio.get_running_loop().time() == pytest.approx(0.6)


@on_a_board()
async def test_slices_of_a_picture_with_dice_are_void_once_they_must_go(rig):
    bus = rig.runtime.board.bus
    written = []
    waiting = asyncio.ensure_future(
        bus.run(lambda: written.append("dice"), Priority.PICTURE, generation=bus.generation)
    )
    rig.runtime._do([Blank(bus.generation + 1)])
    with pytest.raises(Superseded):
        await waiting
    assert written == []


BATCH = (Put("cup", b"\x01"),)
BEN = bytes(6)


def written(*effects, fails_at=None, then=()):
    """Return what a writer does with effects and then with more; the store ``fails_at`` fails."""
    done = []

    async def write(batch):
        await asyncio.sleep(0.01)
        if len([entry for entry in done if isinstance(entry, Stored)]) == fails_at:
            raise JournalError("journal: disk is full: free some space")
        done.append(batch)

    ports = Ports(
        write, lambda *what: done.append(what), observers=Observers(troubles=[done.append])
    )

    async def main():
        writer = Writer(ports, done.append)
        for wave in (effects, then) if then else (effects,):
            for effect in wave:
                writer.add(effect)
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await writer.serve()
        return done

    return run(main())


def test_frames_follow_what_they_depend_on():
    done = written(
        Store(1, BATCH),
        SendToDevice(BEN, b"cup", 1),
        SendToDevice(BEN, b"free"),
        SendToDevice(None, b"near", 1),
    )
    assert done == [BATCH, Stored(1), (BEN, b"cup"), (BEN, b"free"), (None, b"near")]


def test_a_frame_before_its_store_never_leaves():
    with pytest.raises(StoreOrderError, match="store 1"):
        written(SendToDevice(BEN, b"cup", 1), Store(1, BATCH))


def test_a_ticket_that_is_used_again_is_not_on_the_disk_yet():
    """Every match counts its tickets anew."""
    again = (SendToDevice(BEN, b"", 1), Store(1, BATCH))
    with pytest.raises(StoreOrderError, match="store 1"):
        written(Store(1, BATCH), SendToDevice(BEN, b"", 1), then=again)


def test_after_a_store_that_failed_nothing_is_done_any_more():
    done = written(Store(1, BATCH), SendToDevice(BEN, b"cup", 1), Store(2, BATCH), fails_at=0)
    assert done == [Stored(1, "journal: disk is full: free some space")]
