"""One cup, passed on and on over air that does everything wrong; and what the soak would notice."""

import json

import pytest

from firmware.table.handover import Cup, Handover, StoreCup, Where
from firmware.table.protocol.messages import Contents
from hw_sim.cli.main import main
from hw_sim.cli.trials import HOPS_A_TABLE, soak
from hw_sim.trials.faults import MEDIA, Harm
from hw_sim.trials.soak import SoakTally, Watch
from tests.support.brokers import needs_amqtt, needs_mosquitto
from tests.support.nights import at_night, nightly

ROUGH = Harm(loss=0.1, cuts=0.1, reboots=0.03)
CALM = Harm(loss=0.0, cuts=0.0, reboots=0.0)
FULL_HOPS = 10_000
RADIOS = [each for each in MEDIA if each != "memory"]
STANDSTILL_S = 60.0
"""A cup moves again sooner, whatever controllers do, while everybody has power."""


def check(tally, hops):
    assert tally.is_well
    assert tally.hops >= hops
    assert tally.accepted_once == tally.hops
    assert (tally.max_holders, tally.lost_cups, tally.wrong_contents) == (1, 0, 0)


@pytest.mark.whole
@pytest.mark.parametrize("players", [2, pytest.param(6, marks=pytest.mark.whole)])
def test_one_cup_over_a_network_in_memory(players):
    tally = soak("memory", players, HOPS_A_TABLE + 20, ROUGH, seed=players)
    check(tally, HOPS_A_TABLE + 20)
    assert min(tally.lost_frames, tally.repeated_frames, tally.late_frames) > 10
    assert min(tally.forgeries, tally.reboots, tally.duplicates_answered) > 0
    assert tally.cuts == 0


@pytest.mark.whole
@pytest.mark.parametrize(
    "link",
    [pytest.param(each, marks=pytest.mark.night if each == "ir" else ()) for each in RADIOS],
)
def test_one_cup_over_radio(link):
    tally = soak(link, 4, 100, ROUGH, seed=5)
    check(tally, 100)
    assert min(tally.lost_frames, tally.late_frames, tally.forgeries) > 10
    assert min(tally.reboots, tally.duplicates_answered) > 0
    assert tally.cuts > 2


@pytest.mark.whole
@pytest.mark.parametrize("controller", ["pi", at_night("ideal")])
def test_one_cup_over_controllers_that_fail_and_fall_silent(controller):
    harm = ROUGH._replace(failures=0.06, silences=0.06)
    tally = soak("bluetooth", 4, 80, harm, seed=6, controller=controller)
    check(tally, 80)
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
@pytest.mark.parametrize("fault", ["cuts", "failures"])
def test_one_cup_over_a_broker_that_is_killed_or_held(broker, fault):
    """As soon as it is up again, after each hop."""
    harm = Harm(loss=0.1, cuts=0.0, reboots=0.1)._replace(**{fault: 1.0})
    tally = soak("mqtt", 3, 16, harm, seed=3, real=broker)
    check(tally, 16)
    assert getattr(tally, fault) > 0


@pytest.mark.whole
@pytest.mark.parametrize("link", nightly(MEDIA, "memory", "bluetooth"))
def test_nothing_goes_wrong_where_nothing_is_wrong(link):
    tally = soak(link, 3, 20, CALM, seed=1)
    check(tally, 20)
    assert tally.forgeries == tally.reboots == tally.cuts == 0


def test_one_seed_is_one_soak():
    one, other = (soak("bluetooth", 3, 20, ROUGH, seed=9) for _ in range(2))
    one.wall_s = other.wall_s = 0.0
    assert one == other
    different = soak("bluetooth", 3, 20, ROUGH, seed=10)
    assert different.virtual_s != one.virtual_s


@pytest.mark.soak
@pytest.mark.parametrize(
    ("link", "players"), [("memory", 5), ("bluetooth", 5), ("mqtt", 4), ("ir", 3)]
)
def test_ten_thousand_hops(link, players):
    tally = soak(link, players, FULL_HOPS, ROUGH, seed=1)
    check(tally, FULL_HOPS)
    print(link, tally.summary())


# Defects that the soak would notice


FIRST = Contents((6, 3))


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


def test_a_cup_with_other_contents_is_seen():
    watch = Watch(2, SoakTally())
    watch.written(0, holding(4)._replace(where=Where.OFFERED, peer=1, frame=b"x"))
    watch.written(1, holding(5)._replace(contents=Contents((6, 4))))
    assert watch.tally.wrong_contents == 1


def forgetful(handover, *given, received=Handover.received):
    """A core that does not remember what it has taken."""
    last = handover.cup.last if handover.cup.is_here else 0
    cup = handover.cup._replace(last=last)
    return received(handover._replace(cup=cup), *given)


def impatient(handover, now_us, tick=Handover.tick):
    """A core that takes the cup back when it hears nothing of it."""
    after, effects = tick(handover, now_us)
    if effects and handover.cup.where is Where.OFFERED:
        cup = Cup(0, Where.HOLDING, last=handover.cup.last, contents=handover.cup.contents)
        return Handover(handover.seal, cup), (StoreCup(cup),)
    return after, effects


@pytest.mark.whole
@pytest.mark.parametrize(("name", "wrong"), [("received", forgetful), ("tick", impatient)])
def test_a_wrong_core_is_found_out(monkeypatch, capsys, name, wrong):
    monkeypatch.setattr(Handover, name, wrong)
    assert main(["soak", "--link", "memory", "--hops", "200", "--players", "3"]) == 2
    assert "lost, doubled or changed" in capsys.readouterr().err


# The command


def test_the_command_counts_in_json(capsys):
    assert main(["soak", "--hops", "10", "--link", "memory", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["link"], told["players"], told["max_holders"]) == ("memory", 4, 1)
    assert told["hops"] == told["accepted_once"] == 10


@pytest.mark.whole
@pytest.mark.parametrize(("language", "verdict"), [("en", "One cup"), ("de", "Ein Becher")])
def test_the_command_counts_in_words(capsys, language, verdict):
    assert main(["soak", "--hops", "20", "--link", "memory", "--lang", language]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith(verdict)
