"""Set a handheld up on the real system, or say in one line why not: ``make container``."""

import sys

import pytest

from tests.labs.container import system
from tests.labs.container.machine import CannotRunError


def main() -> int:
    """Return the exit status; 0 where there can be no such system."""
    try:
        system.check()
    except CannotRunError as problem:
        print(f"container: skipped: {problem}")
        return 0
    return pytest.main(["-q", "-rs", "--container", "-m", "container", "tests/labs/container"])


if __name__ == "__main__":
    sys.exit(main())
