"""The queue of stores and frames: nothing leaves before what it depends on is on the disk."""

import asyncio
from contextlib import suppress

import pytest

from firmware.effects import SendToDevice, Store, Stored
from firmware.journal import Put
from firmware.journal.sqlite import JournalError
from firmware.runtime.runtime import Observers, Ports, StoreOrderError, Writer
from hw_sim.clock import run

BATCH = (Put("cup", b"\x01"),)
BEN = bytes(6)


def written(*effects, fails_at=None, then=()):
    """What a writer does with effects, and ``then`` with more; the store ``fails_at`` fails."""
    done = []

    async def write(batch):
        await asyncio.sleep(0.01)
        if len([entry for entry in done if isinstance(entry, Stored)]) == fails_at:
            raise JournalError("journal: disk is full: free some space")
        done.append(batch)

    ports = Ports(
        write, lambda *what: done.append(what), observers=Observers(troubles=[done.append])
    )

    async def main():
        writer = Writer(ports, done.append)
        for wave in (effects, then) if then else (effects,):
            for effect in wave:
                writer.add(effect)
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await writer.serve()
        return done

    return run(main())


def test_frames_follow_what_they_depend_on():
    done = written(
        Store(1, BATCH),
        SendToDevice(BEN, b"cup", 1),
        SendToDevice(BEN, b"free"),
        SendToDevice(None, b"near", 1),
    )
    assert done == [BATCH, Stored(1), (BEN, b"cup"), (BEN, b"free"), (None, b"near")]


def test_a_frame_before_its_store_never_leaves():
    with pytest.raises(StoreOrderError, match="store 1"):
        written(SendToDevice(BEN, b"cup", 1), Store(1, BATCH))


def test_a_ticket_that_is_used_again_is_not_on_the_disk_yet():
    """Every match counts its tickets anew."""
    again = (SendToDevice(BEN, b"", 1), Store(1, BATCH))
    with pytest.raises(StoreOrderError, match="store 1"):
        written(Store(1, BATCH), SendToDevice(BEN, b"", 1), then=again)


def test_after_a_store_that_failed_nothing_is_done_any_more():
    done = written(Store(1, BATCH), SendToDevice(BEN, b"cup", 1), Store(2, BATCH), fails_at=0)
    assert done == [Stored(1, "journal: disk is full: free some space")]
