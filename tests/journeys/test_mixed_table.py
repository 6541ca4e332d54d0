"""One match over two media; and all that a broker sees of it."""

import pytest

from firmware.journal import FAIR_KEY
from firmware.journal.sqlite import Journal
from firmware.table.commitment.fair_dice import CommitterState
from hw_sim.table import Carriage
from hw_sim.table.table import standing_of
from tests.support.matches import complaints, play_match, short_setup

pytestmark = pytest.mark.whole

LINKS = (("bluetooth", "mqtt"), ("bluetooth",), ("mqtt",), ("mqtt",))
"""Only the first has both; its handheld carries what goes between the others."""


def test_all_that_a_broker_sees_of_a_match_tells_nothing(tmp_path):
    """Two by Bluetooth and two over a broker play one match, and the broker writes all down."""
    seen = []
    setup = short_setup("class", "bluetooth", players=4, carriage=Carriage(links=LINKS, carrier=0))
    played = play_match(
        setup, tmp_path, prepare=lambda table: table.services.broker.observers.append(seen.append)
    )
    assert complaints(played) == []
    said = b"\n".join(message.topic.encode() + b" " + message.payload for message in seen)
    assert len(seen) > 50
    standing = standing_of(setup, 0)
    keys = standing.keys
    secrets = [standing.agreed.key, keys.seed, *keys.pairs.values()]
    for seat in range(setup.players):
        with Journal(tmp_path / f"seat{seat}.sqlite") as journal:
            secrets.append(CommitterState.decode(journal.survived.state[FAIR_KEY]).secret)
    for secret in secrets:
        for told in (secret, secret.hex().encode()):
            assert told[:8] not in said
    for name in setup.names:
        for told in (b'"%s', b"%s\0"):  # as a record has it, and an invitation
            assert told % name.encode() not in said
    sealed = [message for message in seen if "/to/" in message.topic]
    bodies = {message.payload[10:] for message in sealed}
    assert len(bodies) > len(sealed) / 4, (
        "bodies are sealed, and only what is sent again is the same"
    )
    assert {message.payload for message in seen if "/here/" in message.topic} <= {b"0", b"1"}
