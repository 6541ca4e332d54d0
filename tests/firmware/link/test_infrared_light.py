"""Infrared on the air: bytes to marks of light and back, what is mended, links that share it."""

import array
import asyncio
import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reedsolo import ReedSolomonError, RSCodec

from firmware.link import infrared as pulses
from firmware.link.infrared import Pulse, demodulated, duration_us, lirc, merged, modulated
from firmware.link.infrared.coding import MOST_FRAME, Code, Packet, coded, decoded
from firmware.link.infrared.link import InfraredLink
from firmware.table.protocol import MAX_FRAME
from firmware.table.protocol.messages import Log, Taken, Want
from firmware.table.protocol.sealing import Sealer, keys_of_table
from hw_sim.air import NOMINAL, InfraredAir

SEALERS = [Sealer(keys_of_table(bytes(32), seat, range(3)), seat, 16) for seat in range(3)]
frames = st.builds(Packet, st.binary(min_size=1, max_size=MOST_FRAME), st.booleans())


def seen(lengths_us, start_us=5_000):
    """The marks of a transmission as they were sent."""
    starts = [start_us + sum(lengths_us[:number]) for number in range(0, len(lengths_us), 2)]
    return [Pulse(start, length) for start, length in zip(starts, lengths_us[::2])]


@given(frames)
def test_what_was_sent_is_what_was_received(frame):
    (received,) = demodulated(seen(modulated(coded(frame))))
    assert (received.erased, decoded(received)) == ([], frame)


@given(frames)
def test_a_device_takes_every_transmission(frame):
    lengths = modulated(coded(frame))
    assert len(lengths) % 2 == 1
    assert len(lengths) <= pulses.MOST_VALUES
    assert sum(lengths) <= pulses.LONGEST_US
    assert min(lengths) > 0
    assert sum(lengths) <= duration_us(len(coded(frame)))
    assert array.array("I", lirc.packed(lengths)).tolist() == lengths


@given(frames, st.data())
def test_lost_marks_are_mended_up_to_the_parity(frame, data):
    code = coded(frame)
    parity = len(code) - len(frame.content) - 2
    lost = data.draw(st.sets(st.integers(0, len(code) - 2), max_size=parity))
    gone = {1 + 4 * place + data.draw(st.integers(0, 3)) for place in lost}
    marks = seen(modulated(code))
    kept = [mark for number, mark in enumerate(marks) if number not in gone]
    (received,) = demodulated(kept)
    assert decoded(received) == frame


@given(frames, st.integers(-100, 100), st.randoms(use_true_random=False))
def test_marks_may_be_late_together_and_a_little_each(frame, late_us, chance):
    leader, *marks = seen(modulated(coded(frame)))
    moved = [
        Pulse(mark.start_us + late_us + chance.randint(-50, 50), mark.length_us + 150)
        for mark in marks
    ]
    (received,) = demodulated([leader, *moved])
    assert decoded(received) == frame


@given(frames, st.lists(st.integers(0, 500_000), max_size=40), st.randoms(use_true_random=False))
def test_what_is_delivered_is_never_anything_else(frame, extra, chance):
    marks = seen(modulated(coded(frame)))
    for _ in range(chance.randrange(40)):
        del marks[chance.randrange(1, len(marks))]
        if len(marks) < 3:
            return
    marks += [Pulse(us, 300) for us in extra]
    assert {decoded(one) for one in demodulated(merged(marks))} <= {frame, None}


@pytest.mark.whole
@given(st.sampled_from([8, 10, 12]), st.binary(min_size=1, max_size=71), st.randoms())
def test_parity_and_mending_are_those_of_the_library(parity, data, chance):
    code, library = Code(parity), RSCodec(parity)
    sent = data + code.parity(data)
    assert sent == library.encode(data)
    damaged = bytearray(sent)
    for place in chance.sample(range(len(sent)), chance.randint(0, min(parity, len(sent)))):
        damaged[place] ^= chance.randrange(256)
    erased = chance.sample(range(len(sent)), chance.choice((0, 0, 1, parity)) % len(sent))
    try:
        mended = bytes(library.decode(damaged, erase_pos=erased)[0])
    except (ReedSolomonError, ZeroDivisionError):
        mended = None
    assert code.mended(damaged, erased) == mended


@pytest.mark.parametrize("size", [0, MOST_FRAME + 1])
def test_a_frame_that_does_not_fit_is_refused(size):
    with pytest.raises(ValueError, match="split it"):
        coded(Packet(bytes(size)))


class Table:
    """Three links on one air, and what each of them received."""

    def __init__(self):
        self.air = InfraredAir(1, asyncio.get_running_loop(), NOMINAL)
        self.heard = [[], [], []]
        chance = Random(1)
        self.links = [
            InfraredLink(self.air.port(seat), heard.append, chance.random)
            for seat, heard in enumerate(self.heard)
        ]

    async def start(self):
        for link in self.links:
            await link.start()
        return self


SHORT = SEALERS[0].seal(Taken(5), 2)
LONG = SEALERS[0].seal(Log(0, 8, Random(1).randbytes(400), bytes(8)), 2)
NO_HEADER = b"\xf1" + bytes(120)


@pytest.mark.parametrize(("frame", "transmissions"), [(SHORT, 1), (LONG, 7), (NO_HEADER, 2)])
async def test_a_frame_reaches_everybody_in_range_once_and_whole(frame, transmissions):
    table = await Table().start()
    table.links[0].send(None, frame)
    await asyncio.sleep(5)
    assert table.heard == [[], [frame], [frame]]
    assert table.air.transmissions == transmissions


async def test_all_who_speak_at_once_are_heard_in_the_end():
    table = await Table().start()
    sent = [SEALERS[seat].seal(Want(5), (seat + 1) % 3) for seat in range(3)]
    for _ in range(6):
        for seat, link in enumerate(table.links):
            link.send(None, sent[seat])
        await asyncio.sleep(1.5)
    for seat, heard in enumerate(table.heard):
        assert set(heard) == {frame for sender, frame in enumerate(sent) if sender != seat}


async def test_a_hand_in_the_way_keeps_a_frame_away_and_a_closed_link_says_nothing():
    table = await Table().start()
    table.air.block(0, 1, 2.0)
    table.air.block(0, 2, 2.0)
    table.links[0].send(None, SHORT)
    await asyncio.sleep(3)
    table.links[0].abandon()
    table.links[0].send(None, SHORT)
    await asyncio.sleep(3)
    assert table.heard == [[], [], []]


async def test_an_answer_is_never_missed_because_the_own_light_blinded():
    table = await Table().start()
    for number in range(1, 40):
        table.links[0].send(None, SEALERS[0].seal(Taken(number), 1))
        while not table.heard[1][number - 1 :]:
            await asyncio.sleep(0.001)
        table.links[1].send(None, SEALERS[1].seal(Taken(number), 0))
        await asyncio.sleep(1)
    assert list(map(len, table.heard)) == [39, 39, 78]


@pytest.mark.parametrize("size", [9, MAX_FRAME + 1])
async def test_a_frame_that_is_too_long_or_too_short_is_refused(size):
    table = await Table().start()
    with pytest.raises(ValueError, match="cannot be sent"):
        table.links[0].send(None, bytes(size))


def kernel(features):
    """A stand-in for ioctl: devices that can do this and can be told nothing."""

    def request(device, number, argument):
        if number != lirc.GET_FEATURES:
            raise OSError(25, "Inappropriate ioctl for device")
        argument[0] = features[os.readlink(f"/proc/self/fd/{device}")]
        return 0

    return request


@pytest.fixture
def devices(tmp_path):
    """A sender that is a file, and a receiver that is a pipe."""
    sender, receiver = tmp_path / "lirc1", tmp_path / "lirc0"
    sender.touch()
    os.mkfifo(receiver)
    features = {str(sender): lirc.CAN_SEND_PULSE, str(receiver): lirc.CAN_REC_MODE2}
    return sender, receiver, kernel(features)


def test_a_port_writes_and_reads_as_the_kernel_does(devices):
    sender, receiver, request = devices
    lengths = modulated(coded(Packet(b"cup")))

    async def main():
        port = lirc.open_port(lirc.found(sender.parent), request)
        heard = []
        arrived = asyncio.Event()
        port.open(lambda pulses: (heard.extend(pulses), arrived.set()))
        port.transmit(lengths)
        while not sender.read_bytes():
            await asyncio.sleep(0.01)
        receiver.write_bytes(array.array("I", [*as_told(lengths), TIME_OUT]).tobytes())
        async with asyncio.timeout(60):
            await arrived.wait()
        port.close()
        return heard

    heard = asyncio.run(main())
    assert sender.read_bytes() == array.array("I", lengths).tobytes()
    assert [decoded(one) for one in demodulated(heard)] == [Packet(b"cup")]


def as_told(lengths_us):
    """The values of the device for marks and spaces."""
    return [(n % 2 == 0) << 24 | length_us for n, length_us in enumerate(lengths_us)]


TIME_OUT = 0x03000000 | 20_000


def test_shares_of_one_transmission_are_put_on_one_clock():
    lengths = modulated(coded(Packet(b"shared")))
    values = array.array("I", as_told(lengths))
    samples = lirc.LircSamples()
    first = samples.pulses(values[:20].tobytes(), 50_000)
    rest = samples.pulses(values[20:].tobytes(), 90_000)
    assert [decoded(one) for one in demodulated([*first, *rest])] == [Packet(b"shared")]
    assert samples.pulses(array.array("I", [TIME_OUT]).tobytes(), 1_000_000) == []
    assert samples.pulses(values[:1].tobytes(), 2_000_000)[0].start_us == 2_000_000 - lengths[0]


def test_a_share_may_hold_the_end_of_one_transmission_and_the_next():
    one, two = (as_told(modulated(coded(Packet(frame)))) for frame in (b"one", b"two"))
    values = [90_000, *one, TIME_OUT, 60_000, *two, TIME_OUT]
    pulses = lirc.LircSamples().pulses(array.array("I", values).tobytes(), 9_000_000)
    assert [decoded(one) for one in demodulated(pulses)] == [Packet(b"one"), Packet(b"two")]
    assert pulses[-1].start_us + pulses[-1].length_us == 9_000_000 - 20_000


def test_a_device_that_fails_says_so_and_the_link_goes_on(devices, caplog):
    _sender, receiver, request = devices

    async def main():
        port = lirc.LircPort(Path("/dev/full"), receiver, request)
        port.open(lambda pulses: None)
        port.transmit([300])
        async with asyncio.timeout(60):
            while not caplog.records:
                await asyncio.sleep(0.01)
        port.close()

    asyncio.run(main())
    assert "the infrared device does not send: [Errno 28]" in caplog.text


@pytest.mark.parametrize(
    ("lacks", "says"), [("sender", "that sends"), ("receiver", "that receives")]
)
def test_a_device_that_is_missing_is_named(devices, lacks, says):
    sender, receiver, request = devices
    only = [receiver] if lacks == "sender" else [sender]
    with pytest.raises(lirc.InfraredError, match=f"no infrared device {says}: add the overlays"):
        lirc.open_port(only, request)


def test_what_is_no_infrared_device_is_named(tmp_path):
    (tmp_path / "lirc0").touch()
    with pytest.raises(lirc.InfraredError, match="lirc0 is no infrared device"):
        lirc.open_port(lirc.found(tmp_path))
    with pytest.raises(lirc.InfraredError, match="check that it is there"):
        lirc.open_port([tmp_path / "none"])


@pytest.mark.parametrize("lengths", [[300, 300], [300] * 1025, [400_000, 100_000, 1]])
def test_what_no_device_takes_is_refused(lengths):
    with pytest.raises(ValueError, match=r"lengths are no odd count|µs are more than"):
        lirc.packed(lengths)
