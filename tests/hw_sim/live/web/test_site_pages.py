"""Pages that the site alone has: a phone's handheld, tasks as links, a handheld in a page."""

import re

from firmware.display.text.language import LANGUAGES, section
from hw_sim.live.page.link_setup import setup_of
from hw_sim.live.site.build import FRONT
from tests.hw_sim.live.web.conftest import settled, wait_until
from tests.hw_sim.live.web.test_site import awake, stored
from tests.support.played_pages import DAMAGE, says, until

SEATED = "#game=class&bots=honest,honest&seed=1"
OPENS = "#game=class&seed=7"
"""Ana opens, and nothing happens until she does."""


def test_the_usual_tasks_are_links_of_tables_each_with_words():
    links = re.findall(r'^  "(.*)",$', (FRONT / "tasks.js").read_text("utf-8"), re.MULTILINE)
    assert len(links) == 10
    for number, link in enumerate(links, 1):
        carried = setup_of(link, "en")
        assert carried is not None
        assert not carried[1], "everybody meets the same dice"
        assert all(section("page", language)[f"task{number}"] for language in LANGUAGES)


def phone(browser, language="en-US"):
    return browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale=language
    )


def test_a_phone_that_opens_a_link_is_the_handheld(home, browser, opened):
    context = phone(browser)
    context.add_init_script("delete Navigator.prototype.wakeLock;")
    page = awake(opened(f"{home}{SEATED}", context=context))
    assert page.url == f"{home}seat.html{SEATED}"
    wait_until(page, lambda: page.locator("video.awake").evaluate("film => film.readyState"))
    until(page, lambda text: "sixty-four" in text)
    page.locator(".menu summary").tap()
    page.get_by_role("link", name="To the table").tap()
    awake(page)
    until(page, lambda text: "sixty-four" in text)
    page.get_by_role("link", name="As a handheld").tap()
    page.wait_for_url(f"{home}seat.html")
    awake(page)


def test_tasks_of_ones_own_are_handed_on_in_a_link(home, opened):
    page = opened(f"{home}tasks.html")
    page.get_by_text("A page of your own tasks").click()
    page.get_by_label("Title of the page").fill("Monday")
    for text, link in (("Nothing", "https://example.org/"), ("Win.", f"{home}{SEATED}")):
        page.get_by_label("What is to be done").fill(text)
        page.get_by_label("Link of a table").fill(link)
        page.get_by_role("button", name="Add the task").click()
        is_told = page.locator("#notice").text_content()
        assert ("no link of a table" in is_told) == (text == "Nothing")
    handed = opened(page.url)
    assert handed.locator("h1").text_content() == "Monday"
    assert handed.locator("#tasks li").count() == 1
    handed.get_by_role("link", name="Play: Win.").click()
    awake(handed)
    until(handed, lambda text: "sixty-four" in text)


ANOTHER = """() => {
  const other = document.createElement("maexchen-handheld");
  for (const [name, value] of [["game", "sevens"], ["players", "2"], ["lang", "en"]])
    other.setAttribute(name, value);
  document.querySelector("main").append(other);
}"""


def test_a_page_around_two_handhelds_hears_them_and_each_has_a_table_of_its_own(home, opened):
    page = opened(f"{home}example.html")
    page.evaluate(ANOTHER)
    frames = [page.frame_locator("maexchen-handheld iframe").nth(each) for each in (0, 1)]
    for frame, told in zip(frames, ("cup is empty", "For the lead")):
        frame.locator(".mine > p.hidden", has_text=told).wait_for(state="attached")
    heard = page.locator("#events")
    heard.get_by_text("You open the round: throw").first.wait_for()
    page.locator("#gestures").get_by_role("button", name="Shake").click()
    heard.get_by_text("Look, then say").first.wait_for()
    # Another language shows the same match, and not another one.
    page.locator("maexchen-handheld").first.evaluate("each => { each.language = 'fr'; }")
    heard.get_by_text("regarde").first.wait_for()


def test_the_trainer_works_without_a_record_and_remembers(home, opened):
    page = awake(opened(f"{home}train.html"))
    page.locator(":is(#ways, #ladder .beats) button").first.click()
    page.locator("#solution table").wait_for()
    page.locator("#next").click()
    page.locator("#solution table").wait_for(state="detached")
    stored(page)
    page.reload()
    awake(page)
    page.locator("#weeks summary").click()
    page.locator("#weeks td").first.wait_for()
    assert page.locator("#weeks td").nth(3).text_content() == "1"
    settled(page, DAMAGE, "/kept/train.sqlite")
    page.goto(f"{home}train.html")
    notice = awake(page).locator("#notice", has_text="name another file")
    notice.wait_for()
    notice.evaluate("line => line.replaceChildren()")
    page.locator("#export").click()
    notice.wait_for()


def test_two_people_pass_one_handheld_on_and_neither_sees_the_others_dice(home, opened):
    page = awake(opened(home))
    page.get_by_role("button", name="Another game").click()
    assert page.get_by_label("Several on this device").is_visible()
    page.get_by_label("Or their names").fill("Zoe, Kim")
    page.keyboard.press("Tab")
    page.wait_for_url(f"{home}seat.html#*people=2*names=Zoe%2CKim")
    page.close()
    page = opened(f"{home}seat.html{OPENS}&names=Zoe,Kim&lang=en", context=page.context)
    awake(page)
    until(page, lambda text: "shake ·" in text)
    page.keyboard.press(" ")
    until(page, lambda text: "Throw 1" in text)
    page.keyboard.press("ArrowRight")
    until(page, lambda text: "Choice: 31" in text)
    page.keyboard.press("Enter")
    cover = page.locator("dialog.passing[open]")
    cover.get_by_text("Pass the handheld to Kim.").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    cover.wait_for()
    assert "Zoe says" not in says(page), "it is Zoe's display yet"
    top = "document.elementFromPoint(innerWidth / 2, innerHeight / 4).className"
    assert page.evaluate(top) == "passing"
    cover.get_by_role("button", name="I am Kim").click()
    until(page, lambda text: "Zoe says. thirty-one" in text)
    assert page.locator("#name").text_content() == "Kim"
    assert cover.count() == 0
