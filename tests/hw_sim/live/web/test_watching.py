"""Nobody watches without being told, and nobody loses his seat in silence."""

from socket import AF_INET, SOCK_DGRAM, socket

import pytest
from aiohttp import ClientSession, TCPConnector

from tests.hw_sim.live.web.conftest import PATIENCE_S, wait_until
from tests.support.pages import connected, hello, partying, serving, told, welcome
from tests.support.shown_pages import ADDRESS, STATES, lobby_of, messages, stage, watching


async def test_a_page_that_comes_back_by_itself_takes_no_seat(tmp_path):
    async with serving(tmp_path) as (server, session):
        old = await connected(server, session, hello() | {"sit": False})
        assert (await welcome(old))["seat"] is None
        assert server.table.seats.free_seats() == [0]
        seen = await connected(server, session, hello())
        assert (await welcome(seen))["seat"] == 0
        assert server.table.seats.free_seats() == []


async def test_who_plays_alone_goes_on_in_another_window_and_the_first_one_is_told(tmp_path):
    async with serving(tmp_path) as (server, session):
        first = await connected(server, session, hello())
        token = (await welcome(first))["token"]
        second = await connected(server, session, hello())
        assert (await welcome(second))["seat"] is None
        await second.send_json({"do": "take", "seat": 0})
        taken = await welcome(second)
        assert (taken["seat"], len(taken["token"])) == (0, 43)
        assert taken["token"] != token
        lost = await welcome(first)
        assert (lost["seat"], lost["entitled"], lost["rights"]) == (None, [], False)
        await told(first, "left")
        stranger = await connected(server, session, hello(token=token))
        assert (await welcome(stranger))["seat"] is None, "the old token is worth nothing"


async def test_nobody_takes_a_seat_from_others_or_a_bot(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        await welcome(await connected(server, session, hello("seat", 0)))
        page = await connected(server, session, hello())
        await welcome(page)
        await page.send_json({"do": "take", "seat": 0})
        assert (await told(page, "refused"))["why"] == "seat"
        await page.send_json({"do": "take", "seat": 1})
        assert (await welcome(page))["seat"] == 1
        bot = await connected(server, session, hello())
        await bot.send_json({"do": "take", "seat": 2})
        with pytest.raises(AssertionError, match="CLOSE"):
            await told(bot, "left")
    async with partying(tmp_path / "party") as (server, session):
        page = await connected(server, session, hello())
        await told(page, "lobby")
        await page.send_json({"do": "take", "seat": 0})
        assert (await told(page, "refused"))["why"] == "rights"


def own_address():
    """An address of this machine that is not loopback; None without a network."""
    with socket(AF_INET, SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1 (RFC 5737); nothing is sent
        except OSError:
            return None
        return probe.getsockname()[0]


async def test_nobody_takes_a_seat_over_from_another_machine(tmp_path):
    if (elsewhere := own_address()) is None:
        pytest.skip("no network: every address is loopback")
    async with serving(tmp_path) as (server, session):
        first = await connected(server, session, hello())
        await welcome(first)
        async with ClientSession(
            server.address, connector=TCPConnector(local_addr=(elsewhere, 0))
        ) as remote:
            page = await connected(server, remote, hello())
            assert (await welcome(page))["seat"] is None
            await page.send_json({"do": "take", "seat": 0})
            assert (await told(page, "refused"))["why"] == "seat"


@pytest.mark.parametrize("path", ["/", "/seat/0"])
def test_a_second_page_is_told_that_it_watches_and_may_play(browser, path):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    sent = stage(page, path, watching("en"), "en")
    page.get_by_text("You are watching. Ana plays in another window.").wait_for()
    assert page.locator(".mine").count() == 0
    page.get_by_role("button", name="Play here").click()
    wait_until(page, lambda: {"do": "take", "seat": 0} in sent)
    page.close()


READS_TITLES = """() => {
  globalThis.titles = [document.title];
  const read = () => titles.at(-1) === document.title || titles.push(document.title);
  new MutationObserver(read).observe(document.querySelector("title"), { childList: true });
}"""


def test_a_page_that_reconnects_says_so(browser):
    page, sockets = browser.new_page(), []
    page.set_default_timeout(PATIENCE_S * 1000)
    sent = stage(page, "/", messages(STATES["believes?"], "en"), "en", sockets=sockets)
    page.locator(".guide.yours").wait_for()
    page.evaluate(READS_TITLES)
    for _ in range(2):  # a match is begun again: one dot is enough
        for each in messages(STATES["believes?"], "en"):
            sockets[-1].send(each)
    sockets[-1].close(code=1001)
    titles = ["● Mäxchen – the table", *("Mäxchen – the table", "● Mäxchen – the table") * 3]
    wait_until(page, lambda: len(page.evaluate("titles")) >= len(titles))
    assert page.evaluate("titles") == titles
    assert [each["sit"] for each in sent if each["do"] == "hello"] == [True, False]
    page.close()


SEATED = "localStorage.setItem(`maexchen.guest.${location.host}`, 'A'.repeat(43));"


@pytest.mark.parametrize(
    ("path", "script", "where"),
    [
        ("/", SEATED, "/phone"),
        ("/?watch", SEATED, "/?watch"),
        ("/", "", "/"),
    ],
)
def test_a_guest_who_opens_the_table_is_led_to_his_seat(browser, path, script, where):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.add_init_script(script)
    stage(page, path, [*watching("en", phones=True), lobby_of(is_host=False, plays=True)], "en")
    page.wait_for_url(ADDRESS + where)
    page.get_by_text("You are watching.").wait_for() if where != "/phone" else None
    if where == "/?watch":
        assert page.get_by_role("link", name="To your seat").get_attribute("href") == "/phone"
    elif where == "/":
        page.get_by_text("scan the code").wait_for()
        assert page.get_by_text("you play in the next").count() == 0
    page.close()


def test_the_host_s_page_is_not_told_that_it_watches(browser):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    stage(page, "/", [*watching("en", phones=True), lobby_of(is_host=True, plays=True)], "en")
    page.locator("#gather[aria-pressed=false]").wait_for()
    assert page.locator("#watching").is_hidden()
    page.close()
