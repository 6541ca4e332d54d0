"""Mutants: small faults put into the code one at a time, to see whether the tests notice.

``python -m tests.mutants`` puts the sample of ``mutants.json`` into copies of the tree, never into
the tree itself, runs the tests of each mutant's area, and reports the share that was killed, by
area, and whoever survived. The sample is drawn once (``--draw``) and then stays, so that the shares
of two commits can be compared (``--before``): how far the tests see, beyond what they cover.

A mutant is known by what it does, not by where it lies: its area, the text of the simple statement
or condition as ``ast.unparse`` writes it, and the text that takes its place. Code that is moved to
another file, class or function keeps its mutants; if an equal text is there more than once, the
function's name and the neighbours decide. Of a text that is gone the most similar function of the
area puts up a substitute; the report counts it as one, unless it is nearly the same text.

Tools that exist do not do this. mutmut names a mutant by module, function and number, cosmic-ray by
file and occurrence, so that neither finds its mutants again in code that was moved; mutmut also
leaves out what stands outside of functions. cosmic-ray starts an interpreter for each mutant: here
one process imports pytest and what others have written, and forks for each. mutpy has had no
release for years. Runs repeat: hashes, Hypothesis and its phases are fixed, limits are of processor
time. It needs Linux.
"""

import argparse
import difflib
import hashlib
import importlib
import json
import os
import random
import re
import resource
import select
import shutil
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.mutations import Unit, units_of

ROOT = Path(__file__).parents[1]
SAMPLE = Path(__file__).with_suffix(".json")
PACKAGES = ("game", "drivers", "firmware")
TREE = (*PACKAGES, "hw_sim", "tests")


class Area(NamedTuple):
    """What is mutated together, and the tests that are there to notice.

    Args:
        share: how many mutants the sample has of it.
        sources: files and folders; those that are not there count for nothing.
        near: the tests that are asked first, by their names anywhere below ``tests``.
        wide: the tests that are asked if nobody of them notices.
        skipped: what is left out of them for its time, as pytest's ``-k`` has it.
    """

    share: int
    sources: tuple[str, ...]
    near: tuple[str, ...]
    wide: tuple[str, ...]
    skipped: str = ""


AREAS = {
    "game": Area(
        70,
        ("game",),
        (
            "game/test_values.py",
            "game/test_setup.py",
            "game/test_class_rules.py",
            "game/test_bluff_rules.py",
            "game/test_physicist.py",
            "game/test_holy_family.py",
            "game/test_maxen.py",
            "game/test_chicago.py",
            "game/test_sevens.py",
            "game/test_record.py",
            "game/test_statistics.py",
            "game/test_rule_ids.py",
        ),
        (
            "game/test_naive.py",
            "game/test_conformance.py",
            "game/test_properties.py",
            "game/test_explore.py",
            "game/test_oracles.py",
        ),
        "test_the_example_of_the_module_is_true or test_the_least_a_leader_of_sevens_can_expect",
    ),
    "handover": Area(
        40,
        ("firmware/handover.py", "firmware/cup.py", "firmware/table/handover"),
        ("test_handover.py",),
        (
            "test_passing.py",
            "test_insiders.py",
            "test_liars.py",
            "test_handover_model.py",
            "test_passing_chaos.py",
        ),
    ),
    "sealing": Area(
        20,
        (
            "firmware/sealing.py",
            "firmware/table/protocol/header.py",
            "firmware/table/protocol/keys.py",
            "firmware/table/protocol/sealing.py",
        ),
        ("test_sealing.py",),
        (
            "test_messages.py",
            "test_protocol_document.py",
            "test_passing.py",
            "test_insiders.py",
            "test_secrets.py",
        ),
    ),
    "commitment": Area(
        35,
        (
            "firmware/fairness.py",
            "firmware/fairplay.py",
            "firmware/chance.py",
            "firmware/ledger.py",
            "firmware/table/commitment",
        ),
        ("test_fairness.py",),
        (
            "test_liars.py",
            "test_throwing.py",
            "test_insiders.py",
            "test_passing.py",
            "test_memory_lost.py",
            "test_secrets.py",
            "test_passing_chaos.py",
        ),
        "test_every_game_goes_on and maxen",
    ),
    "log": Area(
        35,
        (
            "firmware/log.py",
            "firmware/entries.py",
            "firmware/telling.py",
            "firmware/gossip.py",
            "firmware/table/log",
        ),
        ("test_log.py", "test_entries.py", "test_gossip.py"),
        (
            "test_passing.py",
            "test_insiders.py",
            "test_liars.py",
            "test_memory_lost.py",
            "test_epochs.py",
            "test_passing_chaos.py",
        ),
        "test_every_game_goes_on and maxen",
    ),
    "seat": Area(
        45,
        (
            "firmware/passing.py",
            "firmware/votes.py",
            "firmware/wishes.py",
            "firmware/accusing.py",
            "firmware/outbox.py",
            "firmware/table/seat",
        ),
        ("test_passing.py", "test_votes.py", "test_wishes.py"),
        (
            "test_insiders.py",
            "test_liars.py",
            "test_mishaps.py",
            "test_menu.py",
            "test_start.py",
            "test_memory_lost.py",
            "test_epochs.py",
            "test_passing_chaos.py",
            "test_votes_model.py",
        ),
        "test_every_game_goes_on and maxen or known_to_be_wrong or 50000",
    ),
    "recognizer": Area(
        25,
        ("firmware/recognizer.py", "firmware/recognition", "firmware/input/gestures"),
        ("test_shake.py", "test_light.py", "test_touch.py", "test_recognizer.py"),
        ("test_throwing.py", "test_mishaps.py", "test_handheld.py", "test_record.py"),
        "test_any_match_can_be_played_with_the_dial_alone"
        " or test_slow_disks_and_a_slow_air_change_nothing",
    ),
    "drivers": Area(
        30,
        ("drivers",),
        ("drivers/test_*.py", "test_wiring.py"),
        (),
    ),
}

WEIGHTS = {
    "condition": 18,
    "boundary": 16,
    "compare": 14,
    "constant": 14,
    "drop": 14,
    "logic": 12,
    "arithmetic": 8,
    "not": 4,
    "return": 4,
    "pair": 4,
}
"""How often each operator is drawn: seldom those whose faults hardly any test can miss."""
NEIGHBOUR = 0.25
"""What an equal text beside it says for a substitute, where 1 is an equal name or text."""
REWORDED = 0.85
"""A text so like the stored one, in a function of its name, is no substitute but that text."""
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


# The sample


class Mutant(NamedTuple):
    """One change of one unit. ``before`` and ``after`` are the texts of the units beside it."""

    area: str
    unit: Unit
    operator: str
    mutated: str
    before: str
    after: str

    @property
    def text(self) -> str:
        return f"{self.unit.kind} {self.unit.text}".strip()

    @property
    def name(self) -> str:
        return own_name(self.unit.function)


def files_of(sources: tuple[str, ...]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        path = ROOT / source
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path] * path.is_file()
    return found


def mutants_in(area: str, files: list[Path]) -> list[Mutant]:
    """All mutants of some files, in order."""
    mutants = []
    for path in files:
        units = units_of(path.relative_to(ROOT).as_posix(), path.read_bytes())
        for place, unit in enumerate(units):
            before, after = (
                units[beside].text
                if 0 <= beside < len(units) and units[beside].function == unit.function
                else ""
                for beside in (place - 1, place + 1)
            )
            for operator, mutated in unit.changes:
                mutants.append(Mutant(area, unit, operator, mutated, before, after))
    return mutants


def ordinals(mutants: list[Mutant]) -> list[int]:
    """Which of its equals in the area each of the mutants is, from 0."""
    seen: Counter[tuple[str, str]] = Counter()
    places = []
    for mutant in mutants:
        key = mutant.text, mutant.mutated
        places.append(seen[key])
        seen[key] += 1
    return places


def draw(seed: int) -> dict[str, Any]:
    """Draw the sample: of each area so many mutants of different units, by their operators."""
    stored = []
    for name, area in AREAS.items():
        chance = random.Random(f"{seed} {name}")
        left = defaultdict(list)
        mutants = mutants_in(name, files_of(area.sources))
        for mutant, ordinal in zip(mutants, ordinals(mutants)):
            left[mutant.operator].append((mutant, ordinal))
        units: set[Unit] = set()
        while len(units) < area.share:
            operators = [operator for operator in WEIGHTS if left[operator]]
            weights = [WEIGHTS[operator] for operator in operators]
            (operator,) = chance.choices(operators, weights)
            mutant, ordinal = left[operator].pop(chance.randrange(len(left[operator])))
            if mutant.unit in units:
                continue
            units.add(mutant.unit)
            stored.append(
                {
                    "id": f"{name}-{len(units):02}",
                    "area": name,
                    "file": mutant.unit.file,
                    "function": mutant.unit.function,
                    "operator": operator,
                    "text": mutant.text,
                    "mutated": mutant.mutated,
                    "before": mutant.before,
                    "after": mutant.after,
                    "ordinal": ordinal,
                }
            )
    return {"seed": seed, "mutants": stored}


def own_name(function: str) -> str:
    """A function's name without its class, however private it is."""
    return function.rpartition(".")[2].lstrip("_")


def loose(text: str) -> str:
    """A text without whom its names belong to, and how private they are."""
    return re.sub(r"\b_+(?=\w)", "", re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=\w)", "", text))


def likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


class Found(NamedTuple):
    """A stored mutant in this tree. ``like``: how much of its text a substitute has, 0 to 1."""

    stored: dict[str, Any]
    mutant: Mutant
    how: str
    like: float


class Search:
    """Finds the stored mutants again, each at a place of its own."""

    def __init__(self, sample: dict[str, Any]) -> None:
        self._seed = sample["seed"]
        self._stored = sample["mutants"]
        self._mutants = {name: mutants_in(name, files_of(AREAS[name].sources)) for name in AREAS}
        self._used: set[Mutant] = set()
        self._found: dict[str, Found] = {}

    def found(self) -> list[Found | None]:
        """What there is for each stored mutant: first whatever is sure of its text."""
        for how, strip in (("found", str), ("renamed", loose)):
            self._look(self._mutants, how, strip, same_function=True)
        for how, strip in (("moved", str), ("moved and renamed", loose)):
            self._look(self._mutants, how, strip, same_function=False)
        if len(self._found) < len(self._stored):
            everything = mutants_in("", files_of(PACKAGES))
            anywhere = {
                name: [mutant._replace(area=name) for mutant in everything] for name in AREAS
            }
            self._look(anywhere, "in another area", str, same_function=True)
        for stored in self._stored:
            if stored["id"] not in self._found:
                self._substitute(stored)
        return [self._found.get(stored["id"]) for stored in self._stored]

    def _look(self, mutants: Any, how: str, strip: Any, *, same_function: bool) -> None:
        by_text: dict[tuple[str, str, str], list[tuple[int, Mutant]]] = defaultdict(list)
        for name, some in mutants.items():
            for ordinal, mutant in zip(ordinals(some), some):
                key = name, strip(mutant.text), strip(mutant.mutated)
                by_text[key].append((ordinal, mutant))
        for stored in self._stored:
            key = stored["area"], strip(stored["text"]), strip(stored["mutated"])
            if stored["id"] in self._found:
                continue
            name = own_name(stored["function"])
            there = [
                (mutant.unit.function == stored["function"], *beside(stored, mutant, ordinal), i)
                for i, (ordinal, mutant) in enumerate(by_text[key])
                if self._is_free(mutant) and (mutant.name == name or not same_function)
            ]
            if there:
                mutant = by_text[key][max(there)[-1]][1]
                self._take(stored, mutant, how, 1.0)

    def _is_free(self, mutant: Mutant) -> bool:
        return mutant._replace(area="") not in self._used

    def _take(self, stored: dict[str, Any], mutant: Mutant, how: str, like: float) -> None:
        self._used.add(mutant._replace(area=""))
        self._found[stored["id"]] = Found(stored, mutant, how, like)

    def _substitute(self, stored: dict[str, Any]) -> None:
        """Take one of the most similar function, by its name and the most similar of its texts."""
        free = [one for one in self._mutants[stored["area"]] if self._is_free(one)]
        alike = [one for one in free if one.operator == stored["operator"]] or free
        if not alike:
            return
        name = own_name(stored["function"])
        wanted = loose(f"{stored['text']} => {stored['mutated']}")
        names = {one.name: likeness(one.name, name) for one in alike}
        scores = [
            names[one.name]
            + likeness(loose(f"{one.text} => {one.mutated}"), wanted)
            + NEIGHBOUR * beside(stored, one, 0)[0]
            for one in alike
        ]
        most = max(scores)
        best = [one for one, score in zip(alike, scores) if score == most]
        chosen = random.Random(f"{self._seed} {stored['id']}").choice(best)
        like = likeness(loose(chosen.text), loose(stored["text"]))
        is_reworded = chosen.name == name and like >= REWORDED
        self._take(stored, chosen, "reworded" if is_reworded else "substituted", like)


def beside(stored: dict[str, Any], mutant: Mutant, ordinal: int) -> tuple[int, int]:
    """How well the neighbours and the place among equals agree."""
    same = (mutant.before == stored["before"]) + (mutant.after == stored["after"])
    return same, -abs(ordinal - stored["ordinal"])


def mutated(mutant: Mutant, source: bytes) -> bytes:
    """The source of the mutant's file, with the mutant in it."""
    return source[: mutant.unit.start] + mutant.mutated.encode() + source[mutant.unit.end :]


def difference(mutant: Mutant, source: bytes) -> list[str]:
    """What the mutant changes, line by line."""
    sides = (source, mutated(mutant, source))
    old, new = (side.decode().splitlines() for side in sides)
    lines = list(difflib.unified_diff(old, new, lineterm="", n=0))[3:]
    return [f"{line[0]} {line[1:].strip()}" for line in lines]


# One mutant


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
            if path.name not in ("mutants.py", "mutations.py"):
                digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def read_results(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """The fingerprint of a run, and what it has told so far."""
    if not path.exists():
        return "", []
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    return json.loads(first)["tree"], [json.loads(line) for line in lines]


def share(results: list[dict[str, Any]]) -> float | None:
    killed = sum(result["verdict"] != "survived" for result in results)
    return 100 * killed / len(results) if results else None


def report(
    results: list[dict[str, Any]], missing: Counter[str], before: list[dict[str, Any]]
) -> None:
    """Print a table by area, and who survived."""
    heads = ("mutants", "found", "reworded", "substituted", "not found")
    heads += ("killed", "timed out", "survived", "share", "before")
    print(f"{'area':12}" + "".join(f"{head:>12}" for head in heads))
    for name in (*AREAS, "all"):
        some, old, lost = (
            [result for result in those if name in ("all", result["area"])]
            for those in (results, before, [{"area": area} for area in missing.elements()])
        )
        verdicts = Counter(result["verdict"] for result in some)
        how = Counter(result["how"] for result in some)
        others = how["reworded"], how["substituted"]
        counts = (len(some), len(some) - sum(others), *others, len(lost))
        counts += tuple(verdicts[verdict] for verdict in ("killed", "timed out", "survived"))
        shares = ("" if one is None else f"{one:.1f} %" for one in (share(some), share(old)))
        print(f"{name:12}" + "".join(f"{cell:>12}" for cell in (*counts, *shares)))
    print(f"{sum(result['processor_s'] for result in results):.0f} s of processor time")
    verdict_before = {result["id"]: result["verdict"] for result in before}
    for result in results:
        if result["verdict"] == "survived":
            was = verdict_before.get(result["id"], "survived")
            told = "" if was == "survived" else f"; {was} before"
            print(f"\n{result['id']}: {result['operator']}, {result['how']}{told}")
            print(f"{result['file']}:{result['line']} in {result['function'] or 'the module'}")
            print("\n".join(f"    {line}" for line in result["difference"]))


def in_turn(found: list[Found | None]) -> list[Found]:
    """The mutants area by turns, so that the first of them tell of all."""
    seen: Counter[str] = Counter()
    order = []
    for one in found:
        if one is not None:
            name = one.stored["area"]
            seen[name] += 1
            order.append((seen[name] / AREAS[name].share, one.stored["id"], one))
    return [one for _, _, one in sorted(order, key=lambda entry: entry[:2])]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--draw", type=int, metavar="SEED", help="draw the sample anew, and end")
    parser.add_argument("--find", action="store_true", help="only tell where the mutants are now")
    parser.add_argument("--area", action="append", choices=AREAS, help="only of this area")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N")
    parser.add_argument("--only", action="append", metavar="ID", help="only this one")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="side by side (2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="results; go on where they end")
    parser.add_argument("--before", type=Path, metavar="FILE", help="results to compare with")
    return parser.parse_args()


def tell_found(found: list[Found | None], stored: list[dict[str, Any]]) -> None:
    for old, one in zip(stored, found):
        if one is None:
            print(f"{old['id']}: not found\n    {old['text']}")
        elif one.how != "found":
            unit = one.mutant.unit
            print(f"{old['id']}: {one.how} ({one.like:.2f}), {unit.file}:{unit.line}")
            print(f"    {old['file']} {old['function']}: {old['text']} => {old['mutated']}")
            print(f"    {unit.file} {unit.function}: {one.mutant.text} => {one.mutant.mutated}")
    print(dict(Counter("not found" if one is None else one.how for one in found)))


def main() -> None:
    if os.environ.get("PYTHONHASHSEED") != "0":
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        os.execve(
            sys.executable, [sys.executable, "-m", "tests.mutants", *sys.argv[1:]], environment
        )
    asked = arguments()
    if asked.draw is not None:
        SAMPLE.write_text(json.dumps(draw(asked.draw), ensure_ascii=False, indent=1) + "\n")
        return
    sample = json.loads(SAMPLE.read_text(encoding="utf-8"))
    found = Search(sample).found()
    if asked.find:
        tell_found(found, sample["mutants"])
        return
    wanted = [
        one
        for one in in_turn(found)
        if (not asked.area or one.stored["area"] in asked.area)
        and (not asked.only or one.stored["id"] in asked.only)
    ][: asked.limit]
    with TemporaryDirectory(prefix="mutants-") as folder:
        out = asked.json or Path(folder) / "results"
        tree, results = read_results(out)
        if not tree:
            out.write_text(json.dumps({"tree": fingerprint()}) + "\n", encoding="utf-8")
        elif tree != fingerprint():
            sys.exit(f"{out} tells of another tree: name another file")
        done = {result["id"] for result in results}
        jobs = [one for one in wanted if one.stored["id"] not in done]
        if jobs:
            run_all(jobs, asked.workers, out)
        ids = {one.stored["id"] for one in wanted}
        results = [result for result in read_results(out)[1] if result["id"] in ids]
    order = {stored["id"]: number for number, stored in enumerate(sample["mutants"])}
    results.sort(key=lambda result: order[result["id"]])
    before = [
        result
        for result in (read_results(asked.before)[1] if asked.before else [])
        if result["id"] in ids
    ]
    missing = Counter(
        stored["area"] for stored, one in zip(sample["mutants"], found) if one is None
    )
    report(results, missing, before)
    if before and (share(results) or 0) < (share(before) or 0):
        sys.exit("the share that is killed has fallen")


if __name__ == "__main__":
    main()
