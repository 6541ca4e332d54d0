"""Setups of tables: an unknown word gets one line that names the known ones."""

import pytest

from drivers.light_sensor import LIGHT_SENSORS
from firmware.display.text.language import LANGUAGES
from firmware.runtime.board import light_part
from firmware.settings import Settings
from game import RULES, SetupError
from hw_sim.live.page.link_setup import LinkError, setup_of
from hw_sim.live.world.setup import WorldSetup
from hw_sim.players.bot_kinds import KINDS, personality_of
from hw_sim.table import Carriage, Conditions, TableSetup


def table(**changed):
    return TableSetup(RULES["class"], **changed)


LIGHTS = f"one of {', '.join(LIGHT_SENSORS)}"
WRONG = {
    "bots of a world": (lambda: WorldSetup(table(), 1, ("usual", "usual")), "bot usual: .*honest"),
    "too few bots": (lambda: WorldSetup(table(), 1, KINDS[:1]), "1 people and 1 bots .* 3 seats"),
    "bots": (lambda: table(bots=("grandma",)), "bot grandma: .*honest, trusting"),
    "a bot of two lines": (lambda: table(bots=("a\nb",)), r"bot 'a\\nb': "),
    "bot": (lambda: personality_of("usual"), "bot usual: choose of honest"),
    "link": (lambda: table(link=("smoke",)), "bluetooth, ir, mqtt"),
    "link as one word": (lambda: table(link="ir"), "bluetooth, ir, mqtt"),
    "links": (lambda: Carriage(links=(("ir",), ())), "bluetooth, ir, mqtt"),
    "scene": (lambda: Conditions(scene="moon"), "one of pub, day"),
    "faults": (lambda: Conditions(faults="none"), "one of ask, strict, off"),
    "controller": (lambda: Carriage(controller="best"), "one of ideal, pi"),
    "language": (lambda: table(language="xx"), "one of de, en, fr"),
    "a handheld's light": (lambda: Settings(light="tsl2561"), LIGHTS),
    "a driver's light": (lambda: light_part(None, "tsl2561"), LIGHTS),
    "a handheld's language": (lambda: Settings(language="xx"), "one of de, en, fr"),
    "a handheld's link": (lambda: Settings(link=("both",)), "bluetooth, ir, mqtt"),
    "a handheld's faults": (lambda: Settings(faults="none"), "one of ask, strict, off"),
    "an opponent": (lambda: Settings(opponent="cheeky"), "one of usual, honest"),
}


@pytest.mark.parametrize(("make", "told"), WRONG.values(), ids=WRONG)
def test_a_word_that_there_is_not_is_told_in_one_line(make, told):
    with pytest.raises(ValueError, match=told) as refused:
        make()
    assert "\n" not in str(refused.value)


def test_a_stored_setup_has_bots_that_there_are():
    plain = WorldSetup(table(), 1, KINDS[:2]).to_json()
    with pytest.raises(SetupError, match="bot usual: "):
        WorldSetup.from_json(plain | {"bots": ["usual", "honest"]})


@pytest.mark.parametrize("link", ["lang=xx", "lang=", "lang=xx&game=class", "game=", "poker"])
def test_a_link_with_a_word_that_there_is_not_is_told_of(link):
    with pytest.raises(LinkError, match="choose from"):
        setup_of(link, "en")


def test_a_link_of_a_language_alone_is_no_table():
    assert [setup_of(f"lang={each}", "en") for each in LANGUAGES] == [None] * len(LANGUAGES)
