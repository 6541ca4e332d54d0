"""The public feed of a match and the log of a service: no covered dice, no opening, no key."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tests.support.core_table as cores
from firmware.cli.console import DEFECT, run_command
from firmware.device.feed import (
    BLOCK,
    MOST_BYTES,
    EntryBlock,
    Feed,
    FeedError,
    MatchNotice,
    Publisher,
)
from firmware.device.open import open_device, open_match
from firmware.effects import TableAddress
from firmware.journal import CUP_KEY, Append, Put
from firmware.journal.sqlite import Journal
from firmware.link.broker import topics
from firmware.lobby.choices import OneHandheld
from firmware.settings import Settings, SettingsError
from firmware.table.handover import Where
from firmware.table.log.entries import encode_entry
from firmware.table.log.public_log import PublicLog
from firmware.table.pairing.state import Agreed
from firmware.table.protocol.messages import Contents, Give
from firmware.table.protocol.sealing import keys_of_table, tag_of_table
from firmware.table.seat.memory import SeatState
from game.actions import Announce, Lift, Roll
from game.record import read
from tests.support.tables import KEY, fixed

TAG = tag_of_table(KEY)
KINDS = (MatchNotice, EntryBlock)


def feed_of(table, seat, publish):
    signers = keys_of_table(table.key, seat, range(table.size)).signers
    keys = tuple(signers[each] for each in sorted(signers))
    return Feed(table[seat].handheld, TableAddress(tag_of_table(table.key), seat), keys, publish)


def update(feed, table, seat):
    feed.update(table[seat].handheld.own_seat.log.index)


class Reader:
    """Somebody who knows nothing but what a broker keeps."""

    def __init__(self, told, seat):
        self.kept = {message.topic: message.payload for message in told}
        self.notice = MatchNotice.decode(self.kept[topics.public_match(TAG, seat)])
        record = read(self.notice.header)
        self.log = PublicLog(record.rules, record.players, record.first)
        for number in range((self.notice.count + BLOCK - 1) // BLOCK):
            block = EntryBlock.decode(self.kept[topics.public_entries(TAG, seat, number)])
            self.log.adopt(block.log)


def test_covered_dice_are_in_none_of_it():
    feeds = []
    for dice in ((6, 4), (3, 1)):
        table, told = cores.CoreTable(3, dice={0: [dice]}), []
        feed = feed_of(table, 0, told.append)
        update(feed, table, 0)
        table.shake(0)
        update(feed, table, 0)
        table.choose(0, Announce(65))
        table.wait(cores.S)
        update(feed, table, 0)
        feeds.append(told)
    assert feeds[0] == feeds[1]
    assert len(feeds[0]) > 4


def test_nothing_is_told_that_is_not_on_the_disk_of_who_tells_it():
    table, told = cores.CoreTable(3, seed=1), []
    feed = feed_of(table, 0, told.append)
    table.shake(0)
    count = table[0].handheld.own_seat.log.index
    assert count
    feed.update(count - 1)
    assert Reader(told, 0).log.index == count - 1
    feed.update(count)
    assert Reader(told, 0).log.index == count


def test_a_table_of_the_settings_is_told_of_by_its_own_seat(tmp_path):
    told, tags = [], []
    settings = Settings(journal=tmp_path / "journal.sqlite", standing=fixed(cores.NAMES[:3], 2))
    with Journal(settings.journal) as journal:
        device = open_device(settings, journal, bytes, begin=True)
        publisher = Publisher(device, told.append, tags.append)
        for _ in range(2):
            publisher.update(journal.length)
    (tag,) = tags
    assert tag == settings.standing.table_address.tag
    assert {message.topic for message in told} == {topics.public_match(tag, 2)}
    notice = MatchNotice.decode(told[0].payload)
    assert len(notice.signers) == 3
    assert notice.count == 0


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.binary(max_size=200))
@example(b"{}")
@example(b"[]")
@example(b"[" * 100_000)
def test_what_is_none_of_a_feed_is_one_line(kind, data):
    with pytest.raises(FeedError) as caught:
        kind.decode(data)
    assert "\n" not in str(caught.value)


def test_a_notice_of_a_newer_version_or_without_end_is_refused():
    table, told = cores.CoreTable(3), []
    update(feed_of(table, 0, told.append), table, 0)
    payload = told[0].payload
    assert MatchNotice.decode(payload.ljust(MOST_BYTES)).version == 1
    for wrong in (payload.replace(b'"version":1', b'"version":2'), payload.ljust(MOST_BYTES + 1)):
        with pytest.raises(FeedError):
            MatchNotice.decode(wrong)


def test_an_open_throw_is_told_when_its_player_has_lifted_the_cup():
    table, told = cores.CoreTable(3, game="sevens"), []
    seat = table[0].match.to_act
    feed = feed_of(table, seat, told.append)
    table.shake(seat)
    update(feed, table, seat)
    assert table[seat].handheld.own_seat.log.index == 1
    assert Reader(told, seat).log.index == 0
    table.lift(seat)
    update(feed, table, seat)
    assert Reader(told, seat).log.index == 1


SECRET = bytes(range(100, 132))


@pytest.fixture
def thrown(tmp_path):
    """A table at which Ana has thrown."""
    table = cores.CoreTable(3, folder=tmp_path)
    table.choose(0, Roll())
    yield table
    table.close()


def forms(secret):
    """Return the texts that would give bytes away: as Python writes them, and in hexadecimals."""
    return repr(secret)[2:-1], secret.hex(), secret.hex(" ")


def test_what_is_kept_and_sent_is_shown_without_its_secrets(thrown):
    ana = thrown[0].handheld.own_seat
    kept = thrown[0].journal
    dice, contents = ana.dice, ana.cup.contents
    state = SeatState.load({**kept.survived.state, **kept._now.state})
    pairs = thrown.settings(0).standing.keys
    said = repr(
        (
            thrown[0].stored, kept.survived, kept._now, state, ana.cup, pairs, thrown.settings(0),
            Give(1, contents),
            Agreed(b"", 0, (), thrown.rules, 0, (), KEY, {1: KEY}, KEY, {}, {1: KEY}),
            OneHandheld(thrown.rules, (), 0, 0, KEY),
        )
    )  # fmt: skip
    secrets = [contents.opening, state.committer.secret, KEY, *pairs.pairs.values()]
    assert all(len(secret) == 32 and any(secret) for secret in secrets)
    assert not [form for secret in secrets for form in forms(secret) if form in said]
    assert str(dice) not in said
    assert "Contents(2 dice)" in said


@pytest.mark.parametrize("broken", ["cup", "entry"])
def test_a_journal_that_is_refused_is_named_without_its_dice(thrown, broken):
    cup = thrown[0].cup._replace(contents=Contents((6, 3), 1, SECRET))
    impossible = cup._replace(where=Where.PROPOSED)
    write = Put(CUP_KEY, impossible.encode())
    if broken == "entry":
        write = Append(1, encode_entry(Lift((6, 3)), None))
    thrown[0].journal.write((write,))
    settings = thrown.settings(0)
    thrown.close()
    with Journal(settings.journal) as journal, pytest.raises(SettingsError) as caught:
        open_match(settings, journal, bytes)
    assert "6, 3" not in str(caught.value)
    assert not [form for form in forms(SECRET) if form in str(caught.value)]


def test_a_defect_is_named_by_its_place_and_not_by_its_text(capsys):
    def defect():
        raise ValueError(f"{SECRET!r}, (6, 3), {SECRET.hex()}")

    assert run_command("maexchen", defect) == DEFECT
    said = capsys.readouterr().err
    assert "ValueError, line" in said
    assert __file__ in said
    assert "6, 3" not in said
    assert not [form for form in forms(SECRET) if form in said]
