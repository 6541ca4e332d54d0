"""A test that is a coroutine runs in virtual time, on its fixture ``loop`` if it has one."""

from inspect import iscoroutinefunction

import pytest

from hw_sim.clock import run


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if not iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    loop = pyfuncitem.funcargs.get("loop")
    run(test) if loop is None else loop.run_until_complete(test)
    return True
