"""An authority and a certificate of this computer's own, so that phones let its pages feel motion.

Browsers give a page motion, a screen that stays on and so on over TLS only, and nobody signs a
certificate for an address of a local network. The authority may sign only certificates of servers,
for addresses of local networks and names in ``.local`` (RFC 5280, 4.2.1.10 and 4.2.1.12). A device
that trusts it trusts it with nothing else: no mail and no public web addresses.
"""

import datetime as dt
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from hw_sim.live.web import replace_file

AUTHORITY_DAYS: Final = 3650
"""An authority lasts this long, which is ten years; chosen."""
SERVER_DAYS: Final = 397
"""Phones take no certificate of a server that lasts longer than 398 days; chosen, a day less."""
LOCAL: Final[tuple[IPv4Network | IPv6Network, ...]] = tuple(
    ip_network(each)
    for each in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
        *("fc00::/7", "fe80::/10", "::1/128"),
    )
)
NOWHERE: Final = "invalid"
"""A host that there is not (RFC 2606): the only one whose mail and addresses may be signed for."""
_DAY = dt.timedelta(days=1)


class Authority:
    """Signs this computer's certificates. It is kept in a folder, and made when it is not there.

    Args:
        folder: its owner's alone; ``authority.pem`` is the key and the certificate.

    Raises:
        OSError: it can be neither read nor written.
        ValueError: what is in the file is something else.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "authority.pem"
        if not path.exists():
            replace_file(path, _new_authority())
        stored = path.read_bytes()
        key = load_pem_private_key(stored, None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise ValueError("the authority has a key of another kind")
        self._key = key
        self._certificate = x509.load_pem_x509_certificate(stored)
        self._folder = folder

    @property
    def der(self) -> bytes:
        """The certificate that a phone is to trust, as it takes it (X.690)."""
        return self._certificate.public_bytes(Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over it, in hex, two digits to a group, as phones show it."""
        return self._certificate.fingerprint(SHA256()).hex(" ").upper()

    def context(self, *hosts: str) -> SSLContext:
        """A context for a server at addresses of local networks, or names that end in ``.local``.

        It has a new certificate.

        Raises:
            ValueError: one is neither.
            OSError: the certificate cannot be written.
        """
        named = [_general_name(each) for each in hosts]
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            _builder("Mäxchen", self._certificate.subject, key.public_key(), SERVER_DAYS)
            .add_extension(x509.SubjectAlternativeName(named), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(self._key, SHA256())
        )
        path = self._folder / "server.pem"
        replace_file(path, _pem(key, certificate))
        context = SSLContext(PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def is_local_network(address: str) -> bool:
    """Return whether an address is one of a local network; raises ValueError if it is none."""
    found = ip_address(address)
    return any(found in network for network in LOCAL)


def _general_name(host: str) -> x509.GeneralName:
    if host.endswith(".local"):
        return x509.DNSName(host)
    if not is_local_network(host):
        raise ValueError(f"{host} is no address of a local network")
    return x509.IPAddress(ip_address(host))


def _new_authority() -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Mäxchen table")])
    signs = x509.KeyUsage(
        *(False, False, False, False, False), key_cert_sign=True, crl_sign=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    allowed = [
        *(x509.IPAddress(network) for network in LOCAL),
        x509.DNSName("local"),
        x509.RFC822Name(NOWHERE),
        x509.UniformResourceIdentifier(NOWHERE),
    ]
    for_servers = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    certificate = (
        _builder("Mäxchen table", name, key.public_key(), AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(signs, critical=True)
        .add_extension(for_servers, critical=False)
        .add_extension(x509.NameConstraints(allowed, None), critical=True)
        .sign(key, SHA256())
    )
    return _pem(key, certificate)


def _builder(
    name: str, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + days * _DAY)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _pem(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> str:
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return (secret + certificate.public_bytes(Encoding.PEM)).decode()
