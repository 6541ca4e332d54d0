"""Sockets that wait: a thread that waits for one hands the baton on.

Answers from within the program come in virtual time. A peer outside lives in real time: the virtual
time then goes on no faster than the real one, and the run cannot be repeated.
"""

import select
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from ..clock.clock import NEVER_NS, NS_PER_S
from .baton import held
from .patches import Patches

_NAMES: Final = ("accept", "recv", "recv_into", "recvfrom", "recvfrom_into")
_STEP_NS = 1_000_000
_select = select.select


def make_wait(patches: Patches, socket: ModuleType) -> None:
    """Let the sockets of the module ``socket`` wait in virtual time."""
    for name in _NAMES:
        patches.put(socket.socket, name, _waiting(getattr(socket.socket, name)))


def _waiting(original: Callable[..., Any]) -> Callable[..., Any]:
    def wait(self: Any, *args: Any, **options: Any) -> Any:
        if self.gettimeout() != 0 and held() is not None:
            _wait_for(self)
        return original(self, *args, **options)

    return wait


def _wait_for(socket: Any) -> None:
    """Wait until there is something to read.

    Raises:
        TimeoutError: the socket's time-out has passed.
    """

    def readable() -> bool:
        return socket.fileno() < 0 or bool(_select([socket], [], [], 0)[0])

    baton = held()
    assert baton is not None
    clock, timeout = baton.clock, socket.gettimeout()
    end_ns = NEVER_NS if timeout is None else clock.now_ns + round(timeout * NS_PER_S)
    while not readable() and not baton.wait(readable, min(end_ns, clock.now_ns + _STEP_NS)):
        if clock.now_ns >= end_ns:
            raise TimeoutError("timed out")
        if baton.alone():
            _select([socket], [], [], _STEP_NS / NS_PER_S)
