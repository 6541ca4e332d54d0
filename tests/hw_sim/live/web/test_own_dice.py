"""Phones in real browsers that keep their dice themselves."""

import json
import re
import time

import pytest

from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.live.web.party_seats import PartySeats
from tests.hw_sim.live.web.conftest import served, wait_until
from tests.hw_sim.live.web.test_browser import (
    PARTY,
    Guest,
    asked_for,
    goes_on,
    opener_of,
    says,
    until,
)

pytestmark = pytest.mark.whole
SIZES = ((390, 844), (360, 640), (844, 390))
AT_HOST = "cup at the host"
POINT = {"points": 1}
"""Whoever is found out first has lost."""
SHORT = MatchPlan("holy-family", POINT, ())
WITH_BOT = MatchPlan("holy-family", POINT, ("cheeky",))
BOTS = MatchPlan("class", {}, ("cheeky", "honest"))
BELIEFS = 3
"""After so many bold announcements one at least was a lie: all are true once in 1,700 matches."""
MATCH_S = 110.0
PRESSES_MS = {"shake": 1500, "lift": 1500, "open": 50, "cover": 50, "tap": 50, "hold": 1300}
"""How long a finger stays on what is lit."""
HEEDS = 40
"""So often a page is looked at after a press, before it is pressed again."""
KEYS = {"tap": "Enter", "left": "ArrowLeft", "right": "ArrowRight"}
HEARS_SHAKE = """() => {
  globalThis.shaken = [];
  addEventListener("maexchen:news", ({ detail: { seats = {} } }) => {
    for (const { doing } of Object.values(seats)) if (doing !== undefined) shaken.push(doing);
  });
}"""
BUSY = "setTimeout(() => { for (const at = Date.now(); Date.now() < at + 5_000;); })"
"""What keeps a handheld in a worker from answering, as a long step on a slow phone does."""
OLD_PHONE = "delete globalThis.WebAssembly"


def code_of(folder):
    """The code of the room, which the big screen shows."""
    return json.loads((folder / "evening.json").read_text())["code"]


def plan(folder, chosen):
    """Have a party whose next match is chosen."""
    PartySeats(folder / "evening.json").choose(chosen)


def come(opened, browser, table, names, scripts=()):
    """Guests who come in by the code of the room."""
    door = f"{table.address}{code_of(table.folder)}"
    scripts = {**dict.fromkeys(names, ""), **dict(scripts)}
    return [
        Guest(opened, browser, door, name, size, scripts[name]) for name, size in zip(names, SIZES)
    ]


def gathered(guests, at_host=()):
    """Wait until everybody sees that all have their own dice but those named."""
    for guest in guests:
        of_others = guest.page.locator("li.guest", has_text=AT_HOST)
        wait_until(guest.page, lambda of_others=of_others: of_others.count() == len(at_host))
        for name in at_host:
            assert of_others.filter(has_text=name).count() == 1


def cup(page):
    """Return the line of the menu that names the computer with the dice."""
    return page.locator("#cup").text_content() or ""


def kept_here(page):
    """Wait until that line says that the dice are on this phone, with numbers; return it."""
    wait_until(page, lambda: "To compare with the others" in cup(page))
    assert "Only this phone has your dice" in cup(page)
    return cup(page)


def begun(guests):
    """The first guest, who is host, starts the match; return who opens it."""
    guests[0].tap(guests[0].page.get_by_role("button", name="Start"))
    return opener_of(guests)


def confess(guests, party):
    """Let a guest confess: the host counts the lies that the phone counts, and asks no more."""
    offer = re.compile(r"Lies: (\d+)\. Caught: (\d+)\.")
    offers = {}

    def are_asked():
        for guest in guests:
            if found := offer.search(guest.page.locator("#lobby").inner_text()):
                offers[guest] = [int(each) for each in found.groups()]
        return offers

    wait_until(
        guests[0].page, lambda: are_asked() and any(lies > got for lies, got in offers.values())
    )
    liar = max(offers, key=lambda each: offers[each][0] - offers[each][1])
    lies, caught = offers[liar]
    liar.page.get_by_role("button", name="Tell all").dispatch_event("click")
    liar.page.locator(".confession").wait_for(state="detached")
    lines = json.loads(party.read_text())["card"]["lines"]
    (line,) = [each for each in lines if each["key"].startswith("confession")]
    assert line["places"] == {"A": line["name"], "n": lies, "c": caught}


DUE = """() => [...document.querySelectorAll(".guide .due button[data-gesture]")]
  .map((one) => [one.dataset.gesture, one.textContent])"""

MIDDLE = """(lit) => {
  const button = document.querySelector(lit), box = button?.getBoundingClientRect();
  return button ? [box.x + box.width / 2, box.y + box.height / 2] : null;
}"""


def play(guests, until_so, most_s=MATCH_S, *, beliefs=0):
    """Have everybody do what is lit on their phone: throw, say the least, and doubt.

    ``beliefs``: so often they say nearly the most, believe all but a Mäxchen, and throw for
    themselves, before they doubt. So nobody sees what those announced who were believed.
    """
    ends_s = time.monotonic() + most_s
    done = []
    while not until_so():
        assert time.monotonic() < ends_s, (done[-9:], [says(each.page) for each in guests])
        for guest in guests:
            done += take_turn(guest.page, is_bold=done.count("belief") < beliefs)
        guests[0].page.wait_for_timeout(50)
    return done


def take_turn(page, *, is_bold=False):
    """Do one thing that is lit, if any is; return what it was."""
    if says(page).startswith("Menu"):  # a busy machine made a hold of a tap
        page.keyboard.press(KEYS[asked_for(says(page), None)], delay=100)
        return ["menu"]
    due = dict(page.evaluate(DUE))
    if "doubt" in due.get("lift", ""):
        stands = page.locator(".ladder [aria-current]").all_inner_texts()
        believes = is_bold and stands != ["21"] and "tap" in due
        press(page, "tap" if believes else "lift")
        return ["belief" if believes else "doubt"]
    if is_bold and "shake" in due:
        press(page, "shake")
        return ["shake"]
    for gesture in ("tap", "hold"):
        if gesture in due:
            press(page, gesture)
            return [gesture]
    value = page.locator(".ladder.offered button:enabled")
    if value.count():
        chosen = value.nth(max(0, value.count() - 2) if is_bold else 0)
        said = chosen.inner_text()
        chosen.dispatch_event("click")
        wait_until(page, lambda: page.locator(".ladder .at").all_inner_texts() == [said])
        return ["value"]
    for gesture in ("shake", "lift", "open", "cover"):
        if gesture in due:
            press(page, gesture)
            return [gesture]
    return []


def press(page, gesture):
    """Press a lit button with a mouse, if it is still there, until the handheld heeds that."""
    where, before = page.evaluate(MIDDLE, f".guide .due button[data-gesture={gesture}]"), says(page)
    if where is None:
        return
    page.mouse.move(*where)
    page.mouse.down()
    page.wait_for_timeout(PRESSES_MS[gesture])
    page.mouse.up()
    for _ in range(HEEDS):
        if says(page) != before:
            break
        page.wait_for_timeout(50)


def test_three_phones_throw_their_own_dice_and_play_a_match_before_a_big_screen(
    site, opened, browser, tmp_path
):
    plan(tmp_path, SHORT)
    with served(tmp_path, *PARTY) as table:
        token = json.loads((tmp_path / "evening.json").read_text())["host"]
        screen = opened(f"{table.address}screen#{token}", 1920, 1080)
        guests = come(opened, browser, table, ("Ada", "Bo", "Cleo"))
        gathered(guests)
        opener = begun(guests)
        told = [kept_here(each.page) for each in guests]
        assert len(set(told)) == 1, "the numbers are the same on all"
        screen.evaluate(HEARS_SHAKE)
        opener.tap(opener.page.locator("[data-gesture=shake]"))
        until(opener.page, lambda text: "Throw 1" in text)
        wait_until(screen, lambda: screen.evaluate("shaken.at(-1) === ''"))
        assert {*screen.evaluate("shaken")} == {"shakes", ""}, "a busy phone may pause"
        assert max(each.taps for each in guests) <= 5
        play(guests, lambda: screen.locator(".end-left").count() > 0, beliefs=BELIEFS)
        for guest in guests:
            guest.page.locator(".end button.again").wait_for(state="attached")
        confess(guests, tmp_path / "evening.json")
        assert screen.locator(".at-host").count() == 0
        evening = opened(f"{table.address}evening")
        evening.get_by_role("cell", name="Cleo").first.wait_for()


def test_a_phone_goes_on_through_a_reload_a_killed_host_and_another_tab(
    site, opened, browser, tmp_path
):
    plan(tmp_path, WITH_BOT)
    with served(tmp_path, *PARTY) as table:
        guests = come(opened, browser, table, ("Ada", "Bo"))
        gathered(guests)
        opener = begun(guests)
        opener.tap(opener.page.locator("[data-gesture=shake]"))
        shown = until(opener.page, lambda text: "Throw 1" in text)
        opener.page.reload()
        until(opener.page, lambda text: text == shown)
        table.kill()
        opener.page.get_by_text("The table does not answer.").wait_for()
        assert says(opener.page) == shown, "the handheld is this phone's own"
        table.start()
        goes_on(opener.page, shown)
        opener.page.workers[0].evaluate(BUSY)
        tab = opened(opener.page.url, context=opener.phone)
        tab.get_by_text("already plays in another tab").wait_for()
        tab.close()
        goes_on(opener.page, shown)


def test_a_phone_without_the_means_plays_at_the_host_and_everybody_sees_that(
    site, opened, browser, tmp_path
):
    plan(tmp_path, WITH_BOT)
    with served(tmp_path, *PARTY) as table:
        token = json.loads((tmp_path / "evening.json").read_text())["host"]
        screen = opened(f"{table.address}screen#{token}", 1920, 1080)
        guests = come(opened, browser, table, ("Ada", "Bo"), {"Bo": OLD_PHONE}.items())
        gathered(guests, at_host=("Bo",))
        openly = [each.page.locator(".lobby .openly").inner_text() for each in guests]
        assert openly[0] == "Only this phone has your dice."
        assert openly[1] == "Cup at the host’s: the host’s computer has your dice."
        screen.get_by_text("Cup at the host’s: Bo").wait_for()
        opener = begun(guests)
        kept_here(guests[0].page)
        wait_until(guests[1].page, lambda: "Cup at the host" in cup(guests[1].page))
        for guest in guests:
            guest.page.locator("#others li:has(.at-host)", has_text="Bo").wait_for()
        at_host = screen.locator(".seat:has(.at-host) .name")
        wait_until(screen, lambda: at_host.all_inner_texts() == ["Bo"])
        opener.tap(opener.page.locator("[data-gesture=shake]"))
        until(opener.page, lambda text: "Throw 1" in text)
        play(guests, lambda: all(each.page.locator(".end button.again").count() for each in guests))
        for guest in guests:
            assert not guest.page.locator(".guide .ways").is_visible(), (
                "the party has the next match"
            )


def test_a_host_who_leaves_a_match_is_named_and_the_next_one_begins_another(
    opened, browser, tmp_path
):
    plan(tmp_path, BOTS)
    with served(tmp_path, *PARTY, "--cups-here") as table:
        token = json.loads((tmp_path / "evening.json").read_text())["host"]
        screen = opened(f"{table.address}screen#{token}", 1920, 1080)
        ada, bo = come(opened, browser, table, ("Ada", "Bo"))
        for guest in (ada, bo):
            guest.page.on("dialog", lambda dialog: dialog.accept())
        ada.tap(ada.page.get_by_role("button", name="Start"))
        screen.locator(".ladder").wait_for()
        ada.page.locator("#leave").dispatch_event("click")
        ada.page.get_by_text("The seat has been given up.").wait_for()
        assert ada.page.get_by_role("link", name="Sit down").is_visible()
        assert not ada.page.locator(".eyes-up, .quietly").locator("visible=true").count()
        play([bo], lambda: screen.get_by_text("Ada has left.", exact=True).count() > 0)
        bo.page.locator("#anew:not([hidden])").dispatch_event("click")
        bo.page.locator(".sheet > .again").dispatch_event("click")
        screen.locator(".seat .name", has_text="Ada").wait_for(state="detached")
        screen.locator(".seat .name", has_text="Bo").wait_for()
        names = screen.locator(".seat .name").all_inner_texts()
        assert names == ["Bo", "Oma Blitz", "Bruder Klar"]
