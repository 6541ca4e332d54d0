"""The play of ``holy-family``: its habits (R-HF-10), its words, its mistakes (R-HF-5).

Numbers without a source are chosen: all chances of a habit, a word and a mistake.
"""

from random import Random

from firmware.bots import Personality, Sight, bluff
from firmware.bots.bluff import announced, blindly, match_of, seen_value
from firmware.input.controls import Choice, variants
from game import Phase
from game.actions import Announce, Believe, Flourish, Look, Refuse, Roll, Say, ShowTower
from game.actions import Words as Spoken
from game.bluff.legality import is_admissible, resolved
from game.bluff.rules import RANKING, is_pair, rank

HABIT = 65
"""The usual opening value of a round (R-HF-10); by custom it is then not doubted …"""
BY_HABIT = 0.5
"""… with this chance."""
KEEPS_HABIT = 0.9
"""The chance to believe what is by custom not doubted."""
HARMLESS = 11
"""The value that is by custom no lie: a pair of ones (R-HF-10)."""
REFUSES = 0.7
"""The chance to notice that a cup came the wrong way."""
SHOWS = 0.7
"""The chance to show a tower (R-HF-8)."""
IN_WORDS = 0.6
"""The chance to announce in words instead of a value (R-HF-9)."""
DRAWN_OUT = 0.3
"""The chance to draw out a pair (R-HF-10)."""


def answer(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Answer as ``bluff.answer``, or Refuse (R-HF-5); believe most customary values (R-HF-10)."""
    if Refuse() in sight.options and rng.random() < REFUSES:
        return Refuse()
    value, match = announced(sight), match_of(sight)
    customary = value == HARMLESS or (value == HABIT and match.announcer == match.opener)
    if customary and Believe() in sight.options and rng.random() < KEEPS_HABIT:
        return Believe()
    return bluff.answer(bot, sight, rng)


def before_rolling(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Return Roll or, rarely, the lowest admissible announcement of a believed cup, unrolled."""
    higher = _admissible(sight)
    if sight.match.phase is Phase.BELIEVED and higher and rng.random() < bot.lazy:
        return _said(bot, sight, higher[0], rng)
    return Roll()


def after_rolling(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Return what to do with a roll of up to three: Look, Announce, Say, Roll or ShowTower."""
    options, seen, values = sight.options, seen_value(sight), _admissible(sight)
    opens = len(values) == len(RANKING)
    if opens and seen is None and rng.random() < BY_HABIT:
        return _said(bot, sight, HABIT, rng)
    if seen is None:
        if Look() in options and rng.random() >= bot.lazy:
            return Look()
        return _said(bot, sight, blindly(values, rng), rng)
    if sight.tower and ShowTower() in options and rng.random() < SHOWS:
        return ShowTower()
    if opens and rank(seen) < rank(HABIT) and rng.random() < BY_HABIT:
        return _said(bot, sight, HABIT, rng)
    if seen in values and rng.random() < 0.85:
        return _said(bot, sight, seen, rng)
    if seen not in values and Roll() in options and rng.random() < 1.0 - 0.5 * bot.daring:
        return Roll()
    return _said(bot, sight, blindly(values, rng), rng)


def _admissible(sight: Sight) -> tuple[int, ...]:
    """Return the values admissible without a fault, low to high; none over a Mäxchen unrolled."""
    match = match_of(sight)
    return tuple(value for value in match.rules.ladder if is_admissible(match, value))


def _said(bot: Personality, sight: Sight, value: int, rng: Random) -> Announce | Say:
    """Return an announcement of a value, or the words for it; rarely another, or the wrong way."""
    match = match_of(sight)
    if rng.random() < bot.careless:
        value = rng.choice(RANKING)
    plain: Announce | Say = Announce(value)
    if match.announced is not None and rng.random() < IN_WORDS:
        if value == match.announced:
            plain = Say(Spoken.SAME)
        elif resolved(match, Say(Spoken.ONE_MORE)) == value:
            plain = Say(Spoken.ONE_MORE)
    wrong_way = rng.random() < bot.careless
    drawn_out = is_pair(value) and rng.random() < DRAWN_OUT
    ways = [said for said in variants(match, plain) if said.wrong_way <= wrong_way]
    return max((said for said in ways if _added(said)[1] <= drawn_out), key=_added)


def _added(said: Announce | Say) -> tuple[bool, bool]:
    """Return whether it goes the wrong way, and whether it is drawn out."""
    drawn_out = isinstance(said, Announce) and said.flourish is Flourish.DRAWN_OUT
    return said.wrong_way, drawn_out
