"""Simulated players: they look at their own panel and move their own hand, nothing else.

What a player knows comes from his handheld's display: the screen it shows and the entry its dial
highlights; and from listening to what everybody at the table may know. Dice he reads from the
display's memory, as a person reads them from the glass.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from firmware.bots.personality import Sight
from firmware.display.screens import DieState
from firmware.display.screens import LookPage as LookScreen
from firmware.display.text.alerts import Alert
from firmware.input.controls.announcements import plain
from firmware.input.controls.choice import Back, Choice, Die, Go, More, ShowThrow
from firmware.play.handheld import Handheld
from firmware.play.turn.draft import drafted
from firmware.play.turn.offers import may_look
from firmware.table.seat.position import Position
from firmware.table.seat.wishes import WishAction
from game import CoasterMatch, Match, Phase
from game.actions import Announce, Doubt, Keep, Lift, Look, Roll, Say, StopMatch
from game.dice import Dice
from hw_sim.hand.signals.hand import Hand
from hw_sim.players.handling import HOLD_S, Handling
from hw_sim.players.personality import PlayerPersonality
from hw_sim.players.slips import Slips
from hw_sim.secrecy.dice_watch import DiceWatch

REACTION_S = (0.4, 1.2)
"""Until he notices that something has changed."""
THINKING_S = (0.6, 2.2)
"""Until he has decided."""
LOOKING_S = (1.0, 2.0)
READING_S = (1.5, 3.5)
"""How long a verdict is looked at."""
SAID_S = 1.2
"""An announcement stands so long before it is said."""
DONE_S = 0.3
NOSY_AT_A_PRICE = 0.15
"""Where a forbidden look costs something, curiosity is this much less."""


class Wish(NamedTuple):
    """What a player wants ended, from ``round`` on: his own part, a round, or the match (B-10)."""

    round: int
    action: WishAction


class Player:
    """Plays one seat until the match is over.

    Args:
        handheld: only its display is looked at: ``screen``, ``dial``, ``position`` and the like.
        read_dice: reads dice off the panel; None while there are none.
        touch: puts a finger on the pad (True) or takes it off.
        hand: the hand that holds it.
        rng: his mind.
        watch: is told when the hand covers or lifts; he learns nothing from it.
        clumsiness: decides what befalls him; None keeps everything from him.
    """

    def __init__(
        self,
        handheld: Handheld,
        read_dice: Callable[[], Dice | None],
        touch: Callable[[bool], None],
        hand: Hand,
        rng: Random,
        watch: DiceWatch,
        clumsiness: Random | None = None,
    ) -> None:
        self.seat = handheld.seat
        self.manners = PlayerPersonality.drawn(rng)
        self.slips = Slips() if clumsiness is None else Slips.drawn(clumsiness)
        self.wish: Wish | None = None
        """What he wants ended. A vote counts in one round: he asks again in the next."""
        self._handheld = handheld
        self._read_dice = read_dice
        self._rng = rng
        self._mishaps = clumsiness or Random(f"mishaps {self.seat}")
        self._do = Handling(handheld, touch, hand, rng, watch)
        self._seen: Dice | None = None
        self._tower = False
        self._seen_turn: int | None = None
        self._wished_turn: int | None = None

    async def play(self) -> None:
        """Play until the match is over on the own display."""
        while self._handheld.position not in (Position.OVER, Position.STOPPED):
            await self._do.pause(REACTION_S)
            await self._act()

    async def _act(self) -> None:
        handheld = self._handheld
        notice = handheld.view().notice
        if notice is not None and notice.message is Alert.COVER_CUP:
            await self._cover_again()
        if handheld.view().asking is not None:
            await self._admit()
            return
        if handheld.part_alerts or handheld.view().notice is not None:
            return
        if handheld.view().menu_open or handheld.view().choosing is not None:
            await self._do.choose(Back())
            return
        if self.wish is not None and self._wants(self.wish):
            await self._make_a_wish(self.wish.action)
            return
        match handheld.position:
            case Position.OFFERED if handheld.view().offer_armed:
                await self._answer()
            case Position.TO_PASS:
                await self._hand_on()
            case Position.MINE:
                await self._take_turn()
            case Position.PASSING:
                await self._do.cover()
                if handheld.match.phase is Phase.OFFERED and self._slips(self.slips.shakes):
                    await self._do.shake(again=False)
            case Position.WATCHING:
                await self._do.cover()
            case _:
                pass

    # What has nothing to do with a single game

    async def _admit(self) -> None:
        """Answer the question about a fault."""
        await self._do.pause(THINKING_S)
        if self._mishaps.random() < self.slips.honest:
            await self._do.hold()
        else:
            await self._do.deny()

    def _wants(self, wish: Wish) -> bool:
        """Whether to ask now: not twice in one round, nor where it was not in the menu just now."""
        match = self._handheld.match
        return match.round >= wish.round and match.turn != self._wished_turn

    async def _make_a_wish(self, action: WishAction) -> None:
        """Find it in the menu: on the dial, or where there is none behind the standings."""
        handheld = self._handheld
        await self._do.cover()
        if More() in self._options():
            await self._do.choose(More())
        elif handheld.position in (Position.WATCHING, Position.PASSING):
            await self._do.tap()
            await self._do.hold()
        if not handheld.view().menu_open:
            return
        if action not in self._options():
            self._wished_turn = handheld.match.turn
        elif await self._do.choose(action) and self._is_noted(action):
            again = isinstance(action, StopMatch)
            self.wish = Wish(handheld.match.round + 1, action) if again else None

    def _is_noted(self, action: WishAction) -> bool:
        """Whether the handheld says so, or has done it: the vote that decides is carried out."""
        notice = self._handheld.view().notice
        told = notice is not None and notice.message in (Alert.WISHED, Alert.LEAVING)
        return told or action not in self._options()

    async def _hand_on(self) -> None:
        if ShowThrow() in self._options():
            await self._show_throw()
        await self._do.pause(READING_S)
        await self._do.cover()
        await self._choose(Go())

    async def _cover_again(self) -> None:
        """The handheld cannot tell that the cup is closed: show it light, then dark."""
        await self._do.lift()
        await self._do.pause(LOOKING_S)
        await self._do.cover()

    # Bluff games

    async def _answer(self) -> None:
        await self._do.pause(THINKING_S)
        choice = self.manners.decide(self._sight(), self._rng)
        if choice == Doubt() and self._physical() and not self._handheld.view().too_dark:
            await self._do.lift()
            await self._do.pause(READING_S)
        else:
            await self._choose(choice)

    async def _take_turn(self) -> None:
        match = self._handheld.match
        if not isinstance(match, Match):
            await self._throw_openly()
            return
        await self._do.cover()
        if match.phase is not Phase.THROWN or not match.seen:
            self._seen, self._tower = None, False
        choice = self.manners.decide(self._sight(), self._rng)
        if self._slips(self.slips.drops):
            await self._do.drop()
        elif not may_look(match) and self._rng.random() < self._nosiness(match):
            await self._do.lift()
            await self._do.pause(LOOKING_S)
            self._read()
            await self._do.cover()
        elif choice == Roll() and self._physical():
            await self._do.shake(again=match.phase is Phase.THROWN)
        elif choice == Look():
            await self._look()
        elif isinstance(choice, Announce | Say):
            await self._announce(choice)
        elif choice == Lift():
            await self._lift_before_all()
        else:
            await self._choose(choice)

    def _nosiness(self, match: Match) -> float:
        price = NOSY_AT_A_PRICE if match.rules.customs.fault_cost else 1.0
        return price * self.manners.nosy

    async def _look(self) -> None:
        if not self._physical() or self._handheld.view().too_dark:
            hold_s = HOLD_S + self._rng.uniform(*LOOKING_S)
            await self._do.choose(Look(), hold_s=hold_s, meanwhile=self._read)
            await asyncio.sleep(DONE_S)
            return
        await self._do.lift()
        await self._do.pause(LOOKING_S)
        self._read()
        await self._do.cover()

    async def _announce(self, said: Announce | Say) -> None:
        """Say it; where something can be added, a second dial asks for that."""
        first = plain(said)
        if not await self._do.choose(first):
            return
        if self._handheld.view().choosing == first:
            await self._do.choose(said)
        await asyncio.sleep(DONE_S if self._handheld.view().announcing is None else SAID_S)

    # Dice that lie open

    async def _throw_openly(self) -> None:
        """Throw, see what fell, and decide what to do with it."""
        match, phase = self._handheld.match, self._handheld.match.phase
        unseen = self._seen_turn != match.turn and ShowThrow() in self._options()
        if unseen and (phase is Phase.THROWN or self._rng.random() >= self.manners.lazy):
            await self._show_throw()
            return
        if phase is Phase.TO_LIFT:
            await self._do.cover()
            await self._lift_before_all()
            return
        choice = self.manners.decide(self._sight(), self._rng)
        if isinstance(choice, Keep):
            await self._do.pause(THINKING_S)
            if not await self._draft(choice):
                return
            choice = Roll()
        elif choice == Roll() and not await self._draft(Keep()):
            return
        if choice != Roll():
            await self._do.pause(THINKING_S)
            await self._choose(choice)
            await self._do.cover()
            return
        await self._do.cover()
        if self._slips(self.slips.drops):
            await self._do.drop()
        elif self._physical():
            await self._do.shake(again=phase is Phase.THROWN)
        else:
            await self._choose(Roll())

    async def _show_throw(self) -> None:
        """Lift the cup, or have the throw shown, and read it."""
        if self._physical() and not self._handheld.view().too_dark:
            await self._do.cover()
            await self._do.lift()
        else:
            await self._choose(ShowThrow())
        await self._do.pause(LOOKING_S)
        self._read()

    async def _lift_before_all(self) -> None:
        if self._physical() and not self._handheld.view().too_dark:
            await self._do.lift()
        else:
            await self._choose(Lift())
        await self._do.pause(LOOKING_S)
        self._read()

    async def _draft(self, keep: Keep) -> bool:
        """Tap the dice until they are in play, aside and turned as wanted."""
        handheld = self._handheld
        if not isinstance(handheld.match, CoasterMatch) or self._seen is None:
            return True
        wanted = drafted(self._seen, keep)
        for place, state in enumerate(wanted):
            for _ in DieState:
                if place >= len(handheld.view().draft) or handheld.view().draft[place] is state:
                    break
                if not await self._do.choose(Die(place)):
                    return False
        return handheld.view().draft in (wanted, ())

    # What he sees, and how he goes about it

    def _sight(self) -> Sight:
        return Sight(self._handheld.view().match, tuple(self._options()), self._seen, self._tower)

    def _read(self) -> None:
        dice, screen, match = self._read_dice(), self._handheld.screen, self._handheld.match
        if dice is not None:
            # Dice set aside before lie left of those of the last throw.
            aside = len(match.aside) if isinstance(match, CoasterMatch) else 0
            self._seen, self._seen_turn = dice[aside:], match.turn
            self._tower = isinstance(screen, LookScreen) and screen.tower

    async def _choose(self, choice: Choice) -> None:
        await self._do.choose(choice)
        await asyncio.sleep(DONE_S)

    def _options(self) -> list[Choice]:
        dial = self._handheld.dial
        if dial is None:
            return []
        return [entry.choice for entry in dial.entries if entry.choice is not None]

    def _physical(self) -> bool:
        return self._rng.random() < self.manners.physical

    def _slips(self, chance: float) -> bool:
        return self._mishaps.random() < chance
