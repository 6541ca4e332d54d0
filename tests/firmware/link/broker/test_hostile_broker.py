"""A broker that says more than anybody wants to hear: endless packets, and QoS 2."""

import asyncio

import pytest

from firmware.link.broker.mqtt import MOST_READ
from tests.support.hostile_broker import heard, packet, publish


@pytest.mark.parametrize("version", [3, 5])
def test_a_packet_without_end_is_not_waited_for(version):
    huge = 250_000_000
    says = [packet(0x30, b"", huge), *[bytes(65_536)] * (huge // 65_536)]
    came, told, hostile, _ = asyncio.run(heard(version, says, lambda all_: all_))
    assert came == [b"well"]
    assert hostile.comers == 2
    assert hostile.sent < 64 * MOST_READ, "what buffers of the system hold, and no more"
    assert len(told) == 1


@pytest.mark.parametrize("version", [3, 5])
def test_what_comes_with_qos_2_is_dropped_and_not_kept(version):
    says = [publish(2, number, b"x" * 1000, version) for number in range(1, 1000)]
    says.append(publish(0, 0, b"last", version))
    came, told, hostile, kept = asyncio.run(heard(version, says, lambda all_: all_))
    assert (came, told, hostile.comers, kept) == ([b"last"], [], 1, 0)
