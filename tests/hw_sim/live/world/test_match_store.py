"""A table's files on the disk: sessions that can be done again, and matches that go on."""

import json

import pytest

from firmware.cli.console import DONE, REFUSED, WRONG
from firmware.display.screens import ClosedPage, CupKind, ShakingPage
from hw_sim.cli.main import main
from hw_sim.live.web.incoming import Hello
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.seats import OpenSeats
from hw_sim.live.world import session
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS
from tests.support.worlds import drag, folder, setup


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        (session.Drag(1, ((5, 0.25, -0.5),)), '[1, "drag", [[[5, 0.25, -0.5]]]]'),
        (session.FollowPhone(1, ((5, 0.0, 1.0, 9.8),)), '[1, "felt", [[[5, 0.0, 1.0, 9.8]]]]'),
        (session.LiftCup(2, open=True), '[2, "lift", [true]]'),
        (session.CoverCup(2), '[2, "cover", []]'),
        (session.PressPad(2, down=False), '[2, "touch", [false]]'),
        (session.Tilt(0, 20.0, -5.0), '[0, "tilt", [20.0, -5.0]]'),
        (session.PressKey(0, "shake", down=True), '[0, "key", ["shake", true]]'),
        (session.TurnDial(1, -3), '[1, "turn", [-3]]'),
        (session.Drop(3), '[3, "drop", []]'),
        (session.SetFault(1, "link", there=True), '[1, "fault", ["link", true]]'),
        (session.SetLight(40.0), '[0, "lux", [40.0]]'),
        (session.SetNoise(0.5), '[0, "noise", [0.5]]'),
        (session.SetBusErrors(4.0), '[0, "errors", [4.0]]'),
    ],
)
def test_a_session_keeps_a_command_as_it_always_did(command, kept):
    assert json.dumps(session.encode(command)) == kept
    assert session.decode(*json.loads(kept)) == command


def test_the_command_line_plays_a_session_again(tmp_path, capsys):
    file = tmp_path / "session.jsonl"
    wanted = setup("sevens", players=2, rounds=1).with_chance()
    world = World(wanted, folder(tmp_path, "live"), file)
    steps = [17_000, 333_333, 1_000, 250_000]
    done = {
        150: [session.LiftCup(0, open=True)],
        170: [session.LiftCup(0, open=False), session.SetFault(0, "brownout", there=True)],
        250: [session.PressPad(0, down=True), session.SetBusErrors(4.0)],
        260: [session.PressPad(0, down=False)],
    }
    for turn in range(400):
        world.advance(world.now_us + steps[turn % len(steps)])
        if turn == 90:
            world.do(session.Drag(0, drag(world.now_us + 15_000)))
        for command in done.get(turn, ()):
            world.do(command)
    world.close()
    assert main(["replay", str(file)]) == DONE
    told = capsys.readouterr().out
    assert "Ben throws" in told
    assert "the same to the byte" in told
    assert main(["replay", str(file), "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["same"] is True
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *lines[2:]]))
    assert main(["replay", str(file)]) == WRONG
    file.write_text(lines[0].replace(KINDS[0], "evil:Bot"))
    assert main(["replay", str(file)]) == REFUSED
    assert "the bot evil:Bot has played in it" in capsys.readouterr().err


def test_a_session_is_kept_as_it_is_played_and_up_to_where_it_was_cut(tmp_path):
    file = tmp_path / "session.jsonl"
    world = World(setup("sevens", players=2), folder(tmp_path, "live"), file)
    for _ in range(3):
        world.advance(world.now_us + 1_000_000)
        world.do(session.LiftCup(0, open=True))
    file.write_bytes(file.read_bytes()[:-5])  # as where a power cut tore the last line
    kept = session.load(file)
    assert [each.t_us for each in kept.stimuli()] == [1_000_000, 2_000_000]
    assert (kept.count, kept.end_us, kept.digest) == (2, 2_000_000, "")
    world.close()


def test_a_full_disk_is_told_once_and_leaves_no_half_of_a_session(tmp_path, caplog):
    (tmp_path / "full").symlink_to("/dev/full")
    world = World(setup(), folder(tmp_path, "live"), tmp_path / "full")
    for _ in range(3):
        world.do(session.LiftCup(0, open=True))
    assert not world.session.is_open
    (told,) = caplog.messages
    assert "No space left on device" in told
    assert not (tmp_path / "full").exists()
    world.close()


def test_a_session_ends_where_it_is_as_long_as_one_may_be(tmp_path, caplog, monkeypatch):
    file = tmp_path / "session.jsonl"
    world = World(setup(), folder(tmp_path, "live"), file)
    monkeypatch.setattr(session, "MOST_BYTES", file.stat().st_size + 60)
    for _ in range(9):
        world.do(session.LiftCup(0, open=True))
    assert session.load(file).count == 2
    assert len(caplog.messages) == 1
    world.close()


def test_another_table_leaves_an_unfinished_match_where_it_can_be_found_again(tmp_path):
    one, other = setup(people=0), setup("sevens", people=0)
    for wanted, number, boot in (
        (one, 0, 0), (other, 1, 0), (one, 0, 1), (other, 1, 1), (setup(people=0, seed=9), 0, 2),
    ):  # fmt: skip
        store = MatchStore(tmp_path, wanted, any_seed=True)
        assert store.setup.table.rules == wanted.table.rules
        assert (store.number, store.setup.boot) == (number, boot)
    store = MatchStore(tmp_path, one, any_seed=True)
    store.next().close()
    assert (store.number, store.setup.table.seed) == (2, one.table.seed + 1)
    store.turn_to(other, is_over=True).close()
    store = MatchStore(tmp_path, None, any_seed=True)
    assert (store.number, store.next_number) == (1, 3), "the match that is over left its journals"


@pytest.mark.whole
def test_a_match_that_cannot_be_begun_leaves_the_one_before(tmp_path):
    store = MatchStore(tmp_path, setup(people=0), any_seed=True)
    before = (tmp_path / "table.json").read_text()
    (tmp_path / "table.new").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        store.next()
    assert (store.setup.table.seed, (tmp_path / "table.json").read_text()) == (3, before)
    assert sorted(path.name for path in tmp_path.glob("match*")) == ["match0"]
    store.next().close()
    assert store.setup.table.seed == 4


def test_hidden_dice_on_the_disk_are_their_owners_alone(tmp_path):
    store = MatchStore(tmp_path / "table", setup(), any_seed=True)
    seats = OpenSeats(tmp_path / "table" / "claims.json", store.setup)
    assert seats.player_of(Hello("table", "en")) == 0
    world = store.world()
    world.close()
    places = [tmp_path / "table", *(tmp_path / "table").iterdir()]
    assert not [path.name for path in places if path.stat().st_mode & 0o077]
    assert list((tmp_path / "table").glob("*/session0.jsonl"))


@pytest.mark.whole
@pytest.mark.parametrize("is_back", [False, True])
def test_a_shake_at_once_throws_when_a_match_begins_and_when_it_goes_on(tmp_path, is_back):
    store = MatchStore(tmp_path, setup(seed=6, kinds=("honest", "trusting")), any_seed=True)
    world = store.world()
    if is_back:
        world.close()
        world = store.again()
    assert isinstance(world.screens[0], ClosedPage)
    world.do(session.Drag(0, drag(world.now_us + 15_000)))
    seen = set()
    for _ in range(60):
        world.advance(world.now_us + 50_000)
        seen.add(type(world.screens[0]))
    assert seen == {ClosedPage, ShakingPage}
    assert world.table.seats[0].handheld.screen.kind is CupKind.THROWN
    world.close()
