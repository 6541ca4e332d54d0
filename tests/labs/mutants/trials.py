"""Run the tests on one mutant after the other, in a copy of the tree."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.labs.mutants.areas import AREAS, ROOT, TREE, paths_of
from tests.labs.mutants.faults import Fault

PYTEST = (
    *(sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
    *("--tb=line", "--hypothesis-seed=0"),
)
LEAST_S = 30
"""A mutant may take three times as long as the tests without it, and so much more."""


class Place:
    """A copy of the tree in ``folder``, in which one mutant after the other lives."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "tree"
        ignored = shutil.ignore_patterns(".git", ".*_cache", ".venv", ".hypothesis", "*.egg-info")
        shutil.copytree(ROOT, self.tree, ignore=ignored)
        self._limits_s: dict[str, list[float | None]] = {}
        """The limit of each stage of an area, in s."""

    def run(
        self, names: tuple[str, ...], options: tuple[str, ...], limit_s: float | None
    ) -> tuple[str, str]:
        """Run tests; return what came of them, and the first test that failed."""
        tests = paths_of(names, self.tree)
        if not tests:
            return "survived", ""
        path = os.pathsep.join((str(self.tree), str(self.tree / "steckbrett/src")))
        own = {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            ran = subprocess.run(
                [*PYTEST, f"--rootdir={self.tree}", *options, *tests],
                cwd=self.tree, env=os.environ | own, timeout=limit_s,
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "timed out", ""
        failed = [line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return ("killed" if ran.returncode else "survived"), (failed or [""])[0]

    def limits_s(self, area: str) -> list[float | None]:
        """Run the tests of an area without a mutant, once; return what its stages may take."""
        if area not in self._limits_s:
            found: list[float | None] = []
            for names, options in AREAS[area].stages:
                began_s = time.monotonic()
                verdict, test = self.run(names, options, None)
                if verdict != "survived":
                    sys.exit(f"without any mutant the tests of {area} fail: {test}")
                found.append(LEAST_S + 3 * (time.monotonic() - began_s))
            self._limits_s[area] = found
        return self._limits_s[area]

    def trial(self, fault: Fault) -> dict[str, Any]:
        """Put a fault in, run the tests of its area stage by stage; return what became of it."""
        limits_s = self.limits_s(fault.area)
        path = self.tree / fault.file
        source = path.read_bytes()
        path.write_bytes(fault.into(source))
        began_s, verdict, test = time.monotonic(), "survived", ""
        try:
            for (names, options), limit_s in zip(AREAS[fault.area].stages, limits_s):
                verdict, test = self.run(names, options, limit_s)
                if verdict != "survived":
                    break
        finally:
            path.write_bytes(source)
        told = {"verdict": verdict, "test": test, "took_s": round(time.monotonic() - began_s, 1)}
        return {**fault._asdict(), **told, "difference": fault.difference(source)}


def fingerprint() -> str:
    """What a run depends on: the code and the tests, but not the tool."""
    digest = hashlib.sha256()
    for package in TREE:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.parent.name != "mutants":
                digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
