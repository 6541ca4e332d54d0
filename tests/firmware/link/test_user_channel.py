"""HCI over a socket: packets whole and in order, a full socket, and its end; frames on a stream."""

import asyncio
import errno
import socket

import pytest

from firmware.link import FrameAssembler, FramingError, framed
from firmware.link.bluetooth import hci
from firmware.table.protocol import MAX_FRAME


class Heard:
    """The events of a host: packets, and how often the end was reported."""

    def __init__(self):
        self.packets = []
        self.ends = 0

    def on_packet(self, packet):
        self.packets.append(packet)

    def on_transport_lost(self):
        self.ends += 1


def over_sockets(play):
    """Run ``play(channel, host, controller)``; the controller is the other end, which may block."""

    async def main():
        ours, controller = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        channel, host = hci.UserChannel(ours), Heard()
        channel.set_packet_sink(host)
        controller.setblocking(False)
        try:
            async with asyncio.timeout(60):
                await play(channel, host, controller)
        finally:
            await channel.close()
            controller.close()

    asyncio.run(main())


def waiting(controller):
    """The packets that have arrived at the controller."""
    while True:
        try:
            yield controller.recv(2000)
        except BlockingIOError:
            return


async def until(condition):
    while not condition():
        await asyncio.sleep(0)


def test_packets_go_both_ways_one_a_datagram():
    async def play(channel, host, controller):
        channel.sink.on_packet(b"\x01reset")
        assert controller.recv(100) == b"\x01reset"
        controller.send(b"\x04done")
        controller.send(b"\x04more")
        await until(lambda: len(host.packets) == 2)
        assert host.packets == [b"\x04done", b"\x04more"]

    over_sockets(play)


def test_what_a_full_socket_does_not_take_is_sent_later_and_in_order():
    async def play(channel, host, controller):
        sent = [number.to_bytes(2, "big") * 500 for number in range(1000)]
        for packet in sent:
            channel.on_packet(packet)
        taken = list(waiting(controller))
        assert len(taken) < len(sent), "the socket was never full"
        while len(taken) < len(sent):
            await asyncio.sleep(0)
            taken += waiting(controller)
        assert taken == sent

    over_sockets(play)


@pytest.mark.parametrize("writing", [False, True])
def test_the_end_of_the_socket_is_told_once(writing):
    async def play(channel, host, controller):
        controller.close()
        if writing:
            channel.on_packet(b"\x01anybody there?")
        await until(lambda: host.ends)
        channel.on_packet(b"\x01and now?")
        for _ in range(5):
            await asyncio.sleep(0)
        assert host.ends == 1

    over_sockets(play)


@pytest.mark.parametrize(
    ("number", "trouble"),
    [
        (errno.EPERM, hci.AdapterTrouble.REFUSED),
        (errno.ENODEV, hci.AdapterTrouble.MISSING),
        (errno.EAFNOSUPPORT, hci.AdapterTrouble.MISSING),
        (errno.ERFKILL, hci.AdapterTrouble.BLOCKED),
        (errno.EBUSY, hci.AdapterTrouble.OWNED),
        (errno.ETIMEDOUT, hci.AdapterTrouble.FAILING),
    ],
)
def test_each_error_of_the_kernel_has_its_remedy(number, trouble):
    assert hci.trouble_of(OSError(number, "")) is trouble
    assert hci.remedy(trouble)


def test_a_python_without_bluetooth_sockets_is_not_taken_for_a_missing_adapter(monkeypatch):
    monkeypatch.delattr(socket, "AF_BLUETOOTH", raising=False)
    with pytest.raises(OSError, match="this Python has no Bluetooth sockets") as caught:
        hci.open_user_channel()
    assert hci.trouble_of(caught.value) is hci.AdapterTrouble.UNSUPPORTED
    assert "/usr/bin/python3" in hci.remedy(hci.AdapterTrouble.UNSUPPORTED)


def test_the_length_is_two_bytes_little_endian():
    assert framed(b"abc") == b"\x03\x00abc"


@pytest.mark.parametrize("length", [0, MAX_FRAME + 1])
def test_lengths_out_of_bounds_are_refused_on_both_sides(length):
    with pytest.raises(ValueError, match=f"not {length}: split it"):
        framed(bytes(length))
    with pytest.raises(FramingError, match=f"a frame of {length} bytes"):
        FrameAssembler().feed(length.to_bytes(2, "little"))
