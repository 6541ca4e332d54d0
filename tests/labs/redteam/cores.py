"""Seats below the screen on the worst air, with an insider or a lost memory: one cup, and no more.

Every third match has a seat that says, beside what is right, whatever suits it: hops that nobody
made, entries that others should have made, votes for what nobody wants. Every third loses the
memory of one seat. In all of them frames get lost, come twice, late, again from any time before, or
with a bit turned over, and handhelds lose their power before and after writes. Every fourth match
is another one instead: a seat comes back with old copies of its journal, while what was on the air
before arrives, and nothing else at times.
"""

from collections import Counter
from contextlib import suppress
from random import Random

from firmware.table.protocol import LogPosition
from firmware.table.protocol import messages as cups
from firmware.table.protocol.messages import EMPTY, Vote
from firmware.table.seat import voting
from firmware.table.seat.cup_custody import LogsDiffer, Position
from firmware.table.seat.memory import SeatState
from game import RULES, IllegalAction, legal_actions
from hw_sim.trials.faults import turned_over
from tests.labs.redteam import numbers
from tests.support import chaos
from tests.support.chaos import NAMES, Table
from tests.support.net import S
from tests.support.seats import log_like, signed, signing

STEPS = 700
LOSS = 0.4
MOST_VOTES = 4
STUCK_US = 600 * S
"""The longest standstill at the table once frames arrive again, votes of the players included."""
PATIENCE_US = 200 * S
"""The time that others wait for an insider that holds the match up."""
ENDS = (Position.MINE, Position.OVER, Position.STOPPED)


class HostileTable(Table):
    """Frames come again, turned over or not at all; an insider lies."""

    def something(self):
        chance = self.rng.random()
        if self.said and chance < 0.03:
            said = self.rng.choice(self.said[-300:])
            if chance < 0.01:
                said = said._replace(frame=turned_over(said.frame, self.rng))
            self.say_again(said)
        elif self.air and chance < LOSS * 0.3:
            self.lose()
        elif self.insider is not None and chance < LOSS * 0.3 + 0.05:
            self.lie()
        super().something()

    def vote(self):
        if self.count["votes"] < MOST_VOTES:  # a match has 15 epochs
            self.count["votes"] += 1
            super().vote()

    def lie(self):
        liar = self.places[self.insider]
        own = liar.own_seat
        to = self.rng.choice([seat for seat in range(len(NAMES)) if seat != self.insider])
        hop = self.rng.choice((own.hop, own.hop + 1, own.hop + 9, 0xFFFFFF))
        log = log_like(own.log)
        for _ in range(self.rng.randrange(4)):
            if log.match.to_act in (None, self.insider) or self.insider in log.holders:
                break  # what it could have done itself is no lie
            with suppress(IllegalAction):  # dice that nobody knows
                seat = self.rng.choice((self.insider, log.match.to_act))
                log.append(self.rng.choice(legal_actions(log.match)), sign=signing(liar, seat))
        at = self.rng.choice((log.at, LogPosition(log.index + 3, bytes(8))))
        bits = self.rng.randrange(1, 16)
        gone = frozenset(seat for seat in range(4) if bits >> seat & 1)
        vote = Vote(self.rng.randrange(17, 32), gone, self.rng.randrange(4), 16, own.log.at)
        said = self.rng.choice(
            (
                cups.Propose(hop, at, self.rng.random() < 0.5, 62),
                cups.Give(hop, EMPTY),
                cups.Cancel(hop),
                cups.Taken(hop),
                log.part(max(0, log.index - 3)),
                signed(liar.sealer, vote),
            )
        )
        holds = self.insider in own.log.holders
        if isinstance(said, cups.Propose | cups.Taken | cups.Give | cups.Cancel) and holds:
            return
        epoch = said.epoch if isinstance(said, Vote) else own.epoch
        self.count["lies"] += 1
        self.fly(self.insider, to, liar.sealer.at(epoch).seal(said, to))


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Play hostile matches for so long. Returns how many, and what was tried in them."""
    count: Counter[str] = Counter()
    for number in numbers(seconds):
        play = _play_with_old_copies if number % 4 == 3 else _play
        try:
            play(Random(f"{seed}/{number}"), count)
        except AssertionError as error:
            raise AssertionError(f"match {number}: {error}") from error
    return dict(count)


def _play(rng: Random, count: Counter[str]) -> None:
    kind = count["matches"] % 3
    insider = rng.randrange(len(NAMES)) if kind == 1 else None
    table = HostileTable(rng.choice(list(RULES)), rng, renews=True, insider=insider)
    for step in range(STEPS):
        if kind == 2 and step == STEPS // 2:
            rng.choice(table.places).begin(SeatState.forgotten(1))
            count["lost memories"] += 1
        table.something()
    count["matches"] += 1
    count.update(table.count)
    stood_us = table.now_us
    assert _goes_on(table, insider), f"stuck: {table.where}"
    stood_s = (table.now_us - stood_us) // S
    count["longest standstill, s"] = max(count["longest standstill, s"], stood_s)
    found = {place.own_seat.trouble for place in table.places} - {None}
    count["insider named"] += bool(found - {LogsDiffer()})
    count["stopped by logs that differ"] += found == {LogsDiffer()}


def _play_with_old_copies(rng: Random, count: Counter[str]) -> None:
    table = chaos.played(rng.choice(list(RULES)), rng, 2 * STEPS)
    count["matches"] += 1
    count.update(table.count)
    table.recorded = None
    if table.went_on_alone:
        count["went on alone"] += 1
        return
    assert _goes_on(table), f"stuck: {table.where}"


def _goes_on(table: Table, insider: int | None = None) -> bool:
    """Whether one handheld comes to act, or the match to its end, once frames arrive again.

    Who takes part can hold it up: an insider that does is switched off after a while, and voted
    gone. A match in which a handheld has stopped, and says why, has ended.
    """
    table.off = None
    until_us = table.now_us + STUCK_US
    while table.now_us < until_us:
        table.heal()
        if table.now_us > until_us - STUCK_US + PATIENCE_US:
            table.off = insider
        there = [p for p in table.places if not p.own_seat.lost and p.seat != table.off]
        if any(p.own_seat.position in ENDS for p in there):
            return True
        for place in there:
            for gone in voting.gone(place.own_seat, table.now_us):
                if table.places[gone].own_seat.lost or gone == table.off:
                    voting.go_on_without(place.own_seat, gone, table.now_us)
    return False
