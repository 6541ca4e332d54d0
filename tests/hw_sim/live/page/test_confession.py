"""Confessions of phones with their own dice: offered to their players, checked by the host."""

import asyncio
from random import Random

import msgspec
import pytest

from firmware.journal.keys import FAIR_KEY
from firmware.table.commitment.committer import Committer
from firmware.table.commitment.state import CommitterState
from firmware.table.log.chain import begun, short
from firmware.table.log.covered_throws import CoveredThrows
from firmware.table.log.entries import read_entries
from firmware.table.log.merged_log import merged_log
from game.bluff.values import rank, value_of
from hw_sim.live.page import kept_handheld
from hw_sim.live.web import incoming
from hw_sim.live.web.access import rights_of
from hw_sim.live.web.client import Client
from hw_sim.live.web.evening_card import MatchResult
from hw_sim.live.web.incoming import MOST_OPENED, Confess
from hw_sim.live.web.match_plan import MatchPlan, SeatingError
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.testimony import Unopened
from hw_sim.steckbrett.clock.virtual import run
from tests.support.own_phones import a_party
from tests.support.own_table import NAMES, WATCHER, OwnTable, credulous
from tests.support.secrets_found import found


class Played:
    """A match of three phones that is over, as the phones and the host know it."""

    def __init__(self, folder, seed, game="class"):
        self.table = table = OwnTable(folder, seed, game)
        table.walk(Random(seed), pick=credulous(Random(f"believes {seed}")))
        self.logs = [place.handheld.own_seat.log for place in table.places]
        self.session = table.tables[WATCHER].agreed.session.hex()
        self.covered = [CoveredThrows.of(self.logs[WATCHER], seat) for seat in range(WATCHER)]
        self.secrets, self.known = table.secrets(), table.of_host()
        table.close()

    def party(self, folder):
        """The host's party, which has just counted the match."""
        seats = PartySeats(folder / "evening.json")
        for name in NAMES:
            seats.sit(seats.stored.code, name)
        record = merged_log(self.table.rules, NAMES, 0, self.logs[WATCHER:])[0]
        covered = {name: each for name, each in zip(NAMES, self.covered) if each.throws}
        unopened = {name: Unopened(self.session, each) for name, each in covered.items()}
        seats.count(0, MatchResult(record, NAMES, (), ()), unopened)
        return seats

    def testimony(self, seat):
        """What a phone may confess, of its own journal and log alone."""
        state = self.table[seat].journal._now.state
        return kept_handheld.testimony_of(self.table.tables[seat], state, self.logs[seat])

    def lies(self, seat):
        """The lies about each covered throw of a phone, by its place in the log."""
        local = read_entries(b"".join(self.logs[seat].since(0)))
        throws = {each.place: each.announced for each in self.covered[seat].throws}
        rolled = {place: rank(value_of(local[place].action.dice)) for place in throws}
        return {
            place: sum(rank(value) > rolled[place] for value in announced)
            for place, announced in throws.items()
        }


def committer(match, seat):
    """What made a phone's throws."""
    state = CommitterState.decode(match.table[seat].journal._now.state[FAIR_KEY])
    return Committer(seat, short(begun(match.logs[seat].header)), state)


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    return Played(tmp_path_factory.mktemp("match"), 2, "holy-family")


@pytest.mark.parametrize(("game", "seed"), [("class", 1), ("holy-family", 1), ("physicist", 2)])
def test_lies_that_were_never_caught_are_proven_and_come_on_the_card(tmp_path, game, seed):
    match = Played(tmp_path, seed, game)
    seats = match.party(tmp_path)
    opened = set()
    for seat, name in enumerate(NAMES):
        known, testimony, lies = seats.lies_at(seat), match.testimony(seat), match.lies(seat)
        if known is None or known.unopened is None:
            assert not lies
            continue
        told = [place for place, count in lies.items() if count]
        assert testimony.lies == sum(lies.values())
        assert [place for place, _ in testimony.confession.opened] == told, "of no other throw"
        sent = msgspec.json.encode(testimony.confession)
        seats.confess(seat, incoming.parse(sent.decode()))
        count = known.told + testimony.lies
        (line,) = [each for each in seats.stored.card.lines if each.name == name]
        assert line.key == ("word", "confession", "confessions")[min(count, 2)]
        assert line.places == {"A": name, "n": count, "c": known.caught}
        assert seats.lies_at(seat) is None
        openings = {opening for _, opening in testimony.confession.opened}
        assert openings <= match.secrets
        assert found(match.secrets, match.known + sent) == openings, "nothing else comes out"
        opened |= openings
    assert opened
    assert found(match.secrets, (tmp_path / "evening.json").read_bytes()) == set()


def test_the_host_learns_nothing_before_and_no_number_of_lies_by_a_refusal(match, tmp_path):
    seats = match.party(tmp_path)
    for seat, name in enumerate(NAMES):
        lies = seats.lies_at(seat)
        if lies is not None:
            session = "" if lies.unopened is None else match.session
            seats.confess(seat, Confess(False, session))
            assert seats.lies_at(seat) is None
            assert name in seats.stored.card.refused
    assert seats.stored.card.refused
    assert not [each for each in seats.stored.card.lines if each.key.startswith("confession")]
    assert found(match.secrets, (tmp_path / "evening.json").read_bytes()) == set()


def test_a_liar_who_confesses_nothing_gives_a_word_that_nobody_checks(match, tmp_path):
    seats = match.party(tmp_path)
    assert any(match.lies(0).values())
    assert seats.lies_at(0).told == 0
    seats.confess(0, Confess(True, match.session))
    assert seats.stored.card.lines[0].key == "word"


def test_an_opening_that_proves_no_lie_changes_nothing(match, tmp_path):
    (tmp_path / "other").mkdir()
    other, seats = Played(tmp_path / "other", 4, "holy-family"), match.party(tmp_path)
    good = match.testimony(0).confession
    (place, opening), (second, _), *_ = good.opened
    honest = next(place for place, lies in match.lies(0).items() if not lies)
    proof = committer(match, 0).proof
    truth = next(proof(t.tenure, t.throw) for t in match.covered[0].throws if t.place == honest)
    wrong = {
        "a bit": [(place, bytes([opening[0] ^ 1]) + opening[1:])],
        "another throw": [(second, opening)],
        "no throw": [(place + 1, opening)],
        "no lie": [(honest, truth)],
        "beside good ones": [*good.opened, (honest, truth)],
        "twice": [*good.opened, good.opened[0]],
        "another phone": match.testimony(1).confession.opened,
        "another match": other.testimony(0).confession.opened,
    }
    before = seats.stored
    for how, opened in wrong.items():
        assert opened, how
        with pytest.raises(SeatingError, match="opening"):
            seats.confess(0, Confess(True, match.session, tuple(opened)))
    for session in ("", other.session):
        with pytest.raises(SeatingError, match="opening"):
            seats.confess(0, Confess(True, session, good.opened))
        with pytest.raises(SeatingError, match="opening"):
            seats.confess(0, Confess(False, session))
    assert seats.stored == before
    seats.confess(0, good)
    with pytest.raises(SeatingError, match="opening"):
        seats.confess(0, good)


def test_a_confession_that_is_too_long_is_no_message():
    text = msgspec.json.encode(Confess(True, "ab", ((0, bytes(32)),) * MOST_OPENED)).decode()
    assert len(text) < incoming.MOST_BYTES
    assert incoming.parse(text).opened[0] == (0, bytes(32))
    for opened in (((0, bytes(32)),) * (MOST_OPENED + 1), ((0, bytes(31)),), ((-1, bytes(32)),)):
        with pytest.raises(incoming.ProtocolError):
            incoming.parse(msgspec.json.encode(Confess(True, "ab", opened)).decode())


SHORT = MatchPlan("sevens", {"rounds": 1}, ())


class Page:
    """A guest's page at the host: it keeps the last lobby, and why it was refused."""

    def __init__(self, party, phone):
        self.party, self.refused = party, []
        self.client = Client(self)
        self.client.player = phone.place
        self.client.rights = rights_of("seat", "en", phone.place, 3, alone=False)
        party.table.clients.append(self.client)
        party.table.lobby.plan()
        self.sending = asyncio.create_task(self.client.send_queued())

    async def send(self, text):
        news = msgspec.json.decode(text) if isinstance(text, str) else {"is": "panel"}
        if news["is"] == "lobby":
            self.lobby = news
        elif news["is"] == "refused":
            self.refused.append(news["why"])

    def say(self, message):
        """Send what a page's text would be."""
        text = msgspec.json.encode(message).decode()
        self.party.table.handle(self.client, incoming.parse(text))


def recalls(phone):
    """What a phone has told its page about its lies."""
    return [what for kind, what in phone.told if kind == "recalls"]


def confession(phone, session):
    """The message that a phone hands to its page when its player confesses."""
    phone.handheld.witness.confess(session)
    return [what for kind, what in phone.told if kind == "confesses"][-1]


@pytest.mark.whole
def test_a_phone_confesses_after_a_reload_a_killed_host_and_in_the_next_match(tmp_path):
    async def main():
        async with a_party(tmp_path / "party") as party:
            for place, name in enumerate(("Ada", "Bo")):
                await party.phone(name, place)
            ada, bo = party.phones
            party.seats.choose(MatchPlan("class", {}, ("cheeky",)))
            await party.until(lambda: party.gathered(2), 30)
            party.begin()
            await party.until(lambda: all(each.world is not None for each in party.phones), 30)
            session = party.world.table.seats[-1].device.standing.agreed.session.hex()
            for phone in party.phones:
                phone.handheld.witness.recall(session)
            await party.until(lambda: party.is_over, 4000)
            assert party.seats.lies_at(0).unopened.session == session
            await party.until(lambda: all(recalls(each) for each in party.phones), 30)
            lies = [recalls(each)[-1]["lies"] for each in party.phones]
            assert all(lies)

            ada.close()
            await ada.open()
            ada.handheld.witness.recall(session)
            ada.handheld.witness.confess(session)
            await party.until(lambda: len(recalls(ada)) == 2, 30)
            assert recalls(ada)[-1] == {"of": session, "lies": lies[0]}
            await party.kill()
            await party.open()
            page = Page(party, ada)
            await party.wait(1)
            known = page.lobby["lies"]
            assert known["of"] == session
            text = b"".join(path.read_bytes() for path in party.folder.rglob("*") if path.is_file())
            text += b"".join(each.encode() for _, each in party.traffic)
            openings = {opening for _, opening in ada.handheld.witness.testimony.confession.opened}
            assert openings
            assert found(openings, text) == set(), "the host knows nothing before"
            other = Confess(True, session, bo.handheld.witness.testimony.confession.opened)
            page.say(other)
            page.say(msgspec.convert(confession(ada, session), Confess))
            await party.wait(1)
            assert page.refused == ["opening"]
            assert page.lobby["lies"] is None
            (line,) = [each for each in page.lobby["card"]["lines"] if each["name"] == "Ada"]
            assert line["places"]["n"] == known["told"] + lies[0]

            party.seats.choose(SHORT)
            await party.until(lambda: party.gathered(2), 60)
            party.begin()
            await party.until(lambda: bo.handheld._standing.agreed.session.hex() != session, 60)
            bo.close()
            await bo.open()
            bo.handheld.witness.recall(session)
            await party.until(lambda: len(recalls(bo)) == 2, 30)
            assert recalls(bo)[-1] == {"of": session, "lies": lies[1]}
            late = Page(party, bo)
            late.say(msgspec.convert(confession(bo, session), Confess))
            await party.wait(1)
            assert not late.refused
            assert party.seats.lies_at(1) is None
            bo.close()
            bo.stored = None
            await bo.open()
            bo.handheld.witness.recall(session)
            await party.until(lambda: len(recalls(bo)) == 3, 30)
            assert recalls(bo)[-1]["lies"] is None, "a new phone has nothing to confess"

    run(main())
