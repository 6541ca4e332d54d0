"""Bots that others wrote: what they see, and what becomes of those in trouble."""

import re
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from firmware.bots.arena import Arena
from game import RULES
from game.actions import Announce, Look, Roll
from hw_sim.players.bot_kinds import personality_of
from hw_sim.players.foreign import BotError, ForeignBot
from research.strength.measure import play
from tests.support.nights import lengthy

ROOT = Path(__file__).parents[3]
CAREFUL = f"{ROOT}/docs/bots/careful.py:Careful"
TROUBLED = "tests.support.foreign_bots:"


@pytest.fixture(scope="module")
def careful():
    with closing(ForeignBot(CAREFUL)) as bot:
        yield bot


def opened():
    """A match of class in which seat 0 has rolled."""
    arena = Arena(RULES["class"], ("Ana", "Ben", "Cem"))
    arena.act(Roll((6, 4)))
    return arena


def decide(bot, arena):
    return bot.decide(arena.sight(), Random(1))


@pytest.mark.whole
@pytest.mark.parametrize("game", lengthy(("class", "holy-family", "maxen"), "class", "maxen"))
def test_the_bot_of_the_document_plays_any_game_to_its_end(game, careful):
    bots = [careful, personality_of("expert"), personality_of("honest")]
    assert play(RULES[game], bots, Random(2)).outcome is not None


def test_the_document_shows_the_bot_that_it_names():
    text = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```python\n(\"\"\".*?)```", text, re.DOTALL)
    assert shown == (ROOT / "docs/bots/careful.py").read_text(encoding="utf-8")
    assert shown.count("\n") <= 20


def test_it_tells_what_it_has_seen_and_one_seed_is_one_match(careful):
    arena = opened()
    assert decide(careful, arena) == Look()
    arena.act(Look())
    assert decide(careful, arena) == Announce(64)
    bots = [careful, personality_of("expert"), personality_of("random")]
    assert len({play(RULES["class"], bots, Random(5)) for _ in range(2)}) == 1


@pytest.mark.whole
def test_what_is_not_possible_is_told_in_one_line_and_it_may_go_on():
    with closing(ForeignBot(f"{TROUBLED}Moody")) as bot:
        for said in (
            "raised ValueError in line 19 of foreign_bots.py: no idea",
            "wants what it may not do, Roll(dice=(2, 1)): it is not offered",
            "wants what it may not do, Leave(seat=1): it is not offered",
            "wants what is no action: unknown action \"'roll'\"",
        ):
            with pytest.raises(BotError) as told:
                decide(bot, opened())
            assert said in str(told.value)
            assert "\n" not in str(told.value)
        assert decide(bot, opened()) == Roll()


@pytest.mark.whole
def test_one_that_ends_or_never_answers_is_put_away():
    with closing(ForeignBot(f"{TROUBLED}Quits")) as bot:
        for _ in range(2):
            with pytest.raises(BotError, match="has ended by itself"):
                decide(bot, opened())
    with closing(ForeignBot(f"{TROUBLED}Slow", most_s=0.05)) as bot:
        with pytest.raises(BotError, match=r"took more than 0.05 s to decide"):
            decide(bot, opened())
        with pytest.raises(BotError, match="has ended by itself"):
            decide(bot, opened())


def test_dice_that_it_may_not_see_are_nowhere_in_its_process():
    with closing(ForeignBot(f"{TROUBLED}Peeks")) as bot:
        assert decide(bot, opened()) == Roll()


@pytest.mark.whole
@pytest.mark.parametrize("name", ["nix.py:Bot", "nix:Bot", f"{TROUBLED}Nobody", "json:dumps"])
def test_what_cannot_be_loaded_is_told(name):
    with pytest.raises(BotError, match=r"^bot .* raised [A-Z]\w+.*: .*$"):
        ForeignBot(name)


@pytest.mark.whole
def test_the_house_plays_on_for_one_in_trouble(caplog):
    guest = personality_of(f"{TROUBLED}Moody")
    match = play(RULES["class"], [guest, *map(personality_of, ("expert", "shark"))], Random(3))
    assert match.outcome is not None
    (told,) = caplog.messages
    assert told.endswith("its seat is played by the house from here on")
