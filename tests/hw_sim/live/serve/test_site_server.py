"""The sender of a site: its files and no others, the door of an evening, and how many may come.

This computer's own authority: what it signs is trusted, and it can sign nothing else.
"""

import asyncio
import logging
import ssl
import subprocess
from contextlib import asynccontextmanager
from functools import partial
from shutil import which

import pytest
from aiohttp import ClientSession, ClientTimeout, TCPConnector
from aiohttp.test_utils import make_mocked_request
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from yarl import URL

from firmware.display.text.language import LANGUAGES
from hw_sim.cli.site import addresses_at
from hw_sim.live.serve.broker_proxy import BrokerProxy, running_broker
from hw_sim.live.serve.certificates import Authority
from hw_sim.live.serve.guarding import BACKLOG, MOST_CONNECTIONS, address_of
from hw_sim.live.serve.site_server import TRIES_A_MINUTE, SiteServer, Tries
from tests.support.brokers import SOON_S, needs_mosquitto

POLICY = "default-src 'none'; connect-src 'self'; base-uri 'none'"
HEADERS = f"""/*
  Content-Security-Policy: {POLICY}
  Referrer-Policy: no-referrer
/sw.js
  Cache-Control: no-cache
"""
FILES = {
    "index.html": (b"<!doctype html>the table", "text/html; charset=utf-8"),
    "join.html": (b"<!doctype html>the door", "text/html; charset=utf-8"),
    "sw.js": (b"{ }", "text/javascript; charset=utf-8"),
    "pyodide.mjs": (b"export {};", "text/javascript; charset=utf-8"),
    "pyodide.asm.wasm": (b"\0asm", "application/wasm"),
    "app.zip.packed": (b"\x1f\x8b", "application/octet-stream"),
    "site.webmanifest": (b"{}", "application/manifest+json"),
    "handheld.glb": (bytes(4 << 20), "model/gltf-binary"),
    "static/icon.svg": (b"<svg/>", "image/svg+xml"),
}
"""The body and the type of each file that is sent."""
UNSENT = {"_headers": HEADERS.encode(), ".nojekyll": b""}
NOT_SENT = """
  _headers .nojekyll static static/none.js secret favicon.ico index INDEX.HTML index.html%00
  ../secret static/../../secret ..%2fsecret %2e%2e/secret static/..%5c..%5csecret static/secret
  /etc/passwd //etc/passwd
"""
LINK = "http://127.0.0.1:8021/join.html#room=HKUR&key=AbC-_1&broker=ws://127.0.0.1:8021/mqtt"
DOOR = {"code": "HKUR", "link": LINK}


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "site"
    bodies = {name: body for name, (body, _) in FILES.items()}
    for name, body in (bodies | UNSENT).items():
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    (tmp_path / "secret").write_text("of the owner")
    (made / "static" / "secret").symlink_to(tmp_path / "secret")
    return made


@asynccontextmanager
async def sending(folder, proxy=None, authority=None, **more):
    """A server on a free port of this machine, and a client to it."""
    server = SiteServer(folder, "127.0.0.1", proxy, authority, **more)
    server.address = f"http://127.0.0.1:{await server.start(0)}"
    try:
        async with ClientSession(server.address) as session:
            yield server, session
    finally:
        await server.close()


async def status_of(request):
    """Return the status of the answer to a request."""
    async with request as answer:
        return answer.status


async def body_of(request, status=200):
    """Return the body of the answer to a request, which has this status."""
    async with request as answer:
        assert answer.status == status
        return await answer.read()


HEAD = "HTTP/1.1\r\nHost: 127.0.0.1"


async def said_to(server, head):
    """Return the two ends of a new connection over which a head of a request has gone."""
    reader, writer = await asyncio.open_connection(*server.address[7:].split(":"))
    writer.write(head + b"\r\n\r\n")
    return reader, writer


@asynccontextmanager
async def hosting(folder, **more):
    """A server with the broker of an evening, and a client to it."""
    async with (
        running_broker() as broker,
        sending(folder, BrokerProxy(broker), **more) as (server, session),
    ):
        server.own = {"Origin": server.address}
        yield server, session


async def test_files_come_as_they_are_with_the_headers_of_the_site_and_nothing_else_comes(folder):
    """A name that a stranger made up is not answered; there is no door and no broker."""
    async with sending(folder) as (_, session):
        for name, (body, kind) in [*FILES.items(), ("", FILES["index.html"])]:
            async with session.get(f"/{name}") as answer:
                assert (answer.status, answer.headers["Content-Type"]) == (200, kind), name
                assert await answer.read() == body
                assert answer.headers["Content-Security-Policy"] == POLICY
                assert answer.headers["Cache-Control"] == "no-cache"
                assert "Content-Encoding" not in answer.headers, name
        for host, name, status in (
            *(("127.0.0.1", "", 200), ("localhost", "", 200), ("evil.example", "", 403)),
            *(("127.0.0.1", each, 404) for each in ("nowhere", "party.json", "mqtt", "HKUR")),
        ):
            async with session.get(f"/{name}", headers={"Host": host}) as answer:
                assert answer.status == status, (host, name)
                assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("name", NOT_SENT.split())
async def test_nothing_but_files_of_the_site_is_sent(folder, name):
    async with sending(folder) as (server, _):
        reader, writer = await said_to(server, f"GET /{name} {HEAD}\r\nConnection: close".encode())
        answer = await asyncio.wait_for(reader.read(), SOON_S)
        writer.close()
        assert answer.split(b" ")[1] in (b"400", b"404", b"308"), answer
        assert b"of the owner" not in answer
        assert b"root:" not in answer


async def test_who_goes_away_in_the_middle_of_a_file_is_not_told_of(folder, caplog):
    caplog.set_level(logging.DEBUG)
    async with sending(folder) as (server, session):
        for _ in range(8):
            reader, writer = await said_to(server, f"GET /handheld.glb {HEAD}".encode())
            await reader.readexactly(1000)
            writer.transport.abort()
        assert await body_of(session.get("/handheld.glb")) == FILES["handheld.glb"][0]
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


async def test_many_connections_of_one_address_close_only_their_own(folder):
    async with sending(folder) as (server, session):
        host, port = server.address[7:].split(":")
        first = await asyncio.open_connection(host, port, local_addr=("127.0.0.2", 0))
        many = [await asyncio.open_connection(host, port) for _ in range(MOST_CONNECTIONS + 9)]
        assert await asyncio.wait_for(many[0][0].read(), SOON_S) == b""
        first[1].write(b"GET /sw.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert (await asyncio.wait_for(first[0].readline(), SOON_S)).split()[1] == b"200"
        assert await status_of(session.get("/sw.js")) == 200
        for _, writer in (first, *many):
            writer.close()


@pytest.mark.whole
async def test_a_crowd_that_wants_no_key_leaves_the_encrypted_door_open(folder, tmp_path, caplog):
    authority = Authority(tmp_path)
    async with sending(folder) as (server, session):
        port = await server.start(0, authority.context("127.0.0.1"))
        crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(300)]
        for _, writer in crowd[-20:]:
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
        trusts = ssl.create_default_context(cadata=authority.der)
        assert await status_of(session.get(f"https://127.0.0.1:{port}/sw.js", ssl=trusts)) == 200
        gone = [reader for reader, _ in crowd if reader.at_eof() or reader.exception()]
        assert len(gone) >= 300 - MOST_CONNECTIONS - BACKLOG
        for _, writer in crowd:
            writer.transport.abort()
    assert caplog.records == []


ODD = [
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 1_000_000, b"400"),
    (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: x\r\n" * 100_000, b"400"),
    (b"GET /" + b"x" * 7_000 + b" HTTP/1.1\r\nHost: 127.0.0.1", b"404"),
    (b"GET /" + b"x" * 1_000_000 + b" HTTP/1.1\r\nHost: 127.0.0.1", b"400"),
    (b"GET / HTTP/1.1\r\nHost: [::1", b"403"),
    (b"\x16\x03\x01\x02\x00\x01\x00", b"400"),
    (b"POST /sw.js HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999", b"405"),
]


@pytest.mark.parametrize(("said", "status"), ODD, ids=range(len(ODD)))
async def test_nothing_odd_in_a_request_is_a_defect(folder, caplog, said, status):
    async with sending(folder) as (server, session):
        reader, writer = await said_to(server, said)
        assert (await asyncio.wait_for(reader.readline(), SOON_S)).split()[1] == status
        writer.transport.abort()
        assert await status_of(session.get("/sw.js")) == 200
    assert caplog.records == []


async def test_who_reads_nothing_holds_up_no_other(folder):
    async with sending(folder) as (server, session):
        deaf = [await asyncio.open_connection(*server.address[7:].split(":")) for _ in range(50)]
        for reader, writer in deaf:
            reader._transport.pause_reading()
            writer.write(b"GET /handheld.glb HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert await body_of(session.get("/handheld.glb")) == FILES["handheld.glb"][0]
        for _, writer in deaf:
            writer.transport.abort()


def test_all_addresses_of_a_home_are_one_address_and_its_neighbour_has_another():
    def found(remote):
        return address_of(make_mocked_request("GET", "/").clone(remote=remote))

    assert [found(each) for each in ("10.0.0.1", "::ffff:10.0.0.1", "?")] == ["10.0.0.1"] * 2 + [""]
    assert found("fd00::1") == found("fd00::2:1") != found("fd00:0:0:1::1")


async def test_the_site_comes_over_tls_beside_and_phones_get_what_to_trust(folder, tmp_path):
    authority = Authority(tmp_path)
    async with sending(folder, authority=authority) as (server, session):
        async with session.get("/trust.crt") as answer:
            assert answer.content_type == "application/x-x509-ca-cert"
            trusts = ssl.create_default_context(cadata=await answer.read())
        port = await server.start(0, authority.context("127.0.0.1", "here.local"))
        for name in ({}, {"server_hostname": "here.local"}):
            asked = session.get(f"https://127.0.0.1:{port}/sw.js", ssl=trusts, **name)
            assert await body_of(asked) == FILES["sw.js"][0]
    async with sending(folder) as (_, session):
        assert await status_of(session.get("/trust.crt")) == 404


@needs_mosquitto
async def test_a_code_leads_to_its_evening_at_the_address_that_was_typed(folder, tmp_path):
    told = []
    async with hosting(folder, opened=told.append, authority=Authority(tmp_path)) as (
        server,
        session,
    ):
        for _ in range(2):
            assert await status_of(session.post("/door", json=DOOR, headers=server.own)) == 204
        assert [(each.code, each.link) for each in told] == [("HKUR", LINK)], "told once"
        host = server.address[7:]
        wanted = f"/join.html#room=HKUR&key=AbC-_1&broker=ws://{host}/mqtt"
        for typed in ("HKUR", "hkur", "Hkur", "%20hkur", "hkur%20", "HK-UR", "hk%20ur"):
            for path in (typed, f"{typed}/"):
                url = URL(f"{server.address}/{path}", encoded=True)
                async with session.get(url, allow_redirects=False) as answer:
                    if answer.status == 308:
                        continue
                    assert (answer.status, answer.headers["Location"]) == (302, wanted), path
        assert await body_of(session.get("/hkur/")) == FILES["join.html"][0]
        other, own = "broker=wss://b.example:8084/mqtt", f"broker=ws://{host}/mqtt"
        for link, brokers in (
            (LINK.replace("127.0.0.1:8021/mqtt", "b.example/ours"), "broker=ws://b.example/ours"),
            (f"{LINK}&{other}", f"{own}&{other}"),
            (LINK.replace("broker=", f"{other}&broker="), f"{other}&{own}"),
        ):
            door = {"code": "ABCD", "link": link}
            assert await status_of(session.post("/door", json=door, headers=server.own)) == 204
            async with session.get("/abcd", allow_redirects=False) as answer:
                assert answer.headers["Location"].endswith(f"&key=AbC-_1&{brokers}")


@needs_mosquitto
async def test_a_wrong_code_is_told_in_a_line_and_guessing_is_met_with_silence(folder):
    async with hosting(folder) as (server, session):
        await (await session.post("/door", json=DOOR, headers=server.own)).read()
        lines = set()
        for language in LANGUAGES:
            async with session.get("/AAAA", headers={"Accept-Language": f"{language}-XX,en"}) as it:
                assert (it.status, it.content_type) == (404, "text/html")
                lines.add(text := await it.text())
                assert "AAAA" in text
        assert len(lines) == len(LANGUAGES)
        assert b"WAUS" in await body_of(session.get("/WA-US"), 404)
        for _ in range(TRIES_A_MINUTE - len(LANGUAGES) - 1):
            await (await session.get("/AAAB")).read()
        for code in ("AAAA", "HKUR"):
            assert await status_of(session.get(f"/{code}")) == 429, code


@needs_mosquitto
async def test_only_a_page_of_this_very_site_opens_the_door(folder):
    async with hosting(folder) as (server, session):
        for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
            assert await status_of(session.post("/door", json=DOOR, headers=headers)) == 403
        wrong = ({}, [], {"code": "HKUR"}, DOOR | {"code": "a/b"}, DOOR | {"link": "http://x/"})
        for body in wrong:
            asked = session.post("/door", json=body, headers=server.own)
            assert await body_of(asked, 400) == b"This is no door.\n", body
        too_long = session.post("/door", data=b"x" * 5000, headers=server.own)
        assert await status_of(too_long) == 413
        assert await status_of(session.get("/HKUR")) == 404


@needs_mosquitto
async def test_a_phone_cannot_open_the_door_and_comes_in_by_it(folder):
    """One whose connection comes from elsewhere: it has another address than the server's."""
    elsewhere = [each for each in addresses_at("0.0.0.0") if each != "127.0.0.1"]
    if not elsewhere:
        pytest.skip("this machine has no address in a network")
    async with (
        hosting(folder) as (server, session),
        ClientSession(server.address, connector=TCPConnector(local_addr=(elsewhere[0], 0))) as far,
    ):
        for client, status, met in ((far, 403, 404), (session, 204, 302), (far, 403, 302)):
            assert await status_of(client.post("/door", json=DOOR, headers=server.own)) == status
            assert await status_of(client.get("/HKUR", allow_redirects=False)) == met


@needs_mosquitto
async def test_pages_are_told_the_addresses_of_the_site_and_may_reach_its_broker(folder):
    async with hosting(folder) as (server, session):
        server.tell(["http://192.168.1.23:8021/", "http://10.8.0.2:8021/"], ["https://h.local:1/"])
        async with session.get("/party.json") as answer:
            assert await answer.json() == {
                "sites": ["http://192.168.1.23:8021/", "http://10.8.0.2:8021/"],
                "secure": ["https://h.local:1/"],
                "broker_path": "/mqtt",
            }
        host = server.address[7:]
        allowed = POLICY.replace("'self'", f"'self' ws://{host} wss://{host}")
        async with session.get("/sw.js") as answer:
            assert answer.headers["Content-Security-Policy"] == allowed
        evil = {"Host": f"{host};script-src *"}
        async with session.get("/sw.js", headers=evil, timeout=ClientTimeout(SOON_S)) as answer:
            assert "script-src *" not in answer.headers["Content-Security-Policy"]


def test_tries_come_back_with_time():
    clock = [0.0]
    tries = Tries(2, 3, lambda: round(clock[0] * 1e6))
    asked = [tries.take("a", is_wrong=True) for _ in range(3)]
    assert (asked, tries.take("b", is_wrong=False)) == ([True, True, False], True)
    assert (tries.take("b", is_wrong=True), tries.take("c", is_wrong=False)) == (True, False)
    clock[0] += 30
    assert tries.take("a", is_wrong=True)


NAMES = {
    "mail": ("email:boss@example.org", "smimesign", False),
    "address": ("URI:https://example.org/", "sslserver", False),
    "host": ("DNS:example.org", "sslserver", False),
    "client": ("DNS:phone.local", "sslclient", False),
    "phone": ("DNS:phone.local", "sslserver", True),
    "network": ("IP:192.168.1.7", "sslserver", True),
}


@pytest.mark.whole
@pytest.mark.skipif(which("openssl") is None, reason="openssl is not installed")
@pytest.mark.parametrize(("named", "purpose", "good"), NAMES.values(), ids=NAMES)
def test_what_the_authority_signs_for_others_is_good_for_nothing(tmp_path, named, purpose, good):
    Authority(tmp_path)
    run = partial(subprocess.run, cwd=tmp_path, capture_output=True, text=True)
    (tmp_path / "extensions").write_text(f"subjectAltName = {named}\n")
    asked = ("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    run(["openssl", *asked, "-keyout", "key", "-subj", "/CN=x", "-out", "asked"], check=True)
    signed = ("x509", "-req", "-in", "asked", "-CA", "authority.pem", "-CAkey", "authority.pem")
    made = ("-CAcreateserial", "-extfile", "extensions", "-out", "made")
    run(["openssl", *signed, *made], check=True)
    verified = run(["openssl", "verify", "-CAfile", "authority.pem", "-purpose", purpose, "made"])
    assert (verified.returncode == 0) == good, verified.stderr


def test_the_authority_is_kept_and_good_for_local_networks_only(tmp_path):
    authority = Authority(tmp_path)
    assert Authority(tmp_path).der == authority.der
    assert (tmp_path / "authority.pem").stat().st_mode & 0o077 == 0
    found = x509.load_der_x509_certificate(authority.der).extensions
    bounds = found.get_extension_for_class(x509.NameConstraints)
    assert bounds.critical
    told = {str(each.value) for each in bounds.value.permitted_subtrees}
    assert {"192.168.0.0/16", "fe80::/10", "local"} <= told
    uses = found.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(uses) == [ExtendedKeyUsageOID.SERVER_AUTH]
    kinds = {type(each) for each in bounds.value.permitted_subtrees}
    assert kinds == {x509.IPAddress, x509.DNSName, x509.RFC822Name, x509.UniformResourceIdentifier}
    for address in ("8.8.8.8", "example.org"):
        with pytest.raises(ValueError, match=address):
            authority.context(address)
    (tmp_path / "authority.pem").write_text("nothing")
    with pytest.raises(ValueError, match="PEM"):
        Authority(tmp_path)
