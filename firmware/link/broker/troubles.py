"""Reasons why a broker cannot be reached, each in one line with a remedy."""

import socket
import ssl
from typing import Final

from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.connecting import ConnectionRefused, Failure

_NOT_YET, _EXPIRED, _OTHER_NAME, _OTHER_ADDRESS = 9, 10, 62, 64
"""``X509_V_ERR_…`` of OpenSSL's x509_vfy.h."""
_REFUSALS: Final = {
    132: "does not speak MQTT 5: write ?version=3 behind its url",
    134: "does not know this user or password: correct them",
    135: "does not let this user in: correct user and password, or its access rules",
    136: "is not available: try later",
    137: "is busy: try later, or ask who runs it",
    138: "has banned this handheld: ask who runs it",
    151: "is full: ask who runs it",
    159: "has too many connections at once: it is tried again",
}
"""Reason codes of CONNACK (MQTT 5, 3.2.2.2)."""


def trouble_of(error: Failure, broker: BrokerAddress) -> str:
    """Return the meaning of a failed connection, or of its end."""
    match error:
        case ConnectionRefused(code=code) if code in _REFUSALS:
            return f"broker {broker} {_REFUSALS[code]}"
        case ConnectionRefused() | ConnectionResetError():
            speaks = "no TLS there" if broker.tls else "TLS alone there (mqtts://)"
            why = f"it may be full, or speak {speaks}"
            return f"broker {broker} ended the connection: {why}; tried again"
        case ssl.SSLCertVerificationError():
            return f"broker {broker}: {_of_certificate(error, broker)}"
        case ssl.SSLError():
            return f"broker {broker} speaks no TLS there: correct its url; 8883 is usual"
        case socket.gaierror():
            return f"broker {broker}: no such host: correct its url, or look at the network"
        case ConnectionRefusedError():
            return f"broker {broker}: nobody listens there: start it, or correct its url"
        case TimeoutError():
            return f"broker {broker} does not answer: it may be full, or the network is down"
        case OSError():
            why = error.strerror or type(error).__name__
            return f"broker {broker} cannot be reached ({why}): look at the network"
        case _:
            return f"broker {broker}: MQTT has no room for this ({error}): correct the account"


def _of_certificate(error: ssl.SSLCertVerificationError, broker: BrokerAddress) -> str:
    match error.verify_code:
        case code if code == _EXPIRED:
            return "its certificate has expired: renew it there, or set the clock here"
        case code if code == _NOT_YET:
            return "its certificate is not valid yet: set the clock here"
        case code if code in (_OTHER_NAME, _OTHER_ADDRESS):
            return f"its certificate is not for {broker.host}: write the name that it is for"
    if broker.ca is None:
        return "no certificate of the system vouches for it: name its own CA as ca (--ca)"
    return f"{broker.ca} does not vouch for it: put the CA that signed its certificate there"
