"""Run the tests on one mutant after the other, in copies of the tree."""

import hashlib
import importlib
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.mutants.areas import AREAS, ROOT, SAMPLE, TREE
from tests.mutants.sample import Found, Mutant, difference, mutated

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
IDLE_S = 60
"""A mutant whose tests have used no processor for so long waits for what never comes."""
LOOK_S = 5
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
        self._healthy = b"", 0

    def tests(self, names: tuple[str, ...]) -> list[str]:
        """The paths of tests by their names, in this order."""
        paths: dict[str, None] = {}
        for name in names:
            for path in sorted((self.tree / "tests").rglob(name)):
                paths[path.relative_to(self.tree).as_posix()] = None
        return list(paths)

    def run(self, tests: list[str], skipped: str, limit_s: int, *, clean: bool = False) -> Outcome:
        """Run tests in a process of their own; ``clean`` ones leave their bytecode behind."""
        if not tests:
            return Outcome("survived", "", 0.0)
        failure = self.folder / "failure"
        failure.unlink(missing_ok=True)
        pid = os.fork()
        if pid == 0:
            try:
                self._be_run(tests, skipped, limit_s, clean, failure)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(9)
        try:
            stuck = not ends(pid)
        finally:
            for kill in (os.killpg, os.kill):
                with suppress(ProcessLookupError):
                    kill(pid, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
        test = failure.read_text(encoding="utf-8") if failure.exists() else ""
        spent_s = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        if stuck or code in (-signal.SIGXCPU, -signal.SIGKILL):
            return Outcome("timed out", test, spent_s)
        return Outcome("killed" if code else "survived", test, spent_s)

    def _be_run(
        self, tests: list[str], skipped: str, limit_s: int, clean: bool, failure: Path
    ) -> None:
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
        sys.path[:] = [str(self.tree), *elsewhere]
        sys.dont_write_bytecode = not clean
        os.environ["PYTHONPATH"] = str(self.tree)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "" if clean else "1"
        os.environ["TMPDIR"] = str(self.folder)
        for name in [name for name in sys.modules if name.partition(".")[0] in TREE]:
            del sys.modules[name]
        options = [*OPTIONS, f"--rootdir={self.tree}", f"--basetemp={self.folder / 'temporary'}"]
        if skipped:
            options += ["-k", f"not ({skipped})"]
        code = pytest.main([*options, *tests], plugins=[FirstFailure(failure)])
        sys.stdout.flush()
        os._exit(int(code))

    def mutate(self, mutant: Mutant) -> None:
        """Put a mutant in; no bytecode that lies there is of its time."""
        path = self.tree / mutant.unit.file
        self._healthy = path.read_bytes(), path.stat().st_mtime_ns
        path.write_bytes(mutated(mutant, self._healthy[0]))
        os.utime(path, (0, 0))

    def heal(self, mutant: Mutant) -> bytes:
        """Take it out again; returns the source without it."""
        path = self.tree / mutant.unit.file
        source, written_ns = self._healthy
        path.write_bytes(source)
        os.utime(path, ns=(written_ns, written_ns))
        return source


def ends(pid: int) -> bool:
    """Wait until a process ends; False if it will not, because it only waits itself."""
    descriptor = os.pidfd_open(pid)
    try:
        spent, idle_since_s = -1, time.monotonic()
        while not select.select([descriptor], [], [], LOOK_S)[0]:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            now = sum(map(int, fields[11:15]))
            if now != spent or fields[0] == "R":
                spent, idle_since_s = now, time.monotonic()
            elif time.monotonic() - idle_since_s > IDLE_S:
                return False
        return True
    finally:
        os.close(descriptor)


def limits(place: Place, name: str) -> list[int]:
    """The processor times in s that the stages of an area may take: run them without a mutant."""
    found = []
    for names in (AREAS[name].near, AREAS[name].wide):
        for test in names:
            if not place.tests((test,)):
                print(f"there is no test {test} for {name}", file=sys.stderr)
        outcome = place.run(place.tests(names), AREAS[name].skipped, 600, clean=True)
        if outcome.verdict != "survived":
            print((place.folder / "output").read_text())
            sys.exit(f"without any mutant the tests of {name} fail: {outcome.test}")
        found.append(PROCESSOR_S + round(2 * outcome.processor_s))
    return found


def trial(place: Place, found: Found, limits_s: list[int]) -> tuple[Outcome, bytes]:
    """Put a mutant in, and ask first the near tests, then the others.

    Returns what became of it, and the source of its file without it.
    """
    area = AREAS[found.stored["area"]]
    place.mutate(found.mutant)
    spent_s = 0.0
    try:
        for names, limit_s in zip((area.near, area.wide), limits_s):
            outcome = place.run(place.tests(names), area.skipped, limit_s)
            spent_s += outcome.processor_s
            if outcome.verdict != "survived":
                break
    finally:
        source = place.heal(found.mutant)
    return outcome._replace(processor_s=round(spent_s, 2)), source


# All of them


def warm_up() -> None:
    """Import what every mutant needs, and let Hypothesis repeat itself."""
    for name in WARM:
        importlib.import_module(name)
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "mutants",
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=(HealthCheck.too_slow,),
        print_blob=False,
    )
    settings.load_profile("mutants")


def work(place: Place, todo: int, jobs: list[Found], limits_s: dict[str, list[int]], out: Path):
    """Take one number after the other out of the pipe, and append what became of its mutant."""
    while number := os.read(todo, 4):
        found = jobs[int.from_bytes(number, "big")]
        outcome, source = trial(place, found, limits_s[found.stored["area"]])
        unit = found.mutant.unit
        told = {
            "id": found.stored["id"],
            "area": found.stored["area"],
            "verdict": outcome.verdict,
            "test": outcome.test,
            "processor_s": outcome.processor_s,
            "how": found.how,
            "like": round(found.like, 2),
            "file": unit.file,
            "line": unit.line,
            "function": unit.function,
            "operator": found.mutant.operator,
            "text": found.mutant.text,
            "mutated": found.mutant.mutated,
            "difference": difference(found.mutant, source),
        }
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told, ensure_ascii=False) + "\n")
        line = f"{told['id']:14} {outcome.verdict:9} {outcome.processor_s:6.1f} s  {outcome.test}"
        print(line, flush=True)


def run_all(jobs: list[Found], workers: int, out: Path) -> None:
    """Run mutants side by side; each worker has a copy of the tree."""
    warm_up()
    with TemporaryDirectory(prefix="mutants-") as folder:
        first = Place(Path(folder) / "0", ROOT)
        limits_s = {name: limits(first, name) for name in {job.stored["area"] for job in jobs}}
        others = [Place(Path(folder) / str(number), first.tree) for number in range(1, workers)]
        todo, numbers = os.pipe()
        os.write(numbers, b"".join(number.to_bytes(4, "big") for number in range(len(jobs))))
        os.close(numbers)
        pids = []
        for place in (first, *others):
            pid = os.fork()
            if pid == 0:
                try:
                    work(place, todo, jobs, limits_s, out)
                    os._exit(0)
                finally:
                    os._exit(1)
            pids.append(pid)
        statuses = [os.waitpid(pid, 0)[1] for pid in pids]
        if any(statuses):
            sys.exit("a worker has failed")


def fingerprint() -> str:
    """What a run depends on: the sample, the code and the tests, but not the tool."""
    digest = hashlib.sha256(SAMPLE.read_bytes())
    for package in TREE:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.parent.name != "mutants":
                digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
