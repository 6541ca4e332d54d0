"""The texts of the guide and the sheets: every language has every key, and the same braces."""

import msgspec
import pytest

from firmware.display.text.language import LANGUAGES as FIRMWARE_LANGUAGES
from firmware.display.text.language import places
from hardware.guide.steps import steps
from hardware.guide.symptoms import mistakes
from hardware.texts import LANGUAGES, text


def flat(data, before=""):
    for key, value in data.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def braces(language):
    return {
        key: (places(said), bool(said)) for key, said in flat(msgspec.to_builtins(text(language)))
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_keys_and_braces_of_english(language):
    assert braces(language) == braces("en")


def test_the_guide_speaks_every_language_of_the_doctor():
    assert LANGUAGES == FIRMWARE_LANGUAGES


def test_every_step_and_mistake_has_its_words():
    assert set(text("en").step) == {step.name for step in steps()}
    assert set(text("en").mistake) == set(mistakes())
