"""A table in virtual time that is dealt out: done again it is the same, and faults are survived."""

import asyncio
import json
from dataclasses import fields, replace
from math import pi, sin

import pytest

from firmware.cli.console import DONE, REFUSED, WRONG, CommandError
from firmware.table.seat.position import Position
from game import rule_set
from hw_sim.cli.main import main
from hw_sim.clock.paced import PacedLoop
from hw_sim.hand.control.pointer import SPRING_HZ, DragMotion, FeltMotion, Pacer
from hw_sim.live.web.bench.decoder import decode_packet
from hw_sim.live.web.bench.vcd import vcd
from hw_sim.live.web.keeper import Keeper
from hw_sim.live.world import commands
from hw_sim.live.world.commands import FAULTS, Drag, Lift, SetBusErrors, SetFault, Touch
from hw_sim.live.world.replay import replayed
from hw_sim.live.world.session import read
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table.setup import TableSetup


def setup(game="class", players=3, people=1, seed=3, kinds=KINDS, **options):
    table = TableSetup(rule_set(game, options), players, seed)
    return WorldSetup(table, people, tuple(kinds[i % len(kinds)] for i in range(players - people)))


def drag(since_us, lasts_s=1.8, hz=3.5, reach_m=0.06):
    """Samples of a picture that is dragged to and fro."""
    count = round(lasts_s * 60)
    return tuple(
        (since_us + round(i / 60 * 1e6), reach_m * sin(2 * pi * hz * i / 60), 0.0)
        for i in range(count)
    )


def folder(path, name):
    made = path / name
    made.mkdir()
    return made


@pytest.mark.parametrize("game", ["class", "maxen", "sevens"])
def test_bots_of_every_kind_play_a_game_of_each_family(tmp_path, game):
    players = len(KINDS)
    world = World(setup(game, players=players, people=0), tmp_path)
    for second in range(1, 150):
        world.advance(second * 1_000_000)
        assert world.trouble is None
    hops = max(seat.hop for seat in world.table.seats)
    leaks = [leak for seat in world.table.seats for leak in seat.watch.leaks]
    world.close()
    assert hops >= players
    assert leaks == []


def test_a_session_done_again_is_the_same_to_the_byte(tmp_path):
    world = World(setup("sevens", players=2, rounds=1), folder(tmp_path, "live"))
    steps = [17_000, 333_333, 1_000, 250_000]
    for turn in range(400):
        world.advance(world.now_us + steps[turn % len(steps)])
        if turn == 90:
            world.do(Drag(0, drag(world.now_us + 15_000)))
        if turn == 150:
            world.do(Lift(0, open=True))
        if turn == 170:
            world.do(Lift(0, open=False))
            world.do(SetFault(0, "brownout", there=True))
        if turn == 250:
            world.do(Touch(0, down=True))
            world.do(SetBusErrors(4.0))
        if turn == 260:
            world.do(Touch(0, down=False))
    digest = world.digest()
    session = read(world.close().text(), "played")
    assert session.digest == digest
    again = replayed(session, folder(tmp_path, "again"))
    assert again.digest() == digest
    again.close()
    session.stimuli.clear()
    other = replayed(session, folder(tmp_path, "other"))
    assert other.digest() != digest
    other.close()


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        (commands.Drag(1, ((5, 0.25, -0.5),)), '[1, "drag", [[[5, 0.25, -0.5]]]]'),
        (commands.Feel(1, ((5, 0.0, 1.0, 9.8),)), '[1, "felt", [[[5, 0.0, 1.0, 9.8]]]]'),
        (commands.Lift(2, open=True), '[2, "lift", [true]]'),
        (commands.Touch(2, down=False), '[2, "touch", [false]]'),
        (commands.Tilt(0, 20.0, -5.0), '[0, "tilt", [20.0, -5.0]]'),
        (commands.PressKey(0, "shake", down=True), '[0, "key", ["shake", true]]'),
        (commands.Drop(3), '[3, "drop", []]'),
        (commands.SetFault(1, "link", there=True), '[1, "fault", ["link", true]]'),
        (commands.SetLight(40.0), '[0, "lux", [40.0]]'),
        (commands.SetNoise(0.5), '[0, "noise", [0.5]]'),
        (commands.SetBusErrors(4.0), '[0, "errors", [4.0]]'),
    ],
)
def test_a_session_keeps_a_command_as_it_always_did(command, kept):
    assert json.dumps(commands.encode(command)) == kept
    assert commands.decode(*json.loads(kept)) == command


def test_the_command_line_plays_a_session_again(tmp_path, capsys):
    world = World(setup("sevens", players=2, rounds=1), folder(tmp_path, "live"))
    for _ in range(300):
        world.advance(world.now_us + 100_000)
        if "shake ·" in world.shown.get(0, "") and not world.session.stimuli:
            world.do(Drag(0, drag(world.now_us + 15_000)))
    file = tmp_path / "session.jsonl"
    file.write_text(world.close().text(), encoding="utf-8")
    assert main(["replay", str(file)]) == DONE
    told = capsys.readouterr().out
    assert "Ben throws" in told
    assert "the same to the byte" in told
    assert main(["replay", str(file), "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["same"] is True
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *lines[2:]]))
    assert main(["replay", str(file)]) == WRONG
    for spoilt in (
        lines[0].replace('"players": 2', '"players": 99'),
        lines[0] + '\n[5, 0, "lift", []]',
        lines[0] + '\n[5, 7, "drag", [[[1, 2]]]]',
    ):
        file.write_text(spoilt)
        assert main(["replay", str(file)]) == REFUSED
        assert f"session {file}: n" in capsys.readouterr().err


def test_dragging_the_picture_throws(tmp_path):
    world = World(setup("sevens", players=2, rounds=1), tmp_path)
    while "shake ·" not in world.shown.get(0, ""):
        world.advance(world.now_us + 100_000)
        assert world.now_us < 60_000_000
    world.advance(world.now_us + 500_000)
    world.do(Drag(0, drag(world.now_us + 15_000)))
    world.advance(world.now_us + 4_000_000)
    assert "lift = show" in world.shown[0] or "lift the cup" in world.shown[0]
    world.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_survived(tmp_path, fault):
    world = World(setup(people=0), tmp_path)
    world.advance(3_000_000)
    world.do(SetFault(1, fault, there=True))
    world.advance(5_000_000)
    if fault != "brownout":
        assert world.power.broken(1) == [fault]
        world.do(SetFault(1, fault, there=False))
    world.advance(8_000_000)
    assert world.power.broken(1) == []
    before = max(seat.hop for seat in world.table.seats)
    world.advance(100_000_000)
    assert world.trouble is None
    assert max(seat.hop for seat in world.table.seats) > before
    assert all(seat.handheld.position is not Position.STOPPED for seat in world.table.seats)
    world.close()


def hops(world):
    return max(seat.hop for seat in world.table.seats)


@pytest.mark.parametrize("plague", [commands.SetNoise(4.0), SetBusErrors(20.0)])
def test_a_table_outlives_noise_and_errors_on_every_bus(tmp_path, plague):
    """However long it lasted, and were the handhelds asleep: then everybody plays on."""
    world = World(setup(people=0, seed=1), tmp_path)
    world.advance(5_000_000)
    world.do(plague)
    world.advance(60_000_000)
    assert world.trouble is None
    assert max(seat.board.bus.failures_due for seat in world.table.seats) <= 3
    world.do(replace(plague, **dict.fromkeys(vars_of(plague), 0.0)))
    before = hops(world)
    while hops(world) < before + 2:
        world.advance(world.now_us + 5_000_000)
        assert world.now_us < 400_000_000
    world.close()


def vars_of(command):
    return [field.name for field in fields(command)]


def test_a_bot_that_fails_begins_anew_and_the_others_play_on(tmp_path, caplog):
    world = World(setup(people=0), tmp_path)
    world.advance(5_000_000)
    before = hops(world)
    world.table.players[1].personality = None  # it cannot decide anything any more
    world.advance(50_000_000)
    (told,) = caplog.messages
    assert told.startswith("Ben's handheld failed and begins anew from its journal: Attribute")
    assert world.trouble is None
    assert hops(world) > before
    world.close()


def test_a_match_goes_on_from_its_journals(tmp_path):
    keeper = Keeper(tmp_path, setup(people=0), any_seed=False)
    world = keeper.world()
    world.advance(60_000_000)
    known = world.table.seats[0].log.index
    assert known > 3
    keeper.keep(world.close())
    again = Keeper(tmp_path, setup(people=0), any_seed=False)
    assert again.setup.boot == 1
    world = again.world()
    assert world.table.seats[0].log.index >= known
    world.advance(60_000_000)
    assert world.table.seats[0].log.index > known
    digest = world.digest()
    played_again = replayed(world.close(), folder(tmp_path, "again"))
    assert played_again.digest() == digest
    played_again.close()
    other = Keeper(tmp_path, replace(setup(people=0), people=1, bots=KINDS[:2]), any_seed=True)
    assert other.setup.boot == 0


def test_what_is_no_session_and_no_table_is_told_in_a_line(tmp_path):
    for text in ("", "{}", "[]", '{"format": "maexchen session 1"}', "\x00"):
        with pytest.raises(CommandError, match="no session"):
            read(text, "x")
    (tmp_path / "table.json").write_text("[]")
    with pytest.raises(CommandError, match="--folder"):
        Keeper(tmp_path, setup(), any_seed=True)


def test_a_spring_passes_a_shake_on_and_forgets_a_rest():
    motion = DragMotion()
    for sample in drag(0, hz=3.5, reach_m=0.05):
        motion.follow(*sample)
    felt = [abs(motion.at(t_us)[0]) for t_us in range(500_000, 1_500_000, 1_000)]
    assert 0.8 < max(felt) / (0.05 * (2 * pi * 3.5) ** 2) < 1.3
    assert SPRING_HZ > 3.5
    assert motion.at(9_000_000) == (0.0, 0.0, 0.0)


def test_a_phone_is_felt_only_while_it_tells():
    phone = FeltMotion()
    assert phone.at(0) is None
    phone.add(1_000_000, (0.0, 0.0, 10.0))
    phone.add(1_100_000, (0.0, 0.0, 20.0))
    assert phone.at(1_050_000) == pytest.approx((0.0, 0.0, 15.0))
    assert phone.at(1_200_000) == (0.0, 0.0, 20.0)
    assert phone.at(2_000_000) is None


def test_samples_get_even_times_that_are_never_past():
    pacer = Pacer(15_000)
    assert pacer.times([100.0, 110.0], 1_000_000, 1.0) == [1_015_000, 1_025_000]
    assert pacer.times([120.0], 1_022_000, 1.0) == [1_035_000]
    late = pacer.times([130.0], 1_100_000, 1.0)
    assert late == [1_115_000]


def test_a_loop_inside_another_goes_only_as_far_as_it_is_told():
    loop, seen = PacedLoop(), []

    async def ticking():
        while True:
            await asyncio.sleep(0.1)
            seen.append(loop.now_us)

    loop.inside(lambda: loop.create_task(ticking()))
    loop.advance(350_000)
    assert seen == [100_000, 200_000, 300_000]
    assert (loop.now_us, loop.due_us) == (350_000, 400_000)
    loop.end()
    assert loop.is_closed()


def test_an_empty_dump_is_a_dump():
    assert vcd((), [(5, "int1", 1)]).endswith("#50\n1i\n")


def test_the_air_is_told_by_what_its_frames_say_in_clear(tmp_path):
    world = World(setup(people=0), tmp_path)
    told = []
    world.table.air.observers.append(lambda heard: told.append(decode_packet(heard.payload)))
    world.advance(60_000_000)
    world.close()
    assert {"L2CAP: asks for a channel", "L2CAP: opens the channel"} <= set(told)
    assert told.index("PROPOSE 1") < told.index("ANSWER 1") < told.index("GIVE 1")
    assert "LOG 0, 1 entries" in told
    assert decode_packet(bytes.fromhex("0700 0400 01 02 03 04 05 06 07")) == "ATT"
    assert decode_packet(bytes.fromhex("0400 4000 ff ff ff ff")) == "part of a frame"
