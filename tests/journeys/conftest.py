"""Fixtures of the journeys: how to play a match, and who judges it."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def load(path):
    """Import a module that lies among the tests, which are not a package."""
    name = f"journeys_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


playing = load(HERE / "playing.py")
measures = load(HERE / "measures.py")
referee = load(HERE.parent / "game" / "naive_checker.py")
MATCHES = pytest.StashKey[list]()


def pytest_runtest_logreport(report):
    for name, told in report.user_properties:
        if report.when == "call" and name == "match":
            _told.append(told)


_told = []


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    """A soak that misses a target fails, though each of its matches ended well."""
    if session.config.getoption("soak") and _told and measures.Summary(_told).shortfalls:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("soak") or not _told:
        return
    summary = measures.Summary(_told)
    terminalreporter.section("all matches together")
    for line in summary.lines():
        terminalreporter.line(line)
    for line in summary.shortfalls:
        terminalreporter.line(f"MISSED: {line}", red=True)


@pytest.fixture
def play(tmp_path):
    """Play a match as ``playing.play_match`` does, with its journals in a folder of its own."""
    folders = iter(range(1000))

    def play_it(setup, **arguments):
        folder = tmp_path / str(next(folders))
        folder.mkdir()
        return playing.play_match(setup, folder, **arguments)

    return play_it


@pytest.fixture(scope="session")
def setup_of():
    return playing.setup_of


@pytest.fixture(scope="session")
def numbers():
    return playing.numbers


@pytest.fixture(scope="session")
def measured():
    return measures


@pytest.fixture(scope="session")
def complaints():
    """Tell what is not as it must be at the end of a match; an empty list is a good match."""
    return lambda played: playing.complaints(played, referee.judge)


@pytest.fixture(scope="session")
def recordings(tmp_path_factory):
    """A folder of recorded motion: RECORDINGS names one, or it is made up."""
    given = os.environ.get("RECORDINGS")
    if given:
        return Path(given)
    from hw_sim.corpus import write_corpus

    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder, seed=1, people=2)
    return folder
