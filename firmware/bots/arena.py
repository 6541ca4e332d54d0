"""Bots among themselves, by the rules alone: no handheld, no hands, no waiting."""

from collections.abc import Sequence
from random import Random

from firmware.bots.bot import Bot
from firmware.bots.personality import Sight
from firmware.bots.tells import Tells
from firmware.input.controls.announcements import plain
from firmware.play.turn.round_end import BluffRoundEnd, round_end_of
from game import (
    AnyMatch,
    AnyRules,
    Match,
    Phase,
    apply,
    dice_to_roll,
    laid_open,
    legal_actions,
    new_match,
    view,
)
from game.actions import Announce, Look, Roll, Say, SeatAction
from game.dice import Dice
from game.strategy.known import stood_after


def play(
    rules: AnyRules, bots: Sequence[Bot], rng: Random, first: int = 0, most_rounds: int = 1000
) -> AnyMatch:
    """Play a match of ``bots``, by seat, to its end, or ``most_rounds`` rounds of it.

    Returns the match as it stands then. ``rng`` is the only source of chance.
    """
    match: AnyMatch = new_match(rules, tuple(f"seat {n}" for n in range(len(bots))), first)
    own: list[tuple[Dice, bool] | None] = [None] * len(bots)
    stood: int | None = None
    tells = [Tells() for _ in bots]
    while match.to_act is not None and match.round <= most_rounds:
        seat = match.to_act
        action = _filled(
            match, _decision(match, bots[seat], own[seat], stood, tells[seat], rng), rng
        )
        step = apply(match, laid_open(match, action))
        if isinstance(match, Match) and isinstance(step.match, Match):
            stood = stood_after(match, action, stood)
            if isinstance(action, Roll):
                own = [None] * len(bots)
            elif isinstance(action, Look) and match.dice is not None:
                own[seat] = match.dice, match.tower
            ended = round_end_of(match, step)
            assert ended is None or isinstance(ended, BluffRoundEnd), "a bluff game"
            for each in tells:
                each.watch(step.match, ended, stood)
        match = step.match
    return match


def _decision(
    match: AnyMatch,
    bot: Bot,
    own: tuple[Dice, bool] | None,
    stood: int | None,
    tells: Tells,
    rng: Random,
) -> SeatAction:
    options = tuple(action for action in legal_actions(match) if action == plain(action))
    if not isinstance(match, Match):
        seen = match.dice if match.phase is Phase.THROWN else None
        choice = bot.decide(Sight(view(match, match.to_act), options, seen), rng)
    else:
        here = match.phase is Phase.THROWN
        dice, tower = own or (None, False)
        sight = Sight(view(match, None), options, dice if here else None, tower and here)
        sight = sight._replace(own=None if here else dice, stood=stood, tells=tells)
        choice = bot.decide(sight, rng)
    legal = legal_actions(match)
    assert choice in legal or isinstance(choice, Announce | Say), (match, choice)
    return choice


def _filled(match: AnyMatch, action: SeatAction, rng: Random) -> SeatAction:
    """A roll with dice that fell; any other action as it is."""
    if not isinstance(action, Roll):
        return action
    dice = tuple(sorted((rng.randint(1, 6) for _ in range(dice_to_roll(match))), reverse=True))
    once_in = getattr(match.rules, "tower_one_in", 0)
    return Roll(dice, tower=bool(once_in) and rng.randrange(once_in) == 0)
