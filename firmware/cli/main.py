"""``maexchen``: the command, which lights the display before it loads the rest.

A small Pi takes seconds to load everything; a picture within a second shows that it is on.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence

from drivers.bus import SMBusLike


def main(
    argv: Sequence[str] | None = None,
    environment: Mapping[str, str] = os.environ,
    open_bus: Callable[[], SMBusLike] | None = None,
) -> int:
    """Run ``maexchen``; return its exit status.

    Args:
        argv: None stands for the shell's arguments.
        environment: says whether a service starts. Only a service shows the early picture: by hand,
            a second handheld may run already.
        open_bus: opens the panel's bus; None opens the Pi's own.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments[:1] == ["run"] and "NOTIFY_SOCKET" in environment:
        from firmware.runtime.splash import language_of, show_early

        show_early(language_of(arguments), open_bus)
    from firmware.cli.run import main as command

    return command(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
