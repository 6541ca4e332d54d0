"""Firefox on the built site: a match that is closed and opened again, and a guest of an evening."""

import json
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hw_sim.live.site.build import ROOT, fetch_npm
from tests.hw_sim.live.web.conftest import hosted, wait_until
from tests.hw_sim.live.web.test_guest_page import PHONE, choose_short, sit
from tests.hw_sim.live.web.test_hosted_evening import WIDE, a_broker, allowing
from tests.hw_sim.live.web.test_site_friends import Seen
from tests.support.brokers import needs_mosquitto
from tests.support.played_pages import play

JOURNEY = Path(__file__).parents[3] / "support" / "journey"
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
JOURNEY_S = 250
MATCH = "#game=class&seed=7&lang=en"


@pytest.fixture(scope="module")
def packages():
    """The folder of the packages that drive a browser."""
    if shutil.which("npm") is None:
        pytest.skip("no npm: call make node, or install Node 20 or newer")
    folder = ROOT / "build" / "journey"
    fetch_npm(JOURNEY, folder)
    return folder


def travel(packages, profile, address, what):
    """The state of the page after a part of the journey, and the titles of the lessons.

    Nothing went wrong on the way.
    """
    command = (
        JOURNEY / "journey.mjs",
        packages,
        "firefox",
        FIREFOX,
        profile,
        address,
        what,
    )
    done = subprocess.run(
        ("node", *command), stdout=subprocess.PIPE, text=True, check=True, timeout=JOURNEY_S
    )
    told = json.loads(done.stdout)
    assert told["complaints"] == []
    assert {host for host in told["hosts"] if host} == {address.split("/")[2]}
    return told["state"], {*told["taught"]}


@pytest.mark.whole
def test_class_is_played_and_its_second_match_goes_on_without_a_server(site, packages, tmp_path):
    if FIREFOX is None:
        pytest.skip("no Firefox: on Debian install firefox-esr")
    with hosted(site) as address:
        played, taught = travel(packages, tmp_path, f"{address}{MATCH}", "play")
    assert taught >= {"Shake", "Peek", "Say"}
    assert played["seen"].startswith("Dice")
    assert len(set(played["scores"])) > 1
    assert re.fullmatch(r"Ana1[01][01]", played["tally"])  # matches played, lost, crowned
    assert travel(packages, tmp_path, address, "return")[0] == played


@pytest.mark.night
@needs_mosquitto
def test_a_phone_in_firefox_plays_at_an_evening_that_chromium_hosts(
    site, packages, browser, opened, tmp_path
):
    if FIREFOX is None:
        pytest.skip("no Firefox: on Debian install firefox-esr")

    def opens(address, size):
        context = browser.new_context(service_workers="block", viewport=size)
        return opened(address, context=context)

    with (
        ThreadPoolExecutor() as pool,
        a_broker(tmp_path, pool) as broker,
        hosted(allowing(site, tmp_path / "site", ["ws://127.0.0.1:*"])) as home,
    ):
        host = opens(f"{home}screen.html?table=evening#broker={broker.url}", WIDE)
        host.context.grant_permissions(["clipboard-read", "clipboard-write"])
        host.locator(".poster .letters").wait_for()
        host.locator(".poster button").first.click()
        link = wait_until(host, lambda: host.evaluate("navigator.clipboard.readText()"))
        phone = opens(link, PHONE)
        sit(phone, "Ada")
        choose_short(phone)
        command = ("node", JOURNEY / "guest.mjs", packages, FIREFOX, tmp_path / "fox", link, "Bo")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as guest:
            assert guest.stdout.readline() == "sits\n"
            names = host.locator(".guest .name")
            wait_until(host, lambda: names.all_inner_texts()[:2] == ["Ada", "Bo"])
            wait_until(host, lambda: host.locator(".guest.wakes").count() == 0)
            host.locator(".poster button:enabled:last-child").click()
            assert guest.stdout.readline() == "plays\n"
            ended = pool.submit(guest.communicate, timeout=JOURNEY_S)
            play([Seen(phone)], ended.done, JOURNEY_S)
            over, complaints = ended.result()[0].splitlines()
        assert (over, json.loads(complaints)) == ("over", [])
