"""Lines that say that work goes on, where somebody waits for it at a terminal."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from time import monotonic
from typing import TextIO

from firmware.cli.parser import LANGUAGE_OPTIONS, locale_language
from firmware.display.text.language import LANGUAGES, say

_FIRST_S, _EACH_S = 2.0, 1.0
_GONE = "\r\x1b[K"
"""ECMA-48: back to the start of the line, and erase it."""


def setting_the_table(arguments: Sequence[str], stream: TextIO) -> None:
    """Say on a terminal that the program loads, in the language of its ``arguments``."""
    if not stream.isatty() or not {"-h", "--help"}.isdisjoint(arguments):
        return
    language = locale_language()
    for option, value in pairwise(word for each in arguments for word in each.split("=", 1)):
        if option in LANGUAGE_OPTIONS and value in LANGUAGES:
            language = value
    print(say("terminal.SETTING", language), file=stream, flush=True)


@contextmanager
def saying_so(what: str, stream: TextIO, first_s: float = _FIRST_S) -> Iterator[None]:
    """Say on a terminal, every second, for how long ``what`` has been going on; nowhere else.

    ``first_s``: seconds before the first line, 0 or more. The line is gone at the end.
    """
    if not stream.isatty():
        yield
        return
    began_s, done = monotonic(), threading.Event()

    def say() -> None:
        wait_s = first_s
        while not done.wait(wait_s):
            wait_s = _EACH_S
            stream.write(f"{_GONE}{what}: {monotonic() - began_s:.0f} s …")
            stream.flush()

    teller = threading.Thread(target=say, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        stream.write(_GONE)
        stream.flush()
