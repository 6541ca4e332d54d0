"""The digest of the air: it is made of what was said, not of what the program calls it."""

from collections import namedtuple

import pytest

from hw_sim.air import AirDigest, HeardPacket

PACKET = HeardPacket(1_000_000, 2, 1, b"cup")
TRANSMISSION = (1_000_000, 2, (562, 1_687))


def digest(*said):
    """A packet is a named tuple, a transmission a plain one."""
    air = AirDigest()
    for one in said:
        (air.transmission if type(one) is tuple else air.packet)(one)
    return air.hex


def test_what_a_packet_is_called_is_not_in_the_digest():
    renamed = namedtuple("Renamed", PACKET._fields)
    assert digest(renamed(*PACKET)) == digest(PACKET)


@pytest.mark.parametrize(
    "other",
    [
        (),
        (PACKET._replace(t_us=1_000_001),),
        (PACKET._replace(sender=0),),
        (PACKET._replace(receiver=0),),
        (PACKET._replace(payload=b"cap"),),
        (PACKET, PACKET),
        (TRANSMISSION,),
    ],
)
def test_everything_that_a_packet_says_is_in_the_digest(other):
    assert digest(*other) != digest(PACKET)


@pytest.mark.parametrize(
    "other",
    [
        (1_000_001, 2, (562, 1_687)),
        (1_000_000, 1, (562, 1_687)),
        (1_000_000, 2, (1_687, 562)),
        (1_000_000, 2, (562,)),
    ],
)
def test_everything_that_a_transmission_says_is_in_the_digest(other):
    assert digest(other) != digest(TRANSMISSION)
