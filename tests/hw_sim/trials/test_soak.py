"""One cup, passed on and on over air that does everything wrong; and what the soak would notice."""

import json

import pytest

from firmware.table.handover.cup import Cup, Where
from firmware.table.handover.effects import StoreCup
from firmware.table.handover.handover import Handover
from hw_sim.cli.main import main
from hw_sim.cli.soak import MEMORY, soak
from hw_sim.trials.soak.media import MEDIA
from hw_sim.trials.soak.watch import FIRST, SoakTally, Watch
from tests.support.brokers import needs_amqtt, needs_mosquitto

ROUGH = {"loss": 0.1, "cuts": 0.1, "reboots": 0.03}
CALM = {"loss": 0.0, "cuts": 0.0, "reboots": 0.0}
FULL_HOPS = 100_000
STANDSTILL_S = 60.0
"""A cup moves again sooner, whatever controllers do, while everybody has power."""


def check(tally, hops):
    assert tally.is_well
    assert tally.hops >= hops
    assert tally.accepted_once == tally.hops
    assert (tally.max_holders, tally.lost_cups, tally.wrong_contents) == (1, 0, 0)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_one_cup_over_an_air_of_memory(players):
    tally = soak(MEMORY, players, 4_000, seed=players, **ROUGH)
    check(tally, 4_000)
    assert min(tally.lost_frames, tally.repeated_frames, tally.reboots) > 100
    assert tally.duplicates_answered > 1_000


@pytest.mark.whole
@pytest.mark.parametrize("link", MEDIA)
def test_one_cup_over_radio(link):
    tally = soak(link, 4, 400, seed=5, **ROUGH)
    check(tally, 400)
    assert min(tally.lost_frames, tally.late_frames) > 10
    assert tally.refused_forgeries > 2
    assert tally.reboots > 2
    assert tally.duplicates_answered > 10


@pytest.mark.parametrize("controller", ["pi", "ideal"])
def test_one_cup_over_controllers_that_fail_and_fall_silent(controller):
    harm = {"failures": 0.03, "silences": 0.03, "controller": controller}
    tally = soak("bluetooth", 4, 200, seed=6, **ROUGH, **harm)
    check(tally, 200)
    assert min(tally.failures, tally.silences) > 2
    assert 0 < tally.standstill_s < STANDSTILL_S


@pytest.mark.whole
@pytest.mark.parametrize(
    "broker",
    [
        pytest.param("mosquitto", marks=needs_mosquitto),
        pytest.param("amqtt", marks=(needs_amqtt, pytest.mark.soak)),
    ],
)
@pytest.mark.parametrize("harm", ["cuts", "failures"])
def test_one_cup_over_a_broker_that_is_killed_or_held(broker, harm):
    """As soon as it is up again, after each hop."""
    harms = {"loss": 0.1, "reboots": 0.1, "cuts": 0.0} | {harm: 1.0}
    tally = soak("mqtt", 3, 16, seed=3, real=broker, **harms)
    check(tally, 16)
    assert getattr(tally, harm) > 0


@pytest.mark.parametrize("link", [MEMORY, *MEDIA])
def test_nothing_goes_wrong_where_nothing_is_wrong(link):
    tally = soak(link, 3, 100, seed=1, **CALM)
    check(tally, 100)
    assert tally.refused_forgeries == tally.reboots == tally.cuts == 0


def test_one_seed_is_one_soak():
    one, other = (soak("bluetooth", 3, 60, seed=9, **ROUGH) for _ in range(2))
    one.wall_s = other.wall_s = 0.0
    assert one == other
    different = soak("bluetooth", 3, 60, seed=10, **ROUGH)
    assert different.virtual_s != one.virtual_s


@pytest.mark.soak
@pytest.mark.parametrize("players", [4, 8])
def test_ten_thousand_hops_over_controllers_that_fail_and_fall_silent(players):
    harm = {"failures": 0.02, "silences": 0.02, "controller": "pi"}
    tally = soak("bluetooth", players, FULL_HOPS // 10, seed=1, **ROUGH, **harm)
    check(tally, FULL_HOPS // 10)
    assert tally.standstill_s < STANDSTILL_S
    print("pi", tally.summary())


@pytest.mark.soak
@pytest.mark.parametrize(("link", "players"), [("bluetooth", 5), ("ir", 3)])
def test_a_hundred_thousand_hops(link, players):
    tally = soak(link, players, FULL_HOPS, seed=1, **ROUGH)
    check(tally, FULL_HOPS)
    print(link, tally.summary())


@pytest.mark.soak
def test_a_million_hops_of_the_core():
    tally = soak(MEMORY, 5, 10 * FULL_HOPS, seed=1, **ROUGH)
    check(tally, 10 * FULL_HOPS)
    print(MEMORY, tally.summary())


# Defects that the soak would notice


def holding(hop):
    return Cup(0, Where.HOLDING, last=hop, contents=FIRST)


def test_a_second_holder_is_seen_in_memory_and_on_disk():
    for see in (Watch.remembered, Watch.written):
        watch = Watch(3, SoakTally())
        watch.written(0, holding(4))
        see(watch, 1, holding(5))
        assert watch.tally.max_holders == 2
        assert not watch.tally.is_well


def test_a_cup_that_no_disk_can_bring_back_is_seen():
    watch = Watch(2, SoakTally())
    watch.written(0, holding(4))
    watch.written(1, Cup(0, last=5, taken=5))
    watch.written(0, Cup(0, Where.OFFERED, last=5, peer=1, frame=b"x", contents=FIRST))
    assert watch.tally.lost_cups == 1


def forgetful(handover, sender, message, at, now_us, received=Handover.received):
    """A core that does not remember what it has taken."""
    last = handover.cup.last if handover.cup.is_here else 0
    cup = handover.cup._replace(last=last)
    return received(handover._replace(cup=cup), sender, message, at, now_us)


def impatient(handover, now_us, tick=Handover.tick):
    """A core that takes the cup back when it hears nothing of it."""
    after, effects = tick(handover, now_us)
    if effects and handover.cup.where is Where.OFFERED:
        cup = Cup(0, Where.HOLDING, last=handover.cup.last, contents=handover.cup.contents)
        return Handover(handover.seal, cup), (StoreCup(cup),)
    return after, effects


@pytest.mark.parametrize(("name", "wrong"), [("received", forgetful), ("tick", impatient)])
def test_a_wrong_core_is_found_out(monkeypatch, name, wrong):
    monkeypatch.setattr(Handover, name, wrong)
    assert not soak(MEMORY, 3, 2_000, seed=1, **ROUGH).is_well


# The command


def test_the_command_counts_in_json(capsys):
    assert main(["soak", "--hops", "50", "--link", "memory", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["link"], told["players"], told["max_holders"]) == ("memory", 4, 1)
    assert told["hops"] == told["accepted_once"] == 50


@pytest.mark.parametrize(("language", "verdict"), [("en", "One cup"), ("de", "Ein Becher")])
def test_the_command_counts_in_words(capsys, language, verdict):
    assert main(["soak", "--hops", "20", "--link", "memory", "--lang", language]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith(verdict)


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("--hops=0", "write a number from 1 to 10000000"),
        ("--hops=many", "write a number from 1 to 10000000"),
        ("--players=9", "write a number from 2 to 8"),
        ("--loss=0.5", "write a share from 0 to 0.3"),
        ("--cuts=-1", "write a share from 0 to 0.3"),
        ("--link=string", "invalid choice"),
    ],
)
def test_bad_arguments_are_one_line(capsys, argument, says):
    with pytest.raises(SystemExit) as exit_:
        main(["soak", argument])
    assert exit_.value.code == 2
    error = capsys.readouterr().err.strip()
    assert says in error
    assert "\n" not in error


def test_a_soak_that_fails_says_so(capsys, monkeypatch):
    monkeypatch.setattr(Handover, "tick", impatient)
    assert main(["soak", "--link", "memory", "--hops", "2000", "--players", "3"]) == 2
    assert "lost, doubled or changed" in capsys.readouterr().err
