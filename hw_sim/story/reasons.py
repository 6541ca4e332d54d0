"""The reason for a choice, in words a player uses: what others do with it, and who pays.

Each choice that is named has its own reason, the player's own one first. A reason names what speaks
for the better choice, and what speaks against the other one.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import fsum
from statistics import fmean
from typing import Final, cast

from firmware.display.text.language import Language, decimal, say
from game import AnyMatch, OpenMatch, apply
from game import actions as do
from game.bluff.rules import PLACE, value_of
from game.coach import Judged
from game.coach.judged import GOOD, WorthUnit
from game.coaster.rules import RANKS
from game.dice import Dice, high_to_low
from game.record import to_plain
from game.sevens import SEVEN, SevensRules, score
from game.strategy.against import Why
from game.strategy.sevens import scores
from game.strategy.signal import CHANCES

HALF: Final = 0.5
"""An even chance, by definition."""
_SURE: Final = 0.995
"""A case with this chance or more is told as the only one."""
OFTEN: Final = 0.5
"""The book makes a choice as a rule if its share is greater; chosen."""
_PLAIN: Final = {do.Look: "look", do.Refuse: "refuse", do.ShowTower: "show_tower"}
"""The choices whose reasons have no numbers."""
_PURPOSES: Final = "judged.LESS_DOUBTED", "judged.LESS_BELIEVED", "judged.LESS_BEHIND"
"""The reasons for less than the dice."""


def told(action: do.Action, language: Language, is_fault: bool = False) -> str:
    """Name an action, done or possible, in a few words.

    ``is_fault``: it is a mistake that ends the round; such an announcement gives up.
    """
    what = ""
    if isinstance(action, do.Announce):
        what = str(action.value)
        if is_fault or action.wrong_way:
            return say(f"action.{'give_up' if is_fault else 'wrong_way'}", language, what=what)
    elif isinstance(action, do.Say):
        what = action.words.replace("_", " ")
    elif isinstance(action, do.Keep):
        what = " ".join(_kept(action).elements())
    name = to_plain(action)["action"]
    if isinstance(action, do.GiveCoaster) and action.to is None:
        name = "give_none"
    return say(f"action.{name}", language, what=what)


def is_fault(match: AnyMatch, action: do.SeatAction) -> bool:
    """Return whether an announcement ends the round, as an inadmissible one does (R-HF-5)."""
    return type(action) is do.Announce and apply(match, action).match.round != match.round


def is_given_up(judged: Judged, action: do.SeatAction) -> bool:
    """Return the same of a choice of a judged decision."""
    return type(action) is do.Announce and action in judged.chances and action not in judged.whys


def reason(judged: Judged, is_better: bool, unit: WorthUnit, language: Language) -> str:
    """Return the reason for a verdict as one clause; that of the choice made comes first.

    ``is_better`` says whether to give that of the better choice, too.
    """
    choices = _Choices(judged, unit, language)
    why = choices.why(judged.action, is_better)
    if not is_better:
        return why
    better = choices.why(judged.best)
    if judged.share > OFTEN and judged.caution is None:
        why = say("judged.BOOKED", language, why=why)
    if better not in why:
        done = told(judged.action, language, is_given_up(judged, judged.action))
        best = told(judged.best, language)
        why = say("judged.REASON", language, done=done, why=why, best=best, better=better)
    caution = judged.caution
    if caution is None or caution.best == judged.best:
        return why
    safe = told(caution.best, language)
    caution = caution._replace(seen=judged.seen, others=judged.others)
    own = _Choices(caution, unit, language).why(caution.best)
    return say("judged.BESIDE", language, why=why, safe=safe, caution=own)


class _Choices:
    """The reasons for the choices of one decision."""

    def __init__(self, judged: Judged, unit: WorthUnit, language: Language) -> None:
        self._judged, self._unit, self._language = judged, unit, language
        self._whys, self._worths = judged.whys, judged.chances
        self._truth = None if judged.seen is None else do.Announce(value_of(judged.seen))

    def why(self, way: do.SeatAction, is_worse: bool = False) -> str:
        """Return the reason for a choice; ``is_worse``: it stands before that of a better one."""
        thrown, why = self._judged.thrown, self._whys.get(way)
        if thrown is not None:
            best = self._judged.best if is_worse else way
            return open_reason(thrown, way, best, self._language)
        if type(way) in _PLAIN:
            return say(f"judged.{_PLAIN[type(way)]}", self._language)
        if why is None or (why.chance is None and type(way) is not do.Roll):
            key = "judged.SHOWN" if type(way) is do.ShowMaexchen else "judged.PAID"
            return self._say(key, [self._worths[way]])
        if isinstance(way, do.Announce):
            return self._said(way, why, is_worse)
        return self._rolled(why) if type(way) is do.Roll else self._answered(why)

    def _said(self, way: do.Announce, why: Why, is_worse: bool) -> str:
        """Return what the next player does, and why it is less than the dice, or worse."""
        cases, best, truth = _cases(why), self._judged.best, self._truth
        key = "judged.SAID" if len(cases) > 1 else "judged.SAID_SURELY"
        said, more = self._say(key, cases, chance=why.chance, beaten=why.beaten), ""
        if is_worse:
            key, more = "judged.BEHIND", self._gained(best, way, ("", "", "judged.PAYERS"))
        elif truth is not None and PLACE[way.value] < PLACE[truth.value]:
            key, more = "judged.LESS", self._gained(way, truth, _PURPOSES)
        return say(key, self._language, why=said, more=more) if more else said

    def _gained(self, way: do.SeatAction, than: do.SeatAction, keys: tuple[str, str, str]) -> str:
        """Return why an announcement is better than another one; "" if that is not known.

        ``keys`` are of the texts: it is doubted more often, less often, or somebody behind pays.
        """
        why, other = self._whys.get(way), self._whys.get(than)
        gain = self._worths[way] - self._worths[than]
        if gain <= 0 or why is None or other is None or why.chance is None or other.chance is None:
            return ""
        doubted, passed = (
            next((each for each in cases if each is not None), 0.0)
            for cases in ((other.if_so, why.if_so), (other.if_not, why.if_not))
        )
        more = why.chance - other.chance
        if 2 * more * (doubted - passed) > gain:
            key = keys[more < 0]
            return say(key, self._language) if key else ""
        is_behind = (why.beaten or 0.0) >= (other.beaten or 0.0)
        return self._payers(keys[2], why, gain) if is_behind else ""

    def _answered(self, why: Why) -> str:
        """Return what a doubt is worth, and the best answer that is none."""
        doubted, cases = self._worths.get(do.Doubt(), 0.0), _cases(why)
        rest = max((each for way, each in self._worths.items() if way != do.Doubt()), default=0.0)
        if len(cases) > 1:
            return self._say("judged.ANSWERED", [*cases, doubted, rest], chance=why.chance)
        return self._say("judged.ANSWERED_SURELY", [doubted, rest], chance=why.chance)

    def _rolled(self, why: Why) -> str:
        """Return what a roll is worth, and the announcement instead of it."""
        again = self._worths[do.Roll()]
        if self._truth is not None and self._truth in self._whys:
            said = self._worths[self._truth]
            higher = fsum(CHANCES[PLACE[self._truth.value] + 1 :])
            is_behind = higher <= HALF and max(said, *why.payers[:1]) < again
            behind = self._payers("judged.ROLLED_BEHIND", why, again - said) if is_behind else ""
            return behind or self._say("judged.ROLLED_STILL", [said, again], beaten=higher)
        ways = [way for way in self._worths if isinstance(way, do.Announce)]
        if why.beaten is None or not ways:
            return say("judged.ROLLED_FIRST", self._language)
        best = max(ways, key=lambda way: self._worths[way])
        key = "judged.ROLLED" if self._truth is None else "judged.ROLLED_OVER"
        worths = [self._worths[best], again]
        return self._say(key, worths, beaten=why.beaten, value=best.value)

    def _payers(self, key: str, why: Why, gain: float) -> str:
        """Return the worths if the next player pays, and if the best other one does.

        It is "" if that makes less of a difference than the ``gain`` that it is the reason for.
        """
        first, *behind = why.payers or (0.0,)
        most = max(behind, default=first)
        if most - first <= max(gain, GOOD):
            return ""
        names = self._judged.others
        return self._say(key, [first, most], next=names[0], behind=names[1 + behind.index(most)])

    def _say(self, key: str, worths: Sequence[float], **places: object) -> str:
        """Return a text: shares in 100, the first worth with its unit, the others as numbers."""
        first, *more = _numbers(worths, self._unit, self._language)
        so = say(f"worth.{self._unit}.so", self._language, worth=first)
        shares = {
            name: f"{100 * each:.0f}" if isinstance(each, float) else each
            for name, each in places.items()
        }
        numbers = dict(zip(("other", "mean", "rest"), more))
        return say(key, self._language, so=so, **numbers, **shares)


def _cases(why: Why) -> list[float]:
    """Return the worths of both cases of a reason; of one, if the other makes no difference."""
    cases = [each for each in (why.if_so, why.if_not) if each is not None]
    chance = why.chance or 0.0
    if len(cases) > 1 and abs(cases[0] - cases[1]) > GOOD:
        return cases[:1] if chance > _SURE else cases[1:] if chance < 1 - _SURE else cases
    return cases[:1]


def _numbers(worths: Sequence[float], unit: WorthUnit, language: Language) -> list[str]:
    """Return worths; of chances the games lost of a hundred, in few digits."""
    digits = 2
    if unit == "chance":
        worths = [100 * (1 - each) for each in worths]
        digits = next((n for n in (0, 1) if len({round(each, n) for each in worths}) > 1), 0)
    return [decimal(f"{each:z.{digits}f}", language) for each in worths]


def open_reason(
    match: OpenMatch, way: do.SeatAction, best: do.SeatAction, language: Language
) -> str:
    """Return what speaks for the best choice over an open throw, or against another one."""
    if isinstance(way, do.GiveCoaster):
        key = "train.GIVES_NONE" if way.to is None else "train.GIVES"
        return say(key, language, name=match.players[way.to or 0])
    aside, dice = getattr(match, "aside", ()), match.dice or ()
    mine = _rank(match, (*aside, *dice))
    shown = {each: match.shown(each) for each in match.order if match.hands[each] is not None}
    ranks = {each: _rank(match, thrown) for each, thrown in shown.items() if thrown}
    behind = [match.players[each] for each, rank in ranks.items() if rank < mine]
    better, leads = _better(match, mine, aside, dice), match.leader == match.to_act
    what = _kept(best) - _kept(way) or _kept(way) - _kept(best)
    if isinstance(best, do.Stop):
        binds = leads and match.throws < match.rules.throws
        key = "STOPS" if binds else "AHEAD" if behind else "ONLY" if better < HALF else "WORSE"
        key = key if way == best else {"STOPS": "MORE", "AHEAD": "RISK"}.get(key, key)
    elif what and not isinstance(way, do.Stop):
        key = "DROPS" if _kept(best) - _kept(way) else "KEEPS"
    elif isinstance(way, do.Keep) and (way.turned or 1 in way.aside):
        key = "ONES"
    elif better > HALF and not isinstance(way, do.Keep):
        key = "AGAIN"
    else:
        key = "LAST" if ranks and not (behind or leads) else "LEFT"
    return say(
        f"train.{key}", language, left=match.limit - match.throws, better=f"{100 * better:.0f}",
        throws=match.throws, more=match.throws + 1, what=" ".join(what.elements()),
        name=behind[0] if behind else "",
    )  # fmt: skip


def _kept(way: do.Action) -> Counter[str]:
    """Return the dice that a choice sets aside."""
    if not isinstance(way, do.Keep):
        return Counter()
    return Counter((*map(str, way.aside), *("6→1",) * way.turned))


def _better(match: OpenMatch, mine: int, aside: Dice, dice: Dice) -> float:
    """Return the chance that another throw of the same dice is better."""
    if match.rules.game not in RANKS:
        every = scores(cast(SevensRules, match.rules)).items()
        return float(sum(each for points, each in every if -points > mine))
    again = product(range(1, 7), repeat=len(dice))
    return fmean(_rank(match, (*aside, *thrown)) > mine for thrown in again)


def _rank(match: OpenMatch, dice: Dice) -> int:
    """Return a number that is higher for better dice."""
    ranks = RANKS.get(match.rules.game)
    if ranks is None:
        return -score(dice, seven_dice=len(dice) == SEVEN)
    return ranks[high_to_low(dice)]
