"""``maexchen-sim table --phones``: what it prints, where it listens, and how it ends."""

import asyncio
import signal
import ssl

import pytest
import segno
from aiohttp import ClientSession

from firmware.cli.console import CommandError
from firmware.link.broker import topics
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.session import Attendance, Message
from hw_sim.air.local_broker import free_port
from hw_sim.cli.main import _parser
from hw_sim.cli.party import _code, serve_party
from hw_sim.live.web.match_store import MatchStore
from tests.support.brokers import Heard, needs_mosquitto

BLOCKS = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def asked(folder, *more):
    given = ["--phones", "--host", "127.0.0.1", "--port", "0", "--folder", str(folder), *more]
    return _parser().parse_args(["table", *given])


async def served(folder, look, *more):
    """Serves a party until somebody has looked at it, given its address."""
    store = MatchStore(folder, None, any_seed=True)
    serving = asyncio.create_task(serve_party(store, asked(folder, *more)))
    while not (address := (folder / "lock").read_text()):
        await asyncio.sleep(0.01)
    try:
        async with ClientSession(address) as session:
            await look(session)
    finally:
        signal.raise_signal(signal.SIGTERM)
        await serving


def test_a_party_shows_its_invitations_and_listens_with_and_without_tls(tmp_path, capsys):
    async def look(session):
        async with session.get("/trust.crt") as answer:
            trusts = ssl.create_default_context(cadata=await answer.read())
        page = await session.ws_connect("/socket", headers={"Origin": str(session._base_url)[:-1]})
        hello = {"do": "hello", "view": "table", "seat": None, "token": None, "language": "en"}
        await page.send_json(hello)
        while (news := await page.receive_json())["is"] != "lobby":
            pass
        async with session.get(f"{news['secure']}join", ssl=trusts) as answer:
            assert answer.status == 200

    asyncio.run(served(tmp_path, look))
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("The table is at http://127.0.0.1:")
    assert "screen#" in told[-1]
    assert sum("█▀▀▀▀▀█" in line or "█ ▄▄▄▄▄ █" in line for line in told) == 2


def test_a_code_in_the_terminal_is_the_code_of_its_link():
    link = "http://192.168.178.20:8021/join#AAAABBBBCCCCDDDD"
    lines = _code(link)
    rows = [[BLOCKS[each][half] for each in line] for line in lines for half in (0, 1)]
    wanted = segno.make(link, micro=False, error="l", boost_error=False).matrix_iter(border=2)
    assert rows[: len(rows[0])] == [list(row) for row in wanted]
    assert len(lines[0]) <= 38, "two of them go beside each other"


def test_a_folder_that_holds_something_else_is_told_in_a_line(tmp_path):
    (tmp_path / "authority.pem").write_text("nothing")
    store = MatchStore(tmp_path, None, any_seed=True)
    with pytest.raises(CommandError, match="name another with --folder"):
        asyncio.run(serve_party(store, asked(tmp_path)))
    store.close()


def test_a_broker_that_is_not_there_is_told_in_one_line(tmp_path, capfd):
    async def look(_session):
        told = ""
        while "nobody listens there" not in told:
            await asyncio.sleep(0.01)
            told += capfd.readouterr().err
        assert told.splitlines() == [line]

    url = f"mqtt://127.0.0.1:{free_port()}"
    line = f"maexchen-sim: broker {url[7:]}: nobody listens there: start it, or correct its url"
    asyncio.run(served(tmp_path, look, "--link", "mqtt", "--broker", url))


def test_a_broker_without_its_link_is_told_in_a_line(tmp_path):
    store = MatchStore(tmp_path, None, any_seed=True)
    with pytest.raises(CommandError, match="go with --link mqtt: add it"):
        asyncio.run(serve_party(store, asked(tmp_path, "--broker", "mqtt://127.0.0.1")))
    store.close()


@needs_mosquitto
def test_a_party_has_a_broker_of_its_own_for_handhelds_alone(tmp_path, capsys, monkeypatch):
    port = free_port()
    monkeypatch.setattr("hw_sim.cli.party.OWN_PORT", port)
    room, here = topics.room("1234"), topics.here("ab" * 16, 0)
    match = topics.public_match("ab", 0)
    heard = Heard()

    async def look(_session):
        broker = BrokerAddress.of(f"mqtt://127.0.0.1:{port}")
        for user in ("", f"{'ab' * 16}-0"):
            session = MqttSession(broker, heard, lambda: 0.0)
            session.attend(Attendance((room, match), (here,), None, user, "secret"))
            await session.start(lambda message: heard(message.topic))
            session.publish(Message(match, b"{}", retained=True))
            session.publish(Message(here, b"1", retained=True))
            await heard.until(lambda all: all)
            assert set(heard.all) == {here}
            heard.all.clear()
            session.abandon()

    asyncio.run(served(tmp_path, look, "--link", "mqtt", "--own-broker"))
    assert f'url = "mqtt://127.0.0.1:{port}", open_wire = true' in capsys.readouterr().out
