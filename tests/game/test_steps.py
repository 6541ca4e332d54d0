"""A step is a value: it compares, it is hashed and copied, and nobody changes it."""

from copy import copy
from dataclasses import FrozenInstanceError
from pickle import dumps, loads

import pytest

from game import RULES, apply, new_match
from game.actions import Roll

START = new_match(RULES["class"], ("Ana", "Ben", "Cem"), 0)


def test_equal_steps_are_equal_and_others_are_not():
    step, same = (apply(START, Roll((3, 1))) for _ in range(2))
    assert step == same == copy(step) == loads(dumps(step))
    assert len({step, same}) == 1
    assert step != apply(START, Roll((3, 2)))
    assert step != (step.match, step.events)
    assert repr(step) == f"Step({step.match!r}, {step.events!r})"


@pytest.mark.parametrize("name", ["match", "events", "_told", "new"])
def test_nothing_of_a_step_can_be_assigned_or_deleted(name):
    step = apply(START, Roll((3, 1)))
    with pytest.raises(FrozenInstanceError, match="a step is a value"):
        setattr(step, name, None)
    with pytest.raises(FrozenInstanceError, match="a step is a value"):
        delattr(step, name)
