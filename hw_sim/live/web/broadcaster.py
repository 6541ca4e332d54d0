"""Messages to the pages: everything visible of a world that has changed since the last ones."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from firmware.display.text.games import GAME_NAMES
from firmware.display.text.language import LANGUAGES, say
from firmware.display.text.rulebook import GAME_TEXTS
from game import new_match
from hw_sim.live.web import outgoing
from hw_sim.live.web.access import Rights
from hw_sim.live.web.client import Client
from hw_sim.live.web.scoreboard import ladder_of, scoreboard_of
from hw_sim.live.web.tone_feed import ToneFeed
from hw_sim.live.world.handheld_look import handheld_look
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.panel.asked import asked
from hw_sim.panel.memory_layout import MEMORY_BYTES
from hw_sim.table.story import Story

FRAME_S = 0.022
"""Least real time between two looks at what is to be sent."""
HYSTERESIS_DEG = 4
"""A pose that changes by no more than this has not changed."""


class Shown(NamedTuple):
    """The world that the pages look at.

    ``live``: it is the present match, and not an earlier moment. ``speed`` is how fast its time
    goes, 1 is as in life; ``paused``: it stands still.
    """

    world: World
    live: bool
    speed: float
    paused: bool


class Broadcaster:
    """Looks at a world now and then, and sends every page what is new to it.

    Args:
        world: the world that the pages look at first.
        shown: returns what they look at now.
        readings: returns what bench pages get, by the seats that each may see; nothing if none are
            due.
        clients: the pages, as they come and go.
        claimed: tells for each seat of people whether it is taken.
    """

    def __init__(
        self,
        world: World,
        shown: Callable[[], Shown],
        readings: Callable[[Sequence[frozenset[int]]], list[dict[str, Any]]],
        clients: list[Client],
        claimed: Callable[[], list[bool]],
    ) -> None:
        self._shown = shown
        self._readings = readings
        self._claimed = claimed
        self._clients = clients
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._sent_s = 0.0
        self._follow(world)

    def _follow(self, world: World) -> None:
        """Begin the stories of a world."""
        self._world = world
        self._stories = {each: Story(world.table, each) for each in LANGUAGES}
        self._moments: int | None = None
        self._tones = ToneFeed()
        self._poses: dict[int, tuple[int, int]] = {}

    def plan(self) -> None:
        """Look at the world soon, since it went on, if there are pages."""
        if self._timer is None and self._clients:
            after_s = max(0.0, self._sent_s + FRAME_S - self._loop.time())
            self._timer = self._loop.call_later(after_s, self._send)

    def close(self) -> None:
        """Cancel the next look at the world: nothing is sent any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _send(self) -> None:
        self._timer = None
        self._sent_s = self._loop.time()
        world, live, speed, paused = self._shown()
        if world is not self._world:
            self._follow(world)
            for client in self._clients:
                client.forget()
                client.send(outgoing.MatchReplaced())
        seats = {seat: self._look(world, seat) for seat in range(world.setup.table.players)}
        for story in self._stories.values():
            story.update()
        story = self._stories["en"]
        events = self._events(world, story) if live else []
        pages = [(each, each.rights) for each in self._clients if each.rights is not None]
        elsewhere = set(range(world.setup.table.players)).difference(
            each.seat for each in world.table.here
        )
        here = {rights.seat for _, rights in pages if rights.seat is not None} | elsewhere
        table = {
            "over": world.is_over,
            "speed": speed,
            "paused": paused,
            "past": not live,
            "trouble": world.trouble,
            "claimed": [
                is_claimed or seat in elsewhere for seat, is_claimed in enumerate(self._claimed())
            ],
            "here": sorted(here),
            "standing": scoreboard_of(story.match),
        }
        entitled = {seat for _, rights in pages for seat in rights.entitled}
        panels = {seat: _panel(world, seat) for seat in entitled}
        for client, rights in pages:
            if client.is_full:
                continue
            for seat in sorted(rights.entitled):
                spoken = world.says(seat) if panels[seat][0] else ""  # nothing is read in the dark
                client.send_panel(seat, panels[seat], spoken)
                screen = world.screens.get(seat)
                client.send_prompt(outgoing.SeatPrompt(seat, asked(screen, rights.language)))
            client.send_state(table, seats)
            client.send_story(self._stories[rights.language].lines)
            for each in events:
                client.send(each)
        benches = [
            (client, rights.entitled)
            for client, rights in pages
            if rights.view == "bench" and (rights.bench or not world.setup.people)
        ]
        of_bench = self._readings([entitled for _, entitled in benches])
        for (client, _), readings in zip(benches, of_bench):
            client.send(outgoing.BenchReadings(**readings))
        if benches and not of_bench:  # they are not due yet: time may stand still until they are
            self.plan()

    def _events(
        self, world: World, story: Story
    ) -> list[outgoing.SeatTones | outgoing.VerdictMessage]:
        """Return the tones and verdicts of this moment, which are sent once."""
        moments: list[outgoing.SeatTones | outgoing.VerdictMessage] = []
        if self._moments is not None:
            moments += [outgoing.VerdictMessage(each) for each in story.moments[self._moments :]]
        self._moments = len(story.moments)
        return [*moments, *self._tones.new_tones(world.table.seats)]

    def _look(self, world: World, seat: int) -> dict[str, Any]:
        """Return how a handheld looks; one that is elsewhere lies still."""
        handheld, felt = world.table.seats[seat], world.feelings[seat].felt(world.now_us)
        has_power = world.power.is_on(seat) or handheld not in world.table.here
        state = handheld_look(handheld, felt, world.now_us, has_power=has_power)
        state["faults"] = world.power.broken(seat)
        if "roll" in state:
            last = self._poses.get(seat)
            pose = (state["roll"], state["pitch"])
            if last is None or max(abs(a - b) for a, b in zip(last, pose)) > HYSTERESIS_DEG:
                last = self._poses[seat] = pose
            state["roll"], state["pitch"] = last
        return state


def welcome_to(
    setup: WorldSetup, rights: Rights, token: str | None, *, phones: bool = False
) -> outgoing.Welcome:
    """The first object for a page: its rights, the players, and the rules.

    ``token`` is that of a seat it has just taken, else None; ``phones``: at a party.
    """
    game = setup.table.rules.game
    texts = GAME_TEXTS[game]
    sentences = (texts.sentence, *(rule.key for rule in texts.rules))
    return outgoing.Welcome(
        seat=rights.seat,
        token=token,
        rights=rights.bench,
        entitled=sorted(rights.entitled),
        names=list(setup.table.names),
        people=setup.people,
        bots=[bot.rpartition(":")[2] for bot in setup.bots],  # of a foreign one its class alone
        title={each: say(GAME_NAMES[game], each) for each in LANGUAGES},
        rules={each: [say(one, each) for one in sentences] for each in LANGUAGES},
        ladder=ladder_of(new_match(setup.table.rules, setup.table.names, 0)),
        phones=phones,
    )


def _panel(world: World, seat: int) -> bytes:
    """Contrast (0 is dark) and memory of a panel."""
    display = world.table.seats[seat].board.display
    if not display.is_lit or not world.power.is_on(seat):
        return bytes(1 + MEMORY_BYTES)
    return bytes((max(1, display.contrast),)) + display.memory
