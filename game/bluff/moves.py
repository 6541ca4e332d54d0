"""How a bluff game moves: what each legal action leads to."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    Leave,
    Lift,
    Look,
    OwnUp,
    Roll,
    ShowMaexchen,
    StopMatch,
    VoidRound,
)
from game.bluff.legality import BELIEVED, DOUBTED, OFFERED, OPENING, OVER, THROWN, illegality
from game.events import (
    Announced,
    Believed,
    Doubted,
    Event,
    GaveIn,
    LeftTable,
    Looked,
    MaexchenShown,
    MatchEnded,
    OwnedUp,
    Penalised,
    Revealed,
    Rolled,
    RoundBegan,
    RoundVoided,
    Swam,
    WentOut,
)
from game.match import PLAYING, Match, Outcome, Phase, Status, Step, next_seat
from game.reasons import IllegalAction, Reason
from game.rules import RuleSet
from game.values import PLACE, Dice, value_of

_CLOCKWISE = 1
_ONE_PENALTY = 1
_LASTING = Match._fields.index("turn")
"""How many fields of a match a whole round leaves alone; they come first."""

_Events = tuple[Event, ...]
_T = TypeVar("_T")
_tuple = tuple.__new__


def new_match(rules: RuleSet, players: tuple[str, ...], first: int) -> Match:
    """Return a match of ``players`` (names by seat, clockwise) in which seat ``first`` opens.

    Raises SetupError for a number of players the game is not for, for names that are empty,
    unprintable or equal, and for a seat nobody has.
    """
    players = tuple(players)
    rules.check_table(players, first)
    return Match(
        rules=rules,
        players=players,
        direction=_CLOCKWISE,
        round=1,
        opener=first,
        tally=(0,) * len(players),
        status=(Status.IN,) * len(players),
        out=(),
        outcome=None,
        turn=0,
        phase=OPENING,
        to_act=first,
        announced=None,
        announcer=None,
        dice=None,
        rolls=0,
        seen=False,
    )


def apply(match: Match, action: Action) -> Step:
    """Return the match after ``action`` and what happened.

    Raises IllegalAction, also for a ``Lift(None)`` where this copy does not know the dice.
    """
    reason = illegality(match, action)
    if reason is not None:
        raise IllegalAction(reason, action)
    return _MOVES[type(action)](match, match.to_act, action)


@lru_cache(maxsize=2**14)
def _event(kind: Callable[..., Event], *fields: int | Dice | None) -> _Events:
    """Return one event. Building one costs more than finding it again, so the latest are kept."""
    return (kind(*fields),)


def _within_round(
    match: Match,
    phase: Phase,
    to_act: int,
    announced: int | None,
    announcer: int | None,
    dice: Dice | None,
    rolls: int,
    seen: bool,
    events: _Events,
) -> Step:
    """Move on within the round. The lasting fields are taken over as one slice, for speed."""
    turn = (match.turn + 1, phase, to_act, announced, announcer, dice, rolls, seen)
    return _tuple(Step, (_tuple(Match, match[:_LASTING] + turn), events))


def _roll(match: Match, seat: int, action: Roll) -> Step:
    rolls = match.rolls + 1
    return _within_round(
        match, THROWN, seat, match.announced, match.announcer, action.dice, rolls, False,
        _event(Rolled, seat, rolls),
    )  # fmt: skip


def _look(match: Match, seat: int, _: Look) -> Step:
    return _within_round(
        match, THROWN, seat, match.announced, match.announcer, match.dice, match.rolls, True,
        _event(Looked, seat),
    )  # fmt: skip


def _announce(match: Match, seat: int, action: Announce) -> Step:
    to = next_seat(match, seat)
    return _within_round(
        match, OFFERED, to, action.value, seat, match.dice, 0, False,
        _event(Announced, seat, action.value, to),
    )  # fmt: skip


def _answer(match: Match, seat: int, phase: Phase, events: _Events) -> Step:
    return _within_round(
        match, phase, seat, match.announced, match.announcer, match.dice, 0, False, events
    )


def _believe(match: Match, seat: int, _: Believe) -> Step:
    return _answer(match, seat, BELIEVED, _event(Believed, seat))


def _doubt(match: Match, seat: int, _: Doubt) -> Step:
    return _answer(match, seat, DOUBTED, _event(Doubted, seat))


def _lift(match: Match, seat: int, action: Lift) -> Step:
    dice = action.dice or match.dice
    if dice is None:
        raise IllegalAction(Reason.DICE_NEEDED, action)
    announced, announcer = match.announced, match.announcer
    assert announced is not None, "a doubt is about an announcement"
    assert announcer is not None, "an announcement has an announcer"
    lied = _is_lie(match.rules, announced, value_of(dice))
    revealed = _event(Revealed, seat, dice, announced, announcer, lied)
    return _penalise(match, announcer if lied else seat, revealed)


def _is_lie(rules: RuleSet, announced: int, rolled: int) -> bool:
    """Tell whether an announcement is a lie about the dice (B-4)."""
    if rules.understating == "lie":
        return announced != rolled
    return PLACE[announced] > PLACE[rolled]


def _give_in(match: Match, seat: int, _: GiveIn) -> Step:
    return _penalise(match, seat, _event(GaveIn, seat))


def _own_up(match: Match, seat: int, _: OwnUp) -> Step:
    return _penalise(match, seat, _event(OwnedUp, seat))


def _show_maexchen(match: Match, seat: int, _: ShowMaexchen) -> Step:
    return _penalise(match, next_seat(match, seat), _event(MaexchenShown, seat))


def _penalise(match: Match, seat: int, cause: _Events) -> Step:
    """Book one penalty on ``seat``; he opens the next round, or the next who is in (B-6)."""
    rules, status, out = match.rules, match.status, match.out
    penalties = match.tally[seat] + _ONE_PENALTY
    tally = _with(match.tally, seat, penalties)
    if rules.stakes == "drinks":
        events = cause + _event(Penalised, seat, _ONE_PENALTY, None)
        return _new_round(match, tally, status, out, seat, events)
    left = rules.credit - penalties
    if left > 0:
        events = cause + _event(Penalised, seat, _ONE_PENALTY, left)
        return _new_round(match, tally, status, out, seat, events)
    events = cause + _event(Penalised, seat, _ONE_PENALTY, 0)
    if left == 0:
        status = _with(status, seat, Status.SWIMS)
        return _new_round(match, tally, status, out, seat, events + _event(Swam, seat))
    status = _with(status, seat, Status.OUT)
    out = (*out, seat)
    events += _event(WentOut, seat)
    if rules.ends == "first_out" or sum(map(PLAYING.__contains__, status)) == 1:
        return _over(match._replace(tally=tally, status=status, out=out), "R-CLASS-2", out, events)
    opener = next_seat(match, seat)
    return _new_round(match, tally, status, out, opener, events)


def _end_match(match: Match, _seat: int, _: EndMatch) -> Step:
    most = max(match.tally[seat] for seat in match.playing)
    losers = tuple(seat for seat in match.playing if match.tally[seat] == most)
    return _over(match, "B-8", losers, ())


def _leave(match: Match, to_act: int, action: Leave) -> Step:
    """Let a seat go (B-10). The dice are covered in the cup, so only its holder has any.

    An offered cup is still the announcer's: if the seat it is offered to leaves, the next one has
    to answer. In every other phase the cup is with the seat that is to act.
    """
    leaver = action.seat
    match = match._replace(status=_with(match.status, leaver, Status.LEFT))
    events: _Events = _event(LeftTable, leaver)
    if len(match.playing) == 1:
        return _over(match, "B-10", (), events)
    if match.phase is OFFERED and leaver == to_act:
        to_act = next_seat(match, leaver)
    elif leaver in (to_act, match.announcer):
        return _void(match, next_seat(match, leaver), events)
    return Step(match._replace(turn=match.turn + 1, to_act=to_act), events)


def _void_round(match: Match, _seat: int, _: VoidRound) -> Step:
    opener = match.opener
    if match.status[opener] is Status.LEFT:
        opener = next_seat(match, opener)
    return _void(match, opener, ())


def _void(match: Match, opener: int, events: _Events) -> Step:
    events = events + _event(RoundVoided, match.round)
    return _new_round(match, match.tally, match.status, match.out, opener, events)


def _stop_match(match: Match, _seat: int, _: StopMatch) -> Step:
    return _over(match, "B-10", (), ())


def _new_round(
    match: Match,
    tally: tuple[int, ...],
    status: tuple[Status, ...],
    out: tuple[int, ...],
    opener: int,
    events: _Events,
) -> Step:
    """Begin the next round with an empty cup at ``opener``; nothing stands (B-6)."""
    number = match.round + 1
    begun = _tuple(
        Match,
        (
            match.rules,
            match.players,
            match.direction,
            number,
            opener,
            tally,
            status,
            out,
            None,  # outcome
            match.turn + 1,
            OPENING,
            opener,  # to_act
            None,  # announced
            None,  # announcer
            None,  # dice
            0,  # rolls
            False,  # seen
        ),
    )
    return _tuple(Step, (begun, events + _event(RoundBegan, number, opener)))


def _over(match: Match, rule: str, losers: tuple[int, ...], events: _Events) -> Step:
    left = tuple(seat for seat, status in enumerate(match.status) if status is Status.LEFT)
    outcome = Outcome(rule, losers, match.out, left, match.tally)
    ended = match._replace(
        outcome=outcome,
        turn=match.turn + 1,
        phase=OVER,
        to_act=None,
        announced=None,
        announcer=None,
        dice=None,
        rolls=0,
        seen=False,
    )
    return Step(ended, (*events, MatchEnded(outcome)))


def _with(by_seat: tuple[_T, ...], seat: int, item: _T) -> tuple[_T, ...]:
    """Return ``by_seat`` with another item at ``seat``."""
    changed = list(by_seat)
    changed[seat] = item
    return tuple(changed)


_MOVES: dict[type, Callable[..., Step]] = {
    Roll: _roll,
    Look: _look,
    Announce: _announce,
    Believe: _believe,
    Doubt: _doubt,
    Lift: _lift,
    ShowMaexchen: _show_maexchen,
    GiveIn: _give_in,
    OwnUp: _own_up,
    EndMatch: _end_match,
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}
