"""A handheld from power on to a rematch, and what it remembers when its power is cut."""

from random import Random

import pytest

from firmware.device import Device
from firmware.effects import Blank, Show, Store, Stored
from firmware.faces import shows_dice
from firmware.handheld import Handheld
from firmware.hotseat import HotSeat
from firmware.journal import Journal
from firmware.lobby import Lobby
from firmware.rematch import AGAIN_US
from firmware.screens import Lobby as LobbyScreen
from firmware.screens import Look, MatchOver, Phrase
from firmware.standing import TABLE_KEY, Standing, StandingError
from firmware.start import open_device
from firmware.texts import Text
from firmware.turn import Position
from game import RULES, legal_actions
from game.actions import StopMatch
from tests.firmware.lobbies import MS, Hall, S, device
from tests.firmware.test_lobby import table_of


class Shelf(Hall):
    """Devices with journals on a disk."""

    def __init__(self, folder, names, seed=0, loss=0.0):
        self.folder, self.names, self.seed = folder, names, seed
        self.journals = [Journal(folder / f"{at}.sqlite") for at in range(len(names))]
        self.sent_before_stored = 0
        super().__init__([self.open(at) for at in range(len(names))], seed, loss)

    def open(self, at):
        return open_device(
            device(at), self.names[at], self.journals[at], Random(f"{self.seed}/{at}").randbytes
        )

    def carry_out(self, at, effect):
        if isinstance(effect, Store):
            self.journals[at].write(effect.batch)
            self.do(at, Stored(effect.ticket))

    def reboot(self, at):
        self.journals[at].close()
        self.journals[at] = Journal(self.folder / f"{at}.sqlite")
        self.seed += 1000
        self.cores[at] = self.open(at)
        self._do(at, self.cores[at].start(self.now_us))

    def close(self):
        for journal in self.journals:
            journal.close()

    def sit_down(self):
        for core in self.cores:
            assert isinstance(core.core, Lobby)
        lobbies = self.cores
        self.cores = [_Inside(core) for core in lobbies]
        guests = range(1, len(self.cores))
        table_of(self, guests, game=Text.GAME_PHYSICIST, options=False)
        self.cores = lobbies
        self.choose(0, Text.ALL_HERE)
        self.choose(0, Text.GO_ON)
        self.choose(0, "Ben")
        self.until(lambda: all(core.core.pairing.dice for core in self.cores))
        self.wait(S)
        for at in range(len(self.cores)):
            self.tap(at)
        self.until(lambda: all(isinstance(core.core, Handheld) for core in self.cores))

    def stop_match(self):
        """All vote to stop, as soon as anybody asks."""
        for core in self.cores:
            core.core.passing.wish(StopMatch(), self.now_us)
        self.until(lambda: all(core.core.position is Position.OVER for core in self.cores))
        self.until(lambda: all(isinstance(core.screen, MatchOver) for core in self.cores))


class _Inside:
    """What ``table_of`` looks at, behind a device."""

    def __init__(self, whole):
        self._whole = whole

    def __getattr__(self, name):
        if name in ("handle", "start", "next_timer_us", "screen"):
            return getattr(self._whole, name)
        return getattr(self._whole.core, name)


@pytest.fixture
def shelf(tmp_path):
    made = Shelf(tmp_path, ("Ana", "Ben", "Cem"))
    yield made
    made.close()


def test_from_power_on_to_a_match(shelf):
    shelf.sit_down()
    cores = [core.core for core in shelf.cores]
    assert [core.seat for core in cores] == [0, 1, 2]
    assert [core.position for core in cores].count(Position.MINE) == 1
    assert cores[1].position is Position.MINE
    assert cores[0].match.players == ("Ana", "Ben", "Cem")


def test_frames_of_the_match_arrive(shelf):
    shelf.sit_down()
    shelf.stop_match()
    assert {core.core.match.outcome for core in shelf.cores} == {shelf.cores[0].core.match.outcome}


def test_again_when_all_want_it(shelf):
    shelf.sit_down()
    for number in (1, 2):
        shelf.stop_match()
        for at in range(3):
            shelf.wait(S)
            shelf.tap(at)
            assert shelf.cores[at].screen.title is Text.AGAIN_QUESTION
            before = [core.standing.number for core in shelf.cores]
            assert before == [number - 1] * 3, "not before all want it"
            shelf.choose(at, Text.AGAIN)
        shelf.until(lambda: all(core.core.position is not Position.OVER for core in shelf.cores))
        assert {core.standing.number for core in shelf.cores} == {number}
        assert len({core.standing.first for core in shelf.cores}) == 1
        keys = {core.core.passing.epoch for core in shelf.cores}
        assert len(keys) == 1


def test_again_over_bad_air(tmp_path):
    shelf = Shelf(tmp_path, ("Ana", "Ben", "Cem"), seed=3, loss=0.3)
    shelf.sit_down()
    shelf.stop_match()
    for at in range(3):
        shelf.wait(S)
        shelf.tap(at)
        shelf.choose(at, Text.AGAIN)
    shelf.until(lambda: all(core.standing.number == 1 for core in shelf.cores))
    shelf.until(lambda: all(core.core.position is not Position.OVER for core in shelf.cores))
    shelf.close()


def test_the_end_can_be_looked_at_again(shelf):
    shelf.sit_down()
    shelf.stop_match()
    shelf.tap(0)
    shelf.choose(0, Text.SCORES)
    assert isinstance(shelf.cores[0].screen, MatchOver)


def test_a_forgotten_table_is_gone_for_good(shelf):
    shelf.sit_down()
    shelf.stop_match()
    shelf.tap(0)
    shelf.choose(0, Text.FORGET_TABLE)
    assert isinstance(shelf.cores[0].core, Lobby)
    shelf.reboot(0)
    assert isinstance(shelf.cores[0].core, Lobby)


def test_a_reboot_resumes_the_table_and_its_match(shelf):
    shelf.sit_down()
    shelf.stop_match()
    for at in range(3):
        shelf.wait(S)
        shelf.tap(at)
        shelf.choose(at, Text.AGAIN)
    shelf.until(lambda: all(core.standing.number == 1 for core in shelf.cores))
    shelf.until(lambda: all(core.core.position is not Position.OVER for core in shelf.cores))
    standing, turn = shelf.cores[1].standing, shelf.cores[1].core.match.turn
    shelf.reboot(1)
    assert shelf.cores[1].standing == standing
    assert shelf.cores[1].core.match.turn == turn
    shelf.stop_match()


def test_a_host_that_was_rebooted_still_answers_a_late_tap(tmp_path):
    shelf = Shelf(tmp_path, ("Ana", "Ben", "Cem"))
    lobbies = shelf.cores
    shelf.cores = [_Inside(core) for core in lobbies]
    table_of(shelf, (1, 2), game=Text.GAME_PHYSICIST, options=False)
    shelf.cores = lobbies
    shelf.choose(0, Text.ALL_HERE)
    shelf.choose(0, Text.GO_ON)
    shelf.choose(0, "Ben")
    shelf.until(lambda: all(core.core.pairing.dice for core in shelf.cores))
    shelf.wait(S)
    for at in (2, 1, 0):
        shelf.tap(at)
        shelf.wait(100 * MS)
    shelf.air.clear()  # nobody hears that it stands
    assert isinstance(shelf.cores[0].core, Handheld)
    shelf.reboot(0)
    shelf.wait(2 * AGAIN_US)
    assert all(isinstance(core.core, Handheld) for core in shelf.cores)
    shelf.close()


def test_a_forged_wish_for_another_match_counts_for_nothing(shelf):
    shelf.sit_down()
    standing = shelf.cores[0].standing
    frame = shelf.cores[1].standing.wants(1, 0)
    assert standing.wanted(frame) == (1, 1)
    for bit in range(8 * len(frame)):
        changed = bytearray(frame)
        changed[bit // 8] ^= 1 << bit % 8
        assert standing.wanted(bytes(changed)) is None
    assert shelf.cores[2].standing.wanted(frame) is None


def test_a_table_survives_the_journal(shelf):
    shelf.sit_down()
    standing = shelf.cores[0].standing
    assert Standing.decode(standing.encode()) == standing
    shelf.journals[0].close()
    again = Journal(shelf.folder / "0.sqlite")
    assert Standing.decode(again.survived.state[TABLE_KEY]) == standing
    again.close()


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"people": 3}'])
def test_a_table_that_cannot_be_read_is_refused(data):
    with pytest.raises(StandingError, match="cannot be read"):
        Standing.decode(data)


def test_one_handheld_goes_from_hand_to_hand():
    """A whole match on one core: between two players nothing is to be seen but a name."""
    rng = Random(4)
    names = ("Ana", "Ben")
    core = Device(device(0), rng.randbytes, "Ana")
    hall = Hall([core])
    hall.choose(0, Text.ONE_HANDHELD)
    hall.choose(0, Text.GAME_PHYSICIST)
    hall.choose(0, "Ana")
    hall.choose(0, "Ben")
    hall.choose(0, Text.ALL_HERE)
    hall.choose(0, "Ben")
    seat = core.core
    assert isinstance(seat, HotSeat)
    assert core.screen == LobbyScreen(
        Text.ONE_HANDHELD, (Phrase(Text.HAND_TO, name="Ben"),), hint=Text.HINT_TAP
    )
    hands = 0
    for _ in range(60):
        assert core.screen is not None
        if seat.masked:
            assert core.screen.lines == (Phrase(Text.HAND_TO, name=names[seat.turn]),)
            hands += 1
            hall.tap(0)
            continue
        assert not isinstance(seat.seats[1 - seat.turn].screen, Look)
        mine = seat.seats[seat.turn]
        hall.wait(S)
        if mine.dial is None:
            continue
        legal = [a for a in legal_actions(mine.match) if mine.dial.index_of(a) is not None]
        pick = rng.choice(legal) if legal else None
        index = mine.dial.index_of(pick) if pick else mine.dial.neutral_index + 1
        _tilt(hall, mine, index)
        if mine.dial.entry.holds:
            hall.hold(0)
        else:
            hall.tap(0)
        hall.wait(2 * S)
    assert hands > 3
    for one in seat.seats:
        one.passing.wish(StopMatch(), hall.now_us)
    for _ in range(200):
        hall.wait(S)
        if seat.masked:
            hall.tap(0)
        if isinstance(core.screen, MatchOver):
            break
    assert isinstance(core.screen, MatchOver)
    hall.tap(0)
    assert isinstance(core.core, Lobby)


def _tilt(hall, core, index):
    for _ in range(6):
        hall.pose(0, 0.0)
    for _ in range(100):
        if core.dial is None or core.dial.index == index:
            break
        hall.pose(0, 60.0 if index > core.dial.index else -60.0)
    hall.pose(0, 0.0)


def test_dice_never_stay_under_the_mask():
    rng = Random(2)
    seat = HotSeat(RULES["physicist"], ("Ana", "Ben"), 0, rng.randbytes)
    effects = seat.start(0)
    assert not any(isinstance(effect, Blank) for effect in effects)
    assert all(not shows_dice(e.screen) for e in effects if isinstance(e, Show))
