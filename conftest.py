"""The fixtures of all tests: ``--soak=N`` plays N whole matches; matches are summed up."""

import gc
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from game import RULES
from tests.support.measures import Summary

ENOUGH_MATCHES = 20
"""The fewest matches that are summed up; the short ones of the usual run are not."""
SOAKED = dict.fromkeys(RULES, 100) | {"class": 200}
"""How many matches of each game a usual soak plays."""

LONGEST = (
    "tests/hw_sim/live/web/test_hosted_evening.py",
    "steckbrett/tests/strangers",
    "tests/journeys",
    "tests/hw_sim/live/web/test_site_pages.py",
)
"""The tests that begin first, so that no worker is left with one at the end."""


IN_MEMORY, ROOMY_BYTES = Path("/dev/shm"), 4 << 30
"""A disk in memory, for folders of tests: a match waits for hundreds of writes to a real one."""


def pytest_addoption(parser):
    parser.addoption(
        "--soak",
        metavar="N",
        help="play N whole matches of each game, or as many as usual (with -m soak: nothing else)",
    )
    parser.addoption(
        "--short", action="store_true", help="leave out whole matches, browsers and long walks"
    )
    parser.addoption("--long", action="store_true", help="run what --short leaves out, alone")
    parser.addoption("--night", action="store_true", help="run, too, what repeats others at length")
    parser.addoption(
        "--pi", action="store_true", help="test the drivers on the board this runs on, too"
    )
    parser.addoption(
        "--container", action="store_true", help="set a handheld up on the real system, too"
    )
    parser.addoption(
        "--game", default="all", choices=("all", *SOAKED), help="with --soak: the game"
    )


# Examples may take as long as a busy machine needs, and are the same in every run but a soak.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("others", deadline=None, print_blob=True)


def pytest_configure(config):
    os.environ["BROKERS"] = "none"  # no page of a test may speak to the Internet
    settings.load_profile("same" if config.getoption("soak") is None else "others")
    config.pluginmanager.register(SumOfMatches())
    roomy = IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOMY_BYTES
    if roomy and not config.getoption("container"):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


def pytest_generate_tests(metafunc):
    if "soaked" in metafunc.fixturenames:
        number, game = (metafunc.config.getoption(name) for name in ("soak", "game"))
        matches = [
            (one, seed)
            for one, usual in SOAKED.items()
            if number is not None and game in ("all", one)
            for seed in range(1, (usual if number == "usual" else int(number)) + 1)
        ]
        metafunc.parametrize("soaked", matches, ids=lambda match: "-".join(map(str, match)))
    if "digested" in metafunc.fixturenames:
        from tests.labs import digests  # most rooms do without all that these import

        game = metafunc.config.getoption("game")
        short = digests.names(seeds=1)
        metafunc.parametrize(
            "digested",
            [
                pytest.param(name, marks=[] if name in short else pytest.mark.soak)
                for one in digests.SETUPS
                for name in digests.names(game=one)
                if name in short or game in ("all", one)
            ],
        )


def pytest_collection_modifyitems(config, items):
    """Leave out what was not asked for by an option; begin with what takes longest."""
    unasked = [name for name in ("soak", "night", "pi", "container") if not config.getoption(name)]
    left_out = {item for item in items if any(map(item.get_closest_marker, unasked))}
    for length, is_long in (("short", False), ("long", True)):
        if config.getoption(length):
            left_out |= {item for item in items if _is_long(item) is not is_long}
    if left_out:
        config.hook.pytest_deselected(items=[*left_out])
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


def _is_long(item):
    """Return whether ``make test`` leaves a test out; of those in a browser it has one."""
    browsed = "browser" in item.fixturenames and not item.get_closest_marker("smoke")
    return bool(browsed or item.get_closest_marker("whole"))


def pytest_collection_finish():
    """What is loaded by now stays: no collection, as each virtual run ends with, looks at it."""
    gc.collect()
    gc.freeze()


def pytest_runtest_logreport(report):
    """The same for what each test leaves behind: its report, and what it has loaded."""
    if report.when == "teardown":
        gc.freeze()


class SumOfMatches:
    """Sums up what whole matches have told, whichever process played them."""

    def __init__(self):
        self._told = []
        self._summary = None

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self._told += [told for name, told in report.user_properties if name == "match"]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        """A run that misses a target fails, though each of its matches ended well."""
        if len(self._told) >= ENOUGH_MATCHES:
            self._summary = Summary(self._told)
            if self._summary.shortfalls:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        if self._summary is None:
            return
        terminalreporter.section("all matches together")
        for line in self._summary.lines():
            terminalreporter.line(line)
        for line in self._summary.shortfalls:
            terminalreporter.line(f"MISSED: {line}", red=True)


@pytest.fixture
def tell(request):
    """Hand plain values of a match to whoever sums up the run, across worker processes."""
    return lambda told: request.node.user_properties.append(("match", told))
