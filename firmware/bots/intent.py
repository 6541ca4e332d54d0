"""A player's next choice, by the display and the dice read there.

An intent is an entry of the dial, because the dial has everything that can be done. A body carries
it out with the dial. Hands can also use a shake for ``Roll``, and a lift of the cup for ``Look``,
``Doubt``, ``Lift`` and ``LocalChoice.SHOW_THROW``.
"""

from dataclasses import dataclass, field
from random import Random

from firmware.bots import Sight, Tells
from firmware.bots.bot import Bot
from firmware.input.controls import Choice, Die, LocalChoice, plain
from firmware.play.presenter import PlayView
from firmware.play.turn.draft import Draft, drafted
from firmware.table.seat.cup_custody import Position
from game import Match, Phase, hides_dice
from game.actions import Announce, Keep, Roll, Say
from game.dice import Dice
from game.strategy.position import handed_on


@dataclass
class Memory:
    """The memory of a player from one intent to the next.

    Attributes:
        said: the announcement decided on, with all that a second dial is to add to it.
        seen: the dice read last, without those set aside before; None for none.
        tower: they lay on top of each other (R-HF-8).
        seen_turn: the turn of the match in which they were read; the draft is of that turn.
        draft: the decision for each of them; None while there is none.
        own: dice that the player rolled and saw and that still lie under the cup, wherever it is;
            else None.
        stood: the value that stood when the dice under the cup were rolled; for dice that are
            handed on, their announcement, as ``game.strategy.Known`` has it.
        stood_turn: the turn of the match in which dice were believed that may be handed on.
        tells: the public play of the table so far.
    """

    said: Announce | Say | None = None
    seen: Dice | None = None
    tower: bool = False
    seen_turn: int | None = None
    draft: Draft | None = None
    own: Dice | None = None
    stood: int | None = None
    stood_turn: int | None = None
    tells: Tells = field(default_factory=Tells)

    def watch(self, view: PlayView) -> None:
        """Follow the public state: call it whenever the display may have changed."""
        match = view.match
        if not hides_dice(match):
            return
        self.tells.watch(match, view.round_end, self.stood)
        if match.phase is Phase.OPENING:
            self.own, self.stood = None, None
        elif match.phase is Phase.BELIEVED and match.turn != self.stood_turn:
            self.stood, self.stood_turn = handed_on(match, self.stood), match.turn
        elif match.phase is Phase.THROWN:
            self.stood = match.announced
            self.own = self.seen if match.seen and match.to_act == view.seat else None

    def read(self, dice: Dice, turn: int, *, tower: bool = False) -> None:
        """Store dice read in turn ``turn`` of the match; the draft for others is dropped."""
        self.seen, self.seen_turn, self.tower, self.draft = dice, turn, tower, None

    def told(self) -> tuple[Dice | None, int | None, Tells]:
        """Return the part of ``Sight`` that the display does not show."""
        return self.own, self.stood, self.tells


def waits(view: PlayView) -> bool:
    """Return whether the display is to change by itself before there is anything to do.

    A notice or the alert of a part hides the game, an announcement can still be taken back, or the
    offer is not armed yet.
    """
    hidden = view.part_alert is not None or view.notice is not None
    unarmed = view.position is Position.OFFERED and not view.offer_armed
    return hidden or unarmed or view.announcing is not None


def intent(view: PlayView, memory: Memory, bot: Bot, rng: Random) -> Choice | None:
    """Return the choice on the dial, unless the display ``waits``; None if there is nothing to do.

    Each call may draw from ``rng`` and change ``memory``: carry out its result before the next
    call. ``Keep``, which is on no dial, is the decision to set these dice aside. A ``Die`` to
    change follows while the draft differs, then ``Roll``.
    """
    memory.watch(view)
    options = options_of(view)
    if view.menu_open or view.choosing is not None:
        return memory.said if memory.said in options else LocalChoice.BACK
    match view.position:
        case Position.OFFERED:
            return bot.decide(Sight(view.match, options, None, False, *memory.told()), rng)
        case Position.TO_PASS:
            shows = LocalChoice.SHOW_THROW
            return shows if shows in options else LocalChoice.GO_ON
        case Position.MINE if hides_dice(match := view.match):
            return _covered(match, options, memory, bot, rng)
        case Position.MINE:
            return _open(view, options, memory, bot, rng)
        case _:
            return None


def options_of(view: PlayView) -> tuple[Choice, ...]:
    """Return the choices of the dial, in its order; empty if there is no dial."""
    entries = () if view.dial is None else view.dial.entries
    return tuple(entry.choice for entry in entries if entry.choice is not None)


def _covered(
    match: Match, options: tuple[Choice, ...], memory: Memory, bot: Bot, rng: Random
) -> Choice:
    """Decide a turn with dice that nobody else sees."""
    if match.phase is not Phase.THROWN or not match.seen:
        memory.seen, memory.tower = None, False
    choice = bot.decide(Sight(match, options, memory.seen, memory.tower, *memory.told()), rng)
    if not isinstance(choice, Announce | Say):
        return choice
    memory.said = choice
    return plain(choice)


def _open(
    view: PlayView, options: tuple[Choice, ...], memory: Memory, bot: Bot, rng: Random
) -> Choice:
    """Decide a turn with dice that lie open: throw, read the dice, and decide about them."""
    match = view.match
    if memory.seen_turn != match.turn:
        memory.draft = None
        shows = LocalChoice.SHOW_THROW in options
        if shows and (match.phase is Phase.THROWN or rng.random() >= bot.lazy):
            return LocalChoice.SHOW_THROW
    if memory.draft is None:
        choice = bot.decide(Sight(match, options, memory.seen), rng)
        if not isinstance(choice, Keep | Roll):
            return choice
        keep = choice if isinstance(choice, Keep) else Keep()
        memory.draft = drafted(memory.seen or (), keep)
        if isinstance(choice, Keep):
            return choice
    for place, (state, wanted) in enumerate(zip(view.draft, memory.draft)):
        if state is not wanted:
            return Die(place)
    memory.draft = None
    return Roll()
