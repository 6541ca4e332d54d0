"""From setup-pi on a fresh system to a service that waits, and off again."""

import json

import pytest

pytestmark = pytest.mark.container


def test_it_is_the_python_of_the_system(handheld):
    told = handheld.must("/opt/maexchen/venv/bin/python --version")
    assert told.startswith("Python 3.13.")


def test_the_service_waits(handheld):
    print(handheld.must("journalctl -u maexchen -o cat"))
    print(handheld.must("systemctl show maexchen"))
    print(
        handheld.must("systemd-analyze verify maexchen.service; systemd-analyze security maexchen")
    )
    for user, line in (
        ("pi", "sudo maexchen doctor"),
        ("pi", "maexchen doctor"),
        ("pi", "sudo -u maexchen maexchen calibrate"),
        ("pi", "maexchen log"),
        ("pi", "sudo -u maexchen maexchen log"),
        ("pi", "maexchen run --settings /etc/maexchen/settings.toml"),
        ("pi", "maexchen run"),
        ("pi", "maexchen record x --label y"),
        ("pi", "maexchen calibrate"),
        (
            "root",
            "cd /opt/maexchen/venv/lib/python3*/site-packages && runuser -u maexchen -- /opt/maexchen/venv/bin/python -c 'import RPi.GPIO'",
        ),
        (
            "pi",
            "sudo -u maexchen /opt/maexchen/venv/bin/python -c 'import RPi.GPIO as G; G.setmode(G.BCM)'",
        ),
    ):
        ran = handheld.run(line, user)
        print("###", user, line, ran.returncode)
        print(ran.told)
    assert 0
