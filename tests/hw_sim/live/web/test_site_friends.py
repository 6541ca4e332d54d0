"""Friends in different towns: a link, a broker that nobody trusts, and real pages on both sides."""

from urllib.parse import parse_qs, quote, urlsplit

import pytest

from firmware.display.text.language import ENGLISH, say
from firmware.display.text.rulebook import option_key
from firmware.link.broker.topics import SALT_BYTES, password_line
from game import rule_set
from hw_sim.air.local_broker import LOOPBACK, free_port
from hw_sim.story.games import differences
from tests.hw_sim.live.web.conftest import hosted, wait_until
from tests.hw_sim.live.web.test_hosted_evening import allowing
from tests.hw_sim.live.web.test_shown_pages import BESIDE, measured
from tests.support.brokers import SocketBroker, needs_mosquitto
from tests.support.played_pages import play, press, says, script, until

pytestmark = [pytest.mark.whole, needs_mosquitto]
FULL = script("full_disk")
"""Fails each write, as a browser with a full disk does."""


NO_STORE = """Storage.prototype.setItem = () => {
  throw new DOMException("full", "QuotaExceededError");
};"""
REFUSED = script("refused_data")
"""Refuses all site data, as a browser that blocks cookies does."""
LOST = "The broker does not answer. The game waits"


def fill_store(route):
    """Answer with the file of a worker whose disk is full from the start."""
    answer = route.fetch()
    route.fulfill(response=answer, body=f"({FULL})();\n{answer.text()}")


class Ground:
    """A site under a sub-path whose builder lists brokers, and one of these that runs.

    ``folder``: of the site.
    """

    def __init__(self, home, site, folder, urls, opened, browser):
        self.home, self.folder, self._folder = home, site, folder
        self.gone, self.url = urls
        self.broker = self.broker_with()
        self._opened, self._browser = opened, browser

    def broker_with(self, accounts=(), url=None):
        return SocketBroker(self._folder, accounts, urlsplit(url or self.url).port)

    def open(self, address, size=(390, 844), context=None, *, may_warn=False, script=""):
        phone = context or self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=True,
            locale="en-US",
            service_workers="block",  # none keeps a site of another policy
        )
        phone.add_init_script(script)
        if may_warn:
            page = phone.new_page()
            page.goto(address)
        else:
            page = self._opened(address, context=phone)
        page.asked = []
        page.on("websocket", lambda socket: page.asked.append(socket.url))
        return page

    def invite(self, name="Ada", game="Sevens"):
        page = self.open(f"{self.home}friend.html")
        page.get_by_role("button", name=game, exact=True).tap()
        page.locator("summary", has_text="Rules").tap()
        page.get_by_label("So many rounds").fill("1")
        page.get_by_label("What is your name?").fill(name)
        page.get_by_role("button", name="Make the link").tap()
        field = page.locator("#friend").get_by_role("textbox", name="The link")
        field.wait_for()
        return page, field.input_value()

    def come(self, link, name="Bo", size=(320, 568)):
        page = self.open(link, size)
        enter(page, name)
        return page


def play_on(pages):
    """Play until both see the end."""
    ends = ".end button.again"
    play(pages, lambda: all(page.locator(ends).count() for page in pages))


def enter(page, name):
    page.get_by_label("What is your name?").fill(name)
    page.get_by_role("button", name="Come in").tap()


def notice(page):
    return page.locator("#notice").inner_text()


def told(page):
    """Return the line of the panel that says what is wrong."""
    return page.locator("#friend .why").inner_text()


def is_told(page, line):
    wait_until(page, lambda: line in told(page))


@pytest.fixture(scope="module")
def built(site, tmp_path_factory):
    """Return a site whose builder lists a broker that is not there, and one that is."""
    folder = tmp_path_factory.mktemp("site")
    urls = [f"ws://{LOOPBACK}:{free_port()}" for _ in range(2)]
    allowing(site, folder / "sub", urls)
    return folder, urls


@pytest.fixture
def ground(built, opened, browser, tmp_path):
    folder, urls = built
    with hosted(folder) as home:
        here = Ground(f"{home}sub/", folder / "sub", tmp_path, urls, opened, browser)
        here.broker.begin()
        yield here
        here.broker.kill()


def test_two_play_by_one_link_whatever_becomes_of_page_and_broker_and_another_match(ground):
    ada, link = ground.invite()
    asked = parse_qs(urlsplit(link).fragment)
    assert asked["broker"] == [ground.url, ground.gone], "the first one is not there"
    assert len(*asked["key"]) == 22
    assert ada.url == link, "whoever reloads the page goes on"
    bo = ground.come(link)
    assert not [each for each in bo.asked if each], "nobody is asked before Bo comes"
    pages = [ada, bo]
    for page in pages:
        page.locator(".mine").wait_for()
        assert page.locator("#others li").count() == 2
    ada.locator(".menu summary").tap()
    assert ada.locator("#friend-link input").input_value() == link, "it is there still"
    ada.locator(".menu summary").tap()
    opener = wait_until(ada, lambda: next((each for each in pages if "throw" in says(each)), None))
    shown = says(opener)
    opener.reload()
    until(opener, lambda text: text == shown)
    ground.broker.kill()
    for page in pages:
        wait_until(page, lambda page=page: LOST in notice(page))
    ground.broker.begin()
    for page in pages:
        wait_until(page, lambda page=page: notice(page) == "")
    play_on(pages)
    scores = [page.locator("#others .score").all_inner_texts() for page in pages]
    assert scores[0] == scores[1]
    loser = max(range(2), key=lambda seat: int(scores[0][seat].split()[0]))
    for page in pages:
        page.locator("img[src^=blob]").wait_for()  # the card of the match
    bo.locator(".end button.again").tap()
    wait_until(ada, lambda: "Bo would like to" in notice(ada))
    wait_until(bo, lambda: "as soon as they want to: Ada" in notice(bo))
    ada.locator(".end button.again").tap()
    for page in pages:
        page.locator(".end button.again").wait_for(state="detached")
        wait_until(page, lambda page=page: notice(page) == "")
    turn = pages[0].locator("#others li.turn")
    wait_until(ada, lambda: turn.count() == 1)
    assert ("Ada", "Bo")[loser] in turn.inner_text(), "who lost opens"
    shown = [says(page) for page in pages]
    homes = [page.context for page in pages]
    for page in pages:
        page.close()
    pages = [ground.open(link, context=home) for home in homes]
    for page, before in zip(pages, shown):
        until(page, lambda text, before=before: text == before)
    ada, bo = pages
    bo.on("dialog", lambda dialog: dialog.accept())
    bo.locator(".menu summary").tap()
    bo.get_by_role("button", name="Leave the seat").tap()
    bo.get_by_text("The seat has been given up.").wait_for()
    assert bo.get_by_role("link", name="Invite a friend").get_attribute("href") == (
        f"{ground.home}friend.html"
    )
    absent = ada.locator("#others li", has_text="Bo").locator(".absent")
    wait_until(ada, lambda: absent.inner_text() == "away")


def test_each_thing_that_goes_wrong_is_one_line_that_says_what_to_do(ground):
    page = ground.open(f"{ground.home}friend.html")
    page.locator("#friend select").last.select_option("")
    page.get_by_label("Its address").fill("wss://elsewhere.example:8884")
    page.get_by_label("What is your name?").fill("Ada")
    page.get_by_role("button", name="Make the link").tap()
    is_told(page, f"This site allows these brokers only: {ground.gone}, {ground.url}")
    page.locator("#friend select").last.select_option(ground.gone)
    ground.broker.kill()
    page.get_by_role("button", name="Make the link").tap()
    is_told(page, f"No broker answers: {ground.gone}.")
    page.close()
    ground.broker.begin()
    ada, link = ground.invite("Ada")
    elsewhere = link.replace(quote(ground.url, safe=""), "wss://elsewhere.example")
    for bad, line in (
        (link[:-1], "This link was cut short."),
        (elsewhere, "This site does not use the broker of this link."),
    ):
        page = ground.open(bad)
        if bad == elsewhere:
            enter(page, "Bo")
        is_told(page, line)
        page.close()
    bo = ground.open(link, script=NO_STORE)
    keeps_nothing = bo.locator("#told-by-site p", has_text="keeps nothing for this page")
    bo.get_by_label("What is your name?").fill("Beatrix Alexandra")
    bo.get_by_text("Too long: it has 17 bytes").wait_for()
    enter(bo, "Bo\u2800")
    keeps_nothing.get_by_role("button").tap()
    is_told(bo, "Something in it cannot be seen.")
    enter(bo, "Ada")
    is_told(bo, "is taken")
    enter(bo, "Bo")
    for each in (ada, bo):
        each.locator(".mine").wait_for()
    assert keeps_nothing.count() == 0, "it is told once"
    full = ground.open(link, may_warn=True, script=NO_STORE)
    full.route("**/own_worker.js", fill_store)
    enter(full, "Cy")
    is_told(full, "Saving fails: make room on this device")
    assert full.locator("#told-by-site p").count() == 0, "one line tells of one store"
    full.close()
    tab = ground.open(ada.url, context=ada.context)
    is_told(tab, "already plays in another tab")
    tab.close()
    old = ground.come(link.replace("&v=", "&v=0"), "Dea")
    is_told(old, "Your friend’s page was of another version.")
    opener = wait_until(ada, lambda: next((p for p in (ada, bo) if "throw" in says(p)), None))
    opener.workers[0].evaluate(FULL)
    press(opener, "shake")
    wait_until(opener, lambda: "Saving fails: make room on this device" in notice(opener))
    ground.broker.kill()
    is_told(old, "does not answer. Is there a network?")
    for each in (ada, bo, old):
        each.close()
    ground.broker = ground.broker_with([password_line("ana", "right", bytes(SALT_BYTES))])
    ground.broker.begin()
    page = ground.open(link, may_warn=True)
    enter(page, "Bo")
    is_told(page, f"The broker {ground.url} refuses:")
    assert "Not authorized" in told(page)


def test_a_browser_that_refuses_to_keep_anything_says_so_in_a_line_and_plays(ground):
    table = ground.open(ground.home, may_warn=True, script=REFUSED)
    table.locator("#waking p", has_text="Allow site data here").wait_for()
    table.close()
    ada, link = ground.invite()
    bo = ground.open(link, script=REFUSED)
    worker = f"{REFUSED}\n{(ground.folder / 'own_worker.js').read_text()}"
    (ground.folder / "refused.js").write_text(worker)
    bo.route("**/own_worker.js", lambda route: route.continue_(url=f"{ground.home}refused.js"))
    enter(bo, "Bo")
    line = bo.locator("#told-by-site p", has_text="keeps nothing for this page")
    line.get_by_role("button").tap()
    for each in (ada, bo):
        each.locator(".mine").wait_for()
    turn = ada.locator("#others li.turn .called")
    first = wait_until(ada, turn.all_inner_texts)
    play([ada, bo], lambda: turn.all_inner_texts() not in ([], first))
    assert line.count() == 0, "it is told once"


def test_the_form_is_fit_for_thumbs_and_ears(ground, opened):
    page = opened(f"{ground.home}friend.html#lang=fr")
    page.locator("#friend form").wait_for()
    measured(page, ((320, 568), (1280, 800)), ("friend", "fr"), BESIDE)
    assert not page.locator("#waking").is_visible()


def test_the_first_page_leads_to_a_form_that_tells_changed_rules_as_a_lobby_does(ground):
    page = ground.open(ground.home, (1280, 800))
    page.locator("#menu").dispatch_event("click")  # the table need not be awake
    page.get_by_role("link", name="Invite a friend").dispatch_event("click")
    page.get_by_role("button", name="Make the link").wait_for()
    assert page.url == f"{ground.home}friend.html"
    page.locator("#friend select").first.select_option("3")
    page.get_by_role("button", name="Wikipedia", exact=True).tap()
    assert page.locator("#friend .sentence").inner_text() == say("preset.wikipedia", ENGLISH)
    page.locator("summary", has_text="Rules").tap()
    page.get_by_label(say(option_key("credit"), ENGLISH)).fill("3")
    told = page.locator("#friend .differences li").all_inner_texts()
    assert told == differences(rule_set("wikipedia", {"credit": 3}), ENGLISH)
    assert page.locator("#friend .sentence").inner_text() == say("listing.HOUSE_RULES", ENGLISH)
