"""The settings file: what it may say, and one clear line for everything else."""

import inspect
import textwrap
from pathlib import Path

import pytest

import firmware.settings
from drivers.light_sensor import LIGHT_SENSORS
from firmware.lobby.choices import NAMES
from firmware.settings import Settings, SettingsError, chosen_light, load
from firmware.table.crypto import public
from firmware.table.protocol.sealing import Signer
from game import RULES
from tests.support.tables import seats_text, secret

SECRETS = [secret(seat) for seat in range(3)]
SEATS = seats_text(("Ana", "Ben", "Cem"))
KEY = bytes(range(32)).hex()
SECRET = f'secret = "{SECRETS[1].hex()}"'


@pytest.fixture
def write(tmp_path):
    """Write a settings file; give its path."""

    def write(text):
        path = tmp_path / "maexchen.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def text(
    top="", table="", *, key=f'key = "{KEY}"', game='game = "class"', seat="seat = 1", seats=SEATS,
    secret=SECRET,
):  # fmt: skip
    return f"{top}\n[table]\n{key}\n{secret}\n{game}\n{seat}\n{table}\n{seats}"


def test_the_example_of_the_module_is_a_settings_file(write):
    documented = inspect.getdoc(firmware.settings)
    found = load(write(textwrap.dedent(documented.split("::")[1].split("The file")[0])))
    table, agreed = found.standing, found.standing.agreed
    assert table.names == ("Ana", "Ben", "Cem")
    assert agreed.key == bytes(range(32))
    assert agreed.rules == RULES["class"]
    assert agreed.people[2].device.hex() == "f0f1f2f3f402"
    assert (agreed.me, agreed.carrier, table.first, table.number) == (0, 0, 0, 1)
    assert (found.name, found.address) == ("Ana", "F0:F1:F2:F3:F4:00")
    assert (found.language, found.bluetooth) == ("de", "hci-socket:0")
    assert found.journal == Path("/var/lib/maexchen/journal.sqlite")


def test_what_is_left_out_has_a_default(write):
    found = load(write(text()))
    expected = {"name": "Ben", "address": "F0:F1:F2:F3:F4:01", "standing": found.standing}
    assert found == Settings(**expected)
    assert (found.standing.first, found.standing.number) == (0, 1)


def test_each_pair_has_a_key_of_its_own_and_each_seat_signs_for_itself_alone(write):
    keys = [
        load(write(text(secret=f'secret = "{own.hex()}"', seat=f"seat = {seat}"))).standing.keys
        for seat, own in enumerate(SECRETS)
    ]
    ana, ben, cem = keys
    assert ana.pairs[1] == ben.pairs[0]
    assert len({ana.pairs[1], ana.pairs[2], ben.pairs[2]}) == 3
    assert ana.signers == cem.signers
    signature = Signer(ben).sign(b"doubt")
    assert Signer(ana).has_signed(1, b"doubt", signature)
    known_to_cem = {*cem.pairs.values(), cem.everybody, cem.seed, *cem.signers.values()}
    assert not known_to_cem & {ana.seed, ben.seed, ana.pairs[1]}


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ("= 3", "not TOML"),
        ('name = "Maximiliane-Ottilie"', "19 bytes in UTF-8, and 16 fit"),
        ('address = "00:11:22:33:44:55"', "make one up like F0:F1:F2:F3:F4:00"),
        ('light = "ldr"', f"light = 'ldr': write one of {', '.join(LIGHT_SENSORS)}"),
        ('link = "wire"', "link 'wire': write one of bluetooth, ir, mqtt, both"),
        ('faults = "never"', "faults = 'never': write one of ask, strict, off"),
        ('[broker]\nothers = ["mqtts://b"]\nrelay = "s"', "write one url, and 2 others"),
        (f'[broker]\nurl = "mqtts://a"\nothers = {["mqtts://b"] * 3}', "2 others at most"),
        ("table = 3", r"write a \[table\] section"),
        (text(top="sound = 1"), "unknown entry 'sound' in the top level: it takes bluetooth"),
        (text(table="turn = 1"), r"unknown entry 'turn' in \[table\]"),
        (text(top='language = "tlh"'), "language = 'tlh': write one of de, en"),
        (text(top="language = 3"), "'language' is missing or not of its kind"),
        (text(top="journal = 3"), "'journal' is missing or not of its kind: write a path"),
        (text(top="bluetooth = 3"), "'bluetooth' is missing .* write a transport name"),
        (text(key=""), "table.key: write 64 hex digits, the same at every seat"),
        (text(secret=""), "table.secret: write 64 hex digits that no other seat has: maexchen key"),
        (text(secret='secret = "00"'), "table.secret: write 64 hex digits that no other seat has"),
        (text(secret=f'secret = "{KEY}"'), "the key of seat 1 is not that of the secret: write"),
        (
            text(seats=SEATS.replace("key =", "age =")),
            r"unknown entry 'age' in \[\[table.seats\]\]",
        ),
        (text(seats=SEATS.replace("key =", "#")), "key of Ana: write the 64 hex digits that"),
        (
            text(seats=SEATS.replace(public(SECRETS[2]).hex(), public(SECRETS[0]).hex())),
            "two seats share the key: give each its own",
        ),
        (
            text(seats=SEATS.replace(public(SECRETS[2]).hex(), "01" + "00" * 31)),
            "table.seats: .*: write the 64 hex digits that maexchen key made",
        ),
        (text(key='key = "00"'), "table.key: write 64 hex digits, the same at every seat"),
        (text(key=f'key = "{"x" * 64}"'), "table.key: write 64 hex digits"),
        (text(game=""), "'game' is missing .* write a name such as \"class\""),
        (text(game='game = "poker"'), "unknown game 'poker': choose one of class"),
        (
            text(game='game = "maxem"'),
            "unknown game 'maxem': choose one of class, physicist, holy-family, maxen, "
            "chicago, sevens",
        ),
        (
            text(table="options = { jokers = 1 }"),
            "game 'class' has no option 'jokers': it has ends, stakes, understating, ",
        ),
        (text(table="options = { points = 5 }"), "game 'class' has no option 'points'"),
        (text(table='options = { stakes = "money" }'), "stakes is one of matches, drinks"),
        (text(table='options = { stakes = ["drinks"] }'), "stakes is one of matches, drinks"),
        (text(table="options = 1"), "'options' is missing or not of its kind: write a table"),
        (text(seat=""), "'seat' is missing .* write a seat number"),
        (text(seat="seat = 3"), "table.seat = 3: write a seat from 0 to 2"),
        (text(seat="seat = true"), "'seat' is missing or not of its kind"),
        (text(table="first = -1"), "table.first = -1: write a seat from 0 to 2"),
        (text(table="epoch = 0"), "table.epoch = 0: write a number from 1 to 4095"),
        (text(table="epoch = 4096"), "table.epoch = 4096: write a number from 1 to 4095"),
        (text(seats=""), r"'seats' is missing .* write \[\[table.seats\]\]"),
        (text(table="seats = []", seats=""), "table.seats: class is for 3 to 9 players, not 0"),
        (text(table="seats = [1]", seats=""), r"write each seat as \[\[table.seats\]\] with name"),
        (text(seats=SEATS[: len(SEATS) * 2 // 3]), "class is for 3 to 9 players, not 2"),
        (text(seats=seats_text(NAMES[:10])), "table.seats: class is for 3 to 9 players, not 10"),
        (text(seats=SEATS.replace("Ben", "Ana")), "seats 0 and 1 are both called 'Ana'"),
        (text(seats=SEATS.replace("Ben", "\u0410n\u0430")), "looks like 'Ana'"),
        (text(seats=SEATS.replace("Ben", "Анастасия")), "'Анастаси' fits"),
        (text(seats=SEATS.replace("Ben", " ")), "seat 1 needs a name that can be shown"),
        (text(seats=SEATS.replace(":01", ":00")), "two seats share the address: give each its own"),
        (text(seats=SEATS.replace("F4:01", "F4")), "address 'F0:F1:F2:F3:F4' of Ben: make one up"),
        (text(seats=SEATS + "colour = 1\n"), r"unknown entry 'colour' in \[\[table.seats\]\]"),
    ],
)
def test_every_mistake_is_one_line_that_says_what_to_write(write, settings, line):
    path = write(settings)
    with pytest.raises(SettingsError, match=line) as caught:
        load(path)
    assert str(caught.value).startswith(f"settings {path}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"settings .*nowhere\.toml: No such file .* check the"):
        load(tmp_path / "nowhere.toml")
    with pytest.raises(SettingsError, match="check the path"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("settings", "name", "value"),
    [
        ('name = "  Bo  Li "', "name", "Bo Li"),
        ('opponent = "shark"', "opponent", "shark"),
        ('light = "bh1750"', "light", "bh1750"),
        (text(table='faults = "strict"'), "faults", "strict"),
        (text(table='faults = "off"'), "faults", "off"),
        (text(seats=SEATS.lower()), "address", "F0:F1:F2:F3:F4:01"),
    ],
)
def test_what_is_written_is_the_setting(write, settings, name, value):
    assert getattr(load(write(settings)), name) == value


def test_options_change_the_rules(write):
    options = 'options = { credit = 5, ends = "last_standing" }'
    rules = load(write(text(table=options))).standing.agreed.rules
    assert (rules.credit, rules.ends) == (5, "last_standing")


def test_without_a_table_the_handheld_begins_in_the_lobby(write):
    assert load(write("")) == Settings()
    found = load(write('name = "Ana"\naddress = "F0:F1:F2:F3:F4:00"\nlink = "ir"'))
    assert (found.name, found.address, found.link) == ("Ana", "F0:F1:F2:F3:F4:00", ("ir",))


def test_without_a_file_the_first_choice_is_fitted():
    assert chosen_light(None) == "veml7700"
    with pytest.raises(SettingsError, match="check the path"):
        chosen_light(Path("/nowhere/settings.toml"))
