"""A card that starts: what `make card` writes, and what the Pi does with it."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from steckbrett.testing.bench import Bench

from install import card as making
from install import first_start
from install.card import Card, CardError

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "install"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ6 'ana' \"#: \\ ü"
PSK = "5c" * 32
WHOLE = Card("ana", "$6$a$b", KEY, "Käse: \"'#\\ $x", PSK, "NO", "de", ("--link", "bluetooth"))
CMDLINE = "console=tty1 root=PARTUUID=1-02 rootwait resize"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Empty wheels of every name that is pinned."""
    folder = tmp_path_factory.mktemp("wheels")
    names = re.findall(r"(?m)^([a-z\d-]+)==", (INSTALL / "requirements.txt").read_text())
    for name in names:
        (folder / f"{name.replace('-', '_')}-1-cp313-cp313-manylinux_2_17_aarch64.whl").touch()
    return folder


@pytest.fixture
def boot(tmp_path):
    """The boot partition of a card that was just written with Trixie."""
    folder = tmp_path / "bootfs"
    folder.mkdir()
    for name in ("config.txt", "kernel8.img", "meta-data", "user-data"):
        (folder / name).write_text("#\n")
    (folder / "cmdline.txt").write_text(CMDLINE + "\n")
    return folder


@pytest.fixture
def said(capsys):
    """A call of ``make card``: its exit status, stdout and stderr."""

    def call(*arguments):
        status = making.main([*map(str, arguments)])
        return status, *capsys.readouterr()

    return call


def test_pages_fit_in_every_language_and_each_step_and_fault_has_one():
    books = making.texts()
    needed = {*first_start.STEPS.values(), *first_start.FAULTS.values()}
    needed |= {"unpack", "done", "failed", "broken", "bits", "room"}
    for language, book in books.items():
        assert set(book) == needed, language
        for name, (title, text) in book.items():
            frame, misfits = making.drawn(title, text, language)
            assert (len(frame), misfits) == (1024, []), (language, name)
    assert making.drawn("x", "word " * 40, "en")[1]


def test_both_shapes_say_the_same_whatever_letters_are_in_them():
    cloud = yaml.safe_load(making.user_data(WHOLE))
    assert making.user_data(WHOLE).startswith("#cloud-config\n")
    assert cloud["bootcmd"] == [["sh", "/boot/firmware/maexchen/begin", "now"]]
    assert cloud["user"]["ssh_authorized_keys"] == [KEY]
    assert (cloud["user"]["name"], cloud["user"]["passwd"]) == ("ana", "$6$a$b")
    assert (cloud["user"]["lock_passwd"], cloud["ssh_pwauth"]) == (False, False)
    wlan = yaml.safe_load(making.network_config(WHOLE))["network"]["wifis"]["wlan0"]
    assert wlan["access-points"] == {WHOLE.wifi: {"password": PSK}}
    assert wlan["regulatory-domain"] == "NO", "not false"
    script = making.firstrun(WHOLE)
    heard = "imager_custom() { printf '%s|' \"$@\"; }; userconf() { printf '%s|' \"$@\"; }\n"
    lines = [re.sub(r"^/usr/lib/[\w-]+/", "", line) for line in script.splitlines()[3:-4]]
    ran = subprocess.run(
        ["sh", "-c", heard + "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split("|")[:-1] == [
        *("enable_ssh", "-k", KEY, "ana", "$6$a$b", "set_wlan", WHOLE.wifi, PSK, "NO")
    ]
    assert lines[-1] != script.splitlines()[-4] == "sh /boot/firmware/maexchen/begin"


def test_without_login_and_wifi_there_is_neither_and_never_a_password():
    shapes = making.shaped(Card())
    assert set(shapes) == {"user-data", "meta-data", "firstrun.sh"}
    assert set(yaml.safe_load(shapes["user-data"])) == {"bootcmd"}
    assert not re.search("passw|userconf|ssh|wlan", "".join(shapes.values()))
    locked = yaml.safe_load(making.user_data(Card("ana", key=KEY)))["user"]
    assert (locked["lock_passwd"], "passwd" in locked) == (True, False)
    assert "userconf ana '*'\n" in making.firstrun(Card("ana", key=KEY))
    ids = {making.shaped(each)["meta-data"] for each in (Card(), WHOLE)}
    assert len(ids) == 2


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"login": "ana"}, "there is no default password"),
        ({"login": "root", "key": KEY}, "not root"),
        ({"key": KEY}, "wants a login"),
        ({"login": "ana", "key": "-----BEGIN OPENSSH PRIVATE KEY-----"}, "no public key"),
        ({"wifi": "home", "psk": PSK}, "COUNTRY=DE"),
        ({"wifi": "ü" * 17, "psk": PSK, "country": "DE"}, "at most 32 bytes"),
        ({"language": "xx"}, "there are en, de, fr"),
    ],
)
def test_a_description_that_cannot_be_is_one_line(wrong, told):
    with pytest.raises(CardError, match=re.escape(told)) as refused:
        Card(**wrong)
    assert "\n" not in str(refused.value)


def test_passwords_are_hashed_as_the_system_and_the_radio_want_them():
    assert making.pre_shared("IEEE", "password").startswith("f42c6fc52df0ebef9ebb4b90b38a5f90")
    for short in ("", "1234567", "x" * 64):
        with pytest.raises(CardError, match="8 to 63"):
            making.pre_shared("IEEE", short)
    with pytest.raises(CardError, match="empty"):
        making.hashed("")
    if shutil.which("openssl"):
        _, kind, salt, _ = making.hashed("käse").split("$")
        again = ["openssl", "passwd", "-6", "-salt", salt, "käse"]
        told = subprocess.run(again, capture_output=True, text=True, check=True).stdout
        assert (kind, told.split("$")[2]) == ("6", salt)


def test_wheels_that_no_pi_can_install_are_one_line(tmp_path, wheels):
    pins = (INSTALL / "requirements.txt").read_text()
    making.check_wheels(wheels, pins)
    with pytest.raises(CardError, match="call make wheels first"):
        making.check_wheels(tmp_path, pins)
    with pytest.raises(CardError, match="for x86_64"):
        making.check_wheels(wheels, pins, "x86_64")
    shutil.copytree(wheels, tmp_path / "few")
    next((tmp_path / "few").glob("cffi-*")).unlink()
    with pytest.raises(CardError, match="has no cffi for aarch64"):
        making.check_wheels(tmp_path / "few", pins)


def test_a_card_of_bookworm_is_told_by_its_command_line_and_one_of_trixie_is_not(boot):
    assert making.command_line(boot) == CMDLINE + "\n"
    (boot / "meta-data").unlink()
    told = making.command_line(boot)
    assert told == CMDLINE + making.SYSTEMD_RUN + "\n"
    (boot / "cmdline.txt").write_text(told)
    assert making.command_line(boot) == told
    back = re.search(r"sed -i '(.*)' ", making.firstrun(Card()))[1]
    subprocess.run(["sed", "-i", back, boot / "cmdline.txt"], check=True)
    assert (boot / "cmdline.txt").read_text() == CMDLINE + "\n"


@pytest.mark.whole
def test_a_card_gets_the_shape_that_it_reads_and_again_the_same(said, boot, wheels, tmp_path):
    (tmp_path / "key.pub").write_text(KEY + "\n")
    whole = ["--card", boot, "--wheels", wheels, "--login", "ana", "--key", tmp_path / "key.pub"]
    cloud = {"meta-data", "user-data"}
    for reads, unread in (cloud, {"firstrun.sh"}), ({"firstrun.sh"}, cloud):
        for name in unread:
            (boot / name).unlink(missing_ok=True)
        before = None
        for _ in range(2):
            status, out, err = said(*whole)
            assert (status, err) == (0, ""), err
            assert "Eject the card" in out
            found = {path.name: path.read_bytes() for path in boot.rglob("*") if path.is_file()}
            assert found.keys() >= reads | {"maexchen.tar", "options.json"}
            assert not found.keys() & unread
            assert before in (None, found)
            before = found


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda boot: (boot / "kernel8.img").unlink(), "is no boot partition of a 64-bit Pi OS"),
        (lambda boot: (boot / "cmdline.txt").write_text("ds=nocloud;i=1"), "of the Imager"),
        (lambda boot: (boot / "cmdline.txt").write_text("systemd.run=/x"), "of the Imager"),
        (shutil.rmtree, "is no boot partition"),
    ],
)
def test_a_folder_that_is_no_fresh_card_is_one_line_and_stays_as_it_is(said, boot, spoil, told):
    spoil(boot)
    before = sorted(boot.rglob("*"))
    status, out, err = said("--card", boot)
    assert (status, err.count("\n"), out) == (2, 1, "")
    assert told in err
    assert sorted(boot.rglob("*")) == before


def test_too_little_room_is_one_line(boot, monkeypatch):
    making.write({"maexchen/begin": b"former"}, boot)
    monkeypatch.setattr(making, "SPARE_BYTES", 1 << 60)
    with pytest.raises(CardError, match=r"MB free, and \d+ MB are needed"):
        making.write({"user-data": b"x"}, boot)
    assert (boot / "user-data").read_text() == "#\n"
    assert (boot / "maexchen/begin").read_bytes() == b"former", "what was there stays"


def test_a_key_that_is_none_is_one_line_before_anything_is_asked(said):
    told = "card: /nope cannot be read: give the file of a key\n"
    assert said("--login", "ana", "--key", "/nope") == (2, "", told)


@pytest.fixture
def started(boot, wheels, tmp_path, monkeypatch):
    """A card in its Pi, and a call that starts it: setup-pi writes below a folder of its own."""
    making.write(making.contents(WHOLE, wheels), boot)
    pi = tmp_path / "pi"
    (pi / "boot/firmware").mkdir(parents=True)
    (pi / "boot/firmware/config.txt").write_text("dtparam=audio=on\n")
    monkeypatch.setattr(first_start, "NEEDED_BYTES", 0)
    monkeypatch.setattr(first_start, "BUS", str(tmp_path / "bus"))
    monkeypatch.setattr(first_start, "LEDS", tmp_path / "leds")
    monkeypatch.setenv("SUDO_USER", "")
    led = tmp_path / "leds/ACT"
    led.mkdir(parents=True)
    return lambda: first_start.start(boot, tmp_path / "src/maexchen", ["--root", str(pi)]), pi, led


def test_the_first_start_sets_the_pi_up_and_a_second_one_has_nothing_to_do(started, boot, capfd):
    start, pi, led = started
    assert start() == 0
    assert (boot / "maexchen-log.txt").read_text() == "first start: done\n"
    assert not (boot / "maexchen/maexchen.tar").exists()
    assert (led / "delay_on").read_text() == str(first_start.SLOW_MS)
    settings = (pi / "etc/maexchen/settings.toml").read_text()
    assert 'language = "de"\n' in settings
    assert "gpio-ir" not in (pi / "boot/firmware/config.txt").read_text()
    told = capfd.readouterr().out
    for needle in first_start.STEPS:
        assert needle in told
    assert "--no-index --find-links" in told
    assert "usermod -aG gpio ana" in told
    ran = subprocess.run(["sh", boot / "maexchen/begin"], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda boot, pi: os.truncate(boot / "maexchen/maexchen.tar", 9000),
         "is not what make card wrote"),
        (lambda boot, pi: (pi / "boot/firmware/config.txt").write_text("# >>> maexchen\n"),
         "is missing: repair it"),
        (lambda boot, pi: (pi / "etc").touch(), "mkdir: "),
    ],
)  # fmt: skip
def test_an_error_is_one_line_on_the_card_and_the_next_start_tries_again(
    started, boot, spoil, told
):
    start, pi, led = started
    assert first_start.FAST_MS * 4 <= first_start.SLOW_MS
    spoil(boot, pi)
    for _ in range(2):
        assert start() == 1
        line = (boot / "maexchen-log.txt").read_text()
        assert line.count("\n") == 1
        assert told.lower() in line.lower()
        assert (led / "delay_off").read_text() == str(first_start.FAST_MS)
    assert (boot / "maexchen/maexchen.tar").exists()


def test_room_and_bits_are_looked_at_before_anything_is_unpacked(started, boot, monkeypatch):
    start, _, _ = started
    monkeypatch.setattr(first_start, "NEEDED_BYTES", 1 << 60)
    assert start() == 1
    assert "MB are free" in (boot / "maexchen-log.txt").read_text()
    monkeypatch.setattr(platform, "machine", lambda: "armv7l")
    assert start() == 1
    assert "armv7l is no 64-bit system" in (boot / "maexchen-log.txt").read_text()


SHOWS = f"""
import sys
sys.path.insert(0, {str(INSTALL)!r})
import first_start
first_start.show(bytes.fromhex(sys.argv[1]))
"""


def test_a_page_is_on_the_display_with_no_more_than_the_kernels_bus(tmp_path):
    title, text = making.texts()["en"]["libraries"]
    frame = making.drawn(title, text, "en")[0]
    program = tmp_path / "shows.py"
    program.write_text(SHOWS.replace("sys.argv[1]", repr(frame.hex())))
    bench = Bench(["ssd1306"])
    bench.run(program, until=5.0)
    assert bench.board.offences() == []
    assert bench.board.fitted("ssd1306").memory == frame
    assert bench.display.lit


def test_without_a_display_or_a_light_nothing_stops(tmp_path, monkeypatch):
    monkeypatch.setattr(first_start, "BUS", str(tmp_path / "none"))
    first_start.show(bytes(1024))
    monkeypatch.setattr(first_start, "LEDS", tmp_path)
    first_start.blink(100)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_shellcheck_has_nothing_against_the_scripts(tmp_path):
    script = tmp_path / "firstrun.sh"
    script.write_text(making.firstrun(WHOLE))
    ran = subprocess.run(
        ["shellcheck", "--exclude=SC2016", INSTALL / "begin", script],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.returncode) == ("", 0)
