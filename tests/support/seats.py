"""The acts and messages of seats at a table of cores: hops, and what no real core would send."""

from dataclasses import replace
from random import Random

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.effects import Received, Tick
from firmware.input.controls import LocalChoice, Without
from firmware.table.log.entries import Signature, Wished
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import EVERY_SEAT
from firmware.table.seat import turn, voting
from firmware.table.seat.cup_custody import Position
from firmware.table.seat.wishes import Wishes
from game.actions import Announce, Roll
from tests.support.net import S


def offer(table, value=65, *, seat=0):
    """Let a seat throw, announce a value, and offer the cup to the next."""
    table.choose(seat, Roll())
    table.choose(seat, Announce(value), wait_us=S)


def take_turns(table, moves):
    """Let (seat, choice) happen one after the other; between two the cup gets where it belongs."""
    for seat, choice in moves:
        table.choose(seat, choice)
        table.wait_until_quiet()


def ends(table, seed):
    """Whether the match comes to its end when everybody plays at random."""
    table.walk(Random(seed))
    return table.over


def all_end(table, liar, message, by=()):
    """Everybody has stopped and names the liar: who found it says what, the others who says so.

    ``by``: who has found it; empty for anybody.
    """
    table.wait(10 * S)
    found = AlertPage(message, table.names[liar])
    told = [AlertPage(Alert.ACCUSED, f"{name}: {table.names[liar]}") for name in table.names]
    for place in table.places:
        assert place.position is Position.STOPPED
        if place.seat in by:
            assert place.screen == found
        else:
            assert place.screen in ([told[finder] for finder in by] or [found, *told])
    assert sum(place.own_seat.holding for place in table.places) <= 1
    table.check()


def go_on_without(table, *seats, gone):
    """Let seats vote, with their thumbs: the standings lead a watcher to the menu."""
    for seat in seats:
        if table[seat].dial is None:
            table.tap(seat)
            table.wait(S)
            table.hold(seat)
        else:
            table.choose(seat, LocalChoice.MORE)
        table.choose(seat, Without(gone), wait_us=5 * S)


def cast_votes(table, *seats, gone, wait_us=0):
    """Let seats vote, whatever their displays show, and time pass after each."""
    for seat in seats:
        voting.go_on_without(table[seat].own_seat, gone, table.now_us)
        table.do(seat, Tick())
        if wait_us:
            table.wait(wait_us)


def cheat_all(table, seat, told, speaking_for):
    """Let a seat tell all others part of a log, and say that another seat tells it."""
    sealer = table[speaking_for].sealer.at(table[seat].own_seat.epoch)
    frame = sealer.seal(told, EVERY_SEAT)
    for place in table.places:
        if place.seat not in (seat, speaking_for):
            table.do(place.seat, Received(frame))


def cheat(table, seat, message, to):
    """Let a seat send what its own core never would."""
    table.do(to, Received(table[seat].sealer.seal(message, to)))


def signed(sealer, vote):
    """A vote of a seat with its signature."""
    vote = replace(vote, voter=sealer.me)
    return replace(vote, signature=sealer.signer.sign(vote.statement))


def log_like(log, *actions, entries=None, sign=None):
    """A copy of a log, or of so many entries, with these actions; anything can be added."""
    copy = PublicLog.restored(log.header, log.since(0)[:entries])
    for action in actions:
        copy.append(action, sign=sign)
    return copy


def signing(place, seat=None):
    """Signs a log for a seat, in the epoch that it is in; or for another, as well as it can."""

    def sign(index, digest):
        epoch = place.own_seat.epoch
        signed = place.sealer.signer.sign(Signature.statement(epoch, index, digest))
        return Signature(place.seat if seat is None else seat, epoch, signed)

    return sign


def wished(table, action, *seats):
    """That seats have wished for an action, signed."""
    wishes = (wish_of(table[seat], action) for seat in seats)
    return Wished(tuple(zip(seats, (one.signature for one in wishes), strict=True)))


def wish_of(place, action):
    """The wish of a seat for an action."""
    wishes = Wishes(place.seat, place.own_seat.epoch, place.sealer.signer.sign)
    return wishes.wish(action, place.match.round, 0)


def wish(table, seat, action):
    """Let a seat wish for something, whatever its display shows."""
    turn.wish(table[seat].own_seat, action, table.now_us)
    table.do(seat, Tick())
