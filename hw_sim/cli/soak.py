"""``maexchen-sim soak``: hand one cup on and on over bad air, and count cups."""

import argparse
import asyncio
import json
import logging
import time
from typing import Any, Final

from firmware.cli.arguments import MOST_SEED, add_locale_language, between, refuse_idle
from firmware.cli.console import DONE, CommandError
from firmware.display.text.language import Language, say
from firmware.link.broker.session import BrokerAddress
from firmware.settings.model import media_of
from game import RULES
from game.options import MOST_PLAYERS
from hw_sim.air.air import ControllerProfile
from hw_sim.cli.arguments import add_controller, add_json
from hw_sim.clock.hurried import HurriedLoop
from hw_sim.clock.virtual import run
from hw_sim.table.handheld import SharedServices
from hw_sim.table.headless import journal_folder
from hw_sim.table.setup import SEEDS_APART, Carriage, TableSetup
from hw_sim.trials.soak.faults import FAULTS, RealBrokerFaults
from hw_sim.trials.soak.rough_table import Harm, RoughTable
from hw_sim.trials.soak.watch import SoakTally

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


def add_commands(commands: Any) -> None:
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
    for name, value, what in (
        ("loss", 0.1, "share of frames lost, and of those repeated, and of those late"),
        ("cuts", 0.05, "links cut per hop; over a broker, for 30 s"),
        ("reboots", 0.02, "power cuts per hop"),
        (
            "failures",
            0.01,
            "controllers, or brokers, that fail and forget everything, per hop",
        ),
        ("silences", 0.01, "Bluetooth controllers that answer no command any more, per hop"),
    ):
        told = f"{what} (default {value})"
        soak.add_argument(
            f"--{name}", type=between(float, 0, MOST_SHARE), default=value, metavar="F", help=told
        )
    soak.add_argument(
        "--link",
        choices=tuple(FAULTS),
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

    ``link`` is a key of `FAULTS`. Controllers that fail or fall silent are Bluetooth's; of a
    broker, cuts are partitions of 30 s, and failures kill it. ``real``: over one of `REAL` on this
    machine, `HURRY` times as fast as life.
    """
    tally = SoakTally()
    began = time.perf_counter()

    async def main() -> None:
        with journal_folder() as folder:
            broker = RealBrokerFaults(folder, with_amqtt=real == "amqtt") if real else None
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
                    around = SharedServices.of(setup)
                    faults = broker or FAULTS[link](around)
                    journals = folder / str(tally.hops)
                    journals.mkdir()
                    table = RoughTable(setup, around, faults, harm, tally, journals)
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
