"""``maexchen-sim match`` and ``maexchen-sim play``: a whole match, simulated or played."""

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import randbelow
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from firmware.cli.arguments import refuse_idle
from firmware.cli.console import DONE, WRONG, CommandError, because, write_output
from firmware.display.text.labels import ending_key
from firmware.display.text.language import say
from firmware.link.broker import BrokerAddress
from game import rule_set
from game.record import write
from game.rules import HANDICAP
from hw_sim.air.local_broker import broker_for
from hw_sim.cli.arguments import ANY_SEED, bots, broker, options, tell_watched
from hw_sim.cli.declared import declare
from hw_sim.hand.signals.shakes import ShakeLibrary
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table import Carriage, Conditions, MatchReport, TableSetup, any_chance
from hw_sim.table.headless import HURRY, FrameWriter, gather, journal_folder, play_match, run_with
from hw_sim.table.table import table_addresses_of

DEFAULT_SEED = 1
"""The seed where none is given; chosen."""


def add_commands(commands: Any) -> None:
    """Add ``match`` and ``play`` to what argparse calls subparsers."""
    whole = declare(commands, "match", _match)
    whole.set_defaults(watch=False, seat=None, seed=DEFAULT_SEED)
    declare(commands, "play", _match).set_defaults(watch=True)


def _setup(args: argparse.Namespace) -> TableSetup:
    at = broker(args)
    drawn = at is not None or (args.seat is not None and args.seed is None)
    start = {} if args.handicap is None else {HANDICAP: args.handicap}
    setup = TableSetup(
        rules=rule_set(args.game, options(args.game, args.option) | start),
        players=args.players,
        seed=randbelow(ANY_SEED) if args.seed is None else args.seed,
        conditions=Conditions(
            args.room,
            None if args.recordings is None else _shakes(args.recordings),
            args.light,
            args.faults,
        ),
        language=args.language,
        person=args.seat,
        link=args.link,
        carriage=Carriage(controller=args.controller, broker=at, public=args.public),
        bots=bots(args.bot),
        chance=any_chance() if drawn else "",
    )
    if any(bot not in KINDS for bot in setup.bots):
        setup = setup.beside_foreign_bots()
    if args.seat is not None and not 0 <= args.seat < args.players:
        raise CommandError(f"--seat {args.seat}: choose a seat from 0 to {args.players - 1}")
    return setup


def _shakes(folder: Path) -> ShakeLibrary:
    try:
        return ShakeLibrary(folder)
    except OSError as error:
        raise CommandError(
            f"recordings {error.filename or folder}: {because(error)}: give a folder that can be "
            "read"
        ) from None


def _match(args: argparse.Namespace) -> int:
    if "bluetooth" not in args.link:
        refuse_idle(args, "--controller", "goes with --link bluetooth")
    setup = _setup(args)
    if setup.carriage.broker is None and not args.watch:
        refuse_idle(args, "--speed", "does nothing without a real broker")
    if getattr(args, "lobby", False):
        return _evening(args, setup)
    frames = None if args.frames is None else FrameWriter(args.frames)
    live = args.watch and _has_terminal()
    with ExitStack() as stack:
        if args.own_broker:
            assert setup.carriage.broker is not None, "it is the own one"
            stack.enter_context(_own_broker(setup, setup.carriage.broker.port))
        if setup.carriage.broker is not None:
            _reach(setup, setup.carriage.broker)
        tell_watched(setup)
        folder = stack.enter_context(journal_folder())
        started_s = perf_counter()
        if live:
            # Only here: what it needs of the terminal is not on every system.
            from hw_sim.live.terminal import watch_match

            speed = args.speed or 1.0
            outcome = watch_match(setup, folder, frames, peeks_open=args.open, speed=speed)
            if outcome is None:
                seed = "" if setup.chance else f"; its seed is {setup.seed}"
                print(f"The game was not finished{seed}.")
                return DONE
        else:
            setup = replace(setup, person=None)
            prepare = None if frames is None else frames.follow
            outcome = play_match(setup, folder, prepare, args.speed or HURRY)
        wall_s = perf_counter() - started_s
    judged = not live and setup.carriage.broker is None
    if args.record is not None:
        write_output("record", args.record, write(outcome.record))
    summary = outcome.summary(setup, wall_s)
    print(json.dumps(summary) if args.json else _in_words(summary, judged=judged))
    if frames is not None:
        print(frames.summary(), file=sys.stderr)
        if frames.trouble is not None:
            raise CommandError(frames.trouble)
    return _status(outcome) if judged else DONE


@contextmanager
def _own_broker(setup: TableSetup, port: int) -> Iterator[None]:
    """Run a broker for a table on this machine alone; it ends with the block, however that ends."""

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    with TemporaryDirectory() as folder:
        broker = broker_for(table_addresses_of(setup), Path(folder), port)
        try:
            asyncio.run(broker.start())
            print(f"the broker is at {broker.url}, for this machine alone", file=sys.stderr)
            if not broker.is_mosquitto:
                print("  amqtt lets in whoever comes: mosquitto has accounts", file=sys.stderr)
            yield
        finally:
            broker.stop()


def _reach(setup: TableSetup, address: BrokerAddress) -> None:
    """Connect to a real broker once, as the first seat does. Raises BrokerError."""
    from firmware.link.broker.mqtt import reach  # needs the extra broker

    asyncio.run(reach(address, table_addresses_of(setup)[0]))


def _evening(args: argparse.Namespace, setup: TableSetup) -> int:
    """Play from power on to the end of a second match, and print the outcome."""
    idle = "--record --frames --option --handicap --bot --faults --public --own-broker --speed"
    refuse_idle(args, idle, "does not go with --lobby")
    if setup.carriage.broker is not None:
        _reach(setup, setup.carriage.broker)
    started_s = perf_counter()
    with journal_folder() as folder:
        evening = run_with(setup, gather(setup, folder))
    if setup.carriage.broker is not None:  # not judged, as a match is not
        evening = replace(evening, violations=(), leaks=())
    summary = evening.summary() | {"wall_s": round(perf_counter() - started_s, 3)}
    print(json.dumps(summary) if args.json else evening.in_words())
    return WRONG if evening.violations or evening.leaks else DONE


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _status(outcome: MatchReport) -> int:
    return WRONG if outcome.violations or outcome.leaks else DONE


def _why(rule: str | None) -> str:
    """Why a match has ended; ``rule``: the id of the rule that ended it, None if none has."""
    if rule is None:
        return "not over"
    told = say(ending_key(rule), "en")
    return told[0].lower() + told[1:]


def _in_words(summary: dict[str, Any], *, judged: bool) -> str:
    """The summary in lines; violations only if it is ``judged``.

    In real time a busy machine makes the simulated parts wait as no real ones would.
    """
    losers = " and ".join(summary["losers"]) or "nobody"
    share = summary["panel_bytes"] / max(1, summary["full_frame_bytes"])
    speed = summary["virtual_s"] / max(summary["wall_s"], 1e-3)
    lines = [
        f"{summary['game']}, {summary['players']} players, seed {summary['seed']}: "
        f"{losers} lost ({_why(summary['ended_by'])})",
        f"{summary['rounds']} rounds, {summary['rolls']} rolls, {summary['peeks']} peeks, "
        f"{summary['doubts']} doubts, {summary['handovers']} handovers",
        f"{summary['virtual_s']:.1f} s of play in {summary['wall_s']:.1f} s "
        f"({speed:.0f} times real time)",
        f"I2C: {summary['i2c_transactions']} transactions, {summary['i2c_bytes']} bytes; "
        f"panels {share:.0%} of what full frames cost",
        f"digest {summary['digest']}",
    ]
    if not judged:
        return "\n".join(lines)
    lines += [f"violation: {line}" for line in summary["violations"]]
    lines += [f"leak: {line}" for line in summary["leaks"]]
    if not summary["violations"] and not summary["leaks"]:
        lines.append("no violation, no leak")
    return "\n".join(lines)
