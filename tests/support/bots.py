"""Bots without handhelds: what a display would say, and whole matches played by it, as values."""

from dataclasses import replace
from random import Random

from firmware.bots.intent import Memory, intent
from firmware.input.controls import NEUTRAL, DialView, Die, LocalChoice, variants
from firmware.play.presenter import PlayView
from firmware.play.turn.draft import changed, keep_of, new_draft
from firmware.play.turn.offers import offering, second_dial
from firmware.table.seat.cup_custody import ACTING, Position
from game import (
    RULES,
    Match,
    Phase,
    apply,
    dice_to_roll,
    illegality,
    laid_open,
    new_match,
    rolls,
    view,
)
from game.actions import Announce, Keep, Look, Roll, Say
from game.coach.bluff import Going
from game.coach.reference import match_worth
from game.record import Record
from game.strategy.position import known

NAMES = ("Ana", "Ben", "Cem", "Dea")
MOST_INTENTS = 10_000


def view_of(match, position=None, *, shows=False, choosing=None, **more):
    """Return the view of the seat that acts; ``shows``: an open throw lies under its cup."""
    if position is None:
        position = Position.OFFERED if match.phase is Phase.OFFERED else Position.MINE
    dial = _dial(match, position, choosing, shows=shows)
    more = {"draft": new_draft(match), "offer_armed": True, "choosing": choosing, **more}
    return PlayView(view(match, None), match.to_act, position, dial=dial, **more)


def _dial(match, position, choosing, *, shows=False):
    offers = second_dial(match, choosing) if choosing else offering(position, match, shows=shows)
    held, tapped = offers.entries()
    return DialView((*reversed(held), NEUTRAL, *tapped), len(held))


class Played:
    """A match played by the rules core and intents alone; all seats have the same personality."""

    def __init__(self, game, seed, bot, **options):
        self.rng = Random(f"{game} {seed}")
        self.match = new_match(replace(RULES[game], **options), NAMES[: 3 + seed % 2], 0)
        self.actions, self.events, self.intents = [], [], []
        self._tower = False
        memories = [Memory() for _ in self.match.players]
        choosing, draft = None, ()
        while self.match.outcome is None:
            assert len(self.intents) < MOST_INTENTS
            match, memory = self.match, memories[self.match.to_act]
            thrown = not isinstance(match, Match) and match.dice is not None
            shows = thrown and memory.seen_turn != match.turn
            display = view_of(match, shows=shows, choosing=choosing, draft=draft)
            choice = intent(display, memory, bot, self.rng)
            self.intents.append(choice)
            offered = [entry.choice for entry in display.dial.entries]
            assert isinstance(choice, Keep) or choice in offered, (match, choice)
            match choice:
                case LocalChoice.SHOW_THROW:
                    memory.read(match.dice, match.turn)
                case Die(place):
                    draft = changed(match, draft, place)
                case Announce() | Say() if choosing is None and len(variants(match, choice)) > 1:
                    choosing = choice
                case Keep():
                    pass
                case _:
                    if isinstance(choice, Roll) and (keep := keep_of(match, draft)) is not None:
                        self._do(keep)
                    self._do(choice)
                    if choice == Look():
                        memory.read(match.dice, match.turn, tower=self._tower)
                    choosing, draft = None, new_draft(self.match)

    def _do(self, action):
        assert illegality(self.match, action) is None, (self.match, action)
        if isinstance(action, Roll):
            dice = sorted(self.rng.randint(1, 6) for _ in range(dice_to_roll(self.match)))
            once_in = getattr(self.match.rules, "tower_one_in", None)
            self._tower = bool(once_in) and self.rng.randrange(once_in) == 0
            action = Roll(tuple(reversed(dice)), tower=self._tower)
        step = apply(self.match, laid_open(self.match, action))
        self.match = step.match
        self.actions.append(action)
        self.events += step.events


def thrown(game, dice, *actions, **options):
    """A match in which the leader has thrown these dice first, and done so much with them."""
    bluff = game in ("class", "physicist", "holy-family")
    names = NAMES[: 3 if bluff else 2]
    number = dice_to_roll(after(game=game, names=names, **options))
    # With open dice, a roll-off decides the leader.
    lead = () if bluff else (Roll((1,) * number), Roll((6,) * number))
    return after(*lead, Roll(dice), *actions, game=game, names=names, **options)


NINE = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hal", "Ida")


def by_the_book(rules, players, seed, most_rounds=40):
    """Return the record of a match, without what comes after so many rounds."""
    rng = Random(seed)
    match = new_match(rules, NINE[:players], 0)
    actions = []
    while match.to_act is not None and match.round <= most_rounds:
        if match.phase == "opening":
            going = Going(match_worth(rules, players).play(match))
        chances = going.play.play(known(going.state))
        action = rng.choices(tuple(chances), tuple(chances.values()))[0]
        done = laid_open(match, action)
        if action == Roll():
            ways = rolls(match)
            done = rng.choices([way for way, _ in ways], [float(chance) for _, chance in ways])[0]
        actions.append(done)
        after = apply(match, done).match
        if after.round == match.round and after.to_act is not None:
            going.follow(done)
        match = after
    return Record(rules, match.players, 0, tuple(actions))


THREE = ("Ana", "Ben", "Cem")


def after(*actions, game="class", names=THREE, **options):
    """The match of these players, of whom the first opens, after some actions."""
    match = new_match(replace(RULES[game], **options), names, 0)
    for action in actions:
        match = apply(match, action).match
    return match


def seen(match, seat=0, position=Position.MINE, *, at=None, **fields):
    """Return the view of a seat.

    The dial is the one that its position opens, with the entry ``at`` highlighted. ``fields`` are
    the unusual fields of the view.
    """
    dial = fields.pop("dial", None)
    if dial is None and position in ACTING:
        dial = _dial(match, position, fields.get("choosing"))
    if at is not None:
        index = [entry.choice for entry in dial.entries].index(at)
        dial = replace(dial, index=index)
    return PlayView(view(match, None), seat, position, dial=dial, **fields)
