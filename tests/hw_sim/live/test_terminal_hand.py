"""Keys become motion at a table in virtual time, and nobody sees the others' dice."""

import asyncio
import re
from contextlib import asynccontextmanager
from random import Random

from firmware.display.screens import LookPage, RevealPage
from firmware.table.log.entries import decode_entries
from game import RULES
from game.actions import Believe, Doubt
from game.actions import Look as LookAction
from hw_sim.hand.control.keyed_hand import Doing, KeyedHand
from hw_sim.hand.control.keys import Key
from hw_sim.live.terminal.layout import arrange
from hw_sim.live.terminal.raw_terminal import ScreenSize
from hw_sim.live.terminal.view import LiveView
from hw_sim.panel.dice_reader import shows_pips
from hw_sim.table.setup import TableSetup
from tests.support.matches import playing
from tests.support.terminal_screen import Screen, opened_by_me

PATIENCE_S = 600.0

SIZE = ScreenSize(200, 60)
ME = 0


def at_table(folder, *, game="class", person=ME):
    """A table of three that plays, in virtual time."""
    return playing(TableSetup(RULES[game], 3, opened_by_me(), person=person), folder)


@asynccontextmanager
async def keyed(folder, **wanted):
    """The same, with somebody's keys for the hand at seat ME; gives its seat, too."""
    async with at_table(folder, **wanted) as table:
        seat = table.seats[ME]
        hand = KeyedHand(seat.held, Random("keys"))
        typing = asyncio.ensure_future(hand.play())
        await asyncio.sleep(2.0)
        yield table, seat, hand
        typing.cancel()


def actions_of(table):
    return decode_entries(b"".join(table.seats[ME].log.since(0)))


async def repeated(hand, key, seconds, first_s=0.5):
    """Hold a key as a terminal tells it: once, and after a while 30 times a second."""
    hand.press(key)
    await asyncio.sleep(min(first_s, seconds))
    for _ in range(round((seconds - first_s) * 30)):
        hand.press(key)
        await asyncio.sleep(1 / 30)


async def until(holds, within_s=PATIENCE_S):
    async with asyncio.timeout(within_s):
        while not holds():
            await asyncio.sleep(0.05)


async def thrown(table, hand):
    """Shake; returns the throw."""
    hand.press(Key.SHAKE)
    await until(lambda: len(actions_of(table)) == 1)
    return actions_of(table)[0]


async def test_a_held_arrow_runs_and_a_hold_shows_the_dice_while_the_finger_stays(tmp_path):
    async with keyed(tmp_path) as (table, seat, hand):
        roll = await thrown(table, hand)
        await asyncio.sleep(1.0)
        dial = seat.handheld.dial
        await repeated(hand, Key.RIGHT, 8.0)
        assert dial.index == len(dial.entries) - 1
        await repeated(hand, Key.LEFT, 4.0)
        await asyncio.sleep(1.0)
        target = dial.index_of(LookAction())
        while dial.index != target:
            hand.press(Key.RIGHT if dial.index < target else Key.LEFT)
            await asyncio.sleep(1.0)
        pressing = asyncio.ensure_future(repeated(hand, Key.HOLD, 2.5))
        await until(lambda: seat.read_dice() is not None)
        assert hand.doing == [Doing.TOUCHING]
        await pressing
        assert seat.read_dice() == roll.dice
        await asyncio.sleep(2.0)
        assert seat.read_dice() is None


async def test_quick_presses_move_as_many_entries_steeply(tmp_path):
    async with keyed(tmp_path) as (table, seat, hand):
        await thrown(table, hand)
        await asyncio.sleep(2.0)
        dial = seat.handheld.dial
        start, started_us = dial.index, seat.runtime.now_us
        for _ in range(6):
            hand.hold(Key.RIGHT)
            hand.release(Key.RIGHT)
        await until(lambda: dial.index == start + 6)
        assert seat.runtime.now_us - started_us < 2_500_000
        await asyncio.sleep(2.0)
        assert dial.index == start + 6


async def test_u_lifts_until_it_is_pressed_again(tmp_path):
    async with keyed(tmp_path) as (_, seat, hand):
        hand.press(Key.LIFT_TOGGLE)
        await asyncio.sleep(3.0)
        hand.press(Key.LIFT)
        await asyncio.sleep(3.0)
        assert seat.hand.openness(seat.runtime.now_us) > 0.5
        assert hand.doing == [Doing.LIFTING]
        hand.press(Key.LIFT_TOGGLE)
        await asyncio.sleep(1.0)
        assert (seat.hand.openness(seat.runtime.now_us), hand.doing) == (0.0, [])


async def pictures(view, seconds):
    """Draw a table as often as a person's terminal would: each seat, its panel, all the text."""
    screen, layout = Screen(SIZE), arrange(SIZE, 3)
    for _ in range(round(seconds * 20)):
        sent = view.frame(SIZE, [])
        screen.send(sent)
        for seat, place in enumerate(layout.panels if sent else ()):
            yield seat, screen.memory(place), screen.text
        await asyncio.sleep(0.05)


async def test_others_peeks_are_hidden_from_a_person(tmp_path):
    """All play by themselves; the view is that of a person at seat 0."""
    own, peeks, masks = False, False, False
    async with at_table(tmp_path, person=None) as table:
        view = LiveView(table, ME, "en", peeks_open=False)
        async for seat, memory, text in pictures(view, 90.0):
            handheld = table.seats[seat].handheld
            if seat == ME:
                own |= shows_pips(memory)
                continue
            masks |= "peeking" in text
            peeks |= isinstance(handheld.screen, LookPage)
            if not isinstance(handheld.screen, RevealPage) and handheld.view().round_end is None:
                assert not shows_pips(memory)
    assert own
    assert peeks
    assert masks


async def test_what_is_said_is_told_in_the_language_of_the_person(tmp_path):
    texts = []
    async with at_table(tmp_path, person=None) as table:
        views = [LiveView(table, None, language, peeks_open=False) for language in ("de", "en")]
        await until(lambda: {Believe(), Doubt()} & set(actions_of(table)), within_s=300)
        for view in views:
            screen = Screen(SIZE)
            screen.send(view.frame(SIZE, [Doing.LIFTING]))
            texts.append(screen.text)
        view.over = True
        assert "The match is over. Press a key." in view.frame(SIZE, [])
    german, english = texts
    assert re.search(r"\w+ würfelt\.", german)
    assert re.search(r"\w+ sagt \d\d zu \w+\.", german)
    assert re.search(r"\w+ says \d\d to \w+\.", english)
    assert "q aufhören" in german
    assert "● cup" in english


async def test_a_window_that_is_too_small_is_told(tmp_path):
    async with at_table(tmp_path) as table:
        sent = LiveView(table, ME, "en", peeks_open=False).frame(ScreenSize(60, 20), [])
        assert "The window is too small: 80×24." in sent
