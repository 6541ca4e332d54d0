"""Exit statuses and one-line errors of both command lines.

Exit statuses: 0 done; 1 done, but the result is bad; 2 not done, because of the arguments or what
was found; 130 interrupted; 141 nobody reads the output any more.
"""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from traceback import extract_tb
from typing import Any

from drivers.errors import PartError
from firmware.journal import write_file

PROGRAM = "maexchen"
DONE, WRONG, REFUSED = 0, 1, 2
"""Exit statuses, see above; chosen, but for 2, which is argparse's own."""
EXTRAS = {
    "aiohttp": "pages",
    "segno": "pages",
    "PIL": "pictures",
    "bumble": "bluetooth",
    "paho": "broker",
    "shtab": "shell",
    "argparse_manpage": "shell",
}
"""Packages that not every command needs, and the extra of this project that installs each."""
DEFECT = 70
"""The exit status after a defect of the program itself (EX_SOFTWARE of sysexits.h)."""
TRACEBACK = "MAEXCHEN_TRACEBACK"
"""If this environment variable is set, a defect shows its traceback."""
OTHER_FILE = "name a file that can be written"
INTERRUPTED = 130
"""The exit status 128 plus SIGINT, as a shell reports it (POSIX: above 128)."""
NOBODY_READS = 141
"""The exit status 128 plus SIGPIPE, as a shell reports it (POSIX: above 128)."""


def tell_trouble(line: str) -> None:
    """Print a line on stderr, after the name of the program."""
    print(f"{PROGRAM}: {line}", file=sys.stderr, flush=True)


class CommandError(Exception):
    """A command cannot do what was asked; the text is one line that says what to do."""


def run_command(
    program: str, command: Callable[[], int], spoken: tuple[type[Exception], ...] = (CommandError,)
) -> int:
    """Run a command and return its exit status, or `DEFECT` after an unexpected exception.

    ``command``: returns a status. ``spoken``: exceptions that are printed as one line and give
    `REFUSED`.
    """
    if sys.stdout is None or sys.stderr is None:
        return REFUSED  # nobody could read a word
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = command()
        sys.stdout.flush()
    except spoken as error:
        print(f"{program}: {' '.join(str(error).split())}", file=sys.stderr)
        return REFUSED
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            return _defect(program, error)
        print(
            f"{program}: {missing} is not installed: "
            f"pip install 'maexchen-handheld[{EXTRAS[missing]}]'",
            file=sys.stderr,
        )
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The interpreter flushes once more at exit; that output goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    except OSError as error:
        print(f"{program}: the output cannot be written: {because(error)}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except Exception as error:
        return _defect(program, error)
    return status


def _defect(program: str, error: Exception) -> int:
    if os.environ.get(TRACEBACK):
        raise error
    where = extract_tb(error.__traceback__)[-1]
    print(
        f"{program}: a defect of this program ({type(error).__name__}, line {where.lineno} of "
        f"{where.filename}): run it again with {TRACEBACK}=1 and report it",
        file=sys.stderr,  # without its text: nobody knows what dice and keys stand in it
    )
    return DEFECT


@contextmanager
def sends_to_doctor() -> Iterator[None]:
    """Turn a PartError in the block into a CommandError that names ``maexchen doctor``."""
    try:
        yield
    except PartError as problem:
        raise CommandError(f"{problem}; maexchen doctor looks at everything") from problem


def write_output(what: str, path: Path, data: bytes | str) -> None:
    """Write a file that a command was asked for; ``what`` names it in the error.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        write_file(path, data)
    except OSError as error:
        raise CommandError(f"{what} {path}: {because(error)}: {OTHER_FILE}") from None


def write_picture(path: Path, picture: Any) -> None:
    """Write a picture of Pillow that a command was asked for. Raises as `write_output` does."""
    data = BytesIO()
    picture.save(data, "PNG")
    write_output("picture", path, data.getvalue())


def because(error: OSError) -> str:
    """Return the system's own text of an error, without path and number."""
    return error.strerror or str(error)
