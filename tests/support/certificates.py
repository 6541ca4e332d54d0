"""Certificates for brokers on this machine: who vouches, and what is vouched for."""

import datetime
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)
SIGNS = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)


class Authority:
    """Vouches for others; its own certificate and those it makes are files in ``folder``."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.key = ec.generate_private_key(ec.SECP256R1())
        self._public = self.key.public_key()
        made = self._made(self.name, self.key, x509.BasicConstraints(ca=True, path_length=None))
        made = made.add_extension(SIGNS, critical=True)  # Python 3.13 wants it said
        self.file = self._written(f"{name}.pem", made.sign(self.key, hashes.SHA256()))

    def certificate(self, name, *, days=1, host="127.0.0.1"):
        """A certificate and its key, as files; it ended long ago where ``days`` is negative."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = self._made(subject, key, x509.BasicConstraints(ca=False, path_length=None), days)
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))])
        made = made.add_extension(names, critical=False)
        certificate = self._written(f"{name}.pem", made.sign(self.key, hashes.SHA256()))
        path = self.folder / f"{name}.key"
        path.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return certificate, path

    def _made(self, subject, key, constraints, days=1):
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 10 * DAY)
            .not_valid_after(now + days * DAY)
            .add_extension(constraints, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._public), False)
        )

    def _written(self, name, certificate):
        path = self.folder / name
        path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        return path
