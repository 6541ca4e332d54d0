"""The built site: it plays as this machine does, and goes on without a server."""

import json
import shutil
import subprocess
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

import pytest

from game import rule_set
from game.explore import playout
from game.record import Record, write
from hw_sim.live.page.link_setup import LINK
from hw_sim.live.site.build import SITE, build
from hw_sim.table.headless import play_match
from hw_sim.table.setup import TableSetup
from tests.hw_sim.live.web.test_browser import Mouse, is_over, play_sevens, until

PLAYED = Path(__file__).parents[3] / "support" / "played.mjs"
SEVENS = "#game=sevens&players=2&rounds=1&seed=3&lang=en"


class Quiet(SimpleHTTPRequestHandler):
    """A plain web server, as ``python -m http.server`` has it."""

    def log_message(self, *_args):
        pass


@pytest.fixture(scope="module")
def site():
    """The folder of the built site."""
    if shutil.which("npm") is None:
        pytest.skip("no npm: on Debian install nodejs and npm")
    build()
    return SITE


@contextmanager
def hosted(folder):
    """A plain web server of a folder; yields its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("sevens", 2, {"rounds": 1}),
        *(
            pytest.param(game, 3, {}, marks=pytest.mark.whole)
            for game in ("class", "physicist", "holy-family", "maxen", "chicago", "sevens")
        ),
    ],
)
def test_a_match_in_a_page_is_the_same_to_the_bit(site, tmp_path, game, players, options):
    setup = TableSetup(rule_set(game, options), players, 1, link=LINK)
    command = ("node", PLAYED, site, game, str(players), json.dumps(options), "1")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as page:
        native = play_match(setup, tmp_path).digest
        told, _ = page.communicate()
    assert told == f"{native}\n"


def awake(page):
    page.locator("#waking").wait_for(state="hidden")


def kept(page):
    """Wait until the site is kept for use without a network, and all that was done is stored."""
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_timeout(3_000)  # a table is stored each second


@pytest.mark.smoke
def test_a_match_is_begun_by_a_link_and_goes_on_without_a_server(site, browser, opened):
    context = browser.new_context(locale="en-US")
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    with hosted(site) as address:
        page = opened(f"{address}{SEVENS}", context=context)
        awake(page)
        until(page, lambda text: "For the lead" in text)
        page.get_by_role("button", name="Shake", exact=True).click()
        before = until(page, lambda text: "lift = show" in text, 30)
        kept(page)
        page.close()
    page = opened(address, context=context)
    awake(page)
    until(page, lambda text: text == before, 30)
    assert {url.split("/")[2] for url in asked if url.startswith("http")} == {address.split("/")[2]}
    context.close()


def test_a_person_plays_to_the_end_and_goes_on_in_the_second_match(site, browser, opened):
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-US")
    with hosted(site) as address:
        page = opened(f"{address}{SEVENS}", context=context)
        awake(page)
        play_sevens(page, Mouse(page))
        page.locator("button.again").click()
        told = until(page, lambda text: "shake ·" in text)
        kept(page)
        page.close()
    page = opened(address, context=context)
    awake(page)
    until(page, lambda text: text == told, 30)
    assert not is_over(page)
    context.close()


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("game=chess", "game=chess: write one of class, physicist"),
        ("game=class&players=99", "players"),
        ("game=class&flavour=sour", "flavour"),
        ("seed=-1&game=class", "seed=-1: write a whole number"),
    ],
)
def test_a_link_that_is_none_is_told_of_and_the_table_is_there(site, opened, link, told):
    with hosted(site) as address:
        page = opened(f"{address}#{link}")
        awake(page)
        page.locator("#told-by-site p", has_text=told).wait_for()
        until(page, lambda text: text != "")


def test_a_file_that_is_dropped_is_judged(site, opened, tmp_path):
    rules = rule_set("class", {})
    names = ("Ana", "Ben", "Cem")
    record = Record(rules, names, 0, tuple(playout(rules, names, Random(1))[0]))
    files = {"match.jsonl": write(record), "other.jsonl": "no record"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    with hosted(site) as address:
        page = opened(address, language="en-US")
        awake(page)
        page.locator("input[type=file]").set_input_files(tmp_path / "match.jsonl")
        page.get_by_role("cell", name="Ben").first.wait_for()
        page = opened(address, language="en-US")
        awake(page)
        page.locator("input[type=file]").set_input_files(tmp_path / "other.jsonl")
        page.locator("#notice", has_text="line 1").wait_for()
