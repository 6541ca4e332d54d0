"""``python -m steckbrett`` is the command ``steckbrett``."""

import os
import sys

_ADDR_NO_RANDOMIZE = 0x0040000  # include/uapi/linux/personality.h


def start() -> int:
    """Run the command; return its exit code.

    The command begins again with one seed of hashes before it loads anything, and with one place
    in memory, where Linux allows it: two runs then walk through a set in one order.
    """
    if sys.platform == "linux" and os.environ.get("PYTHONHASHSEED", "random") == "random":
        _keep_addresses()
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        words = [sys.executable, "-m", str(__package__), *sys.argv[1:]]
        os.execve(sys.executable, words, environment)
    from .cli import main

    return main(sys.argv[1:])


def _keep_addresses() -> None:
    import ctypes

    ctypes.CDLL(None).personality(_ADDR_NO_RANDOMIZE)


if __name__ == "__main__":
    sys.exit(start())
