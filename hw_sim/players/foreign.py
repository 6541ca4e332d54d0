"""Bots that others wrote: each in a process of its own, with its player's knowledge only.

A bot is a class that is made without arguments and has ``decide(sight, rng)``, as
``firmware.bots.bot.Bot`` does. It is named ``path/to/file.py:Class`` or ``package.module:Class``.
``docs/bots.md`` is for those who write one.

Numbers without a source are chosen.
"""

import ctypes
import importlib
import json
import os
import sys
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any, get_args
from weakref import finalize

from firmware.bots import ROUNDS_OF_DRINKS, Sight
from firmware.input.controls import Choice, plain
from game import AnyMatch, hides_dice, illegality, legal_actions
from game.actions import Action, Announce, EndMatch, Keep, Say, SeatAction
from game.record import RecordError, read_action, to_plain

MOST_S = 5.0
"""Real seconds that a bot has for a decision."""
STARTS_S = 30.0
"""Real seconds until it is loaded."""
_MOST_BYTES = 4096
_MOST_CHARACTERS = 400
_TROUBLE = "!"
_END_S = 1.0
_SET_DUMPABLE = 4


class BotError(Exception):
    """A bot cannot play, or does what is not allowed; the text is one line."""


class ForeignBot:
    """A bot of somebody else.

    Args:
        name: as above.
        most_s: real seconds it has for a decision.

    Raises:
        BotError: it cannot be loaded.
    """

    def __init__(self, name: str, most_s: float = MOST_S) -> None:
        self.name = name
        self._most_s = most_s
        from multiprocessing import get_context  # a page has none

        _hide_memory()
        context = get_context("spawn")
        self._line, theirs = context.Pipe()
        process = context.Process(target=_play, args=(name, theirs), daemon=True)
        process.start()
        theirs.close()
        self._end = finalize(self, _put_away, self._line, process)
        self._ask(None, STARTS_S, "be loaded")

    def close(self) -> None:
        """End its process."""
        self._end()

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """Return what it decides, which is legal; ``rng`` is its only source of chance.

        Raises:
            BotError: it raised, took too long, or returned an illegal action.
        """
        match = _as_known(sight)
        offered = _offered(match, sight.options)
        if EndMatch() in offered and match.round > ROUNDS_OF_DRINKS:
            return EndMatch()
        asked = sight._replace(options=offered), rng.getrandbits(64)
        told = self._ask(asked, self._most_s, "decide")
        try:
            choice = read_action(told)
        except RecordError as error:
            raise BotError(f"bot {self.name} wants what is no action: {error.reason}") from None
        said = isinstance(choice, Announce | Say) and plain(choice) in offered
        reason = illegality(match, choice)
        if reason is not None or not (said or choice in offered):
            why = "it is not offered" if reason is None else reason.sentence
            raise BotError(f"bot {self.name} wants what it may not do, {choice}: {why}")
        return choice

    def _ask(self, what: object, most_s: float, to: str) -> str:
        try:
            self._line.send(what)
            if not self._line.poll(most_s):
                self.close()
                raise BotError(f"bot {self.name} took more than {most_s:g} s to {to}")
            told = self._line.recv_bytes(_MOST_BYTES).decode(errors="replace")
        except (OSError, EOFError):
            self.close()
            raise BotError(f"bot {self.name} has ended by itself") from None
        if told.startswith(_TROUBLE):
            raise BotError(f"bot {self.name} {' '.join(told.removeprefix(_TROUBLE).split())}")
        return told


def _as_known(sight: Sight) -> AnyMatch:
    """The match with the dice that its player has seen."""
    match = sight.match
    if hides_dice(match) and sight.seen is not None:
        return match.replace(dice=sight.seen, tower=sight.tower)
    return match


def _offered(match: AnyMatch, options: tuple[Choice, ...]) -> tuple[SeatAction, ...]:
    """The actions of the game among the entries of a dial, and the dice that may be kept."""
    keeps = [action for action in legal_actions(match) if isinstance(action, Keep)]
    actions = (each for each in options if isinstance(each, get_args(SeatAction)))
    found = dict.fromkeys((*actions, *keeps))
    return tuple(each for each in found if illegality(match, each) is None)


def _hide_memory() -> None:
    """Keep other processes of this user out of this one's memory and files (prctl(2), Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0)


def _put_away(line: Any, process: Any) -> None:
    process.kill()
    process.join(_END_S)
    line.close()


# ---- what follows runs in the bot's own process ----------------------------------------------


def _play(name: str, line: Any) -> None:
    """Load a bot and let it decide until nobody asks any more; what it prints goes to stderr."""
    os.dup2(2, 1)
    bot: Any = None
    while True:
        try:
            asked = line.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        try:
            if asked is None:
                bot = _loaded(name)
                told = ""
            else:
                sight, seed = asked
                choice = bot.decide(sight, Random(seed))
                known = isinstance(choice, get_args(Action))
                told = json.dumps(to_plain(choice) if known else {"action": repr(choice)})
        except Exception as error:
            told = f"{_TROUBLE}raised {type(error).__name__}{_where(error)}: {error}"
        line.send_bytes(told[:_MOST_CHARACTERS].encode())


def _loaded(name: str) -> Any:
    module, _, kind = name.rpartition(":")
    if not module.endswith(".py"):
        return getattr(importlib.import_module(module), kind)()
    path = Path(module)
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None, "it is a file of Python"
    assert spec.loader is not None, "and that has a loader"
    sys.path.insert(0, str(path.parent))
    found = module_from_spec(spec)
    sys.modules[path.stem] = found
    spec.loader.exec_module(found)
    return getattr(found, kind)()


def _where(error: Exception) -> str:
    trace = extract_tb(error.__traceback__)
    ours = (__file__, str(Path(importlib.__file__).parent), "<")
    last = next((each for each in reversed(trace) if not each.filename.startswith(ours)), None)
    return f" in line {last.lineno} of {Path(last.filename).name}" if last else ""
