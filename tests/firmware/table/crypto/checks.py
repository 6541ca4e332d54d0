"""Checks of the primitives that need no pytest, so that they also run in a page."""

from hashlib import sha256
from random import Random

from firmware.table import crypto as primitives

SUNSCREEN = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
SEALED = (
    "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
    "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
    "3ff4def08e4b7a9de576d26586cec64b6116"
)
TAG = "1ae10b594f09e26a7e902ecbd0600691"
"""RFC 8439, 2.8.2."""
SIGNED = (
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        "4a7c15e9716ed28dc027beceea1ec40a",
    ),
)
"""RFC 8032, 7.1: seed, public key, statement, signature."""
ORDER = 2**252 + 27742317777372353535851937790883648493
"""RFC 8032, 5.1."""
SMALL, LARGE, MIXED = (
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
    "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
)
DISPUTED = (
    (
        SMALL,
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43a5bb704786be79fc476f91d3f3f89b03"
        "984d8068dcf1bb7dfc6637b45450ac04",
        False,
    ),
    (
        MIXED,
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad780"
        "2db02eb2e688b6c52fcd6648a98bd009",
        True,
    ),
    (
        MIXED,
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a"
        "6a58921d6925e434ab10aa7940551a09",
        False,
    ),
    (
        LARGE,
        "fdaebc429f4a735932a160da1301080c13280eea8bc280d1b392c6b9e6ba3a5a",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f454d370c8d9fc323a41450f8d513eafe"
        "b5b0697390c1e505a0d4ddc71f566607",
        False,
    ),
)
"""Signatures about which libraries disagree: key, statement, signature, and whether it counts here.

Chalkias, Garillot, Nikolaenko: Taming the many EdDSAs, table 6, numbers 1, 3, 4 and 8. Number 4
holds with the cofactor only.
"""
SHARED = (
    (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    (
        "09" + "00" * 31,
        "09" + "00" * 31,
        "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
    ),
)
"""RFC 7748, 5.2."""
DERIVED = (
    (
        "0b" * 22,
        "000102030405060708090a0b0c",
        "f0f1f2f3f4f5f6f7f8f9",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    ),
)
"""RFC 5869, A.1: key, salt, info, result."""


def check_a_seal_is_that_of_the_rfc():
    key, nonce = bytes(range(0x80, 0xA0)), bytes.fromhex("070000004041424344454647")
    header = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
    sealed = primitives.seal(key, nonce, SUNSCREEN, header)
    assert sealed.hex() == SEALED + TAG
    assert primitives.unseal(key, nonce, sealed, header) == SUNSCREEN
    for place in (0, len(SUNSCREEN), len(sealed) - 1):
        forged = bytearray(sealed)
        forged[place] ^= 1
        assert primitives.unseal(key, nonce, bytes(forged), header) is None
    assert primitives.unseal(bytes(32), nonce, sealed, header) is None
    assert primitives.unseal(key, bytes(12), sealed, header) is None
    assert primitives.unseal(key, nonce, sealed, b"") is None
    assert primitives.unseal(key, nonce, sealed[:15], header) is None
    assert primitives.unseal(key, nonce, b"", header) is None
    assert primitives.unseal(key, nonce, primitives.seal(key, nonce, b"", b""), b"") == b""


def check_signatures_are_those_of_the_rfc():
    for seed, public, statement, signature in _bytes(SIGNED):
        assert primitives.public(seed) == public
        assert primitives.sign(seed, statement) == signature
        assert primitives.verify(public, signature, statement)
        assert not primitives.verify(public, signature, statement + b"\0")
        assert not primitives.verify(public, signature[:-1], statement)
        assert not primitives.verify(public, signature + b"\0", statement)
        assert not primitives.verify(public, b"", statement)


def check_a_signature_with_a_larger_number_does_not_count():
    for _, public, statement, signature in _bytes(SIGNED):
        number = int.from_bytes(signature[32:], "little") + ORDER
        other = signature[:32] + number.to_bytes(32, "little")
        assert not primitives.verify(public, other, statement)


def check_disputed_signatures_count_everywhere_or_nowhere():
    for key, statement, signature, counts in DISPUTED:
        key, statement, signature = _bytes([(key, statement, signature)])[0]
        assert primitives.verify(key, signature, statement) is counts, signature.hex()


def check_a_key_of_small_order_has_signed_nothing():
    neutral = b"\1" + bytes(31)
    for y in (*primitives._SMALL_ORDER, 1 + 2**255, 2**255):
        assert not primitives.verify(y.to_bytes(32, "little"), neutral + bytes(32), b"anything")


def check_shared_secrets_are_those_of_the_rfc():
    for private, public, secret in _bytes(SHARED):
        assert primitives.exchange(private, public) == secret


def check_a_key_of_small_order_shares_no_secret():
    p = 2**255 - 19
    order_8 = 0xB8495F16056286FDB1329CEB8D09DA6AC49FF1FAE35616AEB8413B7C7AEBE0
    for u in (0, 1, order_8, p - 1, p, p + 1, 2**255 + 1):
        assert primitives.exchange(bytes(range(32)), u.to_bytes(32, "little")) is None, u


def check_derived_keys_are_those_of_the_rfc():
    for key, salt, info, result in _bytes(DERIVED):
        assert primitives.hkdf(key, info, len(result), salt) == result
    assert primitives.hkdf(bytes(32), b"") == primitives.hkdf(bytes(32), b"", 33)[:32]
    assert len(primitives.hkdf(bytes(32), b"", 255 * 32)) == 255 * 32


def digest():
    """The digest of many results for made-up input, which is equal wherever they are computed."""
    chance, results = Random(1), sha256()
    for length in range(0, 200, 7):
        key, nonce, header = chance.randbytes(32), chance.randbytes(12), chance.randbytes(10)
        statement, other = chance.randbytes(length), chance.randbytes(32)
        signature = bytearray(primitives.sign(key, statement))
        signature[chance.randrange(64)] ^= chance.randrange(2)
        counts = primitives.verify(primitives.public(key), bytes(signature), statement)
        results.update(primitives.seal(key, nonce, statement, header) + bytes(signature))
        results.update(bytes((counts,)) + (primitives.exchange(key, other) or b""))
    return results.hexdigest()


def _bytes(rows):
    return [tuple(map(bytes.fromhex, row)) for row in rows]


CHECKS = [check for name, check in list(globals().items()) if name.startswith("check_")]


def main():
    """Run all checks; the result is what two providers must agree about."""
    for check in CHECKS:
        check()
    return digest()
