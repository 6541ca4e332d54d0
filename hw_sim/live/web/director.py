"""The director of a match: what the big screens are shown, and for how long time stands still.

Bots think before they speak, smile before they doubt and comment; a lifted cup is a scene.
"""

from collections.abc import Callable, Sequence
from random import Random
from time import monotonic
from typing import Any

import msgspec

from game.bluff.values import rank, value_of
from game.events import Announced, Event
from hw_sim.live.web.outgoing import PatterLine, PublicEvents
from hw_sim.live.web.reveal_pause import RevealPause, drum_s, rest_s
from hw_sim.live.web.seating import RoomSettings
from hw_sim.live.web.voices import SMILE_S, Decks, Voices
from hw_sim.live.world.world import World
from hw_sim.table.headless import Story


class Director:
    """Directs one match for the big screens.

    Args:
        world: of the match.
        scene: holds time, and the phones while a cup is lifted.
        room: returns how the big screen is set.
        decks: what is left of the evening's lines.
        smile: shows the screens the smile of a seat's bot.

    Attributes:
        lift: the last lift of a cup, for a screen that comes in the middle of it.
    """

    def __init__(
        self,
        world: World,
        scene: RevealPause,
        room: Callable[[], RoomSettings],
        decks: Decks,
        smile: Callable[[int], None],
    ) -> None:
        people, bots = world.setup.people, world.setup.bots
        self.lift: list[PublicEvents] = []
        self._world, self._scene, self._room, self._smile = world, scene, room, smile
        self._voices = Voices((*[None] * people, *bots), Random(), decks)
        self._happened: int | None = None
        self._thinks = False

    def news(self, story: Story) -> list[PublicEvents] | None:
        """Return what has just happened, or None while a bot thinks of what it says, or smiles.

        With a big screen, that begins the scene of a lifted cup, and time rests before a bot acts.
        """
        known, scene = self._happened, self._scene
        if known is None or known == len(story.events) or not scene.has_screen:
            self._happened = len(story.events)
            return []
        fresh = story.events[known:]
        lied = {each.seat: self._lied(each) for each in fresh if isinstance(each, Announced)}
        if not self._thinks and not scene.stops_time:
            think_s = sum(self._voices.think_s(seat, lied=lies) for seat, lies in lied.items())
            smiles = self._voices.smiles(fresh)
            think_s += SMILE_S if smiles else 0.0
            if think_s:
                self._thinks = True
                scene.rest(think_s)
                for seat in smiles:
                    self._smile(seat)
        if self._thinks and scene.stops_time:
            return None
        self._thinks, self._happened = False, len(story.events)
        turn, people = story.match.to_act, self._world.setup.people
        rests = 0.0 if turn is None or turn < people else rest_s(fresh)
        drum = drum_s(fresh, story.before_lift)
        if drum:
            scene.begin(drum, rests)
        elif rests:
            scene.rest(rests)
        room = self._room()
        lines = [] if room.silent else self._voices.lines(fresh, lied, room.language, monotonic())
        told = [PatterLine(*each) for each in lines]
        self.lift = [PublicEvents(told_events(fresh), drum, told)]
        return self.lift

    def _lied(self, announced: Announced) -> bool:
        """Whether a bot's announcement is false for all it knows; an unseen one counts as such."""
        if announced.seat < self._world.setup.people or announced.value is None:
            return False
        own = self._world.table.player_at(announced.seat).own
        return own is None or rank(value_of(own)) < rank(announced.value)


def told_events(happened: Sequence[Event]) -> list[dict[str, Any]]:
    """Return events as pages get them: ``kind`` is the name of the class in `game.events`."""
    return [msgspec.to_builtins(each) | {"kind": type(each).__name__} for each in happened]
