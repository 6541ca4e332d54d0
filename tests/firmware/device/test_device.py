"""A handheld from power on to a rematch, and what it remembers when its power is cut."""

import json
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from firmware.device import SeatMaker
from firmware.device.open import open_device
from firmware.display.screens import AlertPage, MatchOverPage
from firmware.display.text.labels import Alert, Text
from firmware.effects import OwnStore, Received, Stored, Tick
from firmware.input.controls import LocalChoice
from firmware.journal import CUP_KEY, Put
from firmware.journal.sqlite import Journal
from firmware.lobby.lobby import Lobby
from firmware.lobby.rematch import AGAIN_US
from firmware.play.handheld import Handheld
from firmware.settings import Settings
from firmware.table.pairing.standing import StandingTable, StandingTableError
from firmware.table.protocol.invitations import address_of
from firmware.table.protocol.messages import Caught
from firmware.table.seat import cup_custody, turn, voting
from firmware.table.seat.cup_custody import Position
from game import RULES, Phase, Status
from game.actions import Leave, Roll, StopMatch
from tests.support.lobbies import Hall
from tests.support.net import MS, S, cut_off, device
from tests.support.tables import fixed


class Shelf(Hall):
    """Devices with journals on a disk."""

    def __init__(self, folder, names, seed=0, loss=0.0):
        self.folder, self.names, self.seed = folder, names, seed
        self.disks = [Journal(folder / f"{at}.sqlite") for at in range(len(names))]
        super().__init__([self.open(at) for at in range(len(names))], seed, loss, self.disks)

    def open(self, at):
        settings = Settings(name=self.names[at], address=address_of(device(at)))
        return open_device(settings, self.disks[at], Random(f"{self.seed}/{at}").randbytes)

    def reboot(self, at):
        self.disks[at].close()
        self.disks[at] = Journal(self.folder / f"{at}.sqlite")
        self.seed += 1000
        super().reboot(at, self.open(at))

    def close(self):
        for journal in self.disks:
            journal.close()

    def sit_down(self, watchers=()):
        guests = [at for at in range(1, len(self.cores)) if at not in watchers]
        self.gather(guests, game="physicist", watchers=watchers)
        self.compare()

    def compare(self):
        """Ben is to open; all tap the numbers they compare, and a match begins."""
        there = self.to_the_numbers("Ben")
        for at in there:
            self.tap(at)
        self.until(lambda: all(isinstance(self.cores[at].core, Handheld) for at in there))

    def ask_again(self, at):
        self.wait(S)
        self.tap(at)
        self.choose(at, Text.AGAIN)

    def begins(self, number):
        """Wait until match ``number`` of the table has begun everywhere."""
        self.until(lambda: all(core.standing.number == number for core in self.cores))
        self.until(lambda: all(core.core.position is not Position.OVER for core in self.cores))

    def choose_at(self, at, choice):
        core = self.cores[at].core
        self.tilt_dial(at, core.dial, core.dial.index_of(choice))
        assert core.dial.entry.choice == choice
        self.do_entry(at, holds=core.dial.entry.holds)

    def stop_match(self, voters=(0, 1, 2)):
        """All vote to stop, as soon as anybody asks."""
        for core in (self.cores[at] for at in voters):
            turn.wish(core.core.own_seat, StopMatch(), self.now_us)
        self.until(lambda: all(core.core.position is Position.OVER for core in self.cores))
        self.until(lambda: all(isinstance(core.screen, MatchOverPage) for core in self.cores))


@pytest.fixture
def shelves(tmp_path):
    """Give what makes a shelf of devices in their lobbies."""
    made = []

    def make(*names, **how):
        made.append(Shelf(tmp_path, names, **how))
        return made[-1]

    yield make
    for shelf in made:
        shelf.close()


@pytest.fixture
def shelf(shelves):
    """Give three devices at a table, at which a match has begun."""
    made = shelves("Ana", "Ben", "Cem")
    made.sit_down()
    return made


@pytest.fixture
def watched(shelves):
    """Give the same, with a fourth that watches."""
    made = shelves("Ana", "Ben", "Cem", "Dea")
    made.sit_down(watchers=(3,))
    return made


def test_again_when_all_want_it(shelf):
    for number in (1, 2):
        shelf.stop_match()
        for at in range(3):
            shelf.wait(S)
            shelf.tap(at)
            assert shelf.cores[at].screen.title is Text.AGAIN_QUESTION
            before = [core.standing.number for core in shelf.cores]
            assert before == [number - 1] * 3, "not before all want it"
            shelf.choose(at, Text.AGAIN)
            left = shelf.cores[at].dial
            assert left is None or left.entry.choice is None, "no other answer under the finger"
        shelf.begins(number)
        assert len({core.standing.first for core in shelf.cores}) == 1
        assert len({core.core.own_seat.epoch for core in shelf.cores}) == 1


class FixedShelf(Shelf):
    """Devices at a table of the settings."""

    def open(self, at):
        table = fixed(self.names, at, rules=RULES["physicist"], devices=device)
        settings = Settings(name=self.names[at], address=address_of(device(at)), standing=table)
        chance = Random(f"{self.seed}/{at}").randbytes
        return open_device(settings, self.disks[at], chance, begin=True)


def test_a_table_of_the_settings_plays_again_and_nobody_leaves_it(tmp_path):
    shelf = FixedShelf(tmp_path, ("Ana", "Ben", "Cem"))
    shelf.stop_match()
    for at in range(3):
        shelf.wait(S)
        shelf.tap(at)
        left = [shelf.cores[at].pick(item) for item in (Text.OTHERS_TOO, Text.FORGET_TABLE)]
        assert left == [None, None]
        shelf.choose(at, Text.AGAIN)
    shelf.begins(2)
    shelf.reboot(0)
    assert shelf.cores[0].standing.number == 2, "whatever epoch its settings name"
    shelf.cores[0].core.own_seat.trouble = cup_custody.LogsDiffer()
    shelf.hold(0)
    assert shelf.cores[0].standing.number == 2
    shelf.close()


def test_a_host_that_was_rebooted_still_answers_a_late_tap(shelves):
    shelf = shelves("Ana", "Ben", "Cem")
    shelf.gather((1, 2), game="physicist")
    shelf.to_the_numbers("Ben")
    for at in (2, 1, 0):
        shelf.tap(at)
        shelf.wait(100 * MS)
    shelf.air.clear()  # nobody hears that it stands
    assert isinstance(shelf.cores[0].core, Handheld)
    shelf.reboot(0)
    shelf.wait(2 * AGAIN_US)
    assert all(isinstance(core.core, Handheld) for core in shelf.cores)


def test_a_forged_wish_for_another_match_counts_for_nothing(shelf):
    standing = shelf.cores[0].standing
    frame = shelf.cores[1].standing.wants(1, 0)
    assert standing.wanted(frame) == (1, 1)
    for bit in range(8 * len(frame)):
        changed = bytearray(frame)
        changed[bit // 8] ^= 1 << bit % 8
        assert standing.wanted(bytes(changed)) is None
    assert shelf.cores[2].standing.wanted(frame) is None


def test_who_carries_survives_the_journal_and_nobody_does_by_one_of_before(shelf):
    standing = shelf.cores[0].standing
    carried = replace(standing, agreed=replace(standing.agreed, carrier=1))
    assert StandingTable.decode(carried.encode()) == carried
    plain = json.loads(standing.encode())
    assert plain.pop("carrier") is None
    assert StandingTable.decode(json.dumps(plain).encode()) == standing
    with pytest.raises(StandingTableError, match="carrier is none of 0 to 2"):
        StandingTable.decode(json.dumps({**plain, "carrier": 3}).encode())


def test_who_carries_knows_the_devices_of_all_who_watch_as_well(watched):
    standing = watched.cores[0].standing
    assert (standing.table_address.carrier, standing.table_address.devices) == (None, ())
    table_address = replace(standing, agreed=replace(standing.agreed, carrier=1)).table_address
    assert table_address.carrier == 1
    assert table_address.devices == tuple(device(at) for at in range(4))


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"people": 3}', b"[" * 100_000])
def test_a_table_that_cannot_be_read_is_refused(data):
    with pytest.raises(StandingTableError, match="cannot be read"):
        StandingTable.decode(data)


@pytest.mark.whole
@pytest.mark.parametrize("other", [None, [], {}, -1, 1e9, "", "0x", [[]], {"0": 0}, True])
def test_a_table_with_a_value_of_another_shape_is_refused_or_can_be_played_at(shelf, other):
    plain = json.loads(shelf.cores[0].standing.encode())
    for name in plain:
        data = json.dumps({**plain, name: other}).encode()
        with suppress(StandingTableError):
            standing = StandingTable.decode(data)
            SeatMaker(bytes).new(standing)
            assert standing.answer(b"") is None


def test_who_watches_follows_into_a_voted_epoch(watched):
    watched.choose_at(1, Roll())
    cut_off(watched, 1)
    watched.wait(30 * S)
    dea = watched.cores[3].core
    assert voting.gone(dea.own_seat, watched.now_us) == (), "who watches has no vote"
    for at in (0, 2):
        voting.go_on_without(watched.cores[at].core.own_seat, 1, watched.now_us)
        watched.wait(S)
    watched.wait(10 * S)
    epochs = [core.core.own_seat.epoch for core in watched.cores]
    assert epochs == [1, 0, 1, 1]
    assert dea.match == watched.cores[0].core.match
    assert not dea.own_seat.unsynced
    watched.choose_at(2, Roll())
    watched.until(lambda: dea.match.phase is Phase.THROWN)
    watched.reboot(3)
    dea = watched.cores[3].core
    assert dea.own_seat.epoch == 1
    assert dea.match.phase is Phase.THROWN
    watched.lost = None
    watched.wait(10 * S)
    watched.stop_match(voters=(0, 2))


def is_left(shelf, at):
    """Whether a table is left for good."""
    assert isinstance(shelf.cores[at].core, Lobby)
    shelf.reboot(at)
    assert isinstance(shelf.cores[at].core, Lobby)


def menu_items(shelf, at):
    """Open the menu at a place that watches, and read it."""
    shelf.tap(at)
    shelf.wait(300 * MS)
    shelf.hold(at)
    return [entry.choice for entry in shelf.cores[at].core.dial.entries]


def test_who_watches_can_go_at_any_time(watched):
    assert LocalChoice.FORGET_TABLE not in menu_items(watched, 0), "the match needs Ana"
    assert LocalChoice.FORGET_TABLE in menu_items(watched, 3)
    watched.choose_at(3, LocalChoice.FORGET_TABLE)
    is_left(watched, 3)


def test_who_has_left_need_not_wait_for_the_end(shelf):
    turn.wish(shelf.cores[2].core.own_seat, Leave(2), shelf.now_us)
    shelf.until(lambda: shelf.cores[2].core.match.status[2] is Status.LEFT)
    assert LocalChoice.FORGET_TABLE in menu_items(shelf, 2)
    shelf.choose_at(2, LocalChoice.FORGET_TABLE)
    is_left(shelf, 2)


def test_a_match_that_cannot_go_on_can_be_left(shelves):
    """Two have no majority: when one is gone with the cup, the other goes to the lobby."""
    shelf = shelves("Ana", "Ben")
    shelf.sit_down()
    cut_off(shelf, 1)
    assert LocalChoice.FORGET_TABLE not in menu_items(shelf, 0)
    shelf.choose_at(0, LocalChoice.BACK)
    shelf.wait(30 * S)
    assert LocalChoice.FORGET_TABLE in menu_items(shelf, 0)
    shelf.choose_at(0, LocalChoice.FORGET_TABLE)
    is_left(shelf, 0)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (cup_custody.LogsDiffer(), (Alert.RECORDS_DIFFER, "")),
        (cup_custody.Accusing(1, cup_custody.Charge.DICE), (Alert.CAUGHT_DICE, "Ben")),
    ],
)
def test_a_table_that_has_stopped_is_left_by_a_hold(shelf, found, message):
    core = shelf.cores[0].core
    core.own_seat.trouble = found
    shelf.do(0, Tick())
    assert shelf.cores[0].screen == AlertPage(*message, Text.HINT_FORGET)
    shelf.tap(0)
    assert shelf.cores[0].core is core
    shelf.hold(0)
    is_left(shelf, 0)


def test_a_disk_that_fails_is_left_by_switching_off_alone(shelf):
    core = shelf.cores[0].core
    shelf.do(0, Stored(0, "the disk is full"))
    assert shelf.cores[0].screen == AlertPage(Alert.STORE)
    shelf.hold(0)
    assert shelf.cores[0].core is core


def test_who_comes_late_joins_the_next_match_and_the_tally_is_kept(shelves):
    shelf = shelves("Ana", "Ben", "Cem")
    shelf.gather((1,), game="physicist")
    shelf.compare()
    shelf.choose(2, Text.JOIN_TABLE)
    shelf.wait(10 * S)
    assert shelf.cores[2].screen.lines[0] is Text.LISTENING, "a match is no open table"
    for core in shelf.cores[:2]:
        turn.wish(core.core.own_seat, StopMatch(), shelf.now_us)
    shelf.until(lambda: all(isinstance(core.screen, MatchOverPage) for core in shelf.cores[:2]))
    for at in (0, 1):
        shelf.tap(at)
        question = shelf.cores[at]._state._rematch
        question.next_one = replace(question.next_one, lost=(0, 1))
        shelf.choose(at, Text.OTHERS_TOO)
        assert isinstance(shelf.cores[at].core, Lobby)
    shelf.choose(2, Text.BACK)
    shelf.sit_down()
    assert shelf.cores[2].core.match.players == ("Ana", "Ben", "Cem")
    assert {core.standing.lost for core in shelf.cores} == {(0, 1, 0)}, "who came late knows it too"


def test_a_table_that_cannot_be_written_stops_the_handheld_and_says_so(shelves):
    shelf = shelves("Ana", "Ben")
    core = shelf.cores[0]
    effects = core.handle(Stored(OwnStore.BEGIN, "the disk is full"), shelf.now_us)
    assert [effect.screen for effect in effects] == [AlertPage(Alert.STORE)]
    assert core.handle(Tick(), shelf.now_us) == []


def test_nothing_of_the_match_before_is_written_over_the_next_one(shelf):
    shelf.stop_match()
    before = shelf.cores[1]
    for at in range(3):
        shelf.tap(at)
        shelf.wait(S)
    written = []
    write = shelf.write
    shelf.write = lambda at, store: written.append(store) if at == 1 else write(at, store)
    for at in range(3):
        shelf.choose(at, Text.AGAIN)
    shelf.wait(2 * S)
    assert before.standing.number == 1, "the next match is being written"
    late = shelf.cores[2].core.own_seat.mail._sealer.at(before.core.own_seat.epoch)
    shelf.do(1, Received(late.seal(Caught(0, 1), 1)))
    shelf.do(1, Stored(OwnStore.END))
    before.dial.index += 1  # to new company
    shelf.tap(1)
    assert before.standing.number == 1, "nothing else is decided meanwhile"
    assert before.core.position is Position.OVER, "nor is it played yet"
    shelf.wait(S)
    (first,) = written
    assert any(isinstance(item, Put) and item.key == CUP_KEY for item in first.batch)
