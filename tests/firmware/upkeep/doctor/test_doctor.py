"""The doctor calls every fault of simulator and system what it is, and nothing else."""

import asyncio
import json
import platform
import re
import tomllib

import pytest

from firmware.cli.upkeep import report
from firmware.display.text.labels import Alert
from firmware.display.text.language import LANGUAGES, book, key_of
from firmware.link.bluetooth.hci import AdapterTrouble
from firmware.link.infrared import modulated
from firmware.runtime.splash import PICTURES
from firmware.upkeep.doctor import PARTS, Check, CheckStatus, Diagnosis
from firmware.upkeep.doctor.examine import PACKAGES, examine
from firmware.upkeep.doctor.patient import LinuxHost, numbers_of
from firmware.upkeep.doctor.senses import PATTERN, compare
from hw_sim.clock import run
from hw_sim.trials.diagnosis import SimulatedPatient
from hw_sim.trials.faults import CATALOGUE, FAULTS
from tests.project.words import ROOT

D = Diagnosis
UNSEEN = {D.NO_SAMPLES, D.LIGHT_SENSOR_STRAPPED, D.EDGES_FAIL}
"""Diagnoses of boards and libraries that no fault of the catalogue makes."""
PLACES = {**PARTS, "bus": {Check.BUS, Check.BUS_SPEED, Check.ACCELEROMETER, Check.DISPLAY}}


def with_patient(work, fault=None, profile="rpi-lgpio", seed=1, light="veml7700"):
    """What ``work`` makes of a patient with a fault, by its name or as it is put in."""

    async def main():
        patient = SimulatedPatient.healthy(seed, profile)
        patient.light = light
        await asyncio.sleep(0.6)
        if fault is not None:
            (fault if callable(fault) else FAULTS[fault])(patient)
        try:
            return await work(patient)
        finally:
            patient.board.close()

    return run(main(), limit_s=120)


def findings_of(fault=None, hands=True, part=None, **how):
    """Findings of a patient, and what its parts complained of; of one part alone if it is named."""

    async def work(patient):
        wanted = [PARTS[part]] if part else []
        found = await examine(patient.for_doctor(hands=hands), lambda finding: None, *wanted)
        return found, patient.board.violations

    return with_patient(work, fault, **how)


def reported(fault, language, hands=True, as_json=False):
    """Exit status of a report that is printed."""

    async def work(patient):
        return await report(patient.for_doctor(hands=hands), language, as_json=as_json)

    return with_patient(work, fault)


def ills(findings):
    wrong = (CheckStatus.WRONG, CheckStatus.NOTE)
    return [one.diagnosis for one in findings if one.status in wrong]


@pytest.mark.parametrize("seed", range(5))
def test_a_healthy_handheld_has_nothing(seed):
    findings, violations = findings_of(seed=seed)
    assert ills(findings) == []
    # The one thing against the sheet: the display is read, to tell an SH1106 from it.
    assert all(line.startswith("SSD1306") and "read" in line for line in violations)


def _strapped_bh1750(patient):
    patient.board.replace("light", "bh1750")
    patient.board.strap("light")


@pytest.mark.parametrize(
    ("fault", "diagnoses"),
    [
        ("bh1750", []),
        (None, [D.OTHER_LIGHT_SENSOR]),
        ("no light sensor", [D.NO_LIGHT_SENSOR]),
        (_strapped_bh1750, [D.LIGHT_SENSOR_STRAPPED]),
    ],
)
def test_where_the_settings_name_a_bh1750_it_is_looked_for(fault, diagnoses):
    findings, _ = findings_of(fault, light="bh1750")
    assert ills(findings) == diagnoses
    if not diagnoses:
        (cover,) = [one for one in findings if one.check is Check.COVER]
        assert cover.status is CheckStatus.FINE, "its light is read by its own driver"


def row(name, fault):
    """A fault as a line of its document; an ellipsis stands for numbers and names."""
    doctor = fault.doctor and book("en").texts[key_of(fault.diagnosis, "what")].rstrip(".")
    panel = fault.panel and key_of(fault.shown, *["body"] * isinstance(fault.shown, Alert))
    told = (re.sub(r"\{[^}]*\}", "…", text) for text in (doctor, panel and book("en").texts[panel]))
    return f"| {' | '.join((fault.place, name, fault.does, *told))} |".replace("  ", " ")


def test_the_document_of_faults_has_a_line_for_each():
    rows = [row(name, fault) for name, fault in CATALOGUE.items()]
    document = (ROOT / "docs/faults.md").read_text("utf-8")
    assert document.partition("|---|---|---|---|---|\n")[2].splitlines() == rows


def test_no_fault_of_the_simulator_is_left_out():
    assert {fault.diagnosis for fault in FAULTS.values()} == {*D} - UNSEEN


@pytest.mark.parametrize("profile", ["rpi-gpio", "rpi-lgpio", "no-edges"])
def test_each_gpio_library_is_served(profile):
    findings, _ = findings_of(profile=profile)
    assert ills(findings) == ([D.EDGES_FAIL] if profile == "no-edges" else [])


def test_without_hands_nobody_is_asked_and_it_is_said_what_was_left_out():
    findings, _ = findings_of(hands=False)
    assert ills(findings) == []
    skipped = {one.check for one in findings if one.status is CheckStatus.SKIPPED}
    assert skipped == {Check.PICTURE, Check.COVER, Check.TAP, Check.PIEZO}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_examined_alone(part):
    findings, _ = findings_of(part=part)
    assert {one.status for one in findings} == {CheckStatus.FINE}
    found = {one.check for one in findings}
    assert PARTS[part] <= found <= PARTS[part] | {Check.PINS}


@pytest.mark.whole
@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_diagnosed_as_what_it_is_at_its_part_and_nothing_else(fault):
    findings, _ = findings_of(fault)
    diagnosis = FAULTS[fault].diagnosis
    assert ills(findings) == [diagnosis]
    (told,) = [one for one in findings if one.diagnosis is diagnosis]
    assert told.check in PLACES[FAULTS[fault].place]
    for part, checks in PARTS.items():
        if told.check in checks:
            assert ills(findings_of(fault, part=part)[0]) == [diagnosis]


def test_a_person_sees_the_first_picture_on_the_display():
    async def work(patient):
        await examine(patient.for_doctor(), lambda finding: None, PARTS["display"])
        return patient.board.display.is_lit, patient.board.display.memory

    assert with_patient(work) == (True, (PICTURES / "starting-en.bin").read_bytes())


@pytest.mark.parametrize("profile", ["rpi-gpio", "rpi-lgpio", "no-edges"])
def test_two_tones_are_played_for_whoever_listens_and_the_pin_is_given_back(profile):
    async def work(patient):
        await examine(patient.for_doctor(), lambda finding: None)
        return patient.board

    gpio = with_patient(work, profile=profile).gpio
    heard = [(wave.frequency_hz, wave.duty_percent) for wave in gpio.pulses.trace]
    assert heard == [(880, 50), (0, 0), (1175, 50), (0, 0)]
    assert gpio.output_level(13) is None


def test_a_piezo_pin_that_another_program_holds_is_told():
    findings, _ = findings_of(lambda patient: patient.board.gpio.claimed_elsewhere.add(13))
    assert [one.check for one in findings if one.diagnosis is D.PINS_BUSY] == [Check.PIEZO]


@pytest.mark.parametrize("language", LANGUAGES)
def test_elsewhere_it_names_what_can_be_looked_at_there(capsys, language):
    reported("no pi", language)
    told = capsys.readouterr().out
    assert "maexchen-sim doctor" in "".join(told.splitlines()[:2])
    assert "apt install" not in told


def test_json_has_the_diagnosis_and_what_to_do(capsys):
    assert reported("bus slow", "en", hands=False, as_json=True) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["well"] is False
    (ill,) = [one for one in told["findings"] if one["status"] == "wrong"]
    assert ill["diagnosis"] == "bus_slow"
    assert 80 <= ill["values"]["khz"] <= 110
    assert "dtparam=i2c_arm_baudrate=400000" in ill["do"]["en"]


# ---- infrared ------------------------------------------------------------------------------------


def test_a_handheld_without_infrared_is_well():
    def unfitted(patient):
        patient.infrared_fitted = False

    found, _ = findings_of(unfitted, hands=False)
    assert (ills(found), found[-1].seen) == ([], "seen.NOT_FITTED")


def test_edges_are_put_to_those_that_were_sent():
    lengths = modulated(PATTERN)
    sent = [sum(lengths[:place]) for place in range(0, len(lengths), 2)]
    late = [7_000 + edge + (30 if number % 2 else 0) for number, edge in enumerate(sent)]
    loopback = compare(lengths, late)
    assert loopback.sent == len(sent) == len(loopback.offsets_us)
    assert loopback.jitter_us == pytest.approx(15, abs=0.5)
    assert sum(count for _, count in loopback.histogram()) == len(sent)
    lost = compare(lengths, late[2:20] + late[40:])
    assert len(lost.offsets_us) == len(sent) - 22
    assert lost.jitter_us == pytest.approx(15, abs=1)
    assert compare(lengths, []).histogram() == []


def test_a_controller_that_cannot_write_nothing_is_no_fault():
    def pi_5(patient):
        patient.board.bus.refuses_empty_writes = True

    findings, _ = findings_of(pi_5)
    assert ills(findings) == []


def test_who_may_not_read_the_settings_hears_of_the_light_sensor_that_is_there():
    findings, _ = findings_of("bh1750", light=None)
    assert ills(findings) == []


def test_a_missing_right_is_no_fault_of_the_handheld(capsys):
    assert reported("adapter refused", "en") == 0
    assert "~ Bluetooth: CAP_NET_ADMIN is missing" in capsys.readouterr().out


@pytest.mark.whole
@pytest.mark.parametrize("language", LANGUAGES)
def test_off_a_pi_nothing_is_missing_behind_a_colon(language):
    def off_a_pi(patient):
        patient.host.model_name = ""
        patient.host.packages.pop("rpi-lgpio")

    findings, _ = findings_of(off_a_pi)
    (packages,) = [one for one in findings if one.check is Check.PACKAGES]
    (line,) = packages.lines(language)
    assert packages.status is CheckStatus.FINE
    assert not line.rstrip().endswith(":")


@pytest.fixture
def root(tmp_path):
    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    return LinuxHost(tmp_path), write


def test_the_board_tells_its_name(root):
    host, write = root
    assert host.model() == ""
    write("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    assert host.model() == "Raspberry Pi 5 Model B Rev 1.0"


def test_the_supply_is_told_by_the_pis_own_monitor_alone(root):
    host, write = root
    write("sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    assert host.under_voltage() is None
    write("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    assert host.under_voltage() is None
    write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    assert host.under_voltage() is False
    write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert host.under_voltage() is True


@pytest.mark.parametrize(
    ("told", "low"),
    [("0\n", False), ("50000\n", False), ("50005\n", True), ("", None), ("?", None)],
)
def test_without_the_monitor_the_firmware_is_asked(root, told, low):
    host, write = root
    write("sys/devices/platform/soc/soc:firmware/get_throttled", told)
    assert host.under_voltage() is low


def test_an_adapter_may_be_missing_or_blocked(root):
    host, write = root
    assert host.adapter() is AdapterTrouble.MISSING
    write("sys/class/bluetooth/hci0/rfkill0/state", "0\n")
    assert host.adapter() is AdapterTrouble.BLOCKED


def test_the_rate_that_config_txt_asks_of_the_bus_is_told(root, tmp_path):
    host, write = root
    assert host.bus_rate_hz() is None
    write("proc/device-tree/aliases/i2c1", "/soc/i2c@7e804000\0")
    assert host.bus_rate_hz() is None
    write("proc/device-tree/soc/i2c@7e804000/clock-frequency", "")
    rate = tmp_path / "proc/device-tree/soc/i2c@7e804000/clock-frequency"
    rate.write_bytes((400_000).to_bytes(4, "big"))
    assert host.bus_rate_hz() == 400_000


def test_what_anybody_may_look_into_is_told(root, tmp_path):
    host, write = root
    assert host.open_to_others() == []
    write("etc/maexchen/settings.toml", "")
    (tmp_path / "etc/maexchen").chmod(0o750)
    (tmp_path / "etc/maexchen/settings.toml").chmod(0o644)
    assert host.open_to_others() == ["/etc/maexchen/settings.toml"]
    (tmp_path / "etc/maexchen/settings.toml").chmod(0o640)
    assert host.open_to_others() == []


def test_the_owner_of_the_adapter_is_named(root):
    host, write = root
    assert host.adapter_owner() == "hci0"
    write("proc/7/comm", "bash\n")
    write("proc/431/comm", "bluetoothd\n")
    assert host.adapter_owner() == "bluetoothd"


def test_this_machine_is_told_as_it_is():
    host = LinuxHost()
    assert host.machine() == platform.machine()
    assert numbers_of(host.python()) >= (3, 11)
    assert host.version("smbus2")
    assert host.version("no-such-package") is None
    assert host.user()
    assert host.groups()
    assert host.adapter() in (None, *AdapterTrouble)


def test_the_doctor_wants_the_packages_that_a_handheld_depends_on():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["bluetooth"]]
    names = {re.split("[=<>]", each)[0] for each in wanted} - {"steckbrett"}
    """No handheld needs the test bench: a contract of imports holds that."""
    assert sorted(PACKAGES) == sorted(names)
    assert all(f"{name}=={pin}" in wanted for name, pin in PACKAGES.items() if pin)


@pytest.mark.parametrize(
    ("text", "numbers"), [("6.6.31+rpt-rpi-v8", (6, 6, 31)), ("3.13", (3, 13)), ("next", ())]
)
def test_versions_are_compared_by_their_numbers(text, numbers):
    assert numbers_of(text) == numbers
