"""Decisions for training, each with its solution: made ones, and those of records."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal, NamedTuple, cast, get_args

from firmware.bots.arena import Arena, Decides, filled, followed
from game import RULES, AnyMatch, Phase, hides_dice
from game.actions import Action, Look, SeatAction
from game.bluff.values import PLACE, value_of
from game.coach import Judged, analyse, basis, judge
from game.coach.analysis import WorthUnit
from game.record import Record, replay
from hw_sim.players.bot_kinds import BotKind, personality_of
from hw_sim.story.judging import is_fault

SpotKind = Literal["answer", "answer_high", "tell", "lie", "blind", "open"]
"""The kind of a decision. ``answer``: to an announcement, ``answer_high``: of a pair or more;
``tell``: one's dice may be announced; ``lie``: they may not; ``blind``: nobody has seen them, or
none are rolled; ``open``: a throw that lies open."""
KINDS: Final[tuple[SpotKind, ...]] = get_args(SpotKind)
NAMES: Final = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hal")
PAIR: Final = 11
"""The lowest pair."""
SPREAD: Final = 0.03
"""The least difference between the best and the worst choice of a decision worth training."""
WRONG: Final = 0.01
"""A choice that costs more, in the unit of its game, is wrong."""
MOST_ROUNDS: Final = 8
"""A made decision is of a round up to this one."""
_DEALS: Final = 4
"""The number of rounds played from one standing, which is solved once, before another is tried."""
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
    """

    record: Record
    judged: Judged
    unit: WorthUnit
    kind: SpotKind

    @property
    def choices(self) -> tuple[SeatAction, ...]:
        """The possible choices, in the order of the rules."""
        return tuple(self.judged.chances)

    def cost(self, choice: SeatAction) -> float:
        """Return how much less a choice is worth than the best one, 0 or more."""
        return max(self.judged.chances.values()) - self.judged.chances[choice]

    def match(self) -> AnyMatch:
        """Return the match at the decision, with all dice."""
        return followed(self.record).match


def made(game: str, players: int, rng: Random) -> Spot:
    """Return a decision of a match of bots: of its first rounds, where its score counts.

    Raises:
        CoachError: nobody can judge the game.
    """
    rules = RULES[game]
    unit, _ = basis(rules, players)
    early, late = (
        [personality_of(rng.choice(kinds)) for _ in range(players)] for kinds in (_EARLY, _SEATED)
    )
    while True:  # a match may be decided before its last round
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
        bots = late if hides_dice(start.match) else early
        for _ in range(_DEALS):
            played = _round(start.copy(), bots, rng)
            for at in rng.sample(range(len(played)), len(played)):
                if _is_of_the_last_two(played[at][0], unit):
                    continue
                actions = (*before, *(action for _, action in played[: at + 1]))
                record = Record(rules, start.match.players, first, actions)
                judged = judge(record)
                if judged is not None and _is_worth_training(judged, played[at][0], unit):
                    until = record._replace(actions=actions[:-1])
                    match = played[at][0]
                    return Spot(until, _with_one_fault(judged, match), unit, kind_of(match))


def _round(arena: Arena, bots: Sequence[Decides], rng: Random) -> list[tuple[AnyMatch, Action]]:
    """Play the running round; return each position with what was done there."""
    played, now = list[tuple[AnyMatch, Action]](), arena.match.round
    while (seat := arena.match.to_act) is not None and arena.match.round == now:
        match = arena.match
        choice = cast(SeatAction, bots[seat].decide(arena.sight(), rng))
        played.append((match, filled(match, choice, rng)))
        arena.act(played[-1][1])
    return played


def of_record(record: Record, seat: int | None = None) -> Iterator[Spot]:
    """Yield the decisions of a record worth training: of all seats, or of one.

    Raises:
        CoachError: nobody can judge it.
    """
    told = analyse(record)
    judged = {each.line: each for each in told.decisions if seat in (None, each.seat)}
    match: AnyMatch | None = None
    for line, step in enumerate(replay(record), start=2):
        one = judged.get(line)
        if one is not None and match is not None and _is_worth_training(one, match, told.unit):
            until = record._replace(actions=record.actions[: line - 2])
            yield Spot(until, _with_one_fault(one, match), told.unit, kind_of(match))
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
