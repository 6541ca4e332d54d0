"""Who writes down every byte at a broker: no key, name or secret of dice, no two tags alike."""

import time
from functools import partial

from firmware.journal.keys import FAIR_KEY
from firmware.journal.sqlite import Journal
from firmware.table.commitment.state import CommitterState
from game import RULES
from hw_sim.table.headless import journal_folder, play_match
from hw_sim.table.setup import TableSetup
from hw_sim.table.table import terms_of

PLAYERS = 2


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Play whole matches over a broker in memory, and look at all that went through it."""
    until_s = time.monotonic() + seconds
    matches = messages = size = 0
    tags = set()
    while not matches or time.monotonic() < until_s:
        setup = TableSetup(
            RULES["physicist"], players=PLAYERS, seed=1000 * seed + matches, link=("mqtt",)
        )
        seen = []
        with journal_folder() as folder:
            play_match(setup, folder, partial(listen, seen))
            secrets = secrets_of(setup, folder)
        said = b"\n".join(message.topic.encode() + b" " + message.payload for message in seen)
        for secret in secrets:
            for told in (secret[:8], secret[:8].hex().encode()):
                assert told not in said, f"seed {setup.seed}: a secret"
        for name in setup.names:
            for told in (b'"%s', b"%s\0"):
                assert told % name.encode() not in said, f"seed {setup.seed}: {name}"
        tag = terms_of(setup).chair(0).tag
        assert tag not in tags, f"seed {setup.seed}: {tag}"
        tags.add(tag)
        matches, messages, size = matches + 1, messages + len(seen), size + len(said)
    return {"matches": matches, "messages": messages, "bytes": size}


def listen(seen, table):
    """Let all that reaches the broker of a table be written down."""
    table.around.broker.observers.append(seen.append)


def secrets_of(setup, folder):
    """The keys of a table, and what the dice of each seat come from."""
    keys = terms_of(setup).keys_of(0)
    secrets = [terms_of(setup).key, keys.seed, *keys.pairs.values()]
    for seat in range(PLAYERS):
        with Journal(folder / f"seat{seat}.sqlite") as journal:
            secrets.append(CommitterState.decode(journal.survived.state[FAIR_KEY]).secret)
    return secrets
