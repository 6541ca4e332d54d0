"""Fixtures of the firmware's tests: a table of cores, and the module that makes it."""

import importlib.util
import sys
from pathlib import Path

import pytest


def load(name):
    """Import a module that lies beside this file; tests are not a package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def cores():
    """Give the module ``cores``: the table and its helpers."""
    load("core_place")
    return load("cores")
