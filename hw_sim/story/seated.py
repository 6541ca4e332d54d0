"""Decisions judged against the players who sit there, by the advice that a hint gives.

Coach and trainer take verdict, worths and reasons of a decision from ``firmware.bots.hint`` where
it is known who sits there. Else the analysis stands: it judges by the book, which is safe against
anybody.
"""

from collections.abc import Sequence
from math import fsum

from firmware.bots.arena import Arena
from firmware.bots.bot import Bot
from firmware.bots.hint import Advice, FollowedMatch, HintFits, advice, safe
from game.actions import SeatAction
from game.coach import Analysis, Judged
from game.coach.analysis import FREE
from game.record import Record


def judged_here(judged: Judged, advised: Advice) -> Judged:
    """Return a decision with the worths of the advice; its own verdict becomes the safe choice.

    A decision that the advice has no worth for, or that is not against this table, stays as it is.
    """
    worths, done = advised.worths, judged.action
    if advised.fits is not HintFits.THIS_TABLE or done not in worths:
        return judged
    cost = max(0.0, worths[advised.best] - worths[done])
    best = done if cost < FREE else advised.best
    return judged._replace(
        chances=dict(worths),
        best=best,
        cost=cost if cost >= FREE else 0.0,
        why=advised.whys.get(done),
        instead=advised.whys.get(best),
        whys=advised.whys,
        safe=judged.best,
    )


def decided(until: Record, done: SeatAction, bots: Sequence[Bot | None]) -> Judged | None:
    """Return the decision after a record, judged by the advice alone; None if it is none.

    ``bots`` are as in ``advice``. A choice without a worth of its own, such as words, counts as the
    best one.
    """
    followed = FollowedMatch(Arena(until.rules, until.players, until.first), until.actions)
    match = followed.arena.match
    advised = advice(followed, bots)
    worths, seat = advised.worths, match.to_act
    if len(worths) <= 1 or seat is None:
        return None
    made = next((way for way in worths if way == done), advised.best)
    judged = Judged(
        len(until.actions) + 2, match.round, seat, made, dict(worths), advised.best, 0.0, None
    )
    shares = safe(followed)
    told = judged_here(judged, advised)
    return told._replace(
        best=advised.best,  # also where the choice made is worth a trifle more
        instead=advised.whys.get(advised.best),
        safe=next(iter(shares), advised.best),
        share=shares.get(made, 0.0),
    )


def at_table(record: Record, analysis: Analysis, bots: Sequence[Bot | None]) -> Analysis:
    """Return the analysis with the decisions of people judged against those who sit there.

    ``bots`` are by seat, None for a person. The change of a person's skill is booked to luck.
    """
    followed = FollowedMatch(Arena(record.rules, record.players, record.first))
    judged = {each.line: each for each in analysis.decisions}
    for line, action in enumerate(record.actions, start=2):
        one = judged.get(line)
        if one is not None and bots and bots[one.seat] is None:
            one = judged_here(one, advice(followed, bots))
            if one.safe is not None:
                one = one._replace(safe=next(iter(safe(followed)), one.safe))
            judged[line] = one
        followed.act(action)
    decisions = tuple(judged.values())
    accounts = []
    for seat, account in enumerate(analysis.accounts):
        skill = -fsum(each.cost for each in decisions if each.seat == seat)
        luck = account.luck + account.skill - skill
        accounts.append(account._replace(skill=skill, luck=luck))
    return analysis._replace(decisions=decisions, accounts=tuple(accounts))
