"""Run the tests on one mutant after the other, in copies of the tree."""

import hashlib
import importlib
import multiprocessing
import os
import resource
import select
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, NamedTuple

from tests.labs.mutants.areas import AREAS, ROOT, TREE
from tests.labs.mutants.faults import Fault

OPTIONS = (
    *("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=line", "--hypothesis-seed=0"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # Hypothesis is imported before it runs
)
WARM = (
    *("pytest", "hypothesis", "hypothesis.strategies", "hypothesis.stateful", "asyncio", "json"),
    *("aiohttp", "bumble.device", "bumble.host", "bumble.controller", "PIL.Image", "PIL.ImageDraw"),
    *("cryptography.hazmat.primitives.ciphers.aead", "smbus2", "reedsolo", "sqlite3", "doctest"),
    *("cryptography.hazmat.primitives.asymmetric.x25519", "statistics", "fractions", "tomllib"),
)
"""What is imported before the forks: it is the same for every mutant."""
PROCESSOR_S = 5
"""A mutant may take twice the processor time of the tests without it, and so much more."""
WAITS = 20
"""A mutant whose tests last so many times its limit waits for what never comes."""
MEMORY_BYTES = 2 << 30
"""A fault that gathers without end comes to an end here."""


class Outcome(NamedTuple):
    """What became of a mutant: "killed", "timed out" or "survived", and which test noticed."""

    verdict: str
    test: str
    processor_s: float


class FirstFailure:
    """Writes down the first test that fails."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _note(self, report: Any) -> None:
        if report.failed and not self._path.exists():
            self._path.write_text(report.nodeid, encoding="utf-8")

    pytest_runtest_logreport = _note
    pytest_collectreport = _note


class Place:
    """A copy of the tree, in which one mutant after the other lives."""

    def __init__(self, folder: Path, origin: Path) -> None:
        self.folder = folder
        self.tree = folder / "tree"
        ignored = shutil.ignore_patterns(".git", ".*_cache", ".venv", ".hypothesis", "*.egg-info")
        shutil.copytree(origin, self.tree, ignore=ignored)

    def tests(self, names: tuple[str, ...]) -> list[str]:
        """The paths of tests by their names, in this order."""
        paths: dict[str, None] = {}
        for name in names:
            for path in sorted((self.tree / "tests").rglob(name)):
                paths[path.relative_to(self.tree).as_posix()] = None
        return list(paths)

    def run(
        self, tests: list[str], options: tuple[str, ...], limit_s: int, *, clean: bool = False
    ) -> Outcome:
        """Run tests in a process of their own; ``clean`` ones leave their bytecode behind."""
        if not tests:
            return Outcome("survived", "", 0.0)
        failure = self.folder / "failure"
        failure.unlink(missing_ok=True)
        pid = os.fork()
        if pid == 0:
            try:
                self._be_run([*options, *tests], limit_s, clean, failure)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(9)
        ended = os.pidfd_open(pid)
        try:
            is_stuck = not select.select([ended], [], [], WAITS * limit_s)[0]
        finally:
            os.close(ended)
            for kill in (os.killpg, os.kill):
                with suppress(ProcessLookupError):
                    kill(pid, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
        test = failure.read_text(encoding="utf-8") if failure.exists() else ""
        spent_s = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        if is_stuck or code in (-signal.SIGXCPU, -signal.SIGKILL):
            return Outcome("timed out", test, spent_s)
        return Outcome("killed" if code else "survived", test, spent_s)

    def _be_run(self, words: list[str], limit_s: int, clean: bool, failure: Path) -> None:
        import pytest

        os.setsid()
        output = os.open(self.folder / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, end in enumerate((nothing, output, output)):
            os.dup2(end, number)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        os.chdir(self.tree)
        elsewhere = [path for path in sys.path if not (Path(path) / "firmware").is_dir()]
        own = [str(self.tree), str(self.tree / "steckbrett/src")]
        sys.path[:] = [*own, *elsewhere]
        sys.dont_write_bytecode = not clean
        os.environ["PYTHONPATH"] = os.pathsep.join(own)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "" if clean else "1"
        os.environ["TMPDIR"] = str(self.folder)
        for name in [name for name in sys.modules if name.partition(".")[0] in TREE]:
            del sys.modules[name]
        options = [*OPTIONS, f"--rootdir={self.tree}", f"--basetemp={self.folder / 'temporary'}"]
        code = pytest.main([*options, *words], plugins=[FirstFailure(failure)])
        sys.stdout.flush()
        os._exit(int(code))

    @contextmanager
    def holding(self, fault: Fault, source: bytes) -> Iterator[None]:
        """Have a fault in the tree; no bytecode that lies there is of its time."""
        path = self.tree / fault.file
        written_ns = path.stat().st_mtime_ns
        path.write_bytes(fault.into(source))
        os.utime(path, (0, 0))
        try:
            yield
        finally:
            path.write_bytes(source)
            os.utime(path, ns=(written_ns, written_ns))


def limits(place: Place, name: str) -> list[int]:
    """The processor times in s that the stages of an area may take: run them without a mutant."""
    found = []
    for names, options in AREAS[name].stages:
        outcome = place.run(place.tests(names), options, 600, clean=True)
        if outcome.verdict != "survived":
            print((place.folder / "output").read_text())
            sys.exit(f"without any mutant the tests of {name} fail: {outcome.test}")
        found.append(PROCESSOR_S + round(2 * outcome.processor_s))
    return found


def trial(place: Place, fault: Fault, limits_s: list[int]) -> dict[str, Any]:
    """Put a fault in, run the tests of its area stage by stage; return what became of it."""
    source = (place.tree / fault.file).read_bytes()
    spent_s = 0.0
    with place.holding(fault, source):
        for (names, options), limit_s in zip(AREAS[fault.area].stages, limits_s):
            outcome = place.run(place.tests(names), options, limit_s)
            spent_s += outcome.processor_s
            if outcome.verdict != "survived":
                break
    found = {**fault._asdict(), **outcome._asdict(), "processor_s": round(spent_s, 2)}
    return found | {"difference": fault.difference(source)}


# All of them


def warm_up() -> None:
    """Import what every mutant needs, and let Hypothesis repeat itself."""
    for name in WARM:
        importlib.import_module(name)
    from hypothesis import HealthCheck, Phase, settings

    phases, unchecked = (Phase.explicit, Phase.generate), (HealthCheck.too_slow,)
    settings.register_profile(
        "mutants",
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=unchecked,
        print_blob=False,
    )
    settings.load_profile("mutants")


_own: list[Place] = []
"""The copy of the tree that a worker has; the first process has none."""


def _move_in(folder: str, origin: Path) -> None:
    _own.append(Place(Path(mkdtemp(dir=folder)), origin))


def _own_trial(fault: Fault, limits_s: list[int]) -> dict[str, Any]:
    return trial(_own[0], fault, limits_s)


def run_all(jobs: list[Fault], workers: int) -> Iterator[dict[str, Any]]:
    """Run mutants side by side, each worker in a copy of the tree; tell of each once it is done."""
    warm_up()
    with TemporaryDirectory(prefix="mutants-") as folder:
        first = Place(Path(folder) / "first", ROOT)
        limits_s = {name: limits(first, name) for name in {job.area for job in jobs}}
        fork = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, fork, _move_in, (folder, first.tree)) as pool:
            trials = [pool.submit(_own_trial, job, limits_s[job.area]) for job in jobs]
            for done in as_completed(trials):
                yield done.result()


def fingerprint() -> str:
    """What a run depends on: the code and the tests, but not the tool."""
    digest = hashlib.sha256()
    for package in TREE:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.parent.name != "mutants":
                digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
