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

from firmware.cli.arguments import (
    MOST_SEED,
    InputFile,
    add_locale_language,
    between,
    refuse_idle,
)
from firmware.cli.console import DONE, WRONG, CommandError, because
from firmware.display.text.language import Language, say
from firmware.input.gestures import UNCALIBRATED, Calibration
from firmware.link.broker import BrokerAddress
from firmware.settings import media_of
from firmware.upkeep.calibrate import load
from game import RULES
from game.options import MOST_PLAYERS
from hw_sim.air import ControllerProfile
from hw_sim.cli.arguments import add_controller, add_json
from hw_sim.clock import HurriedLoop, run
from hw_sim.table import SEEDS_APART, Carriage, TableSetup
from hw_sim.table.handheld import SharedServices
from hw_sim.table.headless import journal_folder
from hw_sim.trials.faults import MEDIA, SOAKED, BreakableBroker, Harm
from hw_sim.trials.gestures import TrialResult, table
from hw_sim.trials.gestures.recorded import run_scenes, run_trial
from hw_sim.trials.gestures.scenes import film
from hw_sim.trials.soak import SoakTally
from hw_sim.trials.soak.rough_table import RoughTable

MOST_TAKES = 1000


def add_gestures(commands: Any) -> None:
    """Add ``gestures`` and ``scenes`` to what argparse calls subparsers."""
    trial = commands.add_parser(
        "gestures",
        help="recorded motion through the recognizer",
        description="Play a folder of recorded motion through the simulated accelerometer, the "
        "driver and the recognizer, with the light and the touches recorded beside it; without, "
        "as if the cup were covered.",
        epilog="example:\n  maexchen-sim gestures recordings --json\n",
    )
    trial.add_argument("folder", type=Path, metavar="DIR", help="with index.csv and events.csv")
    trial.add_argument(
        "--calibration",
        type=InputFile,
        metavar="FILE",
        help="of the handheld that recorded, as maexchen calibrate stores it",
    )
    trial.add_argument(
        "--unit", help="of the acceleration, whatever its column says: mps2, g, mg, counts of 1 g"
    )
    add_json(trial)
    trial.set_defaults(command=_judge_gestures)
    scenes = commands.add_parser(
        "scenes",
        help="made-up light and motion that no recording covers",
        description="Lift, cover, shake and tap in bad light, put down, walk, ride a bus: made up, "
        "through the simulated sensors, the drivers and the recognizer; false and missed gestures "
        "per hour with their 95 % intervals.",
        epilog="examples:\n  maexchen-sim scenes\n  maexchen-sim scenes --takes 12 --json\n"
        "  maexchen-sim scenes --film made-up && maexchen-sim gestures made-up\n",
    )
    scenes.add_argument(
        "--takes",
        type=between(int, 1, MOST_TAKES),
        default=2,
        metavar="N",
        help="of 5 minutes, of each scene (2; 12 = 1 h)",
    )
    scenes.add_argument("--seed", default="0", help="another one is another set of people")
    scenes.add_argument(
        "--film",
        type=Path,
        metavar="DIR",
        help="judge nothing, but record all takes there as maexchen record does, for gestures",
    )
    add_json(scenes)
    scenes.set_defaults(command=_judge_scenes)


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
"""After so many hops the next table sits down, with an empty log."""
MOST_HOPS = 10_000_000
HURRY = 20.0
"""How much faster than life a soak over a real broker is: handhelds are off for half a minute."""
WITH_BLUETOOTH: Final = ("bluetooth", "both")
REAL: Final = ("mosquitto", "amqtt")
"""The brokers that run on this machine."""
MOST_SHARE = 0.3
"""A table that loses more than this seldom gets anywhere."""


def add_soak(commands: Any) -> None:
    """Add ``soak`` to what argparse calls subparsers."""
    soak = commands.add_parser(
        "soak",
        help="hand one cup on and on over bad air, and count cups",
        description="Let real handhelds hand one cup on while frames get lost, repeated, late and "
        "forged, links are cut and handhelds lose their power. The exit status is 0 only if there "
        "was one cup all the time, and every hop was accepted exactly once.",
        epilog="examples:\n  maexchen-sim soak --hops 1000\n"
        "  maexchen-sim soak --link memory --hops 1000000 --json\n"
        "  maexchen-sim soak --link bluetooth --players 5 --loss 0.2 --cuts 0.1 --seed 7\n",
    )
    soak.add_argument(
        "--hops", type=between(int, 1, MOST_HOPS), default=1_000, metavar="N", help="(default 1000)"
    )
    soak.add_argument(
        "--players", type=between(int, 2, MOST_PLAYERS), default=4, metavar="P", help="(default 4)"
    )
    for option, fault in SOAKED.items():
        each = "frames" if fault.place == "frame" else "hops"
        soak.add_argument(
            f"--{option}",
            type=between(float, 0, MOST_SHARE),
            default=fault.share,
            metavar="F",
            help=f"how often {fault.does}; a share of {each} (default {fault.share})",
        )
    soak.add_argument(
        "--link",
        choices=tuple(MEDIA),
        default="bluetooth",
        help="memory: over a broker in memory that never fails (default: bluetooth)",
    )
    soak.add_argument(
        "--real",
        nargs="?",
        choices=REAL,
        const=REAL[0],
        help="with --link mqtt: over a broker on this machine, which is held and killed, in real "
        f"time but {HURRY:g} times as fast as life (alone: {REAL[0]}); else over one in memory",
    )
    add_controller(soak)
    soak.add_argument("--seed", type=between(int, 0, MOST_SEED), default=1, metavar="S")
    add_json(soak)
    add_locale_language(soak)
    soak.set_defaults(command=_soak)


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
    broker, cuts are partitions of 30 s, and failures kill it. ``real``: over one of `REAL` on this
    machine, `HURRY` times as fast as life.
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
