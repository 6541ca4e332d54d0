"""The device files of infrared: what a kernel takes and gives, and clear errors."""

import array
import asyncio
import os
from pathlib import Path

import pytest

from firmware.link.infrared import demodulated, lirc, modulated
from firmware.link.infrared.coding import Packet, coded, decoded


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
        kinds = [(number % 2 == 0) << 24 | length for number, length in enumerate(lengths)]
        receiver.write_bytes(array.array("I", [*kinds, 0x03000000 | 20_000]).tobytes())
        async with asyncio.timeout(60):
            await arrived.wait()
        port.close()
        return heard

    heard = asyncio.run(main())
    assert sender.read_bytes() == array.array("I", lengths).tobytes()
    assert [decoded(one) for one in demodulated(heard)] == [Packet(b"cup")]


def test_shares_of_one_transmission_are_put_on_one_clock():
    lengths = modulated(coded(Packet(b"shared")))
    values = array.array("I", [(n % 2 == 0) << 24 | us for n, us in enumerate(lengths)])
    samples = lirc.LircSamples()
    first = samples.pulses(values[:20].tobytes(), 50_000)
    rest = samples.pulses(values[20:].tobytes(), 90_000)
    assert [decoded(one) for one in demodulated([*first, *rest])] == [Packet(b"shared")]
    after_time_out = array.array("I", [0x03000000 | 20_000]).tobytes()
    assert samples.pulses(after_time_out, 1_000_000) == []
    assert samples.pulses(values[:1].tobytes(), 2_000_000)[0].start_us == 2_000_000 - lengths[0]


def test_a_share_may_hold_the_end_of_one_transmission_and_the_next():
    def told(frame, space_us):
        lengths = modulated(coded(Packet(frame)))
        return [space_us, *((n % 2 == 0) << 24 | us for n, us in enumerate(lengths))]

    time_out = 0x03000000 | 20_000
    values = [*told(b"one", 90_000), time_out, *told(b"two", 60_000), time_out]
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
