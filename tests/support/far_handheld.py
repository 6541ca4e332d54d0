"""A handheld in a process of its own, with its player: joins a party over a broker, and plays.

``python -m tests.support.far_handheld NAME URL ROOM FOLDER SPEED``. It goes on with the match in
its journal. At the end it prints the digest of its log, and the secret of its dice, as JSON.
"""

import asyncio
import json
import sys
from pathlib import Path

from firmware.journal.keys import FAIR_KEY
from firmware.journal.sqlite import Journal
from firmware.link.broker.address import BrokerAddress
from firmware.play.handheld import Handheld
from firmware.table.commitment.state import CommitterState
from game import RULES
from hw_sim.live.web.gathering import HOST
from hw_sim.steckbrett.clock.hurried import HurriedLoop
from hw_sim.table.evening import arrive
from hw_sim.table.handheld import Surroundings
from hw_sim.table.setup import TableSetup, any_chance


async def played(name, url, room, folder):
    """Join the party in a room, or go on; play to the end; return what became of it."""
    broker = BrokerAddress.of(url)
    setup = TableSetup(RULES["sevens"], link=("mqtt",), broker=broker, chance=any_chance())
    handheld, person = arrive(0, name, setup, Surroundings.of(setup), folder)
    running = asyncio.ensure_future(handheld.run())
    if not isinstance(handheld.device.core, Handheld):
        await person.enter_room(room)
        print("in the room", flush=True)
        await person.join(HOST)
    print("plays", flush=True)
    await person.play(clumsy=False)
    digest = handheld.log.digest.hex()
    running.cancel()
    await asyncio.wait((running,))
    with Journal(handheld.journal.path) as journal:
        secret = CommitterState.decode(journal.survived.state[FAIR_KEY]).secret
    return {"digest": digest, "secret": secret.hex()}


if __name__ == "__main__":
    name, url, room, folder, speed = sys.argv[1:]
    with asyncio.Runner(loop_factory=lambda: HurriedLoop(float(speed))) as runner:
        print(json.dumps(runner.run(played(name, url, room, Path(folder)))), flush=True)
