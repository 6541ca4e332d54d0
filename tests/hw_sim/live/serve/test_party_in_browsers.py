"""The command that hosts an evening, as people use it: a big screen here, and two phones."""

import asyncio
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from firmware.link.broker import BrokerAddress
from game import RULES
from hw_sim.air.local_broker import LOOPBACK
from hw_sim.live.web.gathering import HOST
from hw_sim.table import Carriage, TableSetup
from hw_sim.table.handheld import SharedServices
from hw_sim.table.headless import arrive
from tests.hw_sim.live.serve.test_commands import PROGRAM, ROOT, until
from tests.hw_sim.live.web.conftest import wait_until
from tests.support.brokers import needs_mosquitto
from tests.support.played_pages import PHONE, WIDE, choose_short, play, sit

pytestmark = [needs_mosquitto, pytest.mark.whole]
NAMES = ("Ada", "Bo")


@contextmanager
def party_at(site, folder):
    """The command; yields it and what it has said."""
    wanted = ["party", "--site", str(site), "--folder", str(folder), "--port", "0"]
    with subprocess.Popen(
        [*PROGRAM, *wanted, "--host", LOOPBACK], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as party:
        try:
            yield party, "".join(until(party, "The party is ready"))
        finally:
            party.terminate()
    assert party.returncode == 0


@pytest.fixture
def opens(browser, opened):
    """Opens pages, each in a browser of its own that trusts this computer."""

    def open_page(address, size):
        context = browser.new_context(
            viewport=size, ignore_https_errors=True, service_workers="block"
        )
        return opened(address, context=context)

    return open_page


def screen_of(told, opens):
    """The page of the big screen, in its lobby, and the code of the evening."""
    (address,) = re.findall(r"http://\S+screen\.html\S+", told)
    screen = opens(address, WIDE)
    screen.locator(".poster .letters").wait_for()
    return screen, screen.inner_text(".poster .letters")


def begin(screen):
    """Let a match begin as soon as all handhelds are in the lobby."""
    wait_until(screen, lambda: screen.locator(".guest.wakes").count() == 0)
    screen.locator(".poster button:enabled:last-child").click()


def test_phones_open_the_printed_addresses_sit_down_and_the_screen_begins_their_match(
    site, opens, tmp_path
):
    """One comes without TLS, the other with it."""
    with party_at(site, tmp_path) as (party, told):
        screen, code = screen_of(told, opens)
        (door,) = re.findall(r"Guests open (\S+)", until(party, "Guests open")[-1])
        assert door.endswith(f"/{code}")
        phones = []
        encrypted = re.findall(r"https://\S+", told)[0] + code
        for name, way in zip(NAMES, (door, encrypted)):
            phone = opens(way, PHONE)
            sit(phone, name)
            phones.append(phone)
        names = screen.locator(".guest .name")
        wait_until(screen, lambda: names.all_inner_texts()[:2] == [*NAMES])
        begin(screen)
        for phone in phones:
            phone.locator("#hand .device").wait_for()
        screen.locator(".felt").wait_for()


async def joins(address, name, code, folder):
    """Somebody with a handheld enters the room of a party, and plays there; returns the match."""
    carriage = Carriage(broker=BrokerAddress.of(address))
    setup = TableSetup(RULES["sevens"], link=("mqtt",), carriage=carriage)
    seat, person = arrive(0, name, setup, SharedServices.of(setup), folder)
    running = asyncio.ensure_future(seat.run())
    await person.enter_room(code)
    await person.join(HOST)
    await person.play(clumsy=False)
    running.cancel()
    await asyncio.wait([running])
    return person.over[-1]


def test_a_handheld_at_the_printed_address_of_the_broker_plays_with_a_phone(site, opens, tmp_path):
    with party_at(site, tmp_path) as (_, told), ThreadPoolExecutor() as pool:
        screen, code = screen_of(told, opens)
        phone = opens(re.findall(r"https://\S+", told)[0] + code, PHONE)
        sit(phone, NAMES[0])
        choose_short(phone)
        (address,) = re.findall(r'url = "(mqtt://\S+)"', told)
        (room,) = re.findall(r"\d{4}", screen.inner_text(".poster .room"))
        handheld = pool.submit(asyncio.run, joins(address, "Dea", room, tmp_path))
        names = screen.locator(".guest .name")
        wait_until(screen, lambda: names.all_inner_texts()[:2] == [NAMES[0], "Dea"])
        begin(screen)
        phone.locator("#hand .device").wait_for()
        play([phone], handheld.done)
        assert handheld.result().players[:2] == (NAMES[0], "Dea")
