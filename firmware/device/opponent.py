"""The built-in opponent: plays one seat by itself, from what the display there shows.

It works a core of its own as a player does: it looks at the screen and the dial, moves the
highlight and taps or holds. Dice it reads off its screen, so that it knows what its seat could see
and nothing else. It takes its time: who plays against it is to follow what it does.
"""

from collections.abc import Callable
from random import Random

from firmware.bots.bot import Bot
from firmware.bots.personality import Sight
from firmware.display.screens import DieState, ThrowOpenPage
from firmware.display.screens import LookPage as LookScreen
from firmware.input.controls.announcements import plain
from firmware.input.controls.choice import Back, Choice, Die, Go, ShowThrow
from firmware.input.gestures.gesture import Gesture, Held, Pressed, Released, Tap
from firmware.play.handheld import Handheld
from firmware.play.turn.draft import drafted
from firmware.table.seat.position import ACTING, Position
from game import CoasterMatch, Match, Phase, view
from game.actions import Announce, Keep, Look, Roll, Say
from game.dice import Dice

THINKING_S = (1.6, 3.2)
"""From one thing it does to the next …"""
READING_S = (4.0, 5.0)
"""… and how long an end of a round stands before it goes on."""


class Opponent:
    """Plays a seat until the match is over.

    Args:
        core: the seat it plays; only its display is looked at.
        do: has that core handle a gesture.
        rng: its mind.
    """

    def __init__(self, core: Handheld, do: Callable[[Gesture], None], rng: Random) -> None:
        self.due_us: int | None = None
        """When it does the next thing; None while it has nothing to do."""
        self._core = core
        self._do = do
        self._rng = rng
        self._manners = Bot.drawn(rng)
        self._said: Announce | Say | None = None
        self._seen: Dice | None = None
        self._tower = False
        self._seen_turn: int | None = None

    def look(self, now_us: int) -> None:
        """See whether there is something to do; it is done a while later."""
        if self._core.position not in ACTING:
            self.due_us = None
        elif self.due_us is None:
            pause_s = READING_S if self._core.view().reads_end else THINKING_S
            self.due_us = now_us + round(self._rng.uniform(*pause_s) * 1e6)

    def act(self, now_us: int) -> None:
        """Do one thing, if it is time to."""
        if self.due_us is None or now_us < self.due_us:
            return
        self.due_us = None
        core, seen = self._core, self._core.view()
        if core.part_alerts or seen.notice is not None or seen.announcing is not None:
            return
        if seen.choosing is not None:
            self._choose(self._said if self._said in self._options() else Back(), now_us)
            return
        match core.position:
            case Position.OFFERED if seen.offer_armed:
                self._choose(self._decided(), now_us)
            case Position.TO_PASS:
                self._hand_on(now_us)
            case Position.MINE if isinstance(core.match, Match):
                self._play_covered(core.match, now_us)
            case Position.MINE:
                self._play_open(now_us)
            case _:
                pass

    def _hand_on(self, now_us: int) -> None:
        if ShowThrow() in self._options():
            self._choose(ShowThrow(), now_us)
        else:
            self._choose(Go(), now_us)

    def _play_covered(self, match: Match, now_us: int) -> None:
        if match.phase is not Phase.THROWN or not match.seen:
            self._seen, self._tower = None, False
        choice = self._decided()
        if isinstance(choice, Announce | Say):
            self._said = choice
            choice = plain(choice)
        self._choose(choice, now_us)

    def _play_open(self, now_us: int) -> None:
        """Throw, see what fell, and decide what to do with it."""
        match = self._core.match
        if self._seen_turn != match.turn and ShowThrow() in self._options():
            self._choose(ShowThrow(), now_us)
            return
        choice = self._decided()
        if isinstance(choice, Keep) or choice == Roll():
            if self._drafts(choice if isinstance(choice, Keep) else Keep(), now_us):
                return
            choice = Roll()
        self._choose(choice, now_us)

    def _drafts(self, keep: Keep, now_us: int) -> bool:
        """Move one die on, if one is not yet in play, aside or turned as wanted."""
        core = self._core
        if not isinstance(core.match, CoasterMatch) or self._seen is None:
            return False
        for place, (state, wanted) in enumerate(zip(core.view().draft, drafted(self._seen, keep))):
            if state is not wanted:
                for _ in range(len(DieState)):
                    self._choose(Die(place), now_us)
                    if core.view().draft[place] is wanted:
                        return True
        return False

    def _decided(self) -> Choice:
        seen = Sight(view(self._core.match, None), self._options(), self._seen, self._tower)
        return self._manners.decide(seen, self._rng)

    def _options(self) -> tuple[Choice, ...]:
        dial = self._core.dial
        entries = () if dial is None else dial.entries
        return tuple(entry.choice for entry in entries if entry.choice is not None)

    def _choose(self, choice: Choice | None, now_us: int) -> None:
        """Highlight an entry of the dial, and tap or hold it; look at what that shows."""
        dial = self._core.dial
        index = None if dial is None or choice is None else dial.index_of(choice)
        if dial is None or index is None:
            return
        dial.index = index
        holds = dial.entry.holds
        self._do(Pressed(now_us))
        self._do(Held(now_us) if holds else Tap(now_us))
        if choice == Look() or choice == ShowThrow():
            self._read()
        if holds:
            self._do(Released(now_us))

    def _read(self) -> None:
        match self._core.screen:
            case LookScreen(dice, _, tower):
                self._seen, self._tower = dice, tower
                self._seen_turn = self._core.match.turn
            case ThrowOpenPage(dice=dice, who=None):
                self._seen, self._seen_turn = dice, self._core.match.turn
            case _:
                pass
