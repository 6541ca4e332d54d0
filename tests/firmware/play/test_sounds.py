"""The sounds, by seat and time; and the volume, from the dial to the next start."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from drivers.piezo import DUTY_PERCENT, HIGHEST_HZ, LOWEST_HZ
from drivers.pins import PIEZO
from firmware.device import SeatMaker
from firmware.device.device import Device
from firmware.device.hot_seat import HotSeat
from firmware.device.open import kept_volume, open_device
from firmware.display.screens import Judgement, Phrase
from firmware.display.text.labels import VOLUME_TEXTS, Text
from firmware.display.text.language import say
from firmware.effects import VOLUMES, Beep, KeepChoice, OwnStore, Shell, Sound, Stored
from firmware.input.controls import LocalChoice
from firmware.input.gestures import ShakeEnded, Shaking
from firmware.journal import VOLUME_KEY, Put
from firmware.journal.sqlite import Journal
from firmware.lobby.choices import OneHandheld
from firmware.lobby.lobby import Lobby
from firmware.play.moves import choose
from firmware.play.turn import sound_cues
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from firmware.runtime.runtime import TONES
from firmware.settings import load
from firmware.table.protocol.sealing import KEY_BYTES
from game import RULES, Status, new_match
from tests.firmware.play.test_handheld import offered
from tests.support import core_table as cores
from tests.support.lobbies import Hall
from tests.support.net import MS, S, device
from tests.support.rigs import alone

NAMES = ("Ana", "Ben", "Cem")


def sounds(table, seat):
    return [sound for _, sound in table[seat].heard]


# ---- the sounds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sound", Sound)
def test_every_sound_can_be_played_and_is_short(sound):
    tones = TONES[sound]
    assert all(t.frequency_hz == 0 or LOWEST_HZ <= t.frequency_hz <= HIGHEST_HZ for t in tones)
    assert all(tone.duration_us > 0 for tone in tones)
    assert sum(tone.duration_us for tone in tones) <= S


# ---- who hears what ------------------------------------------------------------------------------


def test_a_shake_that_comes_to_nothing_puts_nothing_down():
    table = cores.CoreTable(3)
    table.do(0, Shaking(table.now_us, 100 * MS), ShakeEnded(table.now_us, uncovered=False))
    assert sounds(table, 0)[1:] == [Sound.RATTLE]


def test_an_announced_maexchen_is_heard_by_all():
    table = offered(21)
    table.wait(S)
    assert [sounds(table, seat)[-1] for seat in range(3)] == [Sound.MAEXCHEN] * 3


PAYS = BluffRoundEnd(Judgement.LIE, 0, 1, 2, Status.IN, announced=65, announcer=0, lifter=1)


@pytest.mark.parametrize(
    ("ended", "verdicts"),
    [
        (None, (None, None, None)),
        (PAYS, (Sound.LOST, Sound.WON, None)),
        (PAYS._replace(also=2), (Sound.LOST, Sound.WON, Sound.LOST)),
        (PAYS._replace(judgement=Judgement.TRUE, payer=1), (Sound.WON, Sound.LOST, None)),
        (PAYS._replace(judgement=Judgement.TOWER_SPARED, cost=0), (None, None, None)),
        (OpenRoundEnd((2, (6, 5, 4)), (0, (3, 2, 1)), ()), (Sound.LOST, None, Sound.WON)),
        (OpenRoundEnd(None, None, ()), (None, None, None)),
    ],
)
def test_the_verdict_of_a_round(ended, verdicts):
    match = new_match(RULES["class"], NAMES, first=0)
    assert tuple(sound_cues.verdict_for(seat, match, ended) for seat in range(3)) == verdicts


def test_whoever_keeps_all_waiting_is_nudged_now_and_then():
    table = cores.CoreTable(3)
    table.wait(sound_cues.NUDGE_US - S)
    table.do(0, Shaking(table.now_us, 100 * MS))
    table.wait(sound_cues.NUDGE_US - S)
    assert Sound.NUDGE not in sounds(table, 0), "he was shaking half a minute ago"
    table.rest(0, 900 * MS)
    table.wait(S)
    assert sounds(table, 0)[-1] is Sound.NUDGE, "how it lies is no gesture"
    table.wait(sound_cues.NUDGE_AGAIN_US - S)
    assert sounds(table, 0).count(Sound.NUDGE) == 1
    table.wait(S)
    assert sounds(table, 0).count(Sound.NUDGE) == 2
    table.wait(20 * sound_cues.NUDGE_AGAIN_US)
    assert sounds(table, 0).count(Sound.NUDGE) == sound_cues.MOST_NUDGES, "nobody is there"
    assert sounds(table, 1) == []


# ---- the volume ----------------------------------------------------------------------------------


def test_the_volume_has_a_word_for_every_step():
    assert len(VOLUME_TEXTS) == len(VOLUMES)
    assert len({say(text, "de") for text in VOLUME_TEXTS}) == len(VOLUMES)


class Ears(Hall):
    """Keeps what cores want to be heard and kept."""

    def other(self, at, effect):
        self.kept = [*getattr(self, "kept", []), effect]


def begin_alone(hall):
    """Begin a match of two on one handheld; what it begins with is on the disk."""
    hall.choose(0, Text.ONE_HANDHELD, Phrase("game_name.physicist"), Text.GO_ON)
    hall.choose(0, "Ana", "Ben", Text.ALL_HERE, "Ben")
    hall.do(0, Stored(OwnStore.BEGIN))


def test_the_volume_is_changed_in_the_lobby_and_goes_on_into_a_match():
    core = Device(device(0), SeatMaker(Random(1).randbytes), "Ana", volume=1)
    hall = Ears([core])
    assert isinstance(core.core, Lobby)
    hall.choose(0, Text.SOUND_QUIET)
    hall.tap(0)
    assert core.shell.volume == 3
    kept = [each for each in hall.kept if isinstance(each, KeepChoice)]
    assert kept == [KeepChoice(Put(VOLUME_KEY, b"\2")), KeepChoice(Put(VOLUME_KEY, b"\3"))]
    begin_alone(hall)
    assert isinstance(core.core, HotSeat)
    assert core.shell.volume == 3
    assert [seat.view().volume for seat in core.core.seats] == [3, 3]
    hall.tap(0)
    choose(core.core.seats[core.core.turn].play, LocalChoice.LOUDER)
    hall.pose(0, 0.0)
    assert core.shell.volume == 0, "silence follows the loudest"
    assert hall.kept[-1] == KeepChoice(Put(VOLUME_KEY, b"\0"))


def test_on_one_handheld_one_sound_is_heard_for_all_its_seats():
    wanted = OneHandheld(RULES["physicist"], ("Ana", "Ben"), 0, 2, bytes(KEY_BYTES))
    seat = HotSeat(wanted, SeatMaker(Random(2).randbytes))
    effects = seat.start(0, Shell())
    assert [each for each in effects if isinstance(each, Beep)] == [Beep(Sound.TURN)]


# ---- settings and journal ------------------------------------------------------------------------


@pytest.mark.parametrize("volume", VOLUMES)
def test_the_settings_say_how_loud_it_is_until_the_player_does(tmp_path, volume):
    path = tmp_path / "settings.toml"
    path.write_text(f"volume = {volume}\n", encoding="utf-8")
    settings = replace(load(path), address="F0:F1:F2:F3:F4:00")
    assert settings.volume == volume
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert open_device(settings, journal, bytes).shell.volume == volume
        journal.write((Put(VOLUME_KEY, b"\1"),))
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert open_device(settings, journal, bytes).shell.volume == 1


@pytest.mark.parametrize("kept", [b"", b"\4", b"\1\1"])
def test_what_is_no_volume_is_not_taken_from_the_journal(tmp_path, kept):
    with Journal(tmp_path / "journal.sqlite") as journal:
        journal.write((Put(VOLUME_KEY, kept),))
    with Journal(tmp_path / "journal.sqlite") as journal:
        assert kept_volume(journal, 2) == 2


# ---- on the board --------------------------------------------------------------------------------


def rigged(folder, scenario, **how):
    rig = alone(folder, scenario, **how)
    assert rig.board.violations == []
    return rig


@pytest.mark.parametrize("profile", ["rpi-gpio", "rpi-lgpio", "no-edges"])
def test_a_shake_is_heard_on_the_pin(tmp_path, profile):
    spans = []

    async def scenario(rig):
        begins_us = rig.runtime.now_us
        spans.append((begins_us, await rig.shake()))

    rig = rigged(tmp_path, scenario, volume=3, profile=profile)
    ((begins_us, ends_us),) = spans
    assert rig.waves[0].frequency_hz == TONES[Sound.TURN][0].frequency_hz
    knocks = {tone.frequency_hz for tone in TONES[Sound.RATTLE]} - {0}
    heard = [wave for wave in rig.waves if wave.frequency_hz in knocks]
    assert len(heard) >= 20
    assert all(begins_us < wave.t_us < ends_us + 500 * MS for wave in heard)
    thump_hz = TONES[Sound.CUP_DOWN][0].frequency_hz
    (thump_us,) = [wave.t_us for wave in rig.waves if wave.frequency_hz == thump_hz]
    assert heard[-1].t_us < thump_us < ends_us + S
    assert rig.waves[-1].duty_percent == 0, "and then it is quiet"
    assert {wave.duty_percent for wave in rig.waves} == {0, DUTY_PERCENT[3]}


def test_sound_delays_nothing(tmp_path):
    """Loud or silent, the same seed is the same run, to the microsecond on the bus."""
    runs = []
    for volume in (0, 3):
        times = []

        async def scenario(rig, times=times):
            rig.board.display.on_write.append(times.append)
            await rig.shake()

        folder = tmp_path / str(volume)
        folder.mkdir()
        rig = rigged(folder, scenario, volume=volume)
        runs.append((times, rig.board.bus.transactions, rig.core.match))
    assert runs[0] == runs[1]
    assert len(runs[0][0]) > 10


def claim_piezo(rig):
    rig.board.gpio.claimed_elsewhere.add(PIEZO)


def test_without_its_pin_it_is_silent_says_so_once_and_plays_on(tmp_path):
    async def scenario(rig):
        await rig.shake()
        assert rig.core.match.rolls == 1

    rig = rigged(tmp_path, scenario, prepare=claim_piezo, volume=2, profile="rpi-lgpio")
    assert rig.waves == []
    (line,) = rig.troubles
    assert line.startswith("GPIO 13 cannot be used")


def test_a_volume_that_cannot_be_kept_stops_nothing(tmp_path):
    async def scenario(rig):
        rig.disk_is_full = True
        rig.runtime._do([KeepChoice(Put(VOLUME_KEY, b"\1"))])
        await asyncio.sleep(0.5)
        rig.disk_is_full = False
        await rig.shake()
        assert rig.core.match.rolls == 1

    assert rigged(tmp_path, scenario, volume=2).troubles == [
        "journal: disk is full: free some space, nothing was lost"
    ]
