"""Handhelds of pages that meet in a room with a key, over a broker that nobody of them trusts."""

import json
from contextlib import asynccontextmanager

import pytest

from tests.support.evenings import BROKER, OTHER, Ground, Guest, at, on

KEY, CODE = bytes(range(100, 116)), "4711"
NAMES = ("Annabella", "Benedikta")


class Friend(Guest):
    """Somebody who meets others in the room: the first one invites them."""

    def meet(self, name=None, *, stands=False):
        name = name or self.name
        if self is self.ground.guests[0]:
            self.py.invite(name, CODE, KEY.hex(), "sevens", '{"rounds": 1}', 2, stands)
        else:
            self.py.come(name, CODE, KEY.hex())

    @property
    def room(self):
        """The state of the room, as the page was told it last."""
        return self.told_of("friends")[-1]

    def welcomes(self):
        """Return what the page was told of the matches that it shows, in turn."""
        return [each for each in self.told_of("text") if each["is"] == "welcome"]


@asynccontextmanager
async def friends(_folder, seed, names=NAMES, more=()):
    async with on(Ground(seed, more)) as ground:
        ground.guests += [Friend(ground, name) for name in names]
        for each in ground.guests:
            each.open()
        yield ground


@asynccontextmanager
async def two_who_play(folder, seed=1, more=()):
    async with friends(folder, seed, more=more) as ground:
        for each in ground.guests:
            each.meet()
        await ground.until(lambda: None not in ground.worlds, 30)
        yield ground


HELLO = json.dumps({"do": "hello", "view": "seat", "seat": 0, "language": "en"})


@pytest.mark.whole
@at(two_who_play)
async def test_two_play_a_match_and_the_broker_learns_neither_names_nor_devices_nor_the_key(ground):
    assert len({tab.own.numbers for tab in ground.guests}) == 1
    await ground.until(lambda: ground.is_over)
    ground.check_the_end()
    known = [each.topic.encode() + b" " + each.payload for each in ground.said]
    secrets = [KEY, CODE.encode()]
    for tab in ground.guests:
        secrets += [tab.name.encode(), tab.own.device]
        assert tab.accounts == {("", "")}
    for secret in secrets:
        for shape in (secret, secret.hex().encode()):
            assert not [each for each in known if shape in each], secret
    assert len(known) > 30


@pytest.mark.whole
@at(friends, 7, (*NAMES, "Cleo"))
async def test_a_name_that_is_taken_and_a_table_that_is_full_are_told_to_who_comes(ground):
    host, guest, other = ground.guests
    host.meet()
    other.meet(host.name)
    await ground.until(lambda: other.room["why"] == "double", 30)
    assert [*host.room["names"]] == [host.name]
    guest.meet()
    await ground.until(lambda: host.room["stands"] and guest.room["stands"], 30)
    other.meet()
    await ground.until(lambda: other.room["why"] == "full", 60)
    guest.py.take(HELLO)
    await ground.until(lambda: len(guest.welcomes()) == 2, 10)
    assert guest.welcomes()[1]["seat"] == 1


@at(two_who_play, seed=12, more=(OTHER,))
async def test_friends_who_all_lose_the_broker_go_on_at_the_next_one(ground):
    ground.end(BROKER)
    reached = ground.hop + 1
    await ground.until(lambda: ground.is_over or ground.hop >= reached, 120)
