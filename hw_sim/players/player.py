"""Simulated players: they look at their own panel and move their own hand, nothing else.

A player knows only the text of their handheld's display (``PlayView``), and where a tilt moves the
highlight there. They read dice off the display's memory, as a person reads them off the glass.
``firmware.bots.intent`` decides the next action; this module moves the hand, with its slips.

A `LobbyPlayer` has a handheld that knows nobody: comes to a table, plays, and plays again.

Numbers without a source are chosen.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from firmware.bots.intent import Memory, intent, options_of, waits
from firmware.device.device import Device
from firmware.display.screens import Item, MatchOverPage, Phrase, QuestionPage
from firmware.display.text.labels import Alert, Text, game_name
from firmware.input.controls import Choice, Die, LocalChoice, Without
from firmware.lobby.questions import AFAR
from firmware.play.handheld import Handheld
from firmware.play.presenter import PlayView
from firmware.play.turn.offers import may_look
from firmware.table.seat.cup_custody import ACTING, Position
from firmware.table.seat.wishes import WishAction
from game import AnyMatch, AnyRules, Phase, hides_dice
from game.actions import Announce, Doubt, Keep, Lift, Look, Roll, Say, StopMatch
from game.dice import Dice
from game.status import AWAY
from hw_sim.hand.control import HandheldInHand
from hw_sim.players.player_hand import HOLD_S, USUAL, PlayerHand, PlayerPersonality, Slips, Tempo

NOSY_AT_A_PRICE = 0.15
"""The ratio of curiosity about a forbidden peek that costs something to that about a free one."""
LOOKS_PER_S = 20
"""How often a player looks whether a menu is there."""
TRIES = 3
"""Times a player holds an entry of the menu before they give up."""


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

    async def go_without(self, seat: int) -> bool:
        """Vote for going on without a seat; return whether the handheld has noted that."""
        await self._make_a_wish(Without(seat))
        return self._wished_at is not None

    async def _make_a_wish(self, action: WishAction | Without) -> None:
        """Find it in the menu: on the dial, or behind the standings if there is no dial."""
        await self._do.cover()
        view = self._view()
        if LocalChoice.MORE in options_of(view):
            await self._do.choose(LocalChoice.MORE)
        elif view.position not in ACTING:
            await self._do.tap()
            await self._do.hold()
        if not await self._sees_the_menu():
            return
        view = self._view()
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

    async def _sees_the_menu(self) -> bool:
        """Watch the display until the menu is there, for a second at most."""
        for _ in range(LOOKS_PER_S):
            if self._view().menu_open:
                return True
            await asyncio.sleep(1 / LOOKS_PER_S)
        return False

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
            case LocalChoice.SHOW_THROW | Lift():
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
            case LocalChoice.GO_ON:
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


PATIENCE_S = 240.0
"""Nobody waits longer than this for the others."""
GLANCE_S = 0.2
READING_S = (1.0, 2.5)
EFFECT_S = 2.0
"""The time that a player waits for a choice or a tap to show before they try again."""
ATTEMPTS = 5


class LobbyError(Exception):
    """Somebody waited in vain; its text is one line, and a note tells the screen."""


class LobbyPlayer:
    """One person with a handheld that has just been switched on.

    Args:
        name: as the lobby calls the person.
        seed: decides how the person moves and plays.
        device: only its display is looked at.
        held: returns the same in the person's hand.
        read_dice: reads dice off the panel; None while there are none.
        leaks: returns what the watcher of the match that is played saw.

    ``over`` are the matches played to their end, ``leaks`` what the watchers saw in them.
    """

    def __init__(
        self,
        name: str,
        seed: str,
        device: Device,
        held: Callable[[], HandheldInHand],
        read_dice: Callable[[], Dice | None],
        leaks: Callable[[], list[str]],
    ) -> None:
        self.name = name
        self.over: list[AnyMatch] = []
        self.leaks: list[str] = []
        self._seed = seed
        self._device = device
        self._held = held
        self._read_dice = read_dice
        self._leaks = leaks
        self._rng = Random(f"guest {seed}")

    async def make_room(self) -> str:
        """Make a room at a broker, and read its code off the display."""
        await self.choose(AFAR)
        await self.choose(Text.OPEN_TABLE)
        await self.until(lambda: self._room is not None)
        assert self._room is not None, "it is on the display"
        return self._room

    async def enter_room(self, code: str) -> None:
        """Enter the room of a code that somebody has read out."""
        await self.choose(AFAR)
        await self.choose(Text.JOIN_TABLE)
        for digit in code:
            await self.choose(digit)

    @property
    def _room(self) -> str | None:
        lines = self._question.lines if self._question else ()
        rooms = [line.name for line in lines if isinstance(line, Phrase)]
        return next((name for name in rooms if isinstance(name, str) and name.isdecimal()), None)

    async def invite(self, rules: AnyRules, names: tuple[str, ...], first: str) -> None:
        """Open a table, wait until ``names`` are there, and seat them in this order.

        ``first`` opens. As every wait below, it may fail:

        Raises:
            LobbyError: the display did not become what is waited for within `PATIENCE_S`.
        """
        await self.choose(Text.OPEN_TABLE)
        await self.choose(Phrase(game_name(rules.game)))
        await self.choose(Text.GO_ON)
        await self.until(lambda: sorted(self._lines) == sorted(names))
        await self.choose(Text.ALL_HERE)
        await self._seat(names)
        await self.choose(Text.GO_ON)
        await self.choose(first)
        await self.compare()

    async def join(self, host: str, *, watches: bool = False) -> None:
        """Take a place at the table of the host of this name, to play or watch; compare numbers."""
        await self.choose(Text.WATCH_TABLE if watches else Text.JOIN_TABLE)
        await self.choose(Phrase(Text.TABLE_OF, name=host))
        await self.compare()

    async def compare(self) -> None:
        """Wait for the numbers, tap that they are the same, and wait for the match to begin."""
        await self.until(lambda: self._hint is Text.HINT_SAME_NUMBERS)
        await self._tap_until(lambda: self._page[0] is not Text.SAME_NUMBERS)
        await self.until(lambda: isinstance(self._device.core, Handheld))

    async def play(self, clumsy: bool) -> None:
        """Play the match that has begun to its end; adds to ``over`` and ``leaks``."""
        core = self._device.core
        assert isinstance(core, Handheld), "a match has begun"
        seeded = f"{self._seed}/{len(self.over)}"
        clumsiness = Random(f"clumsy {seeded}") if clumsy else None
        rng = Random(f"player {seeded}")
        player = Player(core, self._held(), self._read_dice, rng, clumsiness)
        await player.play()
        await self.until(lambda: isinstance(self._device.screen, MatchOverPage))
        self.leaks += self._leaks()
        self.over.append(core.match)

    async def again(self) -> None:
        """Leave the page of the end, choose another match, and wait for its core."""
        before = self._device.core
        await self._tap_until(lambda: not isinstance(self._device.screen, MatchOverPage))
        await self.choose(Text.AGAIN)
        await self.until(lambda: self._device.core is not before)

    async def choose(self, item: Item) -> None:
        """Wait until ``item`` is on the dial, tilt to it, and tap or hold; in `ATTEMPTS`.

        One that has no effect within `EFFECT_S` was none.
        """
        for _ in range(ATTEMPTS):
            await self.until(lambda: self._device.pick(item) is not None)
            pick, page = self._device.pick(item), self._page
            await self._pause()
            chosen = pick is not None and await self._handling().choose(pick)
            if chosen and await self._shows(partial(self._is_past, item, page)):
                return
        raise self._vain("cannot choose what is to come next")

    def _is_past(self, item: Item, page: object) -> bool:
        return self._device.pick(item) is None or self._page != page

    async def _tap_until(self, done: Callable[[], bool]) -> None:
        """Tap until ``done`` is true, in `ATTEMPTS`: a pad that dozes may miss a short tap."""
        for _ in range(ATTEMPTS):
            await self._pause()
            await self._handling().tap()
            if await self._shows(done):
                return
        raise self._vain("taps to no effect")

    async def _shows(self, done: Callable[[], bool], within_s: float = EFFECT_S) -> bool:
        """Return whether ``done`` becomes true within that time."""
        for _ in range(round(within_s / GLANCE_S)):
            if done():
                return True
            await asyncio.sleep(GLANCE_S)
        return False

    def _vain(self, what: str) -> LobbyError:
        error = LobbyError(f"{self.name} {what}: the evening is over")
        error.add_note(f"the display shows {self._device.screen}")
        return error

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait until ``done`` is true, looking every `GLANCE_S` virtual seconds."""
        if not await self._shows(done, PATIENCE_S):
            raise self._vain(f"has waited {PATIENCE_S:.0f} s in vain for the others")

    async def _seat(self, names: tuple[str, ...]) -> None:
        """Move people until they sit in the order of ``names``."""
        for place, name in enumerate(names):
            while self._lines.index(name) != place:
                await self.choose(self._lines[self._lines.index(name) - 1])
                await asyncio.sleep(GLANCE_S)

    @property
    def _page(self) -> tuple[Item | None, tuple[str, ...]]:
        """The part of the screen that changes when a choice leaves its item on the dial."""
        title = self._question.title if self._question else None
        return title, self._lines if title is Text.SEATS else ()

    @property
    def _lines(self) -> tuple[str, ...]:
        lines = self._question.lines if self._question else ()
        return tuple(line for line in lines if isinstance(line, str))

    @property
    def _hint(self) -> Text | None:
        return self._question.hint if self._question else None

    @property
    def _question(self) -> QuestionPage | None:
        screen = self._device.screen
        return screen if isinstance(screen, QuestionPage) else None

    def _handling(self) -> PlayerHand:
        return PlayerHand(self._held(), lambda: self._device.dial, self._rng)

    async def _pause(self) -> None:
        await asyncio.sleep(self._rng.uniform(*READING_S))
