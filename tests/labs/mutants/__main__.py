"""Mutants: small faults put into the code one at a time, to see whether the tests notice.

``python -m tests.labs.mutants`` puts the sample of ``sample.json`` into copies of the tree, never
into the tree itself. It runs the tests of each mutant's area, and reports the killed share by area
and the mutants that survived. The sample was drawn once, by area and operator. It stays, so that
``--before`` compares the shares of two commits.

A mutant is known by what it does, not by where it lies: its area, the text of the simple statement
or condition as ``ast.unparse`` writes it, and the text that takes its place. Code that is moved to
another file, class or function keeps its mutants; if an equal text is there more than once, the
function's name and the neighbours decide. If a text is gone, the most similar function of the area
puts up a substitute; the report counts it as one, unless it is nearly the same text.

Tools that exist do not do this. mutmut names a mutant by module, function and number, cosmic-ray by
file and occurrence, so that neither finds its mutants again in code that was moved; mutmut also
leaves out what stands outside of functions. cosmic-ray starts an interpreter for each mutant: here
one process imports pytest and what others have written, and forks for each. mutpy has had no
release for years. Runs repeat: hashes, Hypothesis and its phases are fixed, limits are of processor
time. It needs Linux.
"""

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.labs.mutants.areas import AREAS, SAMPLE
from tests.labs.mutants.sample import Found, Search
from tests.labs.mutants.trials import fingerprint, run_all


def read_results(path: Path | None) -> tuple[str, list[dict[str, Any]]]:
    """The fingerprint of a run, and what it has told so far."""
    if path is None or not path.exists():
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
    parser = argparse.ArgumentParser(prog="python -m tests.labs.mutants", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
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
        again = [sys.executable, "-m", "tests.labs.mutants", *sys.argv[1:]]
        os.execve(sys.executable, again, os.environ | {"PYTHONHASHSEED": "0"})
    asked = arguments()
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
    tree, results = read_results(asked.json)
    if tree and tree != fingerprint():
        sys.exit(f"{asked.json} tells of another tree: name another file")
    done = {result["id"] for result in results}
    with open(asked.json or os.devnull, "a", encoding="utf-8", buffering=1) as out:
        if not tree:
            out.write(json.dumps({"tree": fingerprint()}) + "\n")
        jobs = [one for one in wanted if one.stored["id"] not in done]
        for told in run_all(jobs, asked.workers) if jobs else ():
            results.append(told)
            out.write(json.dumps(told, ensure_ascii=False) + "\n")
            verdict = f"{told['verdict']:9} {told['processor_s']:6.1f} s"
            print(f"{told['id']:14} {verdict}  {told['test']}", flush=True)
    ids = {one.stored["id"] for one in wanted}
    results = [result for result in results if result["id"] in ids]
    order = {stored["id"]: number for number, stored in enumerate(sample["mutants"])}
    results.sort(key=lambda result: order[result["id"]])
    before = [result for result in read_results(asked.before)[1] if result["id"] in ids]
    missing = Counter(
        stored["area"] for stored, one in zip(sample["mutants"], found) if one is None
    )
    report(results, missing, before)
    if before and (share(results) or 0) < (share(before) or 0):
        sys.exit("the share that is killed has fallen")


if __name__ == "__main__":
    main()
