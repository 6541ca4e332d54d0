"""A match in Firefox on the built site: it is closed in the middle, and opened with no server."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hw_sim.live.site.build import ROOT, fetch_npm
from tests.hw_sim.live.web.conftest import hosted

JOURNEY = Path(__file__).parents[3] / "support" / "journey"
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
JOURNEY_S = 250
MATCH = "#game=class&seed=7&lang=en"


@pytest.fixture(scope="module")
def packages():
    """The folder of the packages that drive a browser."""
    if shutil.which("npm") is None:
        pytest.skip("no npm: call make node, or install Node 20 or newer")
    folder = ROOT / "build" / "journey"
    fetch_npm(JOURNEY, folder)
    return folder


def travel(packages, profile, address, what):
    """The state of the page after a part of the journey, and the titles of the lessons.

    Nothing went wrong on the way.
    """
    command = (
        JOURNEY / "journey.mjs",
        packages,
        "firefox",
        FIREFOX,
        profile,
        address,
        what,
    )
    done = subprocess.run(
        ("node", *command), stdout=subprocess.PIPE, text=True, check=True, timeout=JOURNEY_S
    )
    told = json.loads(done.stdout)
    assert told["complaints"] == []
    assert {host for host in told["hosts"] if host} == {address.split("/")[2]}
    return told["state"], {*told["taught"]}


@pytest.mark.whole
def test_class_is_played_and_its_second_match_goes_on_without_a_server(site, packages, tmp_path):
    if FIREFOX is None:
        pytest.skip("no Firefox: on Debian install firefox-esr")
    with hosted(site) as address:
        played, taught = travel(packages, tmp_path, f"{address}{MATCH}", "play")
    assert taught >= {"Shake", "Peek", "Say"}
    assert played["seen"].startswith("Dice")
    assert len(set(played["scores"])) > 1
    assert re.fullmatch(r"Ana1[01][01]", played["tally"])  # matches played, lost, crowned
    assert travel(packages, tmp_path, address, "return")[0] == played
