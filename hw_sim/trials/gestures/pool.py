"""Work on several takes at the same time."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import cpu_count
from typing import TypeVar

J = TypeVar("J")
R = TypeVar("R")


def each_done(
    work: Callable[[J], R], jobs: Iterable[J], processes: int | None = None
) -> Iterator[R]:
    """Do every job; yield the results in order. Jobs are read while others are done.

    ``processes``: how many share the work; None takes one for each core, 1 stays in this one. The
    results do not depend on it.
    """
    workers = processes if processes is not None else cpu_count() or 1
    if workers == 1:
        yield from map(work, jobs)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for waiting in [pool.submit(work, job) for job in jobs]:
                yield waiting.result()
        finally:
            pool.shutdown(cancel_futures=True)
