"""Confessions of phones with their own dice: offered to their players, checked by the host."""

from random import Random

import msgspec
import pytest

from firmware.journal import FAIR_KEY
from firmware.table.commitment.fair_dice import CommitterState
from firmware.table.commitment.ledger import Committer
from firmware.table.log.entries import begun, read_entries, short
from firmware.table.log.public_log import CoveredThrows, merged_log
from game.bluff.rules import rank, value_of
from hw_sim.live.page import kept_handheld
from hw_sim.live.web import incoming
from hw_sim.live.web.evening_card import MatchResult, Unopened
from hw_sim.live.web.incoming import MOST_OPENED, Confess
from hw_sim.live.web.match_plan import SeatingError
from hw_sim.live.web.seats import PartySeats
from tests.support.evenings import LONG, an_evening, at
from tests.support.own_table import NAMES, WATCHER, OwnTable, credulous, found


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
            seats.sit(name)
        record = merged_log(self.logs[WATCHER:])[0]
        covered = {name: each for name, each in zip(NAMES, self.covered) if each.throws}
        unopened = {name: Unopened(self.session, each) for name, each in covered.items()}
        seats.count(0, MatchResult(record, NAMES, (), (), unopened))
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


@pytest.mark.whole
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


@pytest.mark.whole
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


@pytest.mark.whole
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


def recalls(phone):
    """What a phone has told its page about its lies."""
    return phone.told_of("recalls")


@pytest.mark.whole
@at(an_evening, seed=2)
async def test_a_phone_confesses_after_a_reload_and_a_killed_host(evening):
    await evening.gather("Ada", "Bo", "Cy")
    await evening.begin({**LONG, "options": {"credit": 1}})
    host, liar = evening.host, evening.guests[0]
    session = host.watcher.device.standing.agreed.session.hex()
    liar.py.recall(session)
    await evening.until(lambda: evening.is_over and recalls(liar), 600)
    lies = recalls(liar)[-1]["lies"]
    assert lies
    liar.again()
    liar.py.recall(session)
    await evening.until(lambda: len(recalls(liar)) == 2, 30)
    assert recalls(liar)[-1] == {"of": session, "lies": lies}
    await host.again()
    liar.lobby = None
    await evening.until(lambda: liar.lobby, 60)
    known = liar.lobby["lies"]
    assert known["of"] == session
    liar.py.confess(session)
    confession = msgspec.convert(liar.told_of("confesses")[-1], Confess)
    liar.tell(**msgspec.to_builtins(confession))
    await evening.until(lambda: liar.lobby["lies"] is None, 10)
    (line,) = [each for each in host.table.seats.stored.card.lines if each.name == liar.name]
    assert line.places["n"] == known["told"] + lies
    liar.stored = None
    liar.again()
    liar.py.recall(session)
    await evening.until(lambda: len(recalls(liar)) == 3, 30)
    assert recalls(liar)[-1]["lies"] is None, "a new phone has nothing to confess"
