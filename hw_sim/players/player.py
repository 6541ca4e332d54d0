"""Simulated players: they look at their own panel and move their own hand, nothing else.

A player knows only the text of their handheld's display (``PlayView``), and where a tilt moves the
highlight there. They read dice off the display's memory, as a person reads them off the glass.
``firmware.bots.intent`` decides the next action; this module moves the hand, with its slips.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from firmware.bots.intent import Memory, intent, options_of, waits
from firmware.display.text.labels import Alert
from firmware.input.controls.dial import Choice, Die, Go, More, ShowThrow, Without
from firmware.play.handheld import Handheld
from firmware.play.presenter.view import PlayView
from firmware.play.turn.offers import may_look
from firmware.table.seat.cup_custody import ACTING, Position
from firmware.table.seat.wishes import WishAction
from game import Phase, hides_dice
from game.actions import Announce, Doubt, Keep, Lift, Look, Roll, Say, StopMatch
from game.dice import Dice
from game.status import AWAY
from hw_sim.hand.control.lid import HandheldInHand
from hw_sim.players.personality import USUAL, PlayerPersonality, Slips, Tempo
from hw_sim.players.player_hand import HOLD_S, PlayerHand

NOSY_AT_A_PRICE = 0.15
"""If a forbidden peek costs something, curiosity is multiplied by this."""
TRIES = 3
"""A player holds an entry of the menu so often before they give up."""


class PlayerWish(NamedTuple):
    """A player's wish from ``round`` on: to go without a seat, or to end something (B-10)."""

    round: int
    action: WishAction | Without


class Player:
    """Plays one seat until the match is over.

    Args:
        handheld: only its ``view`` is looked at, and the dial that a tilt moves.
        held: the same in the player's hand.
        read_dice: reads dice off the panel; None while there are none.
        rng: seeded source of the player's personality, decisions and times.
        clumsiness: seeded source of the player's slips; None for none.
    """

    def __init__(
        self,
        handheld: Handheld,
        held: HandheldInHand,
        read_dice: Callable[[], Dice | None],
        rng: Random,
        clumsiness: Random | None = None,
    ) -> None:
        self.seat = handheld.seat
        self._tempo = USUAL
        self.personality = PlayerPersonality.drawn(rng)
        self.slips = Slips() if clumsiness is None else Slips.drawn(clumsiness)
        self.wish: PlayerWish | None = None
        """A vote counts for a round, or while nothing happens; the player asks again after that."""
        self._view: Callable[[], PlayView] = handheld.view
        self._read_dice = read_dice
        self._rng = rng
        self._mishaps = clumsiness or Random(f"mishaps {self.seat}")
        self._do = PlayerHand(held, lambda: handheld.dial, rng, self._place)
        self._memory = Memory()
        self._wished_at: tuple[Position, int] | None = None

    @property
    def own(self) -> Dice | None:
        """The dice that the player rolled and saw and that still lie under the cup, else None."""
        return self._memory.own

    @property
    def tempo(self) -> Tempo:
        """The pace of the player and their hand."""
        return self._tempo

    @tempo.setter
    def tempo(self, tempo: Tempo) -> None:
        self._tempo = self._do.tempo = tempo

    async def play(self) -> None:
        """Play until the own display shows the end of the match."""
        while self._view().position not in (Position.OVER, Position.STOPPED):
            await self._do.pause(self._tempo.reaction_s)
            await self._act()

    async def _act(self) -> None:
        """Do what the display asks for, until something has to change there."""
        self._memory.watch(self._view())
        notice = self._view().notice
        if notice is not None and notice.message is Alert.COVER_CUP:
            await self._peek()  # it cannot tell that the cup is closed: show it light, then dark
        if notice is not None and notice.message is Alert.WISHES_WITHOUT:
            self.wish = agreed(self.wish, self._view().match.players.index(notice.name))
        view = self._view()
        if view.prompt is not None:
            await self._admit()
            return
        if waits(view):
            return
        if not view.menu_open and view.choosing is None:
            if self.wish is not None and self._wants(self.wish, view):
                await self._make_a_wish(self.wish.action)
                return
            await self._prepare(view)
        choice = self._intent()
        if choice is None or await self._slip_or_peek():
            return
        while choice is not None and await self._carry_out(choice):
            choice = self._intent()

    def _intent(self) -> Choice | None:
        return intent(self._view(), self._memory, self.personality, self._rng)

    async def _admit(self) -> None:
        """Answer the question about a fault."""
        await self._do.pause(self._tempo.thinking_s)
        if self._mishaps.random() < self.slips.honest:
            await self._do.hold()
        else:
            await self._do.deny()

    # Wishes

    def _wants(self, wish: PlayerWish, view: PlayView) -> bool:
        """Whether to ask now: once a round, and not if the menu just lacked it."""
        action = wish.action
        if isinstance(action, Without) and view.match.status[action.seat] in AWAY:
            return False
        return view.match.round >= wish.round and _where(view) != self._wished_at

    async def _make_a_wish(self, action: WishAction | Without) -> None:
        """Find it in the menu: on the dial, or behind the standings if there is no dial."""
        await self._do.cover()
        view = self._view()
        if More() in options_of(view):
            await self._do.choose(More())
        elif view.position not in ACTING:
            await self._do.tap()
            await self._do.hold()
        view = self._view()
        if not view.menu_open:
            return
        if action not in options_of(view):
            # A seat is in the menu once it has been silent for long, whatever happens until then.
            appears = isinstance(action, Without) and view.position not in ACTING
            self._wished_at = None if appears else _where(view)
        elif await self._is_chosen(action):
            view = self._view()
            if isinstance(action, Without):
                self._wished_at = _where(view)
            else:
                again = isinstance(action, StopMatch)
                self.wish = PlayerWish(view.match.round + 1, action) if again else None

    async def _is_chosen(self, action: WishAction | Without) -> bool:
        """Choose it, once more if the menu stays open: a touch soon after a tilt is a grip."""
        for _ in range(TRIES):
            if await self._do.choose(action) and self._is_noted(action):
                return True
        return False

    def _is_noted(self, action: WishAction | Without) -> bool:
        """Whether the handheld says so, or has done it: the vote that decides is carried out."""
        view = self._view()
        told = view.notice is not None and view.notice.message in (Alert.WISHED, Alert.LEAVING)
        return told or action not in options_of(view)

    # Gestures before a decision, and slips

    async def _prepare(self, view: PlayView) -> None:
        """Think about an offer; else cover a cup under which nothing is to be seen."""
        if view.position is Position.OFFERED:
            await self._do.pause(self._tempo.thinking_s)
        elif view.position is Position.MINE and hides_dice(view.match):
            await self._do.cover()
        elif view.position in (Position.WATCHING, Position.PASSING):
            await self._do.cover()
            offers = view.position is Position.PASSING and self._view().match.phase is Phase.OFFERED
            if offers and self._slips(self.slips.shakes):
                await self._do.shake(again=False)

    async def _slip_or_peek(self) -> bool:
        """Drop a cup with covered dice, or lift it when no peek is due; or, mostly, do neither."""
        view = self._view()
        if view.position is not Position.MINE or not hides_dice(view.match):
            return False
        price = NOSY_AT_A_PRICE if view.match.rules.customs.fault_cost else 1.0
        if self._slips(self.slips.drops):
            await self._do.drop()
        elif not may_look(view.match) and self._rng.random() < price * self.personality.nosy:
            await self._peek()
        else:
            return False
        return True

    def _slips(self, chance: float) -> bool:
        return self._mishaps.random() < chance

    def _place(self) -> object:
        """Return the state that must not change under a tilt; events elsewhere do not count."""
        view = self._view()
        elsewhere = view.position in (Position.WATCHING, Position.PASSING)
        return view.position, 0 if elsewhere else view.match.turn

    # Decisions, done by a hand

    async def _carry_out(self, choice: Choice) -> bool:
        """Do it, by a shake or a lift if that is the player's way. Return whether they go on."""
        view = self._view()
        covered = hides_dice(view.match)
        match choice:
            case Roll():
                await self._do.cover()
                if not covered and self._slips(self.slips.drops):
                    await self._do.drop()
                elif self._physical():
                    await self._do.shake(again=view.match.phase is Phase.THROWN)
                else:
                    await self._choose(choice)
            case Look() if self._lifts():
                await self._peek()
            case Look():
                hold_s = HOLD_S + self._rng.uniform(*self._tempo.looking_s)
                await self._do.choose(choice, hold_s=hold_s, meanwhile=self._read)
                await asyncio.sleep(self._tempo.done_s)
            case Doubt() if self._lifts():
                await self._do.lift()
                await self._do.pause(self._tempo.reading_s)
            case ShowThrow() | Lift():
                if self._lifts():
                    await self._do.cover()
                    await self._do.lift()
                else:
                    await self._choose(choice)
                await self._do.pause(self._tempo.looking_s)
                self._read()
                return view.position is Position.TO_PASS
            case Announce() | Say():
                return await self._announce(choice)
            case Keep():
                await self._do.pause(self._tempo.thinking_s)
                return True
            case Die():
                return await self._do.choose(choice)
            case Go():
                await self._do.pause(self._tempo.reading_s)
                await self._do.cover()
                await self._choose(choice)
            case _ if covered:
                await self._choose(choice)
            case _:
                await self._do.pause(self._tempo.thinking_s)
                await self._choose(choice)
                await self._do.cover()
        return False

    async def _announce(self, said: Announce | Say) -> bool:
        """Choose an announcement; a second dial asks at once for an addition if there is one."""
        if not await self._do.choose(said):
            return False
        view = self._view()
        if view.announcing is None and view.choosing is not None:
            return True
        await asyncio.sleep(self._tempo.done_s if view.announcing is None else self._tempo.said_s)
        return False

    async def _peek(self) -> None:
        await self._do.lift()
        await self._do.pause(self._tempo.looking_s)
        self._read()
        await self._do.cover()

    def _read(self) -> None:
        dice, view = self._read_dice(), self._view()
        if dice is not None:
            # Dice set aside before lie left of those of the last throw.
            aside = len(view.match.aside)
            self._memory.read(dice[aside:], view.match.turn, tower=view.tower)

    async def _choose(self, choice: Choice) -> None:
        await self._do.choose(choice)
        await asyncio.sleep(self._tempo.done_s)

    def _physical(self) -> bool:
        return self._rng.random() < self.personality.physical

    def _lifts(self) -> bool:
        """Whether the player lifts the cup rather than use the dial: not if it is too dark."""
        return self._physical() and not self._view().too_dark


def _where(view: PlayView) -> tuple[Position, int]:
    """Return the player's position, and the match's turn."""
    return view.position, view.match.turn


def agreed(wish: PlayerWish | None, absent: int) -> PlayerWish:
    """Return the wish of a player who joins a vote to go on without a seat.

    Another wish of theirs stays.
    """
    if wish is not None and not isinstance(wish.action, Without):
        return wish
    return PlayerWish(0, Without(absent))
