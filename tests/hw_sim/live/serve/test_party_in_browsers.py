"""The command that hosts an evening, as people use it: a big screen here, and two phones."""

import re
import subprocess

import pytest

from tests.hw_sim.live.serve.test_commands import PROGRAM, ROOT, until
from tests.hw_sim.live.web.conftest import wait_until
from tests.hw_sim.live.web.test_guest_page import NAMES, PHONE, sit
from tests.hw_sim.live.web.test_hosted_evening import WIDE
from tests.support.brokers import needs_mosquitto

pytestmark = [needs_mosquitto, pytest.mark.whole]


def test_phones_open_the_printed_addresses_sit_down_and_the_screen_begins_their_match(
    site, browser, opened, tmp_path
):
    """One comes without TLS, the other with it."""

    def opens(address, size):
        context = browser.new_context(
            viewport=size, ignore_https_errors=True, service_workers="block"
        )
        return opened(address, context=context)

    wanted = ["party", "--site", str(site), "--folder", str(tmp_path), "--port", "0"]
    wanted += ["--host", "127.0.0.1"]
    with subprocess.Popen(
        [*PROGRAM, *wanted], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as party:
        try:
            told = "".join(until(party, "The party is ready"))
            (page,) = re.findall(r"http://\S+screen\.html\S+", told)
            screen = opens(page, WIDE)
            screen.locator(".poster .letters").wait_for()
            code = screen.inner_text(".poster .letters")
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
            wait_until(screen, lambda: screen.locator(".guest.wakes").count() == 0)
            screen.screenshot(path=tmp_path / "lobby.png")
            screen.locator(".poster button:enabled:last-child").click()
            for phone in phones:
                phone.locator("#hand .device").wait_for()
            screen.locator(".felt").wait_for()
            screen.screenshot(path=tmp_path / "match.png")
            phones[0].screenshot(path=tmp_path / "phone.png")
        finally:
            party.terminate()
    assert party.returncode == 0
