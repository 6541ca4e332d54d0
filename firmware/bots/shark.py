"""A player who learns from public play how each other one errs, and makes the most of that.

What is usual is the equilibrium; what was seen of somebody moves that, the more the more was seen.
In a share of rounds the shark does what is best against such players, in the others it plays by the
book, so whatever it takes for an error and is none can cost no more than that share of a penalty.
"""

from dataclasses import dataclass
from random import Random

from firmware.bots.expert import Expert, known_of
from firmware.bots.personality import Sight
from firmware.bots.solved import equilibrium
from firmware.bots.tells import Tells
from firmware.input.controls.choice import Choice
from game import Match, Phase
from game.actions import Announce, Believe, Doubt
from game.bluff.position import playing_order
from game.bluff.state import next_seat
from game.bluff.values import PLACE, RANKING, value_of
from game.strategy import Known, Round
from game.strategy.bluff import NOTHING, Turn
from game.strategy.signal import CHANCES, PLACES, TOP, Signal

WEIGHT = 3.0
"""So many times of what is usual are counted with what was seen."""
NEARNESS = 0.6
"""What a sight counts at the next higher or lower value, and again at the next but one."""
MARGIN = 0.02
"""What it must gain at least to leave the book, of what is between the ends of a doubt."""


@dataclass(frozen=True)
class Shark(Expert):
    """Plays for the errors of the table in bluff games, and as ``Expert`` in the others.

    Attributes:
        risk: the share of rounds in which it leaves the book at all, 0 to 1. No table, however it
            plays, can make that cost more than ``risk`` times the most a round can cost.
    """

    risk: float = 0.75

    def by_the_book(self, sight: Sight, rng: Random) -> Choice | None:
        """The book's choice, or a better one against those at this table."""
        usual = super().by_the_book(sight, rng)
        match = sight.match
        if isinstance(match, Match) and sight.tells.dares(match, self.risk, rng):
            better = _better(equilibrium(match).solved, known_of(sight), sight)
            if better in sight.options:
                return better
        return usual


def _better(solved: Round, known: Known, sight: Sight) -> Choice | None:
    match = known.match
    if match.phase is Phase.OFFERED and known.own is None:
        return _answer(solved, known, sight)
    if match.phase is Phase.THROWN and known.own is not None:
        return _announcement(solved, known, sight)
    return None


def _answer(solved: Round, known: Known, sight: Sight) -> Choice | None:
    """Doubt or Believe, if either is much better; None if it is not, or if nobody saw the dice."""
    match, value = known.match, known.match.announced
    rolls = match.announcer_rolls
    if value is None or match.announcer is None or not 0 < rolls <= solved.rules.looks:
        return None
    if value == RANKING[TOP] and solved.rules.customs.meiern:
        return None
    announcer, place = playing_order(match).index(match.announcer), PLACE[value]
    stage = _stage(solved.turn(announcer, _place(known.stood)), rolls)
    usual = _usual_lies(stage, place)
    lie = _lies(sight.tells, match.announcer, known.stood, value, usual)
    caught = solved.prices.doubted(announcer, 0, place, 0)[1]
    wrong = solved.prices.doubted(announcer, 1, place, place)[1]
    gain = lie * caught + (1 - lie) * wrong - solved.believed(announcer + 1, place)[0]
    if abs(gain) < MARGIN * (caught - wrong):
        return None
    return Doubt() if gain > 0 else Believe()


def _announcement(solved: Round, known: Known, sight: Sight) -> Choice | None:
    """The announcement that is much better than what the book does; None if there is none."""
    match = known.match
    assert known.own is not None, "he has seen his dice"
    assert match.to_act is not None, "it is his turn"
    player, rolled = playing_order(match).index(match.to_act), PLACE[value_of(known.own)]
    turn = solved.turn(player, _place(match.announced))
    stage = _stage(turn, match.rolls)

    def worth(place: int, doubted: float) -> float:
        honest = place == rolled if solved.rules.understating == "lie" else place <= rolled
        ends = solved.prices.doubted(player, int(honest), place, rolled)[0]
        return doubted * ends + (1 - doubted) * solved.believed(player + 1, place)[-1]

    places = [PLACE[said.value] for said in sight.options if isinstance(said, Announce)]
    stands = NOTHING if match.announced is None else PLACE[match.announced]
    allowed = [p for p in places if stands == NOTHING or p > stands]
    if not allowed or (rolled == TOP and solved.rules.customs.meiern):
        return None
    usual = max(*(worth(p, stage.doubts[p]) for p in allowed), turn.outside[match.rolls - 1])
    neighbour = next_seat(match, match.to_act)
    met = {
        p: worth(p, _doubts(sight.tells, neighbour, RANKING[p], stage.doubts[p]))
        for p in allowed
        if p < TOP or not solved.rules.customs.meiern
    }
    best = max(met, key=lambda place: met[place], default=None)
    stake = solved.prices.paid(player, 1, 1)[0] - solved.prices.paid(player, 0, 1)[0]
    much = best is not None and met[best] > usual + MARGIN * stake
    return Announce(RANKING[best]) if best is not None and much else None


def _usual_lies(stage: Signal, place: int) -> float:
    """How likely an announcement is a lie by the book, 0 to 1; a half where the book has none."""
    truths = CHANCES[place] * stage.truths[place]
    told = sum(CHANCES[p] * stage.lied[p] for p in range(PLACES)) * stage.lies[place]
    return told / (told + truths) if told + truths else 0.5


def _lies(tells: Tells, seat: int, stood: int | None, value: int, usual: float) -> float:
    """How likely ``value`` is a lie by a seat: as usual, as far as it was not seen otherwise."""
    done, of = WEIGHT * usual, WEIGHT
    for each in tells.answered:
        if each.announcer == seat and each.lied is not None:
            near = _near(each.value, value) * _near(each.stood, stood)
            done, of = done + near * each.lied, of + near
    return done / of


def _doubts(tells: Tells, seat: int, value: int, usual: float) -> float:
    """How likely a seat doubts ``value``: as usual, as far as it was not seen otherwise."""
    done, of = WEIGHT * usual, WEIGHT
    for each in tells.answered:
        if each.seat == seat:
            near = _near(each.value, value)
            done, of = done + near * each.doubted, of + near
    return done / of


def _near(one: int | None, other: int | None) -> float:
    """How much what was seen at one value says about another, 0 to 1; None for nothing."""
    return float(NEARNESS ** abs(_height(one) - _height(other)))


def _height(value: int | None) -> int:
    return -1 if value is None else PLACE[value]


def _stage(turn: Turn, rolls: int) -> Signal:
    stage = turn.rolls[rolls - 1]
    assert isinstance(stage, Signal), "these dice may be seen"
    return stage


def _place(value: int | None) -> int:
    return NOTHING if value is None else PLACE[value]
