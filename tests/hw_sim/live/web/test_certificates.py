"""This computer's own authority: what it signs is trusted, and it can sign nothing else."""

import ssl

import pytest
from aiohttp import ClientConnectorError, ClientSession
from cryptography import x509

from hw_sim.live.web.certificates import Authority
from tests.support.pages import connected, guest, partying, seated, told


async def test_a_phone_that_trusts_the_authority_is_connected_over_tls(tmp_path):
    authority = Authority(tmp_path)
    async with partying(tmp_path, authority) as (server, session):
        port = await server.start(0, authority.context("127.0.0.1"))
        async with session.get("/trust.crt") as answer:
            assert answer.content_type == "application/x-x509-ca-cert"
            given = await answer.read()
        assert given == authority.der
        secret = await seated(server, session, "Ada")
        trusts = ssl.create_default_context(cadata=given)
        server.address = f"https://127.0.0.1:{port}"
        async with ClientSession(server.address) as secure:
            with pytest.raises(ClientConnectorError, match="certificate verify failed"):
                await secure.get("/")
            for events in (False, True):
                page = await connected(server, secure, guest(secret), events=events, ssl=trusts)
                assert (await told(page, "lobby"))["place"] == 0
                await page.close()


def test_the_authority_is_kept_and_good_for_local_networks_only(tmp_path):
    authority = Authority(tmp_path)
    assert Authority(tmp_path).der == authority.der
    assert (tmp_path / "authority.pem").stat().st_mode & 0o077 == 0
    found = x509.load_der_x509_certificate(authority.der).extensions
    bounds = found.get_extension_for_class(x509.NameConstraints)
    assert bounds.critical
    told = {str(each.value) for each in bounds.value.permitted_subtrees}
    assert {"192.168.0.0/16", "fe80::/10", "local"} <= told
    for address in ("8.8.8.8", "example.org"):
        with pytest.raises(ValueError, match=address):
            authority.context(address)
    (tmp_path / "authority.pem").write_text("nothing")
    with pytest.raises(ValueError, match="PEM"):
        Authority(tmp_path)
