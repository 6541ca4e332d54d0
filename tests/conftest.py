"""Options of the whole test suite: ``--soak=N`` plays N whole matches and sums them up."""

import pytest

COLLECTED = pytest.StashKey[list]()


def pytest_addoption(parser):
    parser.addoption(
        "--soak",
        type=int,
        default=0,
        metavar="N",
        help="play N whole matches, each with its own seed (with -m soak: nothing else)",
    )


def pytest_configure(config):
    config.stash[COLLECTED] = []


def pytest_generate_tests(metafunc):
    if "soak_seed" in metafunc.fixturenames:
        seeds = range(1, metafunc.config.getoption("soak") + 1)
        metafunc.parametrize("soak_seed", seeds, ids=lambda seed: f"seed-{seed}")


def pytest_collection_modifyitems(config, items):
    """Without --soak there is nothing to soak: leave those tests out instead of skipping them."""
    if config.getoption("soak"):
        return
    left_out = [item for item in items if item.get_closest_marker("soak")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.fixture
def tell(request):
    """Hand plain values of a match to whoever sums up the run, across worker processes."""
    return lambda told: request.node.user_properties.append(("match", told))
