"""Empty environments for programs of strangers, and pytest within a test."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

PIP = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
INDEX_S = 200
"""The longest time that packages may take to come."""


def fetch(*words):
    """Call pip; skip the test where it reaches no package index."""
    done = subprocess.run((*PIP, *words), capture_output=True, text=True, timeout=INDEX_S)
    if done.returncode:
        pytest.skip(f"no package index: {done.stderr.splitlines()[-1]}")


def environment(folder: Path, *packages):
    """Return the Python of a new environment in ``folder`` with these packages.

    The pip of this Python fills it, and compiles nothing: most of it is never imported.
    """
    venv.create(folder)
    python = folder / "bin" / "python"
    words = ("--python", str(python), "install", "--no-compile", *packages)
    fetch(*words)
    return python


def run_inside(pytester, *options):
    """Run the tests in the folder of ``pytester``; return the result.

    The plugin of slipcover stays out: it would end the coverage of the outer tests.
    """
    left_out = ("-p", "no:cacheprovider", "-p", "no:slipcover")
    return pytester.runpytest_inprocess(*left_out, *options)
