"""Invisible signs in names: only where a reader sees what they do."""

import pytest

from firmware.display.oled.font import BOLD, load
from game.names import (
    BadNameError,
    NameFault,
    are_alike,
    check_name,
    clusters,
    fitting,
    name_of,
)

JOINED = {
    "علی\u200cرضا": 6,  # Persian: the third letter keeps the shape that ends a word
    "می\u200cنا": 4,
    "ශ්\u200dරී": 1,  # Sinhala: two consonants are drawn as one
    "অর্\u200cঘ": 3,  # Bengali: the sign under the second letter is shown
    "क्\u200dष": 1,
    "👩\u200d🚀": 1,
    "❤️\u200d🔥": 1,
    "👩🏽\u200d🚀": 1,
}
"""Names with a joiner or a non-joiner, and how many letters or pictures each has."""


@pytest.mark.parametrize("name", JOINED)
def test_a_sign_that_shapes_its_neighbours_belongs_to_a_name(name):
    assert name_of(name) == fitting(name) == name
    assert len(clusters(name)) == JOINED[name]
    assert load(BOLD).width(name) > 0


@pytest.mark.parametrize("name", JOINED)
def test_a_name_without_the_sign_looks_the_same(name):
    assert are_alike(name, name.replace("\u200d", "").replace("\u200c", ""))


@pytest.mark.parametrize(
    "name",
    [
        *("A\u200cna", "علی\u200c", "\u200cعلی", "علی \u200cرضا", "رضا\u200cعلی", "ا\u200cب"),
        *("A\u200dB", "علی\u200dرضا", "ශ්\u200d", "ශ\u200dරී", "👩\u200dA", "1\u200c2"),
    ],
)
def test_a_sign_without_an_effect_hides_in_no_name(name):
    with pytest.raises(BadNameError) as refused:
        name_of(name)
    assert refused.value.fault is NameFault.HIDDEN


@pytest.mark.parametrize("typed", [" Ana", "Ana ", "A  B", "Zoe\u0308"])
def test_a_frame_has_names_as_they_are_shown(typed):
    check_name(name_of(typed))
    with pytest.raises(BadNameError) as caught:
        check_name(typed)
    assert (caught.value.fault, caught.value.fits) == (NameFault.UNTIDY, name_of(typed))
