"""One scenario for a board: the simulator and a kernel must print the same lines.

The lines are the results of the drivers and of the library of the pins. ``please`` asks the owner
of the board to do something to it, and goes on when that is done.

``python -m tests.labs.kernel.scenario healthy`` or ``faulty`` is how a kernel runs it, on the board
that the firmware opens there.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable

from smbus2 import i2c_msg

from drivers.bus import Priority
from drivers.errors import PartError
from drivers.gpio import PinError, PinWatch
from drivers.panel import windows
from drivers.ttp223 import TouchPad
from firmware.runtime.board import Board, open_board

Say = Callable[[str], None]
Please = Callable[[str], Awaitable[None]]

A_PICTURE = bytes(range(256)) * 4
PATIENCE_S = 6.0
"""An edge may be late: a kernel on a busy machine is between."""
CALM_S = 0.6
"""Time for what was asked for to be done."""
HELD_PIN = 25
CALLS = (
    "gpio.input(24)",
    "gpio.output(24, 1)",
    "gpio.setup(24, 5)",
    "gpio.setup(24, gpio.OUT, pull_up_down=gpio.PUD_UP)",
    "gpio.add_event_detect(24, gpio.BOTH)",
    "gpio.setmode(99)",
    "gpio.setup(24, gpio.IN, pull_up_down=gpio.PUD_DOWN)",
    "gpio.input(24)",
    "gpio.output(24, 1)",
    "gpio.add_event_detect(24, 99)",
    "gpio.add_event_detect(24, gpio.BOTH, bouncetime=0)",
    "gpio.add_event_detect(24, gpio.BOTH)",
    "gpio.add_event_detect(24, gpio.RISING)",
    "gpio.remove_event_detect(24)",
    "gpio.cleanup([24])",
    "gpio.input(24)",
)
"""What is asked of the pins' library, on a pin that nobody uses."""


async def healthy(board: Board, say: Say, please: Please) -> None:
    """Use every part, both pins that are watched, and the library of the pins."""
    await faulty(board, say, please)
    seen: list[bool] = []
    loop = asyncio.get_running_loop()
    watch = PinWatch(board.gpio, board.touch_pin, lambda _t, level: seen.append(level), loop)
    for wish in ("press", "leave") * 2:
        await please(wish)
    watch.close()
    say(f"edges that the library told of: {seen}")
    await _pins(board, say, please)


async def faulty(board: Board, say: Say, please: Please) -> None:
    """Use every part, and both pins that are watched, of a board to which something happened."""
    await _parts(board, say)
    await _senses(board, say, please)


async def _senses(board: Board, say: Say, please: Please) -> None:
    motion = board.accelerometer
    await _use(board, say, "motion", motion.begin)
    say(f"INT1 rose: {await board.motion_pin.wait(PATIENCE_S)}")
    await _use(board, say, "motion", motion.watch_for_motion)
    await asyncio.sleep(0.5)
    await please("turn")
    say(f"INT1 rose: {await board.motion_pin.wait(PATIENCE_S)}")
    await _use(board, say, "motion", motion.interrupt_source)
    changes: asyncio.Queue[bool] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    pad = TouchPad(board.gpio, board.touch_pin, lambda _t, down: changes.put_nowait(down), loop)
    await asyncio.sleep(1.0)
    for wish in ("press", "leave"):
        await please(wish)
        say(f"{wish}: {await asyncio.wait_for(changes.get(), 5.0)}")
    pad.close()


async def _parts(board: Board, say: Say) -> None:
    light, panel, motion = board.light, board.panel, board.accelerometer
    jobs: tuple[tuple[str, Callable[[], object]], ...] = (
        ("nobody", lambda: _raw(board, i2c_msg.write(0x1E, b""))),
        ("nobody", lambda: _raw(board, i2c_msg.read(0x1E, 1))),
        ("motion", motion.begin),
        ("motion", motion.watch_for_motion),
        ("motion", motion.wake),
        ("motion", motion.watch_for_motion),
        ("panel", panel.begin),
        *(
            ("panel", lambda one=window: panel.write(one))
            for window in windows(bytes(1024), A_PICTURE)
        ),
        ("panel", panel.light_up),
        ("panel", lambda: panel.contrast(20)),
        ("panel", panel.blank),
        ("light", light.begin),
        ("light", light.fast),
        ("light", light.slow),
        ("light", light.shut_down),
    )
    for name, job in jobs:
        await _use(board, say, name, job)


async def _use(board: Board, say: Say, name: str, job: Callable[[], object]) -> None:
    """Run a job of the bus, and say what came of it: an error with class, errno and words."""
    try:
        result = await board.bus.run(job, Priority.MOTION)
    except PartError as problem:
        cause = problem.__cause__
        number = cause.errno if isinstance(cause, OSError) else None
        say(f"{name}: {problem.fault.name}, {type(cause).__name__} {number}: {problem}")
    except OSError as problem:
        say(f"{name}: {type(problem).__name__} {problem.errno}: {problem.strerror}")
    else:
        say(f"{name}: {'done' if result is None else repr(result)}")


def _raw(board: Board, message: i2c_msg) -> None:
    board.bus.adapter._transfer(message)


async def _pins(board: Board, say: Say, please: Please) -> None:
    for call in CALLS:
        try:
            result = eval(call, {"gpio": board.gpio})
        except Exception as problem:
            kind = type(problem)
            say(f"{call}: {kind.__name__} < {kind.__mro__[1].__name__}: {problem}")
        else:
            say(f"{call}: {result}")
    await please("hold")
    try:
        loop = asyncio.get_running_loop()
        PinWatch(board.gpio, HELD_PIN, lambda _t_us, _level: None, loop).close()
    except PinError as problem:
        say(f"a held pin: {problem}")


# ---- in a kernel


def _say(line: str) -> None:
    print(line, flush=True)


async def _please(wish: str) -> None:
    if wish == "hold":
        import lgpio  # makes a pipe where it is imported: not before the pins are open

        lgpio.gpio_claim_input(lgpio.gpiochip_open(0), HELD_PIN)
        return
    _say(f"please {wish}")
    await asyncio.sleep(CALM_S)


async def _main(name: str) -> None:
    async with open_board() as board:
        await {"healthy": healthy, "faulty": faulty}[name](board, _say, _please)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
