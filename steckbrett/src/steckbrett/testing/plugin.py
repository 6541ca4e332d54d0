"""The plugin of pytest: the marker ``bench``, the fixture ``bench``, and their options.

Every run of pytest loads it where it is installed. It loads the bench for the first test that asks.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .bench import Bench


def pytest_addoption(parser: Any) -> None:
    """Add the options."""
    group = parser.getgroup("bench", "a bench for programs of a Raspberry Pi")
    group.addoption(
        "--bench-update", action="store_true", help="write the pictures that tests compare with"
    )
    group.addoption("--bench-vcd", metavar="FOLDER", help="write the signals of each test as VCD")


def pytest_configure(config: Any) -> None:
    """Describe the marker."""
    config.addinivalue_line(
        "markers",
        "bench(parts, wires, pulls, presses, worlds, board, seed, dialect, baud, patience, "
        "strict=True, allow=[]): the board of the fixture bench; where strict, a test fails if a "
        "chip refuses what the program asks, or a model lacks it; allow admits lines that have a "
        "text in them",
    )


@pytest.fixture
def bench(request: Any) -> "Iterator[Bench]":
    """A `Bench` with the board that the marker ``bench`` describes.

    The test fails if a chip refused something, or a model lacks it, and the test neither allowed it
    nor looked at ``bench.refused`` or ``bench.unmodelled``.
    """
    from ..board.plan import PlanError
    from ..host.program import ProgramError, refuse_other_systems
    from .bench import Bench

    marker = request.node.get_closest_marker("bench")
    options = dict(marker.kwargs) if marker is not None else {}
    strict, allow = options.pop("strict", True), options.pop("allow", ())
    config = request.config
    try:
        refuse_other_systems()
        made = Bench(
            *(marker.args if marker is not None else ()),
            **options,
            folder=Path(request.node.path).parent,
            update=config.getoption("bench_update"),
        )
        made.unjudged(allow)
    except ProgramError as problem:
        pytest.fail(str(problem), pytrace=False)
    except (PlanError, TypeError) as problem:
        pytest.fail(f"marker bench: {problem}", pytrace=False)
    yield made
    folder = config.getoption("bench_vcd")
    if folder:
        file = Path(folder).resolve() / (re.sub(r"[^\w.-]+", "_", request.node.nodeid) + ".vcd")
        file.parent.mkdir(parents=True, exist_ok=True)
        made.save_vcd(file)
    if strict and (lines := made.unjudged(allow)):
        pytest.fail("\n".join(lines), pytrace=False)
