"""A test that is a coroutine runs in virtual time, on its fixture ``loop`` if it has one."""

import inspect

import pytest

from hw_sim.clock import VirtualLoop, run


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
