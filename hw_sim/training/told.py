"""A decision to train and its solution, in words."""

from typing import NamedTuple, cast

from firmware.bots.arena import followed
from firmware.display.text.labels import game_name
from firmware.display.text.language import Language, say
from game import AnyMatch, Match, OpenMatch, Phase, hides_dice, view
from game.actions import SeatAction
from game.bluff.legality import playing_order
from game.coach import basis
from game.dice import Dice
from game.events import Announced
from game.record import replay
from game.status import Unit
from hw_sim.story.judging import amount_told, basis_told, with_sight, worth_told
from hw_sim.story.reasons import is_fault, reason, told
from hw_sim.training.drill import Week
from hw_sim.training.spots import WRONG, Spot

EXACT = 9
"""Worths that differ behind this number of decimals are equal, and keep the order of the rules;
chosen."""
SHOWN = 6
"""A solution shows so many of the best choices, and the one that was made; chosen."""
MADE = " ←"
"""Marks the choice that was made."""


class Solution(NamedTuple):
    """The solution of a decision: a verdict, a reason or "", and choices with their worths.

    ``basis`` is the unit of worths, and what they leave out.
    """

    verdict: str
    reason: str
    choices: list[tuple[str, str]]
    basis: str


def order_of(match: AnyMatch) -> tuple[int, ...]:
    """Return the seats that play this round, in playing order."""
    return playing_order(match) if hides_dice(match) else cast(OpenMatch, match).order


def seen_dice(match: AnyMatch) -> Dice:
    """Return the dice under the cup that the player who decides has seen; empty for none."""
    return match.dice or () if hides_dice(match) and match.seen and match.rolls else ()


def question(spot: Spot, language: Language, *, is_drawn: bool = False) -> list[str]:
    """Return what the player of a decision knows, a sentence each.

    ``is_drawn``: without what a picture of the seats shows.
    """
    match, seat = spot.match(), spot.judged.seat
    names, order = match.players, order_of(match)
    lines = [
        say(
            "train.SEAT", language, game=say(game_name(match.rules.game), language),
            place=order.index(seat) + 1, players=len(order), name=names[seat],
        )
    ]  # fmt: skip
    if not is_drawn:
        lines += _drawn(spot, match, language)
    if hides_dice(match):
        return lines + _covered(spot, match, language)
    return lines + _open(cast(OpenMatch, view(match, seat)), language)


def _drawn(spot: Spot, match: AnyMatch, language: Language) -> list[str]:
    """Return what lies open at the seats."""
    names, lines = match.players, list[str]()
    seated = [
        say("train.SEATED_ONE", language, name=name, kind=say(f"train.kind.{kind}", language))
        for name, kind in zip(names, spot.bots)
        if kind is not None
    ]
    if seated:
        lines.append(say("train.SEATED", language, kinds=", ".join(seated)))
    if any(match.tally):
        standings = ", ".join(f"{name} {count}" for name, count in zip(names, match.tally))
        counted = "train.HELD" if match.rules.unit is Unit.COASTER else "train.TALLY"
        lines.append(say(counted, language, standings=standings))
    if not hides_dice(match):
        hands = zip(names, cast(OpenMatch, view(match, spot.judged.seat)).hands)
        shown = [(name, _shown(hand)) for name, hand in hands]
        lines += [say("train.HAND", language, name=name, dice=dice) for name, dice in shown if dice]
    return lines


def ways(spot: Spot, language: Language) -> dict[SeatAction, str]:
    """Return the name of each choice, in their order."""
    match = spot.match()
    return {way: told(way, language, is_fault(match, way)) for way in spot.choices}


def _covered(spot: Spot, match: Match, language: Language) -> list[str]:
    lines = list[str]()
    for step in replay(spot.record):
        now = cast(Match, step.match)
        if now.round == match.round and any(isinstance(e, Announced) for e in step.events):
            by, rolls = now.players[now.announcer or 0], now.announcer_rolls
            key = "train.STANDS_UNSEEN" if rolls > now.rules.looks else "train.STANDS"
            lines.append(say(key, language, name=by, value=now.announced, rolls=rolls))
    lines = lines or [say("train.OPENS", language)]
    if match.phase is Phase.BELIEVED:
        lines.append(say("train.BELIEVED", language))
    if dice := seen_dice(match):
        lines.append(say("train.HOLDS", language, dice=_dice(dice), rolls=match.rolls))
    elif match.rolls:
        lines.append(say("train.UNSEEN", language, rolls=match.rolls))
    return lines


def _open(match: OpenMatch, language: Language) -> list[str]:
    aside = _dice(getattr(match, "aside", ()))
    lines = [say("train.ASIDE", language, dice=aside)] if aside else []
    numbers = {"throws": match.throws, "limit": match.limit}
    return [*lines, say("train.THROWN", language, dice=_dice(match.dice or ()), **numbers)]


def _shown(hand: object) -> str:
    """Return the dice of a hand that lie open; "" for none."""
    if isinstance(hand, tuple) and all(isinstance(die, int) for die in hand):
        return _dice(hand)
    aside, dice = getattr(hand, "aside", ()), getattr(hand, "dice", None)
    return _dice((*aside, *dice)) if dice is not None else _dice(aside)


def _dice(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice))


def solution(spot: Spot, choice: SeatAction, language: Language) -> Solution:
    """Return the solution, from the view of somebody who made ``choice``."""
    judged, cost = spot.judged, spot.cost(choice)
    is_right = cost <= WRONG
    names = ways(spot, language)
    best = names[choice if is_right else judged.best]
    named = {"best": best, "cost": amount_told(cost, spot.unit, language)}
    verdict = say("train.RIGHT" if is_right else "train.WRONG", language, **named)
    chosen = with_sight(followed(spot.record), judged._replace(action=choice, share=0.0))
    why = reason(chosen, not is_right, spot.unit, language)
    _, model = basis(spot.record.rules, len(spot.record.players))
    ranked = sorted(judged.chances.items(), key=lambda each: -round(each[1], EXACT))
    shown = [each for place, each in enumerate(ranked) if place < SHOWN or each[0] == choice]
    return Solution(
        verdict,
        f"{why[0].upper()}{why[1:]}.",
        [
            (names[way] + MADE * (way == choice), worth_told(worth, spot.unit, language))
            for way, worth in shown
        ],
        basis_told(spot.unit, model.caveat, language),
    )


def progress(weeks: list[Week], language: Language) -> list[tuple[str, ...]]:
    """Return a head and a row for each week and kind of decision."""
    rows: list[tuple[str, ...]] = [tuple(say("train.HEADS", language).split())]
    for each in weeks:
        regret = worth_told(each.regret, each.unit, language)  # type: ignore[arg-type]
        kind = say(f"train.{each.kind}", language)
        right = f"{100 * each.right:.0f} %"
        game = say(game_name(each.game), language)
        rows.append((each.week, game, kind, str(each.answers), right, regret))
    return rows
