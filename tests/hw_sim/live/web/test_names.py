"""Names at every door: each of them takes the same ones, and what it refuses it says in a line."""

from dataclasses import replace
from urllib.parse import quote

import pytest

from firmware.display.oled import font
from firmware.display.text.language import LANGUAGES
from game import RULES, SetupError
from game.names import fitting, name_of
from hw_sim.live.page.link_setup import LinkError, setup_of
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.seats import PartySeats
from hw_sim.live.world.setup import WorldSetup
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table import TableSetup
from tests.support.names import ALIKE, EMPTY, HIDDEN, LONG, TAKEN
from tests.support.played_pages import sized
from tests.support.shown_pages import stage


def set_up(name):
    table = replace(TableSetup(RULES["class"]), player_names=(name_of(name), "Cy", "Di"))
    return WorldSetup.from_json(WorldSetup(table, 1, KINDS[:2]).to_json()).table.names[0]


def linked(name):
    setup, _ = setup_of(f"names={quote(name)},Cy&players=3", "en")
    return setup.table.names[0]


def sat(folder, name):
    seats = PartySeats(folder / "evening.json")
    seats.sit(name)
    return PartySeats(folder / "evening.json").places[0].name


@pytest.mark.parametrize("name", TAKEN)
def test_what_one_door_takes_all_take(name, tmp_path):
    assert {sat(tmp_path, name), set_up(name), linked(name)} == {name_of(name)}


@pytest.mark.parametrize("name", [*LONG, *HIDDEN, *EMPTY])
def test_what_one_door_refuses_all_refuse_in_a_line_that_is_true(name, tmp_path):
    fault = dict.fromkeys(LONG, "long") | dict.fromkeys(HIDDEN, "hidden")
    with pytest.raises(SeatingError) as refused:
        sat(tmp_path, name)
    assert refused.value.why == fault.get(name, "name")
    assert PartySeats(tmp_path / "evening.json").guests == []
    with pytest.raises(SetupError):
        TableSetup(RULES["class"], player_names=(name, "Cy", "Di"))
    for language in LANGUAGES if "\ud800" not in name else ():  # no address can have that
        with pytest.raises(LinkError) as refused_link:
            setup_of(f"names={quote(name)},Cy&players=3", language)
        assert "\n" not in str(refused_link.value)


@pytest.mark.parametrize(
    ("seated_name", "typed"), [*ALIKE[:11], ("Bo", "Mäxchen"), ("Bo", "Blubb")]
)
def test_nobody_sits_down_under_the_name_of_another(seated_name, typed, tmp_path):
    seats = PartySeats(tmp_path / "evening.json")
    seats.sit("Bo" if "Blitz" in seated_name else seated_name)
    with pytest.raises(SeatingError, match="double"):
        seats.sit(typed)
    assert len(seats.guests) == 1
    if seated_name == "Ana":
        with pytest.raises(SetupError, match="'Ana'"):
            TableSetup(RULES["class"], player_names=("Ana", name_of(typed), "Cy"))
        with pytest.raises(LinkError, match="looks like one"):
            setup_of(f"names=Ana,{quote(typed)}", "en")


FIELD = """async () => {
  document.body.innerHTML = '<input id="typed">';
  (await import("/join/guest.js")).watchName(document.getElementById("typed"));
}"""


PICTURES = """() => [...document.querySelectorAll(".display-picture path")].map(
  (each) => each.getAttribute("d").match(/M\\d \\d/g).map((at) => [+at[1], +at[3]]))"""


def pictures_in(name):
    """The lit pixels of each picture that the display draws for a name, row by row."""
    small = font.load(font.SMALL)
    runs = [each for each in font.letters(name_of(name)) if not small.shape(each)]
    places = [(x, y) for y in range(font.PICTURE_SIZE) for x in range(font.PICTURE_SIZE)]
    masks = [font._picture(run).mask for run in runs]
    return [[[x, y] for x, y in places if mask.is_lit(x, y)] for mask in masks]


def test_the_field_tells_at_once_what_fits_and_what_the_display_draws(browser):
    page = sized(browser)
    stage(page, "/phone", (), "de")
    page.evaluate(FIELD)
    field, told = page.locator("#typed"), page.locator(".name-told")
    for name in (*TAKEN, *LONG):
        field.fill(name)
        fits = fitting(name) if name in LONG else ""
        pictures = [] if name in LONG else pictures_in(name)
        assert page.evaluate(PICTURES) == pictures, name
        assert told.is_visible() == (name in LONG or bool(pictures)), name
        assert told.locator("button").inner_text() == fits if fits else True, name
        assert field.evaluate("field => field.checkValidity()") != (name in LONG)
    field.fill("Ana 王小明")
    assert "Die Anzeige zeigt für „王小明“ dieses Bild." in told.inner_text()
    assert not told.locator("button").is_visible()
    field.fill("Анастасия")
    assert "Zu lang: 18 Byte, 16 passen. „Анастаси“ passt." in told.inner_text()
    told.locator("button").click()
    assert (field.input_value(), told.is_visible()) == ("Анастаси", False)


CARD = """async (names) => {
  const { showCard } = await import("/static/screen_rooms.js");
  const said = [];
  for (const name of names) {
    showCard({
      lines: [{ name, key: "believer", places: { A: name } }], tally: [], refused: [],
      matches: 1, faces: () => "cap", sounds: { clink() {} },
    });
    const [line, more] = document.querySelectorAll(".line-card p");
    said.push([line.querySelector("b").textContent, line.textContent, more.textContent]);
  }
  return said;
}"""


def test_a_name_is_no_pattern_on_a_card(browser):
    names = ["$&", "$`", "$1", "b", "{A}", "everything", "<b>", "&amp;"]
    page = sized(browser, 1920, 1080)
    stage(page, "/screen", (), "en")
    said = page.evaluate(CARD, names)
    assert said == [
        [name, f"{name} believed everything.", f"{name}, we have an offer."] for name in names
    ]
