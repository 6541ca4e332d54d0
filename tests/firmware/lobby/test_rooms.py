"""Rooms for people elsewhere, by the code that one reads out; and the names of bots."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from firmware.display.screens import Phrase
from firmware.display.text.labels import Text
from firmware.effects import ListenAt, Nearby, Room, Shell
from firmware.lobby.choices import NAMES, LobbyStep, names_of_bots, sounds_of
from firmware.lobby.lobby import Lobby
from firmware.lobby.questions import AFAR
from tests.support.lobbies import Hall
from tests.support.net import cut_off, device


class Rooms(Hall):
    """Lobbies at different places: only those in one room hear each other."""

    def __init__(self, names):
        self.places = {}
        lobbies = [
            Lobby(device(at), lambda size, at=at: bytes([at + 1]) * size, name, afar=True)
            for at, name in enumerate(names)
        ]
        super().__init__(lobbies)

    def other(self, at, effect):
        if isinstance(effect, ListenAt):
            self.places[at] = effect.place
            cut_off(self, *(at for at, place in self.places.items() if place == Nearby.NEARBY))

    def room(self, at):
        return self.places[at].code

    def enter(self, at, code):
        self.choose(at, AFAR, Text.JOIN_TABLE, *code)


@pytest.fixture
def hall():
    """Ana hosts in a room, into which Ben and Cem have come."""
    hall = Rooms(["Ana", "Ben", "Cem"])
    hall.choose(0, AFAR, Text.OPEN_TABLE)
    for guest in (1, 2):
        hall.enter(guest, hall.room(0))
    return hall


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_who_hosts_in_a_room_carries_for_all_wherever_he_sits(hall, seat):
    hall.gather((1, 2))
    hall.cores[0].pairing.as_host.arrange([device((at - seat) % 3) for at in range(3)])
    for at in hall.to_the_numbers():
        hall.tap(at)
    hall.until(lambda: all(each.agreed is not None for each in hall.cores))
    assert [each.agreed.carrier for each in hall.cores] == [seat] * 3
    assert {each.agreed.people[seat].device for each in hall.cores} == {device(0)}


@pytest.mark.parametrize("watches", [False, True])
def test_a_player_who_joins_in_a_room_passes_its_tables_frames_on_and_who_watches_none(
    hall, watches
):
    hall.gather((1,), watchers=(2,)) if watches else hall.gather((2, 1))
    at = 2 if watches else 1
    table = hall.cores[at].pairing.state
    code = hall.room(0)
    with_table = Room(code) if watches else Room(code, device(0), table.session)
    assert hall.places == {0: Room(code), 3 - at: hall.places[3 - at], at: with_table}
    hall.choose(at, Text.LEAVE)
    assert hall.places[at] == Room(code)


def test_a_guest_reads_that_its_host_does_not_answer():
    hall = Hall.of_lobbies(["Ana", "Ben", "Cem"])
    hall.gather((1, 2))
    cut_off(hall, 0)
    hall.until(lambda: hall.cores[1].screen.lines == (Phrase("Delivery.SILENT"),), 10)
    hall.lost = None
    hall.until(lambda: hall.cores[1].screen.lines == ("Ana", "Ben", "Cem"), 5)


def test_a_digit_is_taken_back_and_a_room_is_left():
    hall = Rooms(["Ana"])
    lobby = hall.cores[0]
    hall.choose(0, AFAR, Text.JOIN_TABLE, "4")
    assert lobby.screen.title == Phrase(Text.ROOM_IS, name="4–––")
    hall.choose(0, Text.BACK)
    assert lobby.screen.title == Phrase(Text.ROOM_IS, name="––––")
    hall.choose(0, Text.BACK)
    assert lobby.step is LobbyStep.ROOM
    hall.choose(0, Text.BACK)
    hall.enter(0, "0815")
    assert hall.places[0] == Room("0815")
    hall.choose(0, AFAR, Text.LEAVE)
    assert hall.places[0] is Nearby.NEARBY
    assert lobby.step is LobbyStep.START


@pytest.mark.parametrize("afar", [False, True])
def test_rooms_are_offered_only_where_there_is_a_broker(afar):
    lobby = Lobby(device(0), bytes, "Ana", afar=afar)
    lobby.start(0, Shell())
    assert (lobby.pick(AFAR) is not None) is afar


@pytest.mark.parametrize(
    ("one", "other"),
    [("Chris", "Kris"), ("Klara", "Clara"), ("Philipp", "Filip"), ("Max", "Macks"),
     ("Mats", "Matz"), ("Stefan", "Stephan"), ("Achim", "Akim"), ("Rhea", "Rea")],
)  # fmt: skip
def test_what_is_spelled_otherwise_sounds_the_same(one, other):
    assert sounds_of(one) == sounds_of(other) != frozenset()


def test_the_sounds_of_the_published_example():
    assert sounds_of("Müller-Lüdenscheidt") == {"657", "52682"}
    assert sounds_of("Breschnew") == {"17863"}
    assert sounds_of("🎲 42") == frozenset()


@pytest.mark.whole
@given(some.lists(some.text(min_size=1, max_size=12), max_size=7))
def test_there_are_always_enough_and_none_is_a_persons(people):
    bots = names_of_bots(people, 8 - len(people))
    assert len(set(bots)) == 8 - len(people)
    assert not {bot.casefold() for bot in bots} & {name.casefold() for name in people}
    heard = frozenset().union(*map(sounds_of, people))
    quiet = [name for name in NAMES if not sounds_of(name) & heard]
    assert len(quiet) < len(bots) or set(bots) <= set(quiet)
