"""A table in real browsers: played by mouse, by keys, on two seats, and through interruptions."""

import json
import time
from math import pi, sin

from tests.hw_sim.live.web.conftest import PATIENCE_S, served, wait_until

SEVENS = ("--game", "sevens", "--option", "rounds=1", "--lang", "en")
PARTY = ("--phones", "--host", "127.0.0.1", "--lang", "en")
MATCH_S = 110.0


def says(page):
    """Return the words on the display of the own handheld."""
    return page.locator(".mine > p.hidden").text_content() or ""


def until(page, told):
    """Wait until the display says something that ``told`` is content with."""
    ends_s = time.monotonic() + PATIENCE_S
    while not told(shown := says(page)):
        assert time.monotonic() < ends_s, shown
        page.wait_for_timeout(40)
    return shown


def is_over(page):
    return page.locator("button.again").count() > 0


def story(page):
    return page.locator("#story").inner_text()


class Mouse:
    """Plays with the mouse alone."""

    def __init__(self, page):
        self.page = page

    def _middle(self, selector):
        box = self.page.locator(selector).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def shake(self):
        x, y = self._middle(".mine .glass")
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        began_s = time.monotonic()
        while (since_s := time.monotonic() - began_s) < 1.8:
            swing = sin(2 * pi * 3.5 * since_s)
            mouse.move(x + 170 * swing, y + 30 * swing)
            self.page.wait_for_timeout(5)
        mouse.up()

    def press(self, selector, lasts_s):
        x, y = self._middle(selector)
        self.page.mouse.move(x, y)
        self.page.wait_for_timeout(1000)  # a finger that comes down in motion is a grip
        self.page.mouse.down()
        self.page.wait_for_timeout(lasts_s * 1000)
        self.page.mouse.up()

    def tap(self):
        self.press(".mine .pad", 0.3)

    def hold(self):
        self.press(".mine .pad", 1.2)

    def lift(self):
        x, y = self._middle(".mine .lid")
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        until(self.page, lambda text: text.startswith("Dice"))
        self.page.mouse.up()

    def left(self):
        self.page.get_by_role("button", name="Tilt left").click()

    def right(self):
        self.page.get_by_role("button", name="Tilt right").click()


def asked_for(text, last):
    """What the display asks for, after what was done last; None where there is nothing to do.

    A tap that a busy machine made a hold of opens the menu: it is left by way of the standings.
    """
    if text.startswith("Menu"):
        return "tap" if "Choice: scores" in text else "right" if "right: scores" in text else "left"
    if "Choice: done" in text:
        return "hold"
    if "Choice: go on" in text:
        return "hold" if "hold" in text else "tap"
    if "right: go on" in text:
        return "right"
    if "lift = show" in text:
        return {"shake": "lift", "tap": "shake"}.get(last, "left")
    if "shake ·" in text:
        return "shake"
    if text.startswith(("Dice", "Throw", "For the lead")) and "left: " in text:
        return "left"
    return "tap" if text.endswith("tap") else None


def play_sevens(page, hand, most_s=MATCH_S):
    """Throw, show and stop, as the display asks for, until the match is over."""
    ends_s = time.monotonic() + most_s
    done = []
    while not is_over(page):
        assert time.monotonic() < ends_s, (says(page), story(page), done)
        what = asked_for(says(page), done[-1] if done else None)
        if what is None:
            page.wait_for_timeout(60)
            continue
        before = says(page)
        getattr(hand, what)()
        done.append(what)
        for _ in range(30):
            if says(page) != before:
                break
            page.wait_for_timeout(60)
        page.wait_for_timeout(300)
    return done


def test_a_person_plays_a_whole_match_by_mouse(opened, tmp_path):
    with served(tmp_path, *SEVENS, "--players", "2", "--seed", "3") as table:
        page = opened(table.address)
        asked = []
        page.context.on("request", lambda request: asked.append(request.url))
        until(page, lambda text: "wait" in text or "throw" in text)
        done = play_sevens(page, Mouse(page))
        assert "shake" in done
        assert {"lift", "tap", "hold"} & set(done)  # the system's chance throws: which, it decides
        assert "Ana throws" in story(page)
        assert page.locator("#notice").inner_text() == "The match is over."
        with page.expect_popup() as judged:
            page.get_by_role("link", name="Who was lucky").click()
        judged.value.get_by_role("cell", name="Ana").first.wait_for()
        token = page.evaluate("localStorage.getItem(`maexchen.seat.${location.host}.0`)")
        assert (len(token), [url for url in asked if token in url]) == (43, [])
        page.locator("button.again").click()
        until(page, lambda text: "round begins" in text or "For the lead" in text)
        wait_until(page, lambda: not is_over(page))


def test_a_page_says_what_can_be_done_lights_it_and_begins_another_game(opened, tmp_path):
    with served(tmp_path, "--players", "3", "--lang", "en") as table:
        page = opened(table.address)
        page.locator(".guide.yours .says", has_text="You open the round: throw.").wait_for()
        page.locator(".own.due-shake").wait_for()
        page.locator(".device.turn.mine").wait_for()
        page.locator(".seat .score").nth(2).wait_for()
        page.keyboard.press(" ")
        until(page, lambda text: "Throw 1" in text)
        page.locator(".own.due-lift").wait_for()
        page.locator(".mine .lid").dblclick()
        until(page, lambda text: text.startswith("Dice"))
        page.wait_for_timeout(1500)
        assert says(page).startswith("Dice"), "it stays open"
        page.locator(".mine .lid").click()
        until(page, lambda text: not text.startswith("Dice"))
        page.get_by_role("button", name="Mute").click()
        page.reload()
        page.get_by_role("button", name="Unmute").wait_for()
        page.get_by_role("button", name="Another game").press("Enter")
        page.get_by_role("button", name="Sevens").press("Enter")
        page.get_by_label("So many rounds").wait_for()
        assert page.evaluate("document.activeElement.textContent") == "Sevens"
        sheet, room = [page.locator(each).bounding_box() for each in (".sheet", "#lobby")]
        assert sheet["width"] > room["width"] / 2, "nobody else is beside it"
        page.get_by_label("What is your name?").fill("Eva")
        page.get_by_role("button", name="Start").press("Enter")
        page.get_by_role("region", name="Handheld of Eva").wait_for()
        until(page, lambda text: "For the lead" in text or "round begins" in text)


NO_SOCKET = """
window.WebSocket = class {
  constructor() { setTimeout(() => this.onclose({ code: 1006, reason: "" })); }
  close() {}
};
"""


class Guest:
    """A phone that scans an invitation, and counts how often it is tapped."""

    def __init__(self, opened, browser, link, name, size, script=""):
        width, height = size
        phone = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, locale="en-US"
        )
        phone.add_init_script(script)
        self.phone = phone
        self.page = opened(link, context=phone)
        self.taps = 1  # at what the camera shows
        self.tap(self.page.locator("#name"))
        self.page.keyboard.type(name)
        assert "#" not in self.page.url, "who looks over the shoulder reads the invitation"
        self.tap(self.page.get_by_role("button", name="Sit down"))
        self.page.locator(".lobby .guest", has_text=name).wait_for()

    def tap(self, where):
        self.taps += 1
        where.tap()

    def lifecycle(self, state):
        """What a phone does to a page when it is locked ("frozen"), and unlocked ("active")."""
        session = self.phone.new_cdp_session(self.page)
        session.send("Page.setWebLifecycleState", {"state": state})


def opener_of(guests):
    """The guest whose turn it is to shake, once the panels of all are there."""
    return wait_until(
        guests[0].page,
        lambda: next((each for each in guests if "shake ·" in says(each.page)), None),
    )


def goes_on(page, before):
    """A phone shows what it showed before, and its line that the table is away is gone."""
    page.locator("#notice", has_text="does not answer").wait_for(state="hidden")
    until(page, lambda text: before in text)


def test_three_phones_are_invited_play_and_go_on_whatever_becomes_of_them_and_the_server(
    opened, browser, tmp_path
):
    with served(tmp_path, *PARTY, "--cups-here") as table:
        token = json.loads((tmp_path / "evening.json").read_text())["host"]
        host = opened(f"{table.address}#{token}")
        codes = host.locator(".codes a")
        codes.first.wait_for()
        assert token not in host.url
        links = codes.evaluate_all("all => all.map(one => one.href)")
        guests = [
            Guest(opened, browser, links[0], "Ada", (390, 844)),
            Guest(opened, browser, links[1], "Bo", (360, 640), NO_SOCKET),
            Guest(opened, browser, links[2], "Cleo", (844, 390)),
        ]
        while (bots := host.locator(".bots [aria-pressed=true]")).count():
            bots.first.dispatch_event("click")  # each news draws them anew
        host.get_by_role("button", name="Start").click()
        for guest in guests:
            guest.page.locator(".guide .says").wait_for()
            assert guest.page.locator("#others li").count() == len(guests)
        opener = opener_of(guests)
        opener.tap(opener.page.locator("[data-gesture=shake]"))
        until(opener.page, lambda text: "Throw 1" in text)
        assert max(guest.taps for guest in guests) <= 4
        before = [says(guest.page) if guest is opener else "'s turn" for guest in guests]
        for guest, shown in list(zip(guests, before))[:2]:  # by a socket, and without
            guest.phone.set_offline(True)
            guest.page.get_by_text("The table does not answer.").wait_for()
            guest.phone.set_offline(False)
            goes_on(guest.page, shown)
            tab = guest.page
            guest.page = opened(tab.url, context=guest.phone)  # two of one seat
            goes_on(guest.page, shown)
            tab.close()
        late = opened(links[0], context=browser.new_context(locale="en-US"))
        late.get_by_text("This invitation is used up").wait_for()
        assert not late.locator("#name").is_visible(), "a name would be typed in vain"
        late.close()
        at_host = host.locator(".seat", has_text="Cleo").locator("small")
        wait_until(host, lambda: at_host.inner_text() == "")
        guests[2].page.close()
        wait_until(host, lambda: at_host.inner_text() == "away")
        guests[2].page = opened(f"{table.address}phone", context=guests[2].phone)
        goes_on(guests[2].page, before[2])
        guests[0].lifecycle("frozen")
        guests[1].lifecycle("frozen")
        table.kill()
        guests[2].page.get_by_text("The table does not answer.").wait_for()
        table.start()
        guests[0].lifecycle("active")
        guests[1].lifecycle("active")
        for guest, shown in zip(guests, before):
            goes_on(guest.page, shown)


def test_a_guest_types_the_letters_at_the_bare_address(opened, browser, tmp_path):
    with served(tmp_path, *PARTY, "--cups-here") as table:
        code = json.loads((tmp_path / "evening.json").read_text())["code"]
        wrong = "".join("AC"[letter == "A"] for letter in code)
        phone = browser.new_context(locale="en-US", viewport={"width": 390, "height": 844})
        page = opened(table.address, context=phone)
        field = page.get_by_label("The letters")
        field.fill(f" {wrong.lower()} ")
        field.press("Enter")
        page.get_by_text(f"There is no table with the code {wrong}.").wait_for()
        assert not page.locator("#name").is_visible(), "a name would be typed in vain"
        assert field.input_value() == wrong
        field.fill(code.lower())
        page.get_by_role("button", name="To the table").click()
        page.get_by_role("button", name="Sit down").wait_for()
        assert not field.is_visible()
        assert page.locator("#notice").inner_text() == ""
        phone.close()
