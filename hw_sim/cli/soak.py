"""``maexchen-sim soak``: pass one cup on and on over bad air, and count cups."""

import argparse
import asyncio
import json
import logging
import time
from typing import Any, Final

from firmware.cli.arguments import add_locale_language
from firmware.cli.console import DONE, CommandError
from firmware.display.text.language import Language, say
from hw_sim.air.air import ControllerProfile
from hw_sim.cli.arguments import add_controller, add_json
from hw_sim.steckbrett.clock.hurried import HurriedLoop
from hw_sim.steckbrett.clock.virtual import run
from hw_sim.table.headless import journal_folder
from hw_sim.trials.soak.brokers import RealBrokerMedium
from hw_sim.trials.soak.media import MEDIA
from hw_sim.trials.soak.memory import MemoryTable
from hw_sim.trials.soak.radio import RadioTable
from hw_sim.trials.soak.radio_seat import SoakMedium
from hw_sim.trials.soak.watch import SoakTally

MEMORY = "memory"
"""The handover core alone, on no medium."""
MOST_PLAYERS = 8
HURRY = 20.0
"""How much faster than life a soak over a real broker is: handhelds are off for half a minute."""
REAL: Final = ("mosquitto", "amqtt")
"""The brokers that run on this machine."""
MOST_SHARE = 0.3
"""A table that loses more than this seldom gets anywhere."""


def add_commands(commands: Any) -> None:
    """Add ``soak`` to what argparse calls subparsers."""
    soak = commands.add_parser(
        "soak",
        help="pass one cup on and on over bad air, and count cups",
        description="Pass one cup from seat to seat while frames get lost, repeated, late and "
        "forged, links are cut and handhelds lose their power. The exit status is 0 only if there "
        "was one cup all the time, and every hop was accepted exactly once.",
        epilog="examples:\n  maexchen-sim soak --hops 1000\n"
        "  maexchen-sim soak --link memory --hops 1000000 --json\n"
        "  maexchen-sim soak --link bluetooth --players 5 --loss 0.2 --cuts 0.1 --seed 7\n",
    )
    soak.add_argument("--hops", type=_count, default=1_000, metavar="N", help="(default 1000)")
    soak.add_argument("--players", type=_players, default=4, metavar="P", help="(default 4)")
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
        soak.add_argument(f"--{name}", type=_share, default=value, metavar="F", help=told)
    soak.add_argument("--link", choices=(*MEDIA, MEMORY), default="bluetooth")
    soak.add_argument(
        "--real",
        nargs="?",
        choices=REAL,
        const=REAL[0],
        help="with --link mqtt: over a broker on this machine, which is held and killed, in real "
        f"time but {HURRY:g} times as fast as life (alone: {REAL[0]}); else over one in memory",
    )
    add_controller(soak)
    soak.add_argument("--seed", type=int, default=1, metavar="S")
    add_json(soak)
    add_locale_language(soak)
    soak.set_defaults(command=_soak)


def _count(text: str) -> int:
    return _number(text, int(text) if text.isdecimal() else 0, 1, 10_000_000)


def _players(text: str) -> int:
    return _number(text, int(text) if text.isdecimal() else 0, 2, MOST_PLAYERS)


def _number(text: str, number: int, least: int, most: int) -> int:
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{text!r}: write a number from {least} to {most}")
    return number


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= MOST_SHARE:
        raise argparse.ArgumentTypeError(f"{text!r}: write a share from 0 to {MOST_SHARE}")
    return share


def _soaked(args: argparse.Namespace) -> SoakTally:
    return soak(
        args.link,
        args.players,
        args.hops,
        loss=args.loss,
        cuts=args.cuts,
        reboots=args.reboots,
        failures=args.failures,
        silences=args.silences,
        controller=args.controller,
        seed=args.seed,
        real=args.real,
    )


def _soak(args: argparse.Namespace) -> int:
    if args.real and args.link != "mqtt":
        raise CommandError("--real goes with --link mqtt: add it, or leave --real out")
    logger = logging.getLogger("firmware.link")
    level = logger.level
    logger.setLevel(logging.ERROR)  # what goes wrong is counted here
    try:
        tally = _soaked(args)
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
    *,
    loss: float,
    cuts: float,
    reboots: float,
    failures: float = 0.0,
    silences: float = 0.0,
    controller: ControllerProfile = "pi",
    seed: int,
    real: str | None = None,
) -> SoakTally:
    """Pass a cup on ``hops`` times, or until it is stuck.

    ``link`` is a key of `MEDIA` or `MEMORY`; ``loss`` is a share of frames, ``cuts``, ``reboots``,
    ``failures`` and ``silences`` are per hop. Over `MEMORY` no link is cut; controllers that fail
    or fall silent are Bluetooth's; of a broker, ``cuts`` are partitions of 30 s, and ``failures``
    kill it. ``real``: over one of `REAL` on this machine, `HURRY` times as fast as life.
    """
    tally = SoakTally()
    began = time.perf_counter()
    if link == MEMORY:
        table = MemoryTable(players, loss=loss, reboots=reboots, seed=seed, tally=tally)
        table.run(hops)
        tally.virtual_s = table.now_us / 1e6
    else:

        async def main() -> None:
            with journal_folder() as folder:
                medium: SoakMedium = MEDIA[link](players, seed, controller)
                if real:
                    medium = RealBrokerMedium(seed, folder, with_amqtt=real == "amqtt")
                    await medium.start()
                await RadioTable(
                    players,
                    medium,
                    loss=loss,
                    cuts=cuts,
                    reboots=reboots,
                    failures=failures,
                    silences=silences,
                    seed=seed,
                    tally=tally,
                    folder=folder,
                ).run(hops)
                if isinstance(medium, RealBrokerMedium):
                    await medium.stop()
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
