"""The host of an evening is given all that passes it and all that it stores: it knows no dice.

Three phones keep their dice themselves. The host watches: it is a member of the table without a
seat, has a key with each of them, and made the lobby.
"""

from base64 import b64encode
from itertools import count
from random import Random

import pytest

from firmware.journal import FAIR_KEY
from firmware.table.commitment.fair_dice import CommitterState
from firmware.table.protocol import HEADER_BYTES, Header
from firmware.table.protocol.sealing import FrameError, Sealer
from hw_sim.clock import run
from tests.support.evenings import an_evening, overhear
from tests.support.own_table import WATCHER, OwnTable, credulous, found, paired

THROWS = (250, pytest.param(1000, marks=pytest.mark.soak))


@pytest.mark.whole
@pytest.mark.parametrize("most", THROWS)
def test_nothing_that_passes_the_host_or_is_stored_there_tells_dice(tmp_path, most):
    throws = opened = hidden = 0
    lengths = set()
    for seed in count():
        folder = tmp_path / str(seed)
        folder.mkdir()
        table = OwnTable(folder, seed)
        table.walk(Random(seed), pick=credulous(Random(f"believes {seed}")))
        known = table.of_host()
        secrets = table.secrets()
        assert found(secrets, known) == set()
        hidden += len(secrets)
        keys = table.tables[WATCHER].keys
        for to, _, frame in table.gives():
            lengths.add(len(frame))
            header = Header.unpack(frame[:HEADER_BYTES])
            for key in (*keys.pairs.values(), keys.everybody, table.tables[WATCHER].agreed.key):
                guess = replace_keys(table.tables[to].keys, header.sender, key)
                with pytest.raises(FrameError):
                    Sealer(guess, to, header.epoch).open(frame)
            assert Sealer(table.tables[to].keys, to, header.epoch).open(frame)
            opened += 1
        throws += table.throws
        table.close()
        if throws >= most:
            break
    assert opened > most / 4
    assert hidden > most / 4, "many cups were never opened"
    assert len(lengths) == 1, "a cup is as long, whatever lies in it"


def replace_keys(keys, sender, key):
    """The keys of who got a cup, but with a key of the host's for who gave it."""
    return keys._replace(pairs={**keys.pairs, sender: key})


def test_a_host_that_stands_between_two_phones_shows_them_other_numbers():
    """It makes a lobby for each of two phones, and plays the others there itself."""
    shown = [paired(seed)[1][seed].state.numbers for seed in (0, 1)]
    assert len(shown[0]) == 5
    assert shown[0] != shown[1]


@pytest.mark.whole
@pytest.mark.parametrize(
    "written",
    [
        bytes,
        lambda secret: secret.hex().encode(),
        lambda secret: b'"x": "' + b64encode(secret) + b'"',
        lambda secret: b64encode(b"ab" + secret[4:16]),
        lambda secret: b"1" + secret.hex().encode(),
    ],
)
def test_a_secret_that_is_planted_is_found_however_it_is_written(tmp_path, written):
    table = OwnTable(tmp_path, 1)
    table.walk(Random(1), pick=credulous(Random(1)))
    known, secrets = table.of_host(), sorted(table.secrets())
    table.close()
    assert not found(secrets, known)
    for planted in Random(2).sample(secrets, 5):
        middle = len(known) // 2
        spoilt = known[:middle] + b" " + written(planted) + b" " + known[middle:]
        assert found(secrets, spoilt) == {planted}


@pytest.mark.whole
def test_a_broker_and_a_host_of_a_whole_evening_have_no_secret_of_a_phone(tmp_path):
    """The same of the whole program: what passes both, and the host's folder every five seconds."""

    async def main():
        async with an_evening(tmp_path / "evening") as evening:
            inside = []
            overhear(evening.host.gathering, inside.append)
            await evening.gather("Ada", "Bo")
            await evening.begin({"game": "sevens", "options": {"rounds": 1}, "bots": []})
            host, known = evening.host, []
            while not evening.is_over:
                await evening.wait(5)
                known += [path.read_bytes() for path in host.folder.rglob("*") if path.is_file()]
            secrets = set()
            for phone in evening.guests:
                standing = phone.seat.device.standing
                state = phone.seat.journal._now.state
                secrets |= {standing.keys.seed, CommitterState.decode(state[FAIR_KEY]).secret}
                secrets |= {key for to, key in standing.keys.pairs.items() if to < 2}
            known += [*inside, *(each.payload for each in evening.said)]
            assert len(evening.said) > 50
            assert len(inside) > 10, "the lobby, as the host reads it"
            assert found(secrets, b"\n".join(known)) == set()
            assert found(secrets, evening.guests[0].stored) != set(), (
                "the phone's own store has them"
            )

    run(main())
