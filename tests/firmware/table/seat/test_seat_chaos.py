"""Anything at any time: frames lost, late or twice, power cut anywhere, wishes and faults between.

Handhelds at one table play, leave, void rounds and mishandle the cup at random, and at random the
air and the disks do what they like. After every single step there is at most one cup, and nobody's
log contradicts another's. When the air and the disks behave again, one handheld has the cup with
the dice that were thrown into it, all know the same, and the match goes on.
"""

from collections import Counter, deque
from itertools import pairwise
from random import Random

import pytest

from firmware.effects.effects import SendToSeat, Store
from firmware.journal.keys import (
    CAUGHT_KEY,
    CUP_KEY,
    FAIR_KEY,
    LEARNING_KEY,
    LOST_KEY,
    VOTES_KEY,
)
from firmware.journal.writes import Append, Cut
from firmware.table.handover.cup import Cup, Where
from firmware.table.log.entries import decode_entries
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.keys import keys_of_table
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat import requests, turn, voting
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.position import Position
from firmware.table.seat.seat import Seat
from firmware.table.seat.storage import SeatState
from firmware.table.seat.votes import EPOCHS_PER_MATCH, unpacked_votes
from game import RULES, Match, Phase, illegality, laid_open, legal_actions
from game.actions import EndMatch, Fault, FaultKind, Leave, Lift, Roll, StopMatch, VoidRound

S = 1_000_000
NAMES = ("Ana", "Ben", "Cem", "Dora")
KEY = bytes(range(32))
BUSY = (Phase.BELIEVED, Phase.THROWN, Phase.OFFERED, Phase.DOUBTED)
"""Phases of a bluff game in which dice lie under the cup."""


class Place:
    """One handheld: what it has on its disk, in its memory, and still to write and to send."""

    def __init__(self, table, seat):
        self.table = table
        self.seat = seat
        self.cup = Cup(EPOCHS_PER_MATCH, Where.HOLDING if seat == 0 else Where.IDLE)
        self.entries = []
        self.votes = b""
        self.unsynced = False
        self.caught = b""
        self.lost = False
        self.own_seat = None
        self.sealer = Sealer(keys_of_table(KEY, seat, range(len(NAMES))), seat, self.cup.epoch)
        self.restart()

    def restart(self):
        log = PublicLog.restored(PublicLog(self.table.rules, NAMES, 0).header, self.entries)
        sealer = self.sealer.at(self.cup.epoch)
        state = SeatState(
            self.cup,
            unpacked_votes(self.votes),
            unsynced=self.unsynced,
            lost=self.lost,
            caught=self.caught,
            resumed=self.table.asks and self.own_seat is not None,
        )
        self.own_seat = SeatParts(
            log, sealer, state, self.table.rng.randbytes, fair=False, by_light=self.table.by_light
        )
        self.core = Seat(self.own_seat)
        self.to_do = deque()
        self.core.start(self.table.now_us)

    def carry_out(self):
        """Do the next thing; a send never overtakes a write."""
        effect = self.to_do.popleft()
        if isinstance(effect, SendToSeat):
            self.table.air.append((effect.seat, effect.frame))
            return
        for item in effect.batch:
            if isinstance(item, Append):
                assert item.place == len(self.entries)
                self.entries.append(item.entry)
                (action,) = decode_entries(item.entry)
                if isinstance(action, Roll) and action.dice is not None:
                    self.table.thrown = (action.dice, action.tower)
            elif isinstance(item, Cut):
                assert self.unsynced, "only who comes into an epoch can forget entries"
                del self.entries[item.place :]
            elif item.key == VOTES_KEY:
                self.votes = item.value
            elif item.key == LEARNING_KEY:
                self.unsynced = item.value == b"\1"
            elif item.key == CAUGHT_KEY:
                self.caught = item.value
            elif item.key == LOST_KEY:
                self.lost = item.value == b"\1"
            elif item.key == CUP_KEY:
                self.cup = Cup.decode(item.value)
            else:
                assert item.key == FAIR_KEY, item.key  # its dice are not proven here
        self.core.stored(effect.ticket, None)


class Table:
    """``asks``: whether a handheld that had no power asks first what the others know of it."""

    asks = False

    def __init__(self, game, rng):
        self.rules = RULES[game]
        self.rng = rng
        self.by_light = rng.random() < 0.5
        self.now_us = 0
        self.air = []
        self.thrown = None
        """What the newest throw on a disk was, and whether it is a tower."""
        self.count = Counter()
        self.places = []
        for seat in range(len(NAMES)):
            self.places.append(Place(self, seat))

    def __getitem__(self, seat):
        return self.places[seat]

    def take(self):
        for place in self.places:
            place.to_do.extend(place.core.take_effects())

    def check(self):
        assert sum(place.own_seat.holding for place in self.places) <= 1, "two cups in memory"
        assert sum(place.cup.is_here for place in self.places) <= 1, "two cups on the disks"
        self.check_records(place.own_seat.log for place in self.places)
        for place in self.places:
            assert place.own_seat.trouble is None

    def check_records(self, logs):
        for short, long in pairwise(sorted(logs, key=lambda log: log.index)):
            assert long.position(short.index) == short.at, "the logs differ"

    # Possible actions of players and links

    def something(self):
        happen = self.rng.choices(
            (self.deliver, self.lose, self.work, self.crash, self.wait, self.play, self.interrupt),
            (60, 6, 30, 1, 4, 10, 1),
        )[0]
        happen()
        self.take()
        self.check()

    def deliver(self, *, faithful=False):
        if self.air:
            number = 0 if faithful else self.rng.randrange(len(self.air))
            seat, frame = self.air[number]
            if faithful or self.rng.random() < 0.9:
                del self.air[number]
            self[seat].core.receive(frame, self.now_us)

    def lose(self):
        if self.air:
            del self.air[self.rng.randrange(len(self.air))]

    def work(self):
        place = self.rng.choice(self.places)
        for _ in range(self.rng.randint(0, len(place.to_do))):
            place.carry_out()

    def crash(self):
        place = self.rng.choice(self.places)
        self.count["lost writes"] += any(isinstance(effect, Store) for effect in place.to_do)
        place.restart()

    def wait(self):
        self.now_us += self.rng.choice((S // 10, S, 4 * S))
        self.tick()

    def tick(self):
        for place in self.places:
            due_us = place.own_seat.next_timer_us
            if due_us is not None and due_us <= self.now_us:
                place.core.tick(self.now_us)
                after_us = place.own_seat.next_timer_us
                assert after_us is None or after_us > self.now_us

    def play(self):
        for place in self.places:
            self.move(place)

    def move(self, place):
        own_seat, match = place.own_seat, place.own_seat.match
        match own_seat.position:
            case Position.OFFERED:
                turn.answer(own_seat, self.rng.choice(legal_actions(match)), self.now_us)
            case Position.TO_PASS:
                turn.pass_on(own_seat, self.now_us)
            case Position.MINE:
                self.act(own_seat, match)

    def act(self, own_seat, match):
        legal = [action for action in legal_actions(match) if action != EndMatch()]
        kind = self.rng.choice(sorted({type(action) for action in legal}, key=str))
        action = self.rng.choice([action for action in legal if type(action) is kind])
        if isinstance(action, Roll):
            turn.throw(own_seat, None, self.now_us)
            return
        if isinstance(action, Lift) and isinstance(match, Match):
            assert (own_seat.dice, own_seat.tower) == self.thrown
            action = Lift(own_seat.dice, own_seat.tower)
        turn.act(own_seat, laid_open(match, action), self.now_us)

    def interrupt(self):
        """Somebody wishes for something, or mishandles the cup."""
        place = self.rng.choice(self.places)
        own_seat = place.own_seat
        faults = [Fault(kind, place.seat) for kind in FaultKind if kind is not FaultKind.OTHER]
        possible = [fault for fault in faults if illegality(own_seat.match, fault) is None]
        if own_seat.position is Position.PASSING and possible and self.rng.random() < 0.8:
            requests.announce_question(own_seat, possible[0].kind)
            requests.enter_fault(own_seat, self.rng.choice(possible), self.now_us)
            return
        wishes = (Leave(place.seat), VoidRound(), VoidRound(), VoidRound(), StopMatch())
        action = self.rng.choice(wishes)
        if illegality(own_seat.match, action) is None:
            requests.wish(own_seat, action, self.now_us)

    # When all is well again

    def heal(self):
        """Let frames arrive in order, writes succeed and players answer until one can act."""
        until_us = self.now_us + 120 * S
        while self.now_us < until_us and not self.at_rest():
            self.settle()
            for place in self.places:
                if place.own_seat.position in (Position.OFFERED, Position.TO_PASS):
                    self.move(place)
                elif place.own_seat.position is Position.MINE:
                    turn.show(place.own_seat, self.now_us)
            self.settle()
            self.now_us += S // 2
            self.tick()
            self.settle()

    def settle(self):
        self.take()
        while self.air or any(place.to_do for place in self.places):
            for place in self.places:
                while place.to_do:
                    place.carry_out()
            self.deliver(faithful=True)
            self.take()
            self.check()

    def at_rest(self):
        quiet = not self.air and not any(place.to_do for place in self.places)
        positions = Counter(place.own_seat.position for place in self.places)
        alone = {Position.MINE: 1, Position.WATCHING: len(self.places) - 1}
        same = len({place.own_seat.log.digest for place in self.places}) == 1
        return quiet and same and (set(positions) == {Position.OVER} or positions == alone)


def played(game, seed, steps=1_500):
    table = Table(game, Random(f"{game}/{seed}"))
    for _ in range(steps):
        table.something()
    table.heal()
    where = [(place.own_seat.position.name, place.cup.where.name) for place in table.places]
    assert table.at_rest(), f"seed {seed}: {where}"
    (holder,) = [p for p in table.places if p.own_seat.holding] or [None]
    if holder is not None and holder.own_seat.match.to_act is not None:
        match = holder.own_seat.match
        full = isinstance(match, Match) and match.phase in BUSY
        dice = (holder.own_seat.dice, holder.own_seat.tower)
        assert dice == (table.thrown if full else (None, False))
    return table


@pytest.mark.parametrize("game", RULES)
def test_there_is_one_cup_and_the_match_goes_on(game):
    for seed in range(7):
        played(game, seed)


# Handhelds that are gone, and come back


class RenewingTable(Table):
    """Now and then a handheld is off for a while, and the others may vote to go on without it."""

    def __init__(self, game, rng):
        super().__init__(game, rng)
        self.off = None

    def something(self):
        chance = self.rng.random()
        if chance < 0.004:
            self.off = None if self.off is not None else self.rng.randrange(len(NAMES))
        elif chance < 0.03:
            self.vote()
        super().something()

    def vote(self):
        gone = self.rng.randrange(len(NAMES)) if self.off is None else self.off
        place = self.rng.choice([place for place in self.places if place.seat != gone])
        if place.own_seat.match.to_act is not None:
            voting.go_on_without(place.own_seat, gone, self.now_us)

    def deliver(self, *, faithful=False):
        self.air = [(seat, frame) for seat, frame in self.air if seat != self.off]
        super().deliver(faithful=faithful)

    def move(self, place):
        if place.seat != self.off:
            super().move(place)

    def act(self, own_seat, match):
        self.thrown = (own_seat.dice, own_seat.tower)
        super().act(own_seat, match)

    def check(self):
        """One cup in each epoch, and one record."""
        epochs = {place.own_seat.epoch for place in self.places}
        for epoch in epochs:
            there = [place for place in self.places if place.own_seat.epoch == epoch]
            assert sum(place.own_seat.holding for place in there) <= 1, "two cups in memory"
            on_disk = [p for p in self.places if p.cup.epoch == epoch and p.cup.is_here]
            assert len(on_disk) <= 1, "two cups on the disks"
            self.check_records(p.own_seat.log for p in there if not p.own_seat.unsynced)
        for place in self.places:
            assert place.own_seat.trouble is None


@pytest.mark.whole
@pytest.mark.parametrize("game", RULES)
def test_a_table_that_goes_on_without_this_one_or_that_one_stays_one_table(game):
    renewed = 0
    for seed in range(6):
        table = RenewingTable(game, Random(f"{game} renewed/{seed}"))
        for _ in range(1_500):
            table.something()
        table.off = None
        table.heal()
        for place in table.places:
            if place.own_seat.position is Position.MINE:
                table.act(place.own_seat, place.own_seat.match)  # who is late hears of that
        table.heal()
        where = [(place.own_seat.position.name, place.own_seat.epoch) for place in table.places]
        assert table.at_rest(), f"seed {seed}: {where}"
        assert len({place.own_seat.epoch for place in table.places}) == 1, f"seed {seed}: {where}"
        renewed += table[0].own_seat.epoch > EPOCHS_PER_MATCH
    assert renewed
