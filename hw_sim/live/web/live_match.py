"""The match that is played now, and the pages in front of it.

A `LiveMatch` is what all connections share. A `Broadcaster` looks at a world now and then, and
sends each page what has changed for it since the last look.

Numbers without a source are chosen.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass
from itertools import islice
from typing import Any, get_args

from steckbrett.board.gpio import Pulses

from drivers.pins import PIEZO
from firmware.display.text.language import ENGLISH, Language, say
from firmware.display.text.rulebook import rules_of, sentence_key, sentence_of
from game import nearest_table, new_match
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.bench import Bench
from hw_sim.live.web.client import Client, Lasting, PageView, Rights, screens_among
from hw_sim.live.web.director import Director, RevealPause
from hw_sim.live.web.match_plan import Claims, RoomSettings
from hw_sim.live.web.match_store import STORE_ERRORS
from hw_sim.live.web.outgoing import Scoreboard, SeatTones, ladder_of, scoreboard_of
from hw_sim.live.web.voices import Decks
from hw_sim.live.world import session
from hw_sim.live.world.running import Replay, WorldRunner
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World, handheld_look, look_elsewhere
from hw_sim.panel import MEMORY_BYTES
from hw_sim.panel.prompts import prompt_of
from hw_sim.story.games import table_title
from hw_sim.table.handheld import SimulatedHandheld
from hw_sim.table.headless import Story


class ToneFeed:
    """Follows the traces, and returns each tone once. It leaves out tones before the first look."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Pulses, int]] = {}

    def new_tones(self, seats: Sequence[SimulatedHandheld]) -> list[SeatTones]:
        """Return the tones that the piezos have begun since the last look, by seats."""
        tones: list[SeatTones] = []
        for seat in seats:
            pulses = seat.board.gpio.pulses
            seen = self._seen.get(seat.seat, (pulses, pulses.noted))
            fresh = pulses.noted - (seen[1] if seen[0] is pulses else 0)
            waves = [
                (wave.t_us / 1000, wave.frequency_hz, wave.duty_percent)
                for wave in islice(reversed(pulses.trace), fresh)
                if wave.pin == PIEZO
            ][::-1]
            self._seen[seat.seat] = pulses, pulses.noted
            if waves:
                tones.append(SeatTones(seat.seat, tuple(waves)))
        return tones


FRAME_S = 0.030
"""Least real time between two looks at what is to be sent."""
HYSTERESIS_DEG = 4
"""A pose that changes by no more than this has not changed."""


class Broadcaster:
    """Looks at a match now and then, and sends every page what is new to it.

    Args:
        match: what its pages look at: its present, or an earlier moment.

    Attributes:
        has_ended: whether the big screens have been told of the end of the match.
    """

    def __init__(self, match: "LiveMatch") -> None:
        self._match = match
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._sent_s = 0.0
        self._decks: Decks = {}
        self._follow(match.world)

    def _follow(self, world: World) -> None:
        """Begin the stories of a world."""
        self._world = world
        self._stories: dict[Language, Story] = {}
        self.has_ended = False
        self._moments: int | None = None
        self._late: list[outgoing.VerdictMessage] = []
        match = self._match
        self._director = Director(world, match.scene, match.room, self._decks, self._smile)
        self._tones = ToneFeed()
        self._poses: dict[int, tuple[int, int]] = {}

    def plan(self) -> None:
        """Look at the world now or soon, since it went on, if there are pages."""
        if self._timer is None and self._match.clients:
            after_s = self._sent_s + FRAME_S - self._loop.time()
            if after_s > 0:
                self._timer = self._loop.call_later(after_s, self._send)
            else:
                self._send()

    def close(self) -> None:
        """Cancel the next look at the world: nothing is sent any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _send(self) -> None:
        self._timer = None
        self._sent_s = self._loop.time()
        match = self._match
        world, live, clients = match.shown, match.past is None, match.clients
        if world is not self._world:
            self._follow(world)
            for client in clients:
                client.forget()
                client.send(outgoing.MatchReplaced())
        pages = [(each, each.rights) for each in clients if each.rights is not None]
        for language in (ENGLISH, *(rights.language for _, rights in pages)):
            if language not in self._stories:
                self._stories[language] = Story(world.table, language)
        for story in self._stories.values():
            story.update()
        story = self._stories[ENGLISH]
        news = self._director.news(story) if live else []
        if news is None:
            return
        self.has_ended = live and world.is_over
        events = self._events(world, story) if live else []
        table, looks = self._table(world, pages, scoreboard_of(story.match))
        lines = {language: tuple(each.lines) for language, each in self._stories.items()}
        hides = match.scene.hides_verdict
        for client, rights in pages:
            looks_up = hides and not client.is_screen
            client.tell({"eyes": outgoing.EyesUp(looks_up)})
            if looks_up:
                continue
            for seat in sorted(rights.entitled):
                client.tell(_display(world, seat, rights.language))
            view = PageView(table, looks, lines[rights.language])
            if hides and client.is_new:
                before = {"standing": scoreboard_of(story.before_lift)}
                client.show(view._replace(table={**view.table, **before}))
                for told in self._director.lift:
                    client.send(told)
                match.scene.wait_for_late()
            else:
                for told in news if client.is_screen else ():
                    client.send(told)
                client.show(view)
            for each in events:
                client.send(each)
        self._send_readings(world, pages)

    def _table(
        self, world: World, pages: Sequence[tuple[Client, Rights]], standing: Scoreboard
    ) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
        """Return how the table and its handhelds look, as of a `PageView`."""
        match = self._match
        shaken = {each.seat for each in match.clients if each.shaken_until_s > self._sent_s}
        looks = {seat: self._look(world, seat, shaken) for seat in range(world.setup.table.players)}
        claimed, afar = match.claims()
        away = {
            seat for seat in afar if not world.table.seats[-1].handheld.play.here.get(seat, True)
        }
        boards = afar - away
        awake = {rights.seat for page, rights in pages if page.is_awake}
        table = {
            "over": world.is_over,
            "speed": match.runner.speed,
            "paused": match.runner.paused,
            "past": match.past is not None,
            "trouble": world.trouble,
            "claimed": [is_claimed or seat in boards for seat, is_claimed in enumerate(claimed)],
            "here": sorted({seat for seat in awake if seat is not None} | boards),
            "standing": standing,
        }
        return table, looks

    def _send_readings(self, world: World, pages: Sequence[tuple[Client, Rights]]) -> None:
        benches = {
            client: rights.entitled
            for client, rights in pages
            if rights.view == "bench" and (rights.bench or not world.setup.people)
        }
        seen = frozenset[int]().union(*benches.values())  # all see the same
        ends_s = self._match.world.ends_us / 1e6
        readings = self._match.bench.readings(seen if benches else None, ends_s)
        if readings is not None:
            for client in benches:
                client.send(outgoing.BenchReadings(**readings))
        elif benches:  # they are not due yet: time may stand still until they are
            self.plan()

    def _smile(self, seat: int) -> None:
        for screen in screens_among(self._match.clients):
            screen.send(outgoing.BotSmile(seat))

    def _events(
        self, world: World, story: Story
    ) -> list[outgoing.SeatTones | outgoing.VerdictMessage]:
        """Return the tones and verdicts of this moment, which are sent once."""
        moments: list[outgoing.SeatTones | outgoing.VerdictMessage] = []
        if self._moments is not None:
            self._late += [outgoing.VerdictMessage(each) for each in story.moments[self._moments :]]
        self._moments = len(story.moments)
        if not self._match.scene.hides_verdict:  # else the screen shows it first
            moments, self._late = [*self._late], []
        players = world.setup.table.players  # nobody hears a watcher
        heard = [each for each in world.table.seats if each.seat < players]
        return [*moments, *self._tones.new_tones(heard)]

    def _look(self, world: World, seat: int, shaken: set[int | None]) -> dict[str, Any]:
        """Return how a handheld looks; one that is elsewhere lies still, or its phone is shaken."""
        if seat not in world.table.places:  # the log tells who is to act, and has the cup
            has_cup = self._stories[ENGLISH].match.to_act == seat
            return look_elsewhere(cup=has_cup, doing="shakes" if seat in shaken else "")
        felt, has_power = world.feelings[seat].felt(world.now_us), world.power.is_on(seat)
        state = handheld_look(world.table.at(seat), felt, world.now_us, has_power=has_power)
        state["faults"] = world.power.broken(seat)
        if "roll" in state:
            last = self._poses.get(seat)
            pose = (state["roll"], state["pitch"])
            if last is None or max(abs(a - b) for a, b in zip(last, pose)) > HYSTERESIS_DEG:
                last = self._poses[seat] = pose
            state["roll"], state["pitch"] = last
        return state


def welcome_to(
    setup: WorldSetup,
    rights: Rights,
    *,
    phones: bool = False,
    handhelds: Sequence[int] = (),
) -> outgoing.Welcome:
    """The first object for a page: its rights, the players, and the rules.

    ``phones``: at a party; ``handhelds``: the seats of people at a handheld without a phone.
    """
    rules, language = setup.table.rules, rights.language
    table = nearest_table(rules).table
    about = dict.fromkeys((sentence_key(table), sentence_of(rules)))
    return outgoing.Welcome(
        seat=rights.seat,
        rights=rights.bench,
        entitled=sorted(rights.entitled),
        names=list(setup.table.names),
        people=setup.people,
        bots=[bot.rpartition(":")[2] for bot in setup.bots],  # of a foreign one its class alone
        title=table_title(table, language),
        rules=[say(each, language) for each in about]
        + [each.text(language) for each in rules_of(rules)],
        ladder=ladder_of(new_match(rules, setup.table.names, 0)),
        phones=phones,
        apart=setup.table.part is not None,
        handhelds=list(handhelds),
    )


def _display(world: World, seat: int, language: Language) -> Lasting:
    """Return what a page gets of a seat's display; nothing is read in the dark."""
    display, panel, spoken = world.table.at(seat).board.display, bytes(1 + MEMORY_BYTES), ""
    if display.is_lit and world.power.is_on(seat):
        panel = bytes((max(1, display.contrast),)) + display.memory
        spoken = world.says(seat)
    prompt = prompt_of(world.screens.get(seat), language)
    return {
        ("panel", seat): bytes((outgoing.PANEL, seat)) + panel,
        ("says", seat): outgoing.DisplayText(seat, spoken),
        ("asked", seat): outgoing.SeatPrompt(seat, prompt),
    }


SLEEPS_AFTER_S = 4.0
"""The time from the close of the last page until the table stands still."""
LIVED_US = 30_000_000
"""A table that fails after this virtual time is set up anew; else it stands still."""
log = logging.getLogger(__name__)


@dataclass
class LiveMatch:
    """One table: its world, its bench, its pages. On the loop of the server.

    Args:
        again: sets the match up once more, from what is kept.
        begun: what is played first.
        clients: the pages, as they come and go.
        claims: returns which seats of people are taken.
        on_step: is called after each step of the world.
        room: returns how the big screen is set; as usual where nobody sets it.
        screens: returns how many big screens show it; None counts those among the pages.

    Attributes:
        runner: runs the world in real time.
        past: the earlier moment that is looked at, while the present stands still; else None.
        bench: reads what goes on in the world that is shown.
        scene: holds time and phones while the big screen shows a lifted cup.
    """

    again: Callable[[], World]
    begun: InitVar[World]
    clients: list[Client]
    claims: Callable[[], Claims]
    on_step: Callable[[], object] = lambda: None
    room: Callable[[], RoomSettings] = RoomSettings
    screens: Callable[[], int] | None = None

    def __post_init__(self, begun: World) -> None:
        self.runner = WorldRunner(begun, self._advanced)
        self.past: Replay | None = None
        self.bench = Bench(begun)
        screens = self.screens or (lambda: len(screens_among(self.clients)))
        self.scene = RevealPause(screens, lambda: self.runner.hold(on=self.scene.stops_time))
        self._broadcaster = Broadcaster(self)
        self._sleeping: asyncio.TimerHandle | None = None

    @property
    def world(self) -> World:
        """The world that is played in now."""
        return self.runner.world

    @property
    def shown(self) -> World:
        """The world that the pages look at."""
        return self.past or self.world

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, and every big screen has shown how."""
        if not self.world.is_over or self.scene.hides_verdict:
            return False
        return self._broadcaster.has_ended or not self.scene.has_screen

    def close(self) -> None:
        """Close the match; it goes on from its journals."""
        self.runner.close()
        self.scene.close()
        self._broadcaster.close()
        self._stay_awake()
        self.bench.close()
        for world in (self.past, self.world):
            if world is not None:
                world.close()

    def wake(self) -> None:
        """Let time go on: a page looks."""
        self._stay_awake()
        self.runner.do(lambda: None)
        self.runner.wake()

    def leave(self, seat: int | None) -> None:
        """A page of a seat is gone; its hand lets go of everything, unless another has it."""
        if seat is not None and all(each.seat != seat for each in self.clients):
            self.let_go(seat)
        if not self.clients:
            loop = asyncio.get_running_loop()
            self._sleeping = loop.call_later(SLEEPS_AFTER_S, self._sleep)

    def play(self, world: World) -> None:
        """Play in another world, in place of this one."""
        self._leave_past()
        self.scene.end()
        self.world.close()
        self.runner.world = world
        self.bench.follow(world)

    def do(self, command: session.Command) -> None:
        """Soon do something to a handheld."""
        self.runner.do(lambda: self.world.do(command))

    def move(self, client: Client, message: incoming.SeatMessage) -> None:
        """Do to a handheld what a page's hand does, if the seat is still this page's.

        The past cannot be changed.
        """
        if self.past is None and client.seat == message.seat:
            self.world.do(client.command(message, self.world.now_us, self.runner.rate))

    def change(self, message: incoming.BenchMessage) -> None:
        """Do what a page of the bench asks for; a command is done in the present alone."""
        runner = self.runner
        match message:
            case incoming.Pause(on):
                runner.paused = on or self.past is not None
            case incoming.SetSpeed(factor):
                runner.speed = factor
            case incoming.StepTime(ms):
                self._step(round(ms * 1000))
            case incoming.Seek(s):
                self._seek(round(s * 1e6))
            case incoming.GoLive():
                self._leave_past()
            case command:
                if self.past is None:
                    self.world.do(command)

    def _step(self, by_us: int) -> None:
        world = self.shown
        if self.runner.paused:
            due_us = world.loop.due_us
            world.advance(world.now_us + by_us if by_us or due_us is None else due_us)

    def _seek(self, wanted_us: int) -> None:
        live = self.world
        if live.session is not None and live.session.is_open:  # else not all of it is known
            self._leave_past()
            self.runner.paused = True
            self.past = Replay(session.load(live.session.path), live.now_us)
            self.bench.look(self.past, wanted_us)

    def _leave_past(self) -> None:
        if self.past is not None:
            self.past.close()
            self.past = None
            self.runner.paused = False
            self.bench.follow(self.world)

    def _set_up_anew(self) -> None:
        """Set up anew, from its journals, a match that something went wrong with in the middle."""
        if self.world.trouble is None:
            return
        log.warning("the table is set up anew: %s", self.world.trouble)
        self._leave_past()
        self.world.close()
        try:
            self.play(self.again())
        except STORE_ERRORS as error:
            log.warning("the table stands still until it is started again: %s", error)

    def let_go(self, seat: int) -> None:
        """Take the hands of a seat off pad, lid and keys."""
        self.do(session.PressPad(seat, down=False))
        self.do(session.CoverCup(seat))
        for key in get_args(session.KeyName):
            self.do(session.PressKey(seat, key, down=False))

    def _advanced(self) -> None:
        if (
            self.world.trouble is not None
            and not self.world.is_closed
            and (self.world.now_us >= LIVED_US)
        ):
            self.runner.do(self._set_up_anew)
        self.on_step()
        self._broadcaster.plan()

    def _stay_awake(self) -> None:
        if self._sleeping is not None:
            self._sleeping.cancel()
            self._sleeping = None

    def _sleep(self) -> None:
        self._sleeping = None
        if not self.clients:
            self.runner.asleep = True
