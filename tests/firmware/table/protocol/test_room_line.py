"""A sealed line between one guest and the host of a room."""

import os

from firmware.table.protocol.room_line import GuestLine, HostLines, host_key_of


def _opened() -> tuple[GuestLine, HostLines, bytes]:
    private = os.urandom(32)
    host = HostLines(b"hhhhhh", private, os.urandom)
    guest = GuestLine(b"gggggg", host_key_of(private), os.urandom)
    guest.send(b"first")
    guest.tick(0)
    for frame in guest.take():
        assert host.receive(frame, 0) == []
    for _, frame in host.take():
        guest.receive(frame, 0)
    found = [each for frame in guest.take() for each in host.receive(frame, 0)]
    assert guest.is_open
    assert [message for _, message in found] == [b"first"]
    return guest, host, found[0][0]


def test_the_longest_message_comes_whole_out_of_order_and_twice() -> None:
    guest, host, line = _opened()
    host.send(line, bytes(65_536))
    frames = [frame for _, frame in host.take()]
    found = [each for frame in (*frames[::-1], *frames) for each in guest.receive(frame, 1)]
    assert found == [bytes(65_536)]
    assert max(map(len, frames)) <= 4096


def test_a_forged_frame_does_not_end_a_line_but_a_lost_one_does() -> None:
    guest, host, line = _opened()
    host.send(line, b"lost")
    ((_, lost),) = host.take()
    assert guest.receive(lost[:-1] + bytes((lost[-1] ^ 1,)), 1) == []
    guest.tick(2)
    assert not guest.is_lost
    host.send(line, b"later")
    for _, frame in host.take():
        assert guest.receive(frame, 3) == []
    guest.tick(10_000_000)
    assert guest.is_lost
