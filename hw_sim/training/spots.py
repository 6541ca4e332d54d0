"""Decisions for training, each with its solution: made ones, and those of records.

Numbers without a source are chosen.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal, NamedTuple, cast, get_args

from firmware.bots.arena import Arena, Decides, filled, followed
from firmware.bots.hint import hint
from game import RULES, AnyMatch, Phase, hides_dice
from game.actions import Action, Announce, Believe, Doubt, Look, Roll, SeatAction, ShowMaexchen
from game.bluff.rules import PLACE, value_of
from game.coach import Judged, analyse, basis, judge_open
from game.coach.judged import WorthUnit
from game.record import Record, replay
from hw_sim.players.bot_kinds import BotKind, personality_of
from hw_sim.story.evening_report import at_table, decided
from hw_sim.story.reasons import is_fault

SpotKind = Literal["answer", "answer_high", "tell", "lie", "blind", "open"]
"""The kind of a decision. ``answer``: to an announcement, ``answer_high``: of a pair or more;
``tell``: one's dice may be announced; ``lie``: they may not; ``blind``: nobody has seen them, or
none are rolled; ``open``: a throw that lies open."""
KINDS: Final[tuple[SpotKind, ...]] = get_args(SpotKind)
NAMES: Final = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hal")
PAIR: Final = 11
"""The value of the lowest pair (V-2)."""
BELIEVED: Final = 65
"""The highest value that a beginner believes."""
HARD: Final = 0.5
"""The share of made decisions that a beginner gets wrong; any are taken for the others.

Among 1,793 decisions of ``class`` as they come, a beginner gives 0.87 % of a match away in each.
Learners that trained with 200 made ones save 0.4 to 0.57 % of that, as with 200 of those."""
SPREAD: Final = 0.03
"""The least difference between the best and the worst choice of a decision worth training."""
WRONG: Final = 0.01
"""A choice that costs more, in matches or penalties as the game counts, is wrong."""
MOST_ROUNDS: Final = 8
"""A made decision is of a round up to this one."""
_DEALS: Final = 8
"""The number of rounds played from one standing, which is solved once, before another is tried."""
_MOST_TRIED: Final = 400
"""After so many decisions without one that a beginner gets wrong, any is taken."""
_SEATED: Final[tuple[BotKind, ...]] = ("learner", "skilled", "honest", "trusting", "expert")
"""They play the covered rounds that decisions are taken from."""
_EARLY: Final[tuple[BotKind, ...]] = ("honest", "trusting", "cheeky")
"""They make the standing, and play open rounds: they need no solved round."""


class Spot(NamedTuple):
    """A decision to make.

    Attributes:
        record: the match until then, with all dice.
        judged: the decision as somebody made it, judged.
        unit: of its worths.
        kind: of decision.
        bots: by seat the kind of bot that sits there, None for the player who decides; empty if
            they are not known.
    """

    record: Record
    judged: Judged
    unit: WorthUnit
    kind: SpotKind
    bots: tuple[BotKind | None, ...] = ()

    @property
    def choices(self) -> tuple[SeatAction, ...]:
        """The possible choices, in the order of the rules."""
        return tuple(self.judged.chances)

    def cost(self, choice: SeatAction) -> float:
        """Return how much less a choice is worth than the one that is named best, 0 or more."""
        return max(0.0, self.judged.chances[self.judged.best] - self.judged.chances[choice])

    def match(self) -> AnyMatch:
        """Return the match at the decision, with all dice."""
        return followed(self.record).match


def made(game: str, players: int, rng: Random, hard: float = HARD) -> Spot:
    """Return a decision of a match of bots: of its first rounds, where its score counts.

    ``hard`` is the share, 0 to 1, that a beginner's rule gets wrong for sure.

    Raises:
        CoachError: nobody can judge the game.
    """
    rules = RULES[game]
    unit, _ = basis(rules, players)
    is_hard, tried = rng.random() < hard, 0
    while True:  # a match may be decided before its last round
        early, late = ([rng.choice(of) for _ in range(players)] for of in (_EARLY, _SEATED))
        most = rng.randint(1, 1 if unit == "penalties" else MOST_ROUNDS)
        first, before = rng.randrange(players), list[Action]()
        arena = Arena(rules, NAMES[:players], first)
        start = arena.copy()
        while start.match.round < most:
            played = _round(arena, early, rng)
            if arena.match.to_act is None:
                break  # it was the last one
            before += [action for _, action in played]
            start = arena.copy()
        kinds = late if hides_dice(start.match) else early
        for _ in range(_DEALS):
            played = _round(start.copy(), kinds, rng)
            for at in rng.sample(range(len(played)), len(played)):
                match, done = played[at]
                if _is_of_the_last_two(match, unit):
                    continue
                actions = (*before, *(action for _, action in played[:at]))
                until, tried = Record(rules, start.match.players, first, actions), tried + 1
                spot = _spot(until, done, unit, match, kinds)
                is_hard = is_hard and tried < _MOST_TRIED
                if spot and not (is_hard and spot.cost(beginner(followed(until))) <= WRONG):
                    return spot


def _spot(
    until: Record, done: Action, unit: WorthUnit, match: AnyMatch, kinds: Sequence[BotKind]
) -> Spot | None:
    """Return the decision after a record, with what was done there; None if it teaches nothing."""
    seat = cast(int, match.to_act)
    seated = tuple(None if each == seat else kind for each, kind in enumerate(kinds))
    if hides_dice(match):
        bots = [None if kind is None else personality_of(kind) for kind in seated]
        judged = decided(until, cast(SeatAction, done), bots)
    else:
        judged, seated = judge_open(until._replace(actions=(*until.actions, done))), ()
    if judged is None or not _is_worth_training(judged, match, unit):
        return None
    return Spot(until, _with_one_fault(judged, match), unit, kind_of(match), seated)


def beginner(arena: Arena) -> SeatAction:
    """Return the choice of a beginner who is to act.

    In a bluff game the beginner tells the truth if they may, else rolls; believes up to 65, and
    doubts pairs. They look at no dice, since no decision worth training asks for a look, and
    refuse no cup. With open dice they play as an honest bot.
    """
    sight = arena.sight()
    match, options = sight.match, sight.options
    if not hides_dice(match):
        return cast(SeatAction, personality_of("honest").decide(sight, Random(0)))
    stands = match.announced
    if match.phase is Phase.OFFERED and stands is not None:
        believes = PLACE[stands] <= PLACE[BELIEVED] and Believe() in options
        return Believe() if believes else Doubt()
    truth = None if sight.seen is None else Announce(value_of(sight.seen))
    if truth is not None and (stands is None or PLACE[truth.value] > PLACE[stands]):
        return ShowMaexchen() if ShowMaexchen() in options else truth
    higher = [way for way in options if isinstance(way, Announce)]
    higher = [way for way in higher if stands is None or PLACE[way.value] > PLACE[stands]]
    return Roll() if Roll() in options else next(iter(higher), cast(SeatAction, options[-1]))


def _round(arena: Arena, kinds: Sequence[BotKind], rng: Random) -> list[tuple[AnyMatch, Action]]:
    """Play the running round; return each position with what was done there."""
    bots: list[Decides] = [personality_of(kind) for kind in kinds]
    played, now = list[tuple[AnyMatch, Action]](), arena.match.round
    while (seat := arena.match.to_act) is not None and arena.match.round == now:
        match = arena.match
        choice = cast(SeatAction, bots[seat].decide(arena.sight(), rng))
        played.append((match, filled(match, choice, rng)))
        arena.act(played[-1][1])
    return played


def of_record(
    record: Record, seat: int | None = None, kinds: Sequence[BotKind | None] = ()
) -> Iterator[Spot]:
    """Yield the decisions of a record worth training: of all seats, or of one.

    ``kinds`` are by seat those of the bots, None for people.

    Raises:
        CoachError: nobody can judge it.
    """
    bots = [None if kind is None else personality_of(kind) for kind in kinds]
    told = at_table(record, analyse(record), bots)
    judged = {each.line: each for each in told.decisions if seat in (None, each.seat)}
    match: AnyMatch | None = None
    for line, step in enumerate(replay(record), start=2):
        one = judged.get(line)
        if one is not None and match is not None and _is_worth_training(one, match, told.unit):
            until = record._replace(actions=record.actions[: line - 2])
            seated = tuple(kinds) if one.caution is not None else ()
            one = one._replace(whys={**hint(until, one.seat).whys, **one.whys})
            yield Spot(until, _with_one_fault(one, match), told.unit, kind_of(match), seated)
        match = step.match


def _is_worth_training(judged: Judged, match: AnyMatch, unit: WorthUnit) -> bool:
    if _is_of_the_last_two(match, unit):
        return False
    worths = [worth for way, worth in judged.chances.items() if not is_fault(match, way)] or [0.0]
    return Look() not in judged.chances and max(worths) - min(worths) > SPREAD


def _is_of_the_last_two(match: AnyMatch, unit: WorthUnit) -> bool:
    """Return whether worths are chances, and not in the unit of the match."""
    return unit == "coasters" and len(match.playing) == 2


def _with_one_fault(judged: Judged, match: AnyMatch) -> Judged:
    """Leave out all inadmissible announcements but one: they cost the same (R-HF-5)."""
    faults = [way for way in judged.chances if is_fault(match, way)]
    gone = {*faults[1:]} - {judged.action, judged.best}
    return judged._replace(chances={w: each for w, each in judged.chances.items() if w not in gone})


def kind_of(match: AnyMatch) -> SpotKind:
    """Return the kind of a decision; ``match`` has all dice."""
    if not hides_dice(match):
        return "open"
    stands = match.announced
    if match.phase is Phase.OFFERED and stands is not None:
        return "answer_high" if PLACE[stands] >= PLACE[PAIR] else "answer"
    if match.dice is None or not match.seen:
        return "blind"
    return "tell" if stands is None or PLACE[value_of(match.dice)] > PLACE[stands] else "lie"
