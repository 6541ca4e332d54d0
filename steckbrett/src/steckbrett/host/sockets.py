"""Sockets that wait: a thread that waits for one hands the baton on.

Answers from within the program come in virtual time, those of a peer outside in real time.
"""

import select
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from .baton import held
from .outside import note_sent
from .patches import Patches
from .waits import READ, wait_for

_NAMES: Final = ("accept", "recv", "recv_into", "recvfrom", "recvfrom_into")
_select = select.select


def make_wait(patches: Patches, socket: ModuleType) -> None:
    """Let the sockets of the module ``socket`` wait in virtual time."""
    for name in _NAMES:
        patches.put(socket.socket, name, _waiting(getattr(socket.socket, name)))
    patches.put(socket.socket, "sendto", _noting(socket.socket.sendto))


def _waiting(original: Callable[..., Any]) -> Callable[..., Any]:
    def wait(self: Any, *args: Any, **options: Any) -> Any:
        if self.gettimeout() != 0 and held() is not None:
            _wait_for(self)
        return original(self, *args, **options)

    return wait


def _noting(original: Callable[..., Any]) -> Callable[..., Any]:
    def sendto(self: Any, data: Any, *args: Any) -> Any:
        done = original(self, data, *args)
        if args and held() is not None:
            note_sent(self.fileno(), args[-1])
        return done

    return sendto


def _wait_for(socket: Any) -> None:
    """Wait until there is something to read.

    Raises:
        TimeoutError: the socket's time-out has passed.
    """

    def readable() -> bool:
        return socket.fileno() < 0 or bool(_select([socket], [], [], 0)[0])

    timeout = socket.gettimeout()
    if not wait_for(readable, timeout, {socket.fileno(): READ}, door=True):
        raise TimeoutError("timed out")
