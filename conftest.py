"""The fixtures of all tests: ``--soak=N`` plays N whole matches; matches are summed up."""

import gc
import os
import shutil
from inspect import iscoroutinefunction
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
    "tests/hw_sim/live/web/test_site",
    "tests/hw_sim/live/web/test_hosted_evening.py",
    "steckbrett/tests/strangers",
    "tests/journeys",
)
"""The tests that begin first, so that no worker is left with one at the end."""

SLOW = (
    "research/tests/test_learning.py::test_the_extra_brings_what_openspiel_solves_linear",
    "research/tests/test_strength.py::test_a_bot_in_trouble_loses_its_match_and_the_third",
    "research/tests/test_strength.py::test_the_command_tells_draws_and_writes",
    "tests/firmware/bots/test_bot.py::test_it_takes_more_from_who_errs_than_the_expert_does",
    "tests/firmware/bots/test_bot.py::test_r_hf_5_mistakes_are_made_by_the_careless_alone",
    "tests/firmware/bots/test_bot.py::test_what_can_be_made_of_it_is_no_more_than_a_round_and",
    "tests/firmware/bots/test_hint.py::test_a_preparation_that_stops_anywhere_is_gone_on_with_by",
    "tests/firmware/bots/test_hint.py::test_who_opens_against_simple_bots_tells_the_truth_and",
    "tests/firmware/bots/test_intent.py::test_between_two_who_play_for_points_the_score_counts",
    "tests/firmware/cli/test_cli.py::test_who_may_not_read_a_file_is_told_who_may",
    "tests/firmware/display/text/test_rulebook.py::test_no_piece_of_the_rules_is_left_out",
    "tests/firmware/table/protocol/test_room_line.py::test_a_flood_of_hellos_or_of_lines_leaves",
    "tests/firmware/table/seat/test_held_back.py::test_old_copies_and_old_frames_lead_nobody",
    "tests/firmware/table/seat/test_secrets.py::test_a_recorder_on_the_air_learns_nothing_of",
    "tests/hw_sim/cli/test_cli.py::test_an_interrupt_ends_it_quietly",
    "tests/hw_sim/cli/test_cli.py::test_play_without_a_terminal_plays_all_seats_and_tells_in",
    "tests/hw_sim/live/page/test_evening.py::test_a_host_whose_tab_is_loaded_anew_as_soon_as",
    "tests/hw_sim/live/serve/test_broker_proxy.py::test_a_phone_that_reads_nothing_holds_up_no",
    "tests/hw_sim/live/test_terminal.py::test_an_interrupt_puts_the_terminal_right_again",
    "tests/hw_sim/live/web/test_coach_report.py::test_a_match_that_is_over_is_judged",
    "tests/hw_sim/live/web/test_page_table.py::test_a_session_is_played_again_on_the_bench",
    "tests/hw_sim/live/web/test_page_table.py::test_a_session_that_is_judged_tells_how_far_it",
    "tests/hw_sim/live/web/test_room.py::test_a_screen_shows_a_verdict_once_and_a_stranger_shows",
    "tests/hw_sim/live/web/test_room.py::test_no_phone_is_told_a_verdict_before_the_screen_has",
    "tests/hw_sim/live/web/test_room.py::test_nobody_is_told_the_tally_before_the_screen_has",
    "tests/hw_sim/live/web/test_site.py::test_a_site_that_is_built_is_not_built_again",
    "tests/hw_sim/live/world/test_match_store.py::test_the_command_line_plays_a_session_again",
    "tests/hw_sim/live/world/test_world.py::test_a_bot_that_fails_begins_anew_and_the_others",
    "tests/hw_sim/live/world/test_world.py::test_the_air_is_told_by_what_its_frames_say_in",
    "tests/hw_sim/table/test_setup.py::test_a_bot_finds_no_journal_of_a_match",
    "tests/hw_sim/training/test_faces.py::test_a_whole_match_is_judged_against_its_bots_and_what",
    "tests/hw_sim/trials/test_gesture_trial.py::test_a_calibration_of_other_light_hides_the",
    "tests/hw_sim/trials/test_soak.py::test_one_seed_is_one_soak",
)
"""Tests of a second or more that kill little for it: the long run has them."""

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
        short = [name for name in digests.names(seeds=1) if " ir " not in name or "class" in name]
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
    return bool(browsed or item.get_closest_marker("whole") or item.nodeid.startswith(SLOW))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test that is a coroutine runs in virtual time, on its fixture ``loop`` if it has one."""
    if not iscoroutinefunction(pyfuncitem.obj):
        return None
    from hw_sim.clock import run  # most rooms do without it

    names = pyfuncitem._fixtureinfo.argnames
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    loop = pyfuncitem.funcargs.get("loop")
    run(test) if loop is None else loop.run_until_complete(test)
    return True


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
