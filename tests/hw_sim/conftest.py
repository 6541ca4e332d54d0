"""Coroutines run in virtual time, on the fixture ``loop`` if a test has one; cases of the night."""

import inspect

import pytest

from hw_sim.clock import VirtualLoop, run


def nightly(cases, *of_day):
    """Return cases for `parametrize`: those that are not of the day are marked as of the night."""
    rows = [(each, each if isinstance(each, tuple) else (each,)) for each in cases]
    return [pytest.param(*row, marks=() if e in of_day else pytest.mark.night) for e, row in rows]


@pytest.fixture
def loop():
    loop = VirtualLoop()
    yield loop
    loop.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    loop = pyfuncitem.funcargs.get("loop")
    run(test) if loop is None else loop.run_until_complete(test)
    return True
