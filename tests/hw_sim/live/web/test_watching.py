"""Nobody watches without being told."""

from tests.hw_sim.live.web.conftest import PATIENCE_S, wait_until
from tests.support.shown_pages import STATES, lobby_of, messages, stage, watching

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
    assert len([each for each in sent if each["do"] == "hello"]) == 2
    page.close()


def test_a_page_that_watches_an_evening_says_how_to_play(browser):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    stage(page, "/", [*watching("en", phones=True), lobby_of(is_host=False, plays=True)], "en")
    page.get_by_text("You are watching.").wait_for()
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
