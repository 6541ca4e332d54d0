"""Infrared links on one air: who hears what, however many speak at once."""

import asyncio
from random import Random

import pytest

from firmware.link import MAX_FRAME
from firmware.link.infrared.link import InfraredLink
from firmware.table.protocol.messages import Log, Taken, Want
from firmware.table.protocol.sealing import Sealer, keys_of_table
from hw_sim.air import NOMINAL, InfraredAir
from hw_sim.clock import run

SEALERS = [Sealer(keys_of_table(bytes(32), seat, range(3)), seat, 16) for seat in range(3)]


class Table:
    def __init__(self, seats=3, how=NOMINAL):
        loop = asyncio.get_running_loop()
        self.air = InfraredAir(1, loop, how)
        self.heard = [[] for _ in range(seats)]
        chance = Random(1)
        self.links = [
            InfraredLink(self.air.port(seat), heard.append, chance.random)
            for seat, heard in enumerate(self.heard)
        ]


def over_the_air(play, **table):
    async def main():
        made = Table(**table)
        for link in made.links:
            await link.start()
        await play(made)
        for link in made.links:
            await link.stop()
        return made

    return run(main())


SHORT = SEALERS[0].seal(Taken(5), 2)
LONG = SEALERS[0].seal(Log(0, 8, Random(1).randbytes(400), bytes(8)), 2)
NO_HEADER = b"\xf1" + bytes(120)


@pytest.mark.parametrize(("frame", "transmissions"), [(SHORT, 1), (LONG, 7), (NO_HEADER, 2)])
def test_a_frame_reaches_everybody_in_range_once_and_whole(frame, transmissions):
    async def play(table):
        table.links[0].send(None, frame)
        await asyncio.sleep(5)

    table = over_the_air(play)
    assert table.heard == [[], [frame], [frame]]
    assert table.air.transmissions == transmissions


def test_all_who_speak_at_once_are_heard_in_the_end():
    sent = [SEALERS[seat].seal(Want(5), (seat + 1) % 3) for seat in range(3)]

    async def play(table):
        for _ in range(6):
            for seat, link in enumerate(table.links):
                link.send(None, sent[seat])
            await asyncio.sleep(1.5)

    table = over_the_air(play)
    for seat, heard in enumerate(table.heard):
        assert set(heard) == {frame for sender, frame in enumerate(sent) if sender != seat}


def test_a_hand_in_the_way_keeps_a_frame_away_and_a_closed_link_says_nothing():
    frame = SEALERS[0].seal(Taken(5), 1)

    async def play(table):
        table.air.block(0, 1, 2.0)
        table.air.block(0, 2, 2.0)
        table.links[0].send(None, frame)
        await asyncio.sleep(3)
        table.links[0].abandon()
        table.links[0].send(None, frame)
        await asyncio.sleep(3)

    assert over_the_air(play).heard == [[], [], []]


def test_an_answer_is_never_missed_because_the_own_light_blinded():
    async def play(table):
        for number in range(1, 40):
            table.links[0].send(None, SEALERS[0].seal(Taken(number), 1))
            while not table.heard[1][number - 1 :]:
                await asyncio.sleep(0.001)
            table.links[1].send(None, SEALERS[1].seal(Taken(number), 0))
            await asyncio.sleep(1)

    assert [len(heard) for heard in over_the_air(play).heard] == [39, 39, 78]


@pytest.mark.parametrize("size", [9, MAX_FRAME + 1])
def test_a_frame_that_is_too_long_or_too_short_is_refused(size):
    async def play(table):
        with pytest.raises(ValueError, match="cannot be sent"):
            table.links[0].send(None, bytes(size))

    over_the_air(play)
