"""This computer's own authority: what it signs is trusted, and it can sign nothing else."""

import subprocess
from functools import partial
from shutil import which

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from hw_sim.live.serve.certificates import Authority

NAMES = {
    "mail": ("email:boss@example.org", "smimesign", False),
    "address": ("URI:https://example.org/", "sslserver", False),
    "host": ("DNS:example.org", "sslserver", False),
    "client": ("DNS:phone.local", "sslclient", False),
    "phone": ("DNS:phone.local", "sslserver", True),
    "network": ("IP:192.168.1.7", "sslserver", True),
}


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
