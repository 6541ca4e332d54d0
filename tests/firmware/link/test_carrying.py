"""One handheld passes on, unopened, what others cannot bring; nothing goes round."""

import asyncio
from contextlib import asynccontextmanager

from firmware.effects.places import Chair
from firmware.link.several import link_over
from firmware.table.protocol.header import Header
from firmware.table.protocol.invitations import device_of
from firmware.table.protocol.keys import KEY_BYTES, tag_of_table
from firmware.table.protocol.kinds import MessageKind
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.broker import MemoryBroker
from hw_sim.clock.virtual import run
from tests.support.brokers import Heard

TAG = tag_of_table(bytes(KEY_BYTES))
DEVICES = tuple(device_of(BluetoothAir.address(seat)) for seat in range(4))
MEDIA = ("bluetooth mqtt", "bluetooth", "mqtt", "mqtt")
"""Seat 0 has both; only it can carry what goes between seat 1 and the last two."""


def frame(kind, sender, receiver, number=7):
    return Header(kind, 0, 0, sender, receiver, number).pack().ljust(40, b"\0")


@asynccontextmanager
async def table(carrier, all_media=MEDIA):
    air, broker = BluetoothAir(1, asyncio.get_running_loop()), MemoryBroker(1)
    broker.said, broker.sessions = Heard(), []
    broker.observers.append(broker.said)
    links, heard = [], []
    for seat, media in enumerate(all_media):
        heard.append(Heard())
        if "mqtt" in media:
            broker.sessions.append(broker.session())
        link = link_over(
            air.opener(seat) if "bluetooth" in media else None,
            None,
            DEVICES[seat],
            heard[seat],
            lambda: 0.5,
            [device for device in DEVICES if device != DEVICES[seat]],
            broker.sessions[-1] if "mqtt" in media else None,
        )
        link.attend(Chair(TAG, seat, DEVICES, carrier))
        await link.start()
        links.append(link)
    yield broker, links, heard
    for link in links:
        link.abandon()


async def sent(links, sender, receiver, kind):
    """Send until it must have arrived, as the protocol above does; returns the frame."""
    one = frame(kind, sender, receiver, number=100 * sender + 10 * receiver + kind)
    for _ in range(4):
        links[sender].send(DEVICES[receiver], one)
        await asyncio.sleep(2.0)
    return one


def test_every_seat_reaches_every_other_over_the_one_that_carries():
    async def main():
        async with table(carrier=0) as (broker, links, heard):
            for sender in range(4):
                for receiver in {0, 1, 2, 3} - {sender}:
                    one = await sent(links, sender, receiver, MessageKind.GIVE)
                    assert one in heard[receiver].all, (sender, receiver)
                    for other in {0, 1, 2, 3} - {receiver}:
                        assert one not in heard[other].all
            said = len(broker.said.all)
            await asyncio.sleep(60.0)
            assert len(broker.said.all) == said, "frames go round"

    run(main())


def test_nobody_carries_who_was_not_asked_to():
    async def main():
        async with table(carrier=None) as (_, links, heard):
            near = await sent(links, 1, 0, MessageKind.GIVE)
            far = await sent(links, 1, 2, MessageKind.GIVE)
            assert near in heard[0].all
            assert far not in heard[2].all

    run(main())


def test_a_broker_that_says_somebody_is_here_and_brings_nothing_keeps_bluetooth_from_nothing():
    async def main():
        async with table(carrier=None, all_media=("bluetooth mqtt",) * 2) as (broker, links, heard):
            one = frame(MessageKind.GIVE, 0, 1)
            while not links[0].reaches(DEVICES[1], one):
                await asyncio.sleep(0.1)
            for session in broker.sessions:
                session.cut(600.0)
            assert await sent(links, 0, 1, MessageKind.GIVE) in heard[1].all

    run(main())
