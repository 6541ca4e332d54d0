"""A stolen authority of the phones' page: it signs for hosts far away, and no client believes it.

Each round signs a certificate with the authority's own key for a name or an address drawn from the
seed. A client that trusts the authority then does a TLS handshake, in memory. Names of local
networks pass; every other name must fail. So must a certificate that signs a client in.
"""

import ipaddress
import ssl
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from hw_sim.live.web.certificates import Authority

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
DOMAINS = ("org", "example", "com", "local.org", "localhost.net", "home.arpa.de")
FLIGHTS = 6
"""More than the messages of a handshake."""


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Sign for so long, with chance drawn from the seed."""
    rng, figures, ends_s = Random(seed), Counter[str](), time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        der = Authority(path).der
        pem = (path / "authority.pem").read_bytes()
        key = load_pem_private_key(pem, None)
        issuer = x509.load_der_x509_certificate(der)
        leaf = ec.generate_private_key(ec.SECP256R1())
        while time.monotonic() < ends_s or not figures["far names refused"]:
            near = rng.random() < 0.2
            name = _near(rng) if near else _far(rng)
            chain = _signed(issuer, key, leaf, name)
            (path / "chain.pem").write_bytes(chain + issuer.public_bytes(Encoding.PEM))
            passes = _handshake(path / "chain.pem", der, name, asks_client=False)
            assert passes == near, f"seed {seed}: the authority is {passes=} for {name}"
            figures["near names believed" if near else "far names refused"] += 1
            if near:
                signed_in = _handshake(path / "chain.pem", der, name, asks_client=True)
                assert not signed_in, f"seed {seed}: a certificate of {name} signs a client in"
                figures["clients refused"] += 1
    return dict(figures)


def _near(rng: Random) -> str:
    label = "".join(rng.choices(LETTERS, k=rng.randint(1, 12)))
    return rng.choice((f"{label}.local", f"192.168.{rng.randrange(256)}.{rng.randrange(256)}"))


def _far(rng: Random) -> str:
    label = "".join(rng.choices(LETTERS, k=rng.randint(1, 12)))
    while not (address := ipaddress.IPv4Address(rng.getrandbits(32))).is_global:
        pass
    return rng.choice((f"{label}.{rng.choice(DOMAINS)}", str(address)))


def _signed(
    issuer: x509.Certificate, key: object, leaf: ec.EllipticCurvePrivateKey, name: str
) -> bytes:
    try:
        alternative = x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        alternative = x509.DNSName(name)
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(issuer.subject)
        .public_key(leaf.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=True)
        .sign(key, SHA256())
    )
    private = leaf.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + certificate.public_bytes(Encoding.PEM)


def _handshake(chain: Path, trusted: bytes, name: str, *, asks_client: bool) -> bool:
    """Return whether both sides finish; with ``asks_client`` the client shows the certificate."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(chain)
    client = ssl.create_default_context(cadata=trusted)
    if asks_client:
        client.load_cert_chain(chain)
        server.load_verify_locations(cadata=trusted)
        server.verify_mode = ssl.CERT_REQUIRED
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        client.wrap_bio(down, up, server_hostname=name),
        server.wrap_bio(up, down, server_side=True),
    ]
    waiting = list(sides)
    for _ in range(FLIGHTS):
        for side in tuple(waiting):
            try:
                side.do_handshake()
                waiting.remove(side)
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLError:
                return False
    return not waiting
