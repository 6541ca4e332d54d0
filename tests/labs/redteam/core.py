# ruff: noqa: PT017 - what is refused is looked at beside what is not
"""The rules core under everything that can be passed to it: actions, names, options, seats.

A refusal raises the documented error. Nothing takes long, and no other match and no event of it
changes. ``files`` bends records.
"""

import time
from collections import Counter
from dataclasses import fields, replace
from functools import partial, reduce
from random import Random
from typing import get_args

from game import (
    OPTIONS,
    RULES,
    AnyMatch,
    IllegalAction,
    SetupError,
    apply,
    illegality,
    legal_actions,
    new_match,
    public,
    rule_set,
    table_actions,
    view,
)
from game import actions as act
from game.names import is_readable
from tests.labs.redteam import numbers
from tests.support.rules_table import playout

MOST_S = 1.0
"""Nothing of all this may take longer, of this thread's time."""
_KINDS = get_args(act.Action)
_ODD = (
    *(None, True, False, 0, 1, 2, 3, 6, 7, -1, 21, 63, 1.0, 63.0, 2.5, float("nan"), 10**40),
    *("", "6", "air", "same", "drop", b"\x06", 1j, object(), [], [1], {}, {1}, (), (1,), (6, 3)),
    *((True, 6), (1.0, 6), (6, [1]), ((6,), 3), (6, 3, 1), (1,) * 6, (2.0,) * 3, [6, 3], range(2)),
    *act.Flourish, *act.Words, *act.FaultKind,
)  # fmt: skip
_LETTERS = (
    *"Ana bÄß12-.", "\u3164", "\u2800", "\u0301", "\u200d", "\ufe0f", "👩", "🚀", "👍", "🏽", "❤",
    "\x00", "\n", "\u202e", "\ud800", "\u115f", "字", "ن", "\u00ad", "\u034f",
)  # fmt: skip
_NAMES = ("Ana", "Ben", "Cem", "Dora", "Emil")


def types_of(value: object) -> object:
    """A value with all types in it: 1, 1.0 and True are three."""
    if isinstance(value, tuple):
        return type(value), tuple(map(types_of, value))
    if hasattr(value, "__dataclass_fields__"):
        return type(value), tuple(types_of(getattr(value, field.name)) for field in fields(value))
    return type(value), value


def some_match(rng: Random) -> AnyMatch:
    """A match of any game, somewhere on its way."""
    rules = RULES[rng.choice(tuple(RULES))]
    players = _NAMES[: rng.randint(rules.fewest_players, 5)]
    actions, _ = playout(rules, players, rng)
    done = actions[: rng.randrange(len(actions))]
    return reduce(
        lambda match, action: apply(match, action).match, done, new_match(rules, players, 0)
    )


def try_odd_action(match: AnyMatch, rng: Random) -> bool:
    """Whether an action of any kind with any content is taken; else it is refused with a reason."""
    kind = rng.choice(_KINDS)
    action = kind(*(rng.choice(_ODD) for _ in fields(kind)))
    reason = illegality(match, action)
    before = types_of(match)
    try:
        step = apply(match, action)
    except IllegalAction as refused:
        assert reason is None or refused.reason is reason, action
        assert "\n" not in str(refused)
        return False
    assert reason is None, action
    assert types_of(match) == before
    hash(step.match)
    for event in step.events:
        for field in fields(event):
            value = getattr(event, field.name)
            assert not isinstance(value, float | list), event
    public(action, match)
    legal_actions(step.match)
    table_actions(step.match)
    return True


def try_odd_name(rng: Random) -> bool:
    """Whether somebody may be called by letters of all kinds, or by no text at all."""
    name: object = "".join(rng.choices(_LETTERS, k=rng.randint(0, 5)))
    if rng.random() < 0.1:
        name = rng.choice(_ODD)
    rules = RULES[rng.choice(tuple(RULES))]
    players = ("Ana", name, "Cem")
    try:
        match = new_match(rules, players, rng.choice((0, 1, 2)))  # type: ignore[arg-type]
    except SetupError as error:
        assert "\n" not in str(error)
        return False
    assert isinstance(name, str)
    assert is_readable(name)
    assert name not in ("Ana", "Cem")
    assert match.players == players
    return True


def try_options(rng: Random) -> bool:
    """Whether a game takes odd options, and then plays to its end."""
    game = rng.choice(tuple(RULES))
    names = [field.name for field in fields(RULES[game])]
    changed = {rng.choice(names): rng.choice(_ODD) for _ in range(rng.choice((1, 1, 2)))}
    try:
        rules = replace(RULES[game], **changed)
        small = all(type(value) is not int or value < 100 for value in changed.values())
        if small:
            playout(rules, _NAMES[: max(3, rules.fewest_players)], rng)
    except SetupError as error:
        assert "\n" not in str(error)
        return False
    for option in OPTIONS[game]:
        if option.name in changed:
            rule_set(game, {option.name: changed[option.name]})
    return True


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Pass odd things through every entry of the core."""
    rng, figures = Random(f"core {seed}"), Counter[str]()
    for _ in numbers(seconds, 4):
        match = some_match(rng)
        for seat in (*_ODD, *range(-1, 9)):
            try:
                view(match, seat)  # type: ignore[arg-type]
            except ValueError:
                assert type(seat) is not int or not 0 <= seat < len(match.players)
        for what, count, go in (
            ("actions", 200, partial(try_odd_action, match)),
            ("names", 20, try_odd_name),
            ("options", 5, try_options),
        ):
            for _ in range(count):
                began_s = time.thread_time()
                figures[f"{what} taken"] += go(rng)
                took_s = time.thread_time() - began_s
                assert took_s < MOST_S, f"{what}: {took_s:.1f} s"
            figures[what] += count
    return dict(figures)
