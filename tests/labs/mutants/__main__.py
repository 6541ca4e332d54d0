"""Mutants: small faults put into the code one at a time, to see whether the tests notice.

``python -m tests.labs.mutants`` puts a sample of faults into copies of the tree, never into the
tree itself. It runs the tests of each fault's area, and reports the killed share by area and the
mutants that survived. The sample is the faults with the least hashes of their texts: another commit
has the same, but for those whose texts changed. ``--before`` compares the shares of two commits.

Tools that exist do not do this. mutmut names a mutant by module, function and number, cosmic-ray by
file and occurrence, so that neither finds its mutants again in code that was moved; mutmut also
leaves out what stands outside of functions.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.labs.mutants.areas import AREAS
from tests.labs.mutants.faults import Fault, sample
from tests.labs.mutants.trials import Place, fingerprint


def read_results(path: Path | None) -> tuple[str, list[dict[str, Any]]]:
    """The fingerprint of a run, and what it has told so far."""
    if path is None or not path.exists():
        return "", []
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    return json.loads(first)["tree"], [json.loads(line) for line in lines]


def share(results: list[dict[str, Any]]) -> float | None:
    killed = sum(result["verdict"] != "survived" for result in results)
    return 100 * killed / len(results) if results else None


def report(results: list[dict[str, Any]], before: list[dict[str, Any]]) -> None:
    """Print a table by area, and who survived."""
    heads = ("mutants", "killed", "timed out", "survived", "share", "before")
    print(f"{'area':12}" + "".join(f"{head:>12}" for head in heads))
    for name in (*AREAS, "all"):
        some, old = (
            [result for result in those if name in ("all", result["area"])]
            for those in (results, before)
        )
        verdicts = Counter(result["verdict"] for result in some)
        counts = (len(some), *(verdicts[verdict] for verdict in heads[1:4]))
        shares = ("" if one is None else f"{one:.1f} %" for one in (share(some), share(old)))
        print(f"{name:12}" + "".join(f"{cell:>12}" for cell in (*counts, *shares)))
    verdict_before = {result["id"]: result["verdict"] for result in before}
    for result in results:
        if result["verdict"] == "survived":
            was = verdict_before.get(result["id"], "survived")
            known = "" if was == "survived" else f"; {was} before"
            print(f"\n{result['id']}: {result['operator']}{known}")
            print(f"{result['file']}:{result['line']} in {result['function'] or 'the module'}")
            print("\n".join(f"    {line}" for line in result["difference"]))


def in_turn(areas: list[str]) -> list[Fault]:
    """The faults area by turns, so that the first of them speak for all."""
    order = [
        ((number + 1) / AREAS[area].share, fault)
        for area in areas
        for number, fault in enumerate(sample(area))
    ]
    return [fault for _, fault in sorted(order)]


def run_all(jobs: list[Fault], workers: int) -> Iterator[dict[str, Any]]:
    """Run mutants side by side, each worker in a copy of the tree; tell of each in turn."""
    free: SimpleQueue[Place] = SimpleQueue()

    def work(job: Fault) -> dict[str, Any]:
        place = free.get()
        try:
            return place.trial(job)
        finally:
            free.put(place)

    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for worker in range(workers):
            free.put(Place(Path(folder) / f"{worker}"))
        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(work, jobs)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.labs.mutants", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--area", action="append", choices=AREAS, help="only of this area")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N")
    parser.add_argument("--only", action="append", metavar="ID", help="only this one")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="side by side (2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="results; go on where they end")
    parser.add_argument("--before", type=Path, metavar="FILE", help="results to compare with")
    return parser.parse_args()


def main() -> None:
    asked = arguments()
    wanted = [
        fault
        for fault in in_turn(asked.area or [*AREAS])
        if not asked.only or fault.id in asked.only
    ][: asked.limit]
    tree, results = read_results(asked.json)
    if tree and tree != fingerprint():
        sys.exit(f"{asked.json} tells of another tree: name another file")
    done = {result["id"] for result in results}
    with open(asked.json or os.devnull, "a", encoding="utf-8", buffering=1) as out:
        if not tree:
            out.write(json.dumps({"tree": fingerprint()}) + "\n")
        jobs = [fault for fault in wanted if fault.id not in done]
        for told in run_all(jobs, asked.workers) if jobs else ():
            results.append(told)
            out.write(json.dumps(told, ensure_ascii=False) + "\n")
            verdict = f"{told['verdict']:9} {told['took_s']:6.1f} s"
            print(f"{told['id']} {verdict}  {told['test']}", flush=True)
    ids = {fault.id for fault in wanted}
    results = sorted((one for one in results if one["id"] in ids), key=lambda one: one["file"])
    areas = {fault.area for fault in wanted}
    before = [one for one in read_results(asked.before)[1] if one["area"] in areas]
    report(results, before)
    if before and (share(results) or 0) < (share(before) or 0):
        sys.exit("the share that is killed has fallen")


if __name__ == "__main__":
    main()
