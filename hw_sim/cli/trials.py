"""``maexchen-sim gestures``, ``scenes``, ``soak``: parts of the system on trial."""

import argparse
import asyncio
import json
import logging
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

from firmware.cli.arguments import between, refuse_idle
from firmware.cli.console import DONE, WRONG, CommandError, because
from firmware.display.text.language import Language, say
from firmware.input.gestures import UNCALIBRATED, Calibration
from firmware.link.broker import BrokerAddress
from firmware.settings import media_of
from firmware.upkeep.calibrate import load
from game import RULES
from hw_sim.air import ControllerProfile
from hw_sim.cli.declared import declare
from hw_sim.clock import HurriedLoop, run
from hw_sim.table import SEEDS_APART, Carriage, TableSetup
from hw_sim.table.handheld import SharedServices
from hw_sim.table.headless import journal_folder
from hw_sim.trials.faults import HURRY, MEDIA, SOAKED, BreakableBroker, Harm
from hw_sim.trials.gestures import TrialResult, table
from hw_sim.trials.gestures.recorded import run_scenes, run_trial
from hw_sim.trials.gestures.scenes import film
from hw_sim.trials.soak import SoakTally
from hw_sim.trials.soak.rough_table import RoughTable


def add_commands(commands: Any) -> None:
    """Add ``gestures``, ``scenes`` and ``soak`` to what argparse calls subparsers."""
    declare(commands, "gestures", _judge_gestures)
    declare(commands, "scenes", _judge_scenes)
    soaked = declare(commands, "soak", _soak)
    for option, fault in SOAKED.items():
        each = "frames" if fault.place == "frame" else "hops"
        soaked.add_argument(
            f"--{option}",
            type=between(float, 0, MOST_SHARE),
            default=fault.share,
            metavar="F",
            help=f"how often {fault.does}; a share of {each} (default {fault.share})",
        )


def _judge_scenes(args: argparse.Namespace) -> int:
    if args.film is not None:
        refuse_idle(args, "--json", "does nothing with --film")
        if args.film.exists():
            raise CommandError(f"--film {args.film} is there already: name a new folder")
        files = film(args.film, args.takes, args.seed)
        print(f"{args.film}: {len(files)}")
        return DONE
    return _told(run_scenes(args.takes, args.seed), as_json=args.json)


def _told(results: dict[str, TrialResult], *, as_json: bool) -> int:
    if as_json:
        print(json.dumps({name: result.as_json() for name, result in results.items()}))
    else:
        print(table(results))
    return WRONG if any(result.violations for result in results.values()) else DONE


def _calibration(path: Path | None) -> Calibration:
    if path is None:
        return UNCALIBRATED
    return load(path)


def _judge_gestures(args: argparse.Namespace) -> int:
    try:
        calibration, tell = _calibration(args.calibration), partial(print, file=sys.stderr)
        results = run_trial(args.folder, calibration=calibration, unit=args.unit, tell=tell)
    except OSError as error:
        raise CommandError(
            f"recordings {error.filename or args.folder}: {because(error)}: give a folder that can "
            "be read"
        ) from None
    return _told(results, as_json=args.json)


GAME = "physicist"
"""Nobody leaves it, and it goes on until its players agree to stop."""
HOPS_A_TABLE = 100
"""After so many hops the next table sits down, with an empty log; chosen."""
WITH_BLUETOOTH: Final = ("bluetooth", "both")
MOST_SHARE = 0.3
"""The largest share of a fault that can be asked for; chosen."""


def _soak(args: argparse.Namespace) -> int:
    if args.real and args.link != "mqtt":
        raise CommandError("--real goes with --link mqtt: add it, or leave --real out")
    if args.link not in WITH_BLUETOOTH:
        refuse_idle(args, "--controller --silences", "goes with --link bluetooth or both")
    logger = logging.getLogger("firmware.link")
    level = logger.level
    logger.setLevel(logging.ERROR)  # what goes wrong is counted here
    try:
        tally = soak(
            args.link, args.players, args.hops,
            Harm(*(getattr(args, name) for name in Harm._fields)),
            controller=args.controller, seed=args.seed, real=args.real,
        )  # fmt: skip
    finally:
        logger.setLevel(level)
    if args.json:
        asked = {"link": args.link, "players": args.players, "seed": args.seed}
        print(json.dumps(asked | tally.summary()))
    else:
        print(in_words(tally, args.language))
    if not tally.is_well:
        raise CommandError("the cup was lost, doubled or changed: keep the command and report it")
    return DONE


def soak(
    link: str,
    players: int,
    hops: int,
    harm: Harm,
    *,
    controller: ControllerProfile = "pi",
    seed: int,
    real: str | None = None,
) -> SoakTally:
    """Let real handhelds hand a cup on ``hops`` times, or until it is stuck.

    ``link`` is a key of `MEDIA`. Controllers that fail or fall silent are Bluetooth's; of a
    broker, cuts are partitions of 30 s, and failures kill it. ``real``: over "mosquitto" or "amqtt"
    on this machine, `HURRY` times as fast as life.
    """
    tally = SoakTally()
    began = time.perf_counter()

    async def main() -> None:
        with journal_folder() as folder:
            broker = BreakableBroker(folder, with_amqtt=real == "amqtt") if real else None
            if broker is not None:
                await broker.broker.start()
            try:
                while tally.hops < hops and not (tally.stuck or tally.defects):
                    setup = TableSetup(
                        RULES[GAME],
                        players,
                        seed + tally.hops * SEEDS_APART,
                        link=media_of("mqtt" if link == "memory" else link),
                        carriage=Carriage(
                            controller=controller,
                            broker=BrokerAddress.of(broker.broker.url) if broker else None,
                        ),
                    )
                    services = SharedServices.of(setup)
                    faults = broker.faults if broker else MEDIA[link](services)
                    journals = folder / str(tally.hops)
                    journals.mkdir()
                    table = RoughTable(setup, services, faults, harm, tally, journals)
                    await table.run(min(hops, tally.hops + HOPS_A_TABLE))
            finally:
                if broker is not None:
                    await broker.stop()
        tally.virtual_s = asyncio.get_running_loop().time()

    if real:
        with asyncio.Runner(loop_factory=lambda: HurriedLoop(HURRY)) as runner:
            runner.run(main())
    else:
        run(main())
    tally.wall_s = time.perf_counter() - began
    return tally


def in_words(tally: SoakTally, language: Language) -> str:
    """The numbers of a tally, a line each, and whether there was one cup all the time."""
    lines = [
        f"{value:>12}  {say(f'soak.{key}', language)}" for key, value in tally.summary().items()
    ]
    return "\n".join([*lines, say("soak.WELL" if tally.is_well else "soak.ILL", language)])
