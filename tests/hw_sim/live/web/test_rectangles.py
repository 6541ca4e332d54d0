"""Nothing that is to be read lies over a handheld, or over anything else: at every size."""

import pytest

from firmware.display.text.language import LANGUAGES
from hw_sim.panel.prompts import prompt_of
from tests.hw_sim.live.web.conftest import PATIENCE_S, wait_until
from tests.support.shown_pages import SETTLED, STATES, lobby_of, messages, stage

TABLES = ((1280, 720), (1024, 768), (1400, 900), (1920, 1080))
PHONES = ((390, 844), (360, 640))
SIZES = tuple(("/", *each) for each in (*TABLES, *PHONES)) + tuple(
    ("/phone", *each) for each in (*PHONES, (844, 390))
)
OF_DAY = {SIZES[at] for at in (1, 3, 5, 7, 8)}
"""The narrowest and the widest of each page."""
CROSSING = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const seen = [...document.querySelectorAll(`header, aside, #others, #watching, #lobby > *, #last,
    .name, .bezel, .front, .controls, .ladder, .shows, .says, .advice, .lesson, .ways, .end,
    #far .case, #cup.there`)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width > 2 && box.height > 2);
  const called = (each) =>
    `${each.className || each.id || each.tagName}: ${each.textContent.slice(0, 30)}`;
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const pairs = seen.flatMap(([one, at], place) => seen.slice(place + 1)
    .filter(([other, there]) => !one.contains(other) && !other.contains(one) && covers(at, there))
    .filter(([other]) => other.id !== "cup" || !one.closest(".case")) // it stands in front of one
    .filter(([other]) => one.id !== "cup" || !other.closest(".case"))
    .map(([other]) => `${called(one)} × ${called(other)}`));
  const most = Math.max(innerHeight, document.documentElement.scrollHeight);
  const beyond = seen.filter(([one, box]) => !one.closest("aside")
    && (box.left < -1 || box.right > innerWidth + 1 || box.bottom > most + 1))
    .map(([one]) => `${called(one)} beyond the edge`);
  const cut = [...document.querySelectorAll(".guide, .says, .lesson, .ways")]
    .filter((each) => each.checkVisibility() && each.scrollHeight > each.clientHeight + 2)
    .map((each) => `${called(each)} is cut`);
  return [...pairs, ...beyond, ...cut];
}"""


def is_over_nothing(browser, path, wide, high, language, *, learned, party=False):
    """Show every state, one after the other, and measure."""
    context = browser.new_context(
        viewport={"width": wide, "height": high}, reduced_motion="reduce", has_touch=wide < 900
    )
    page, sockets, found = context.new_page(), [], []
    page.set_default_timeout(PATIENCE_S * 1000)
    stage(page, path, (), language, learned=learned, sockets=sockets)
    wait_until(page, lambda: sockets and page.title() != "Mäxchen")
    for name, state in STATES.items():
        told = [each for each in messages(state, language) if '"verdict"' not in str(each)[:20]]
        if party:
            told.append(lobby_of(is_host=False, place=0, plays=not state.over))
        for each in told:
            sockets[-1].send(each)
        says = prompt_of(state.screen, language).says
        wait_until(page, lambda says=says: says in page.locator(".says").all_text_contents()[:1])
        if state.over:
            page.locator(".match-card img").wait_for()
        page.evaluate(SETTLED)
        found += [(name, language, wide, high, each) for each in page.evaluate(CROSSING)]
    context.close()
    assert found == []


@pytest.mark.parametrize(
    ("path", "wide", "high"),
    [pytest.param(*each, marks=() if each in OF_DAY else pytest.mark.night) for each in SIZES],
)
def test_nothing_lies_over_anything_else(browser, path, wide, high):
    language = LANGUAGES[SIZES.index((path, wide, high)) % len(LANGUAGES)]
    is_over_nothing(browser, path, wide, high, language, learned="", party=path == "/phone")


@pytest.mark.soak
@pytest.mark.parametrize("learned", ["", "all"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("path", "wide", "high"), SIZES)
def test_nothing_lies_over_anything_else_ever(browser, path, wide, high, language, learned):
    is_over_nothing(browser, path, wide, high, language, learned=learned, party=path == "/phone")
