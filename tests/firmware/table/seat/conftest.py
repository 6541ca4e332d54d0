"""Tables whose seats keep journals, and with which some things were done."""

from contextlib import ExitStack, closing
from functools import partial

import pytest

from tests.support.core_table import CoreTable
from tests.support.old_journals import WatchedTable
from tests.support.seats import take_turns


@pytest.fixture
def kept(tmp_path):
    """Makes a table after some moves; it is closed when the test ends."""
    with ExitStack() as ends:

        def make(moves=(), size=3, kind=CoreTable, **more):
            table = ends.enter_context(closing(kind(size, folder=tmp_path, **more)))
            take_turns(table, moves)
            return table

        yield make


@pytest.fixture
def watched(kept):
    """Makes such a table of which each state of each journal is kept."""
    return partial(kept, kind=WatchedTable, seed=3)
