"""``maexchen-sim doctor`` and ``calibrate``: both as on the Pi, on a simulated handheld."""

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from drivers.light_sensor import LightKind
from firmware.cli.arguments import refuse_idle
from firmware.cli.console import DONE, CommandError
from firmware.cli.upkeep import add_examination, add_told, asking, listener, report, tell
from firmware.input.gestures import Calibration
from firmware.runtime.board import assemble
from firmware.settings import Settings, load
from firmware.upkeep.calibrate import Guide, calibrate, save
from firmware.upkeep.doctor import CheckStatus, Finding
from firmware.upkeep.doctor.examine import examine
from hw_sim.board import SimulatedBoard
from hw_sim.cli.declared import declare
from hw_sim.clock import run
from hw_sim.trials.diagnosis import InjectedFault, Pupil, SimulatedPatient
from hw_sim.trials.diagnosis.wiring import built, dangers, wired
from hw_sim.trials.faults import FAULTS

POWERED_UP_S = 0.6
"""After this long every part is awake; chosen, above the 0.5 s of the TTP223's data sheet."""
EVERY = "all"
NOTHING = "does nothing with --faults"


def add_commands(commands: Any) -> None:
    """Add ``doctor`` and ``calibrate`` to what argparse calls subparsers."""
    add_examination(declare(commands, "doctor", _doctor))
    add_told(declare(commands, "calibrate", _calibrate))


def _doctor(args: argparse.Namespace) -> int:
    if args.faults:
        refuse_idle(args, "--fault --wires --seed --json --hands --part --settings", NOTHING)
        print("\n".join(FAULTS))
        return DONE
    if args.fault == EVERY:
        refuse_idle(args, "--wires --hands --part --settings", f"does nothing with --fault {EVERY}")
        return _every(args)
    if args.fault is not None and args.fault not in FAULTS:
        raise CommandError(f"--fault {args.fault}: there is no such one: --faults lists them")
    mistakes = [one.split() for one in args.wires.split(",")] if args.wires else []
    if [] in mistakes:
        raise CommandError(f"--wires {args.wires}: name a mistake before and after each comma")
    try:
        nets = built(mistakes)
    except ValueError as error:
        raise CommandError(f"--wires {args.wires}: {error}") from None
    fault = wired(nets)
    if burns := list(dangers(nets)):
        print(f"maexchen-sim: --wires {args.wires}: {'; '.join(burns)}", file=sys.stderr)
    return run(_reported(args, fault), limit_s=300)


async def _reported(args: argparse.Namespace, wiring: InjectedFault) -> int:
    light = Settings.light if args.settings is None else load(args.settings).light
    async with _patient(args.seed, args.fault, light) as patient:
        wiring(patient)
        seen = patient.for_doctor(hands=args.hands, told=asking(args))
        return await report(seen, args.language, args.part, as_json=args.json)


@asynccontextmanager
async def _patient(
    seed: str, fault: str | None, light: LightKind = Settings.light
) -> AsyncIterator[SimulatedPatient]:
    patient = SimulatedPatient.healthy(seed, light=light)
    await asyncio.sleep(POWERED_UP_S)
    if fault is not None:
        FAULTS[fault](patient)
    try:
        yield patient
    finally:
        patient.board.close()


def _every(args: argparse.Namespace) -> int:
    """Print each fault with the diagnosis of a doctor who has hands."""

    async def looked_at(fault: str) -> list[Finding]:
        async with _patient(args.seed, fault) as patient:
            return await examine(patient.for_doctor(), lambda _finding: None)

    found = {
        fault: [
            finding
            for finding in run(looked_at(fault), limit_s=300)
            if finding.status in (CheckStatus.WRONG, CheckStatus.NOTE)
        ]
        for fault in FAULTS
    }
    if args.json:
        told = {fault: [one.as_json() for one in findings] for fault, findings in found.items()}
        print(json.dumps(told, ensure_ascii=False))
        return DONE
    for fault, findings in found.items():
        said = [one.lines(args.language)[0] for one in findings] or ["-"]
        print(f"{fault:36}" + "; ".join(said))
    return DONE


def _calibrate(args: argparse.Namespace) -> int:
    calibration = run(_led(args), limit_s=900)
    if args.store is not None:
        save(calibration, args.store)
    tell(calibration, args)
    return DONE


async def _led(args: argparse.Namespace) -> Calibration:
    loop = asyncio.get_running_loop()
    board = SimulatedBoard(args.seed, loop)
    await asyncio.sleep(POWERED_UP_S)
    parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
    listeners: tuple[Callable[[Guide], None], ...] = (
        listener(args),
        Pupil(board, loop, args.seed, lux=args.lux),
    )

    def show(guide: Guide) -> None:
        for each in listeners:
            each(guide)

    try:
        return await calibrate(parts, args.language, show)
    finally:
        parts.motion_pin.close()
        board.close()
