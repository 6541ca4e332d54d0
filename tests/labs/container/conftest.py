"""The systems that the tests look at: each begins as it was left by the one before it."""

import pytest

from tests.labs.container import system
from tests.labs.container.system import CannotRunError, layered, own_mounts

SET_UP = "cd maexchen && sudo install/setup-pi"


@pytest.fixture(scope="session")
def card():
    """The system of a card that was just written; its folder must not be changed."""
    try:
        system.check()
        own_mounts()
        return system.fresh()
    except CannotRunError as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="session")
def fresh(card, tmp_path_factory):
    """Layers of a Pi to which the project's folder was copied, with wheels, and no more."""
    with layered([card], tmp_path_factory.mktemp("fresh")) as (machine, layers):
        system.bring_the_project(machine, system.wheels())
    return layers


@pytest.fixture(scope="session")
def installed(fresh, tmp_path_factory):
    """What setup-pi said on such a Pi, and its layers afterwards."""
    with layered(fresh, tmp_path_factory.mktemp("installed")) as (machine, layers):
        with machine.booted():
            ran = machine.run(SET_UP, "pi")
        assert ran.returncode == 0, ran.told[-1500:]
    return ran.stdout, layers


@pytest.fixture(scope="session")
def handheld(installed, tmp_path_factory):
    """The handheld after its restart, to be looked at only."""
    with (
        layered(installed[1], tmp_path_factory.mktemp("handheld")) as (machine, _),
        machine.booted(),
    ):
        yield machine


@pytest.fixture(scope="session")
def written(card, tmp_path_factory):
    """Layers of a card onto whose boot partition `make card` wrote: no folder of ours is in it."""
    with layered([card], tmp_path_factory.mktemp("written")) as (machine, layers):
        system.write_the_card(machine, system.wheels())
    return layers


@pytest.fixture
def another(tmp_path):
    """Opens one more machine over layers, to be changed: ``with another(layers) as machine``."""
    used = iter(range(100))
    return lambda layers: layered(layers, tmp_path / str(next(used)))
