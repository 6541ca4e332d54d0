"""BluetoothLink on simulated controllers: what it promises to the protocol above it."""

import asyncio
import logging
import random
import sys
from collections.abc import Awaitable, Callable
from inspect import Signature, signature
from itertools import permutations

import pytest
from bumble.device import Device
from bumble.hci import Address, HCI_Read_BD_ADDR_Command, OwnAddressType
from bumble.host import Host
from bumble.l2cap import LeCreditBasedChannelSpec

from firmware.link.bluetooth.channel import OPEN_S, PSM, Channel
from firmware.link.bluetooth.connect_command import connect_command
from firmware.link.bluetooth.hci import RadioError, open_hci
from firmware.link.bluetooth.link import FRESH_S, IDLE_S, BluetoothLink
from firmware.link.bluetooth.peer import QUEUE_FRAMES, replaces
from firmware.link.bluetooth.steady import AGAIN_MOST_S, PROBE_S, SILENT_S
from firmware.link.framing import MAX_FRAME, framed
from firmware.table.protocol.header import VERSION
from firmware.table.protocol.invitations import device_of
from firmware.table.protocol.kinds import MessageKind
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.clock.virtual import run

PROFILE = "ideal"


@pytest.fixture(params=["ideal", "pi"], autouse=True)
def _on_each_controller(request, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "PROFILE", request.param)


class Table:
    """Links on one air, by seat, and what each of them received."""

    def __init__(self, seats: int, seed: int = 1, failure_rate: float = 0.0, extended: bool = True):
        self.loop = asyncio.get_running_loop()
        self.air = BluetoothAir(seed, self.loop, connect_failure_rate=failure_rate, profile=PROFILE)
        self.extended = extended
        self.devices = [self.device(seat) for seat in range(seats)]
        self.frames: dict[int, list[bytes]] = {seat: [] for seat in range(seats)}
        self.times: dict[int, list[float]] = {seat: [] for seat in range(seats)}
        self.on_state: Callable[[int, bool], None] = lambda _seat, _up: None
        self.links: list[BluetoothLink] = [self.link(seat) for seat in range(seats)]

    def device(self, seat: int) -> bytes:
        return device_of(self.air.address(seat))

    def link(self, seat: int) -> BluetoothLink:
        def on_frame(frame: bytes) -> None:
            self.frames[seat].append(frame)
            self.times[seat].append(self.loop.time())

        others = [device for device in self.devices if device != self.device(seat)]
        controller = self.air.opener(seat, extended=self.extended)
        link = BluetoothLink(controller, self.device(seat), on_frame, others)
        link.on_state = lambda _, up: self.on_state(seat, up)
        return link

    def send(self, seat: int, to: int, frame: bytes) -> None:
        self.links[seat].send(self.device(to), frame)

    def is_up(self, seat: int, other: int) -> bool:
        return self.links[seat].is_up(self.device(other))

    async def start(self) -> "Table":
        for link in self.links:
            await link.start()
        return self


def on_table(seats: int, play: Callable[[Table], Awaitable[None]], **options) -> Table:
    """Run ``play`` on a started table; the run fails on any exception nobody awaited."""

    async def main() -> Table:
        table = await Table(seats, **options).start()
        await play(table)
        for link in table.links:
            await link.stop()
        return table

    return run(main(), limit_s=3600)


def at_a_table(seats: int, **options):
    """Have a test run at a started table, which is its first argument."""

    def decorated(test):
        def run_test(**arguments):
            on_table(seats, lambda table: test(table, **arguments), **options)

        of_pytest = list(signature(test).parameters.values())[1:]
        run_test.__signature__ = Signature(of_pytest)
        run_test.__doc__ = test.__doc__
        return run_test

    return decorated


def on_tables(trials: int, seats: int, play: Callable[[Table, int], Awaitable[None]], **options):
    """Run ``play(table, trial)`` on one table after the other; the trial is also the seed."""

    async def main() -> None:
        for trial in range(trials):
            table = await Table(seats, seed=trial, **options).start()
            await play(table, trial)
            for link in table.links:
                await link.stop()

    run(main(), limit_s=36000)


async def impostor(table: Table, seat: int) -> Device:
    """Put a bare device of bumble in the place of a seat's handheld."""
    table.links[seat].abandon()
    transport = table.air.transport(seat)
    device = Device(
        name="impostor",
        address=Address(table.air.address(seat)),
        host=Host(transport.source, transport.sink),
    )
    await device.power_on()
    return device


@at_a_table(2)
async def test_a_frame_reaches_a_cold_peer_and_the_answer_takes_the_same_connection(table):
    table.send(0, 1, b"offer")
    await asyncio.sleep(0.8)
    table.send(1, 0, b"taken")
    await asyncio.sleep(0.1)
    assert table.is_up(0, 1)
    assert table.is_up(1, 0)
    assert table.frames == {0: [b"taken"], 1: [b"offer"]}
    assert table.air.connections == 1


def test_cold_frames_arrive_within_the_modelled_times():
    """50 to 500 ms to connect, then at most four events of at most 30 ms each."""
    delays = []

    async def play(table: Table, trial: int) -> None:
        table.send(0, 1, b"offer")
        began = table.loop.time()
        await asyncio.sleep(1)
        delays.append(table.times[1][0] - began)

    on_tables(30, 2, play)
    assert min(delays) > 0.05
    assert max(delays) <= 0.5 + 4 * 0.03
    assert max(delays) - min(delays) > 0.2


def test_frames_of_every_length_arrive_whole_and_in_order_both_ways():
    frames = [bytes([length % 251]) * length for length in (1, 2, 53, 245, 246, 510, MAX_FRAME)]

    async def play(table: Table) -> None:
        for _ in range(2):
            for frame in frames:
                table.send(0, 1, frame)
                table.send(1, 0, frame)
            await asyncio.sleep(2.5)

    table = on_table(2, play)
    assert table.frames[1] == frames * 2
    assert table.frames[0] == frames * 2


@at_a_table(2)
async def test_many_frames_outlast_the_credits_of_a_channel(table):
    table.send(0, 1, b"first")
    await asyncio.sleep(1)
    for number in range(400):
        table.send(0, 1, number.to_bytes(2, "big") * 60)
    await asyncio.sleep(20)
    got = [int.from_bytes(frame[:2], "big") for frame in table.frames[1][1:]]
    assert got == list(range(400))
    assert table.air.connections == 1


@at_a_table(2)
async def test_a_connection_is_kept_while_used_and_closed_when_idle(table):
    table.send(0, 1, b"a")
    for _ in range(10):
        await asyncio.sleep(IDLE_S * 0.8)
        table.send(1, 0, b"b")
    assert table.air.connections == 1
    await asyncio.sleep(IDLE_S * 0.9)
    assert table.air.linked(0, 1)
    await asyncio.sleep(IDLE_S * 0.2)
    assert not table.air.linked(0, 1)
    assert not table.is_up(0, 1)
    assert not table.is_up(1, 0)
    table.send(1, 0, b"again")
    await asyncio.sleep(1)
    assert table.frames[0][-1] == b"again"
    assert table.air.connections == 2


@at_a_table(2)
async def test_what_is_sent_while_a_connection_closes_goes_over_the_next(table):
    def on_state(seat: int, up: bool) -> None:
        if seat == 0 and not up and table.frames[1][-1] == b"first":
            table.send(0, 1, b"over the next")

    table.on_state = on_state
    for _ in range(20):
        table.send(0, 1, b"first")
        await asyncio.sleep(4 * IDLE_S)
    assert table.frames[1] == [b"first", b"over the next"] * 20


@at_a_table(2)
async def test_a_full_queue_keeps_the_newest(table):
    table.air.absent(1)
    for number in range(QUEUE_FRAMES + 20):
        table.send(0, 1, bytes([number]))
    await asyncio.sleep(1)
    table.air.present(1)
    await asyncio.sleep(3)
    assert [frame[0] for frame in table.frames[1]] == list(range(20, QUEUE_FRAMES + 20))


@at_a_table(2)
async def test_stale_frames_are_dropped_and_fresh_ones_are_not(table):
    table.air.absent(1)
    table.send(0, 1, b"stale")
    await asyncio.sleep(FRESH_S)
    table.send(0, 1, b"fresh")
    await asyncio.sleep(1)
    table.air.present(1)
    await asyncio.sleep(4)
    assert table.frames[1] == [b"fresh"]


def test_attempts_end_when_nothing_fresh_is_queued():
    async def main() -> None:
        table = await Table(2).start()
        table.air.absent(1)
        table.send(0, 1, b"stale")
        await asyncio.sleep(20)
        assert table.air.seeking == 0

    run(main())


CUP = bytes([VERSION << 4 | MessageKind.PROPOSE]) + b" to you"
RECORD = bytes([VERSION << 4 | MessageKind.LOG]) + b" for all"


def test_the_cup_is_connected_for_before_the_record():
    waits = []

    async def play(table: Table, trial: int) -> None:
        for seat in range(1, 7):
            table.send(0, seat, RECORD)
        table.send(0, 7, CUP)
        began = table.loop.time()
        await asyncio.sleep(4.9)
        waits.append(table.times[7][0] - began)
        assert all(table.frames[seat] == [RECORD] for seat in range(1, 7))

    on_tables(5, 8, play)
    assert max(waits) <= 0.5 + 4 * 0.03


@at_a_table(8)
async def test_an_absent_seat_that_the_cup_is_for_lets_the_others_have_their_record(table):
    table.air.absent(1)
    for seat in range(1, 8):
        table.send(0, seat, CUP if seat == 1 else RECORD)
    for _ in range(10):
        await asyncio.sleep(0.5)
        table.send(0, 1, CUP)
    assert table.frames[1] == []
    assert all(table.frames[seat] == [RECORD] for seat in range(2, 8))


@at_a_table(5)
async def test_an_absent_peer_delays_the_others_by_one_attempt_at_most(table):
    table.air.absent(1)
    table.send(0, 1, b"anybody there?")
    await asyncio.sleep(0.01)
    for seat in (2, 3, 4):
        table.send(0, seat, b"news")
    await asyncio.sleep(5)
    assert [len(table.frames[seat]) for seat in (1, 2, 3, 4)] == [0, 1, 1, 1]
    table.send(0, 1, b"and now?")
    table.air.present(1)
    await asyncio.sleep(3)
    assert table.frames[1] == [b"and now?"]


@pytest.mark.parametrize("extended", [True, False])
def test_two_that_connect_to_each_other_end_up_with_one_connection(extended):

    async def play(table: Table, trial: int) -> None:
        table.send(0, 1, b"from 0")
        await asyncio.sleep(trial * 0.02)
        table.send(1, 0, b"from 1")
        await asyncio.sleep(5)
        assert table.air.connections == 1
        assert table.frames == {0: [b"from 1"], 1: [b"from 0"]}

    on_tables(20, 2, play, extended=extended)


def test_a_crossed_attempt_ends_at_once_and_frees_the_way_to_others():
    async def play(table: Table, trial: int) -> None:
        table.send(0, 1, b"from 0")
        table.send(1, 0, b"from 1")
        table.send(0, 2, b"news")
        table.send(1, 3, b"news")
        await asyncio.sleep(1.8)
        assert table.frames[2] == [b"news"]
        assert table.frames[3] == [b"news"]

    on_tables(20, 4, play)


@pytest.mark.parametrize(("seed", "extended"), [(1, True), (2, True), (3, False)])
def test_eight_handhelds_talk_in_all_directions(seed, extended):
    seats = range(8)

    async def play(table: Table) -> None:
        for _ in range(3):  # what does not arrive is sent again, by the protocol above
            for seat in seats:
                for other in seats:
                    if bytes([seat, other]) not in table.frames[other] and other != seat:
                        table.send(seat, other, bytes([seat, other]))
            await asyncio.sleep(FRESH_S)

    table = on_table(8, play, seed=seed, extended=extended)
    for seat in seats:
        expected = {bytes([other, seat]) for other in seats if other != seat}
        assert set(table.frames[seat]) == expected


@at_a_table(8)
async def test_all_others_connect_to_one_at_once(table):
    for seat in range(1, 8):
        table.send(seat, 0, bytes([seat]))
    await asyncio.sleep(3 * IDLE_S)
    assert all(table.is_up(0, seat) is False for seat in range(1, 8))
    assert sorted(table.frames[0]) == [bytes([seat]) for seat in range(1, 8)]


@at_a_table(2, failure_rate=0.5)
async def test_failed_connections_are_tried_again(table):
    for number in range(20):
        table.send(0, 1, bytes([number]))
        await asyncio.sleep(FRESH_S + IDLE_S)
    assert table.air.failures > 5
    assert [frame[0] for frame in table.frames[1]] == list(range(20))


def test_a_link_cut_at_any_instant_is_told_on_both_sides_and_made_again():

    async def play(table: Table, trial: int) -> None:
        table.send(0, 1, b"before")
        await asyncio.sleep(0.05 + trial * 0.02)
        cut = table.air.cut(0, 1)
        table.send(0, 1, b"into the void")
        table.send(1, 0, b"into the void")
        await asyncio.sleep(FRESH_S + 3)
        assert table.air.losses == cut
        table.send(1, 0, b"after")
        await asyncio.sleep(1.5)
        assert table.frames[0][-1] == b"after"

    on_tables(30, 2, play)


@at_a_table(2)
async def test_a_rebooted_handheld_is_found_again(table):
    table.send(0, 1, b"one")
    await asyncio.sleep(1)
    table.links[1].abandon()
    table.air.switch_off(1)
    await asyncio.sleep(1)
    assert table.is_up(0, 1)
    table.links[1] = table.link(1)
    await table.links[1].start()
    table.send(1, 0, b"back")
    await asyncio.sleep(4)
    table.send(0, 1, b"two")
    await asyncio.sleep(1)
    assert table.frames == {0: [b"back"], 1: [b"one", b"two"]}


def test_the_power_may_go_at_any_instant():

    async def play(table: Table, trial: int) -> None:
        table.send(0, 1, b"a")
        table.send(2, 1, b"b")
        await asyncio.sleep(trial * 0.04)
        table.links[1].abandon()
        table.air.switch_off(1)
        table.links[1] = table.link(1)
        await asyncio.sleep(15)
        assert [link.is_up(1) for link in (table.links[0], table.links[2])] == [False] * 2
        await table.links[1].start()
        table.send(0, 1, b"c")
        await asyncio.sleep(2)
        assert table.frames[1][-1] == b"c"

    on_tables(20, 3, play)


@at_a_table(2)
async def test_strangers_are_turned_away_and_keep_nobody_out(table):
    heard: list[bytes] = []
    device, known = table.device(9), [table.device(0)]
    stranger = BluetoothLink(table.air.opener(9), device, heard.append, known)
    await stranger.start()
    stranger.send(table.device(0), b"let me in")
    for number in range(5):
        table.send(1, 0, bytes([number]))
        await asyncio.sleep(1.5)
    assert table.air.connections > 1
    assert heard == []
    await stranger.stop()
    assert table.frames[0] == [bytes([number]) for number in range(5)]


def test_who_is_told_to_end_while_its_controller_starts_ends():
    """At any step of the loop: answers come together with the word to end, too."""

    async def ends_at(step: int) -> bool:
        table = Table(1)
        starting = asyncio.ensure_future(table.links[0].start())
        for _ in range(step):
            await asyncio.sleep(0)
        was_started = starting.done()
        starting.cancel()
        await asyncio.wait((starting,))
        table.links[0].abandon()
        assert was_started or starting.cancelled(), f"step {step}"
        return was_started

    step = 0
    while not run(ends_at(step)):
        step += 1
    assert step > 20


@at_a_table(2)
async def test_stop_sends_what_a_connection_has_taken_and_says_goodbye(table):
    table.send(0, 1, b"hello")
    await asyncio.sleep(1)
    table.send(0, 1, b"last words" * 100)
    await table.links[0].stop()
    await asyncio.sleep(0.1)
    assert not table.is_up(1, 0)
    table.send(0, 1, b"from the grave")
    table.send(1, 0, b"where are you?")
    await asyncio.sleep(10)
    assert table.frames == {0: [], 1: [b"hello", b"last words" * 100]}


def test_stop_in_the_middle_of_connecting_leaves_nothing_behind():

    async def play(table: Table, trial: int) -> None:
        table.send(0, 1, b"hello")
        await asyncio.sleep(trial * 0.02)
        await table.links[0].stop()
        await asyncio.sleep(1)
        assert not table.air.linked(0, 1)
        assert table.air.seeking == 0

    on_tables(30, 2, play)


@pytest.mark.parametrize("nonsense", [b"\0\0", b"\xff\xff", b"\1\0A\0\0"])
@at_a_table(2)
async def test_a_peer_that_talks_nonsense_is_disconnected_and_may_come_back(table, nonsense):
    hostile = await impostor(table, 1)
    connection = await hostile.connect(Address(table.air.address(0)))
    channel = await connection.create_l2cap_channel(LeCreditBasedChannelSpec(psm=PSM))
    await asyncio.sleep(0.1)
    assert table.is_up(0, 1)
    channel.write(nonsense)
    await asyncio.sleep(0.2)
    assert hostile.connections == {}
    assert not table.is_up(0, 1)
    table.links[1] = table.link(1)
    await table.links[1].start()
    table.send(1, 0, b"sorry")
    await asyncio.sleep(1)
    assert table.frames[0][-1] == b"sorry"


@at_a_table(2)
async def test_a_peer_that_connects_and_stays_silent_is_disconnected(table):
    mute = await impostor(table, 1)
    await mute.connect(Address(table.air.address(0)))
    await asyncio.sleep(OPEN_S - 0.1)
    assert len(mute.connections) == 1
    await asyncio.sleep(0.2)
    assert mute.connections == {}


@at_a_table(2)
async def test_a_second_channel_on_a_connection_is_ignored(table):
    greedy = await impostor(table, 1)
    connection = await greedy.connect(Address(table.air.address(0)))
    channels = [
        await connection.create_l2cap_channel(LeCreditBasedChannelSpec(psm=PSM)) for _ in range(2)
    ]
    for number in (1, 0):
        channels[number].write(framed(bytes([number])))
    await asyncio.sleep(0.2)
    assert table.frames[0] == [b"\0"]


@at_a_table(2)
async def test_a_peer_that_refuses_the_channel_is_tried_again_with_patience(table):
    deaf = await impostor(table, 1)
    connections: list[object] = []
    deaf.on("connection", connections.append)
    await deaf.start_advertising(auto_restart=True)
    table.send(0, 1, b"hello?")
    await asyncio.sleep(20)
    assert 3 <= len(connections) <= 10


def test_both_sides_choose_the_same_of_two_connections():
    for me, seat in permutations((bytes([device]) * 6 for device in range(8)), 2):
        if me != seat:
            # A connection is named by its central. Outgoing here is incoming there.
            for central_new, central_former in ((me, seat), (seat, me)):
                here = replaces(me, seat, new=central_new == me, former=central_former == me)
                there = replaces(seat, me, new=central_new == seat, former=central_former == seat)
                assert here == there == (central_new < central_former)
            assert replaces(me, seat, new=True, former=True)
            assert replaces(me, seat, new=False, former=False)


@pytest.mark.parametrize("me", [0, 1])
@at_a_table(2)
async def test_of_two_connections_one_is_kept_and_the_other_closed(table, me):
    """Simulated controllers never have two; real ones can, for an instant."""

    table.send(0, 1, b"hello")
    await asyncio.sleep(1)
    closed: list[object] = []

    async def disconnect(connection: object) -> None:
        closed.append(connection)

    former = table.links[me]._peers.get(table.device(1 - me)).channel
    rival = Channel(
        former.address, former.connection, outgoing=not former.outgoing, disconnect=disconnect
    )
    rival.opened(former._channel)
    table.links[me]._adopt(rival)
    await asyncio.sleep(1)
    # Seat 0 is the central of the former, and 0 is lower than 1: it stays.
    assert closed == [former.connection]
    assert table.is_up(me, 1 - me)
    table.send(0, 1, b"still here")
    newer = Channel(
        former.address, former.connection, outgoing=former.outgoing, disconnect=disconnect
    )
    newer.opened(former._channel)
    await asyncio.sleep(0.2)
    table.links[me]._adopt(newer)
    assert table.links[me]._peers.get(table.device(1 - me)).channel is newer
    assert table.frames[1] == [b"hello", b"still here"]


def stamped(sender: int, number: int) -> bytes:
    return (bytes([sender]) + number.to_bytes(4, "big")) * 10


@pytest.mark.parametrize("seed", range(2))
def test_a_storm_of_cuts_absences_and_reboots_never_doubles_or_reorders_frames(seed):
    chance = random.Random(seed)
    seats = range(6)
    lately: list[int] = []

    async def play(table: Table) -> None:
        sent = 0
        for _ in range(400):
            one, other = chance.sample(seats, 2)
            match chance.randrange(11):
                case 0:
                    table.air.cut(one, other)
                case 1:
                    table.air.absent(one)
                    table.loop.call_later(chance.uniform(0, 6), table.air.present, one)
                case 2:
                    table.links[one].abandon()
                    table.air.switch_off(one)
                    table.links[one] = table.link(one)
                    await table.links[one].start()
                case _:
                    for _ in range(chance.choice((1, 1, 1, 20))):
                        sent += 1
                        table.send(one, other, stamped(one, sent))
            await asyncio.sleep(chance.choice((0, 0.01, 0.1, 0.5)))
        await asyncio.sleep(30)
        for seat in seats:
            assert not any(table.is_up(seat, other) for other in seats if other != seat)
        lately.append(sent)
        for one in seats:
            for other in seats:
                if one != other:
                    table.send(one, other, stamped(one, sent + 1))
                    await asyncio.sleep(2)

    table = on_table(6, play, seed=seed, failure_rate=0.05)
    for seat in seats:
        for sender in seats:
            got = [frame for frame in table.frames[seat] if frame[0] == sender]
            assert got == sorted(set(got))
            assert all(frame == frame[:5] * 10 for frame in got)
            if sender != seat:
                assert int.from_bytes(got[-1][1:5], "big") == lately[0] + 1
    assert sum(len(frames) for frames in table.frames.values()) > 0.3 * lately[0]


@at_a_table(8)
async def test_links_that_say_nothing_cost_a_question_now_and_then(table):
    asked = []
    for controller in table.air.controllers:
        send = controller.on_packet
        controller.on_packet = lambda packet, send=send: (asked.append(packet), send(packet))
    await asyncio.sleep(100 * PROBE_S)
    assert len(asked) <= 8 * 100
    assert set(asked) == {bytes(HCI_Read_BD_ADDR_Command())}


def test_a_controller_that_does_not_answer_is_one_clear_line():
    async def main() -> None:
        air = BluetoothAir(1, asyncio.get_running_loop())

        async def opened():
            transport = air.transport(0)
            air.switch_off(0)
            return transport

        link = BluetoothLink(opened, device_of(air.address(0)), print)
        with pytest.raises(RadioError, match="HCI_RESET_COMMAND was not answered") as told:
            await link.start()
        assert "\n" not in str(told.value)
        await link.stop()

    run(main())


@pytest.mark.parametrize("harm", ["fall_mute", "fail"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_controller_that_dies_at_any_instant_is_opened_again_within_a_minute(harm, seat):
    async def play(table: Table, trial: int) -> None:
        table.send(0, 1, b"before")
        await asyncio.sleep(trial * 0.05)
        (controller,) = table.air.controllers_of(seat)
        getattr(controller, harm)()
        await asyncio.sleep(60)
        table.send(0, 1, b"after")
        table.send(1, 0, b"and back")
        await asyncio.sleep(4)
        assert table.frames[1][-1] == b"after"
        assert table.frames[0] == [b"and back"]
        assert all(link.is_well for link in table.links)

    on_tables(12, 2, play)


@at_a_table(2)
async def test_a_controller_that_stays_away_is_told_to_the_watchdog_and_taken_back(table):
    link, opened = table.links[0], table.links[0]._radio._open_controller

    async def gone():
        raise RadioError("the Bluetooth adapter hci-socket:0 cannot be opened")

    link._radio._open_controller = gone
    table.air.controllers_of(0)[0].fail()
    await asyncio.sleep(SILENT_S - 1)
    assert link.is_well
    await asyncio.sleep(PROBE_S + 2)
    assert not link.is_well
    link._radio._open_controller = opened
    await asyncio.sleep(AGAIN_MOST_S + 1)
    assert link.is_well
    table.send(1, 0, b"there you are")
    await asyncio.sleep(2)
    assert table.frames[0] == [b"there you are"]


@at_a_table(2)
async def test_a_connection_that_is_not_allowed_is_asked_for_again(table):
    controller = table.air.controllers[0]
    absent = Address(table.air.address(9))
    host = table.links[0]._radio._radio.host
    table.air.absent(0)
    controller.le_legacy_advertiser.stop()
    await asyncio.sleep(0.1)
    controller.on_packet(bytes(connect_command(host, OwnAddressType.RANDOM, absent)))
    await asyncio.sleep(0.1)
    assert controller.pending_le_connection.peer_address == absent
    table.air.present(0)
    table.send(0, 1, b"in spite of it")
    await asyncio.sleep(1)
    assert table.frames[1] == [b"in spite of it"]


@at_a_table(8)
async def test_all_are_reached_though_a_controller_has_few_connections(table):
    for seat in range(1, 8):
        table.send(0, seat, RECORD)
    await asyncio.sleep(FRESH_S)
    assert all(table.frames[seat] == [RECORD] for seat in range(1, 8))


@at_a_table(8)
async def test_who_had_no_room_to_be_found_is_found_once_there_is_some(table):
    for seat in range(1, 6):
        table.send(0, seat, b"hello")
    await asyncio.sleep(2 * IDLE_S + 2)
    assert not any(table.is_up(0, seat) for seat in range(1, 8))
    table.send(6, 0, b"and you?")
    await asyncio.sleep(2)
    assert table.frames[0] == [b"and you?"]


def test_what_a_controller_can_do_at_once_is_logged_once(caplog):
    caplog.set_level(logging.INFO, "firmware.link.bluetooth.host")

    async def play(table: Table) -> None:
        table.send(0, 1, b"hello")
        await asyncio.sleep(1)

    on_table(2, play)
    assert sum("LE states" in line for line in caplog.messages) == 2


def test_bumble_is_silent_unless_its_level_is_set(caplog):
    logger = logging.getLogger("bumble")
    level = logger.level
    logger.setLevel(logging.NOTSET)
    try:

        async def play(table: Table) -> None:
            table.send(0, 1, b"hello")
            await asyncio.sleep(0.3)
            table.air.cut(0, 1)
            await asyncio.sleep(5)

        on_table(2, play)
        assert [record for record in caplog.records if record.name.startswith("bumble")] == []
        logger.setLevel(logging.DEBUG)
        on_table(2, play)
        assert logger.level == logging.DEBUG
    finally:
        logger.setLevel(level)


@at_a_table(2)
async def test_what_cannot_be_sent_is_refused(table):
    link = table.links[0]
    for frame in (b"", bytes(MAX_FRAME + 1)):
        with pytest.raises(ValueError, match="1 to 4096 bytes"):
            link.send(table.device(1), frame)
    for seat in (0, 2):
        with pytest.raises(ValueError, match="no other device of this table"):
            link.send(table.device(seat), b"x")


def test_addresses_that_cannot_be_right_are_refused():
    async def main() -> None:
        air = BluetoothAir(1, asyncio.get_running_loop())
        one, other = (device_of(air.address(seat)) for seat in (0, 1))
        for known in ([one], [other, other]):
            with pytest.raises(ValueError, match="the same Bluetooth address"):
                BluetoothLink(air.opener(0), one, print, known)

    run(main())


def test_an_adapter_that_cannot_be_opened_is_one_clear_line():
    async def main() -> None:
        await open_hci("no-such-transport:0")

    with pytest.raises(RadioError, match=r"no-such-transport:0' cannot be opened .*hci-socket:0"):
        asyncio.run(main())
