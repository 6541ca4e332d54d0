"""The settings of one handheld: with a fixed table, whose keys come from a secret, or without."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, get_args

from drivers.light_sensor import LightKind
from firmware.display.text.language import LANGUAGES
from firmware.effects.effects import USUAL_VOLUME
from firmware.table.crypto.primitives import hkdf, public
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.sealing import Keys, key_to_all, number_of_table, shared_secret
from game.options import SetupError, check_choice

Faults = Literal["ask", "strict", "off"]
"""Treatment of faults that the sensors notice (R-PHYS-7, R-HF-5): ask first, count, or ignore."""


def keys_of_seat(key: bytes, me: int, secret: bytes, signers: Sequence[bytes]) -> Keys:
    """Return the keys of seat ``me`` at a fixed table: only it can sign for itself.

    Args:
        key: 32 bytes that everybody at the table knows.
        me: the own seat.
        secret: 32 bytes that only this seat knows.
        signers: by seat, the public key of its secret, 32 bytes.

    Raises:
        ValueError: the own public key is not that of the secret, or another one is no key.
    """
    if public(secret) != signers[me]:
        raise ValueError(f"the key of seat {me} is not that of the secret")
    pairs = {}
    for seat, signer in enumerate(signers):
        if seat != me:
            shared = shared_secret(secret, signer)
            if shared is None:
                raise ValueError(f"the key of seat {seat} is no key")
            pairs[seat] = hkdf(shared, b"maexchen pair", salt=key)
    return Keys(number_of_table(key), pairs, secret, dict(enumerate(signers)), key_to_all(key))


Medium = Literal["bluetooth", "ir", "mqtt"]
Media = tuple[Medium, ...]
"""The media that carry frames to the other seats."""
BY_LIGHT: Final[Media] = ("ir",)
"""Infrared alone: all hear every frame, one speaks at a time, and it takes long."""
BOTH: Final = {"bluetooth": "both", "ir": "both"}
Opponents = Literal["usual", "honest", "learner", "skilled", "expert", "shark"]
"""The opponents of a lone player."""


def media_of(*names: str) -> Media:
    """Return media by their names; "both" stands for the two that need no network.

    Raises:
        ValueError: a name that there is not, or none at all.
    """
    found: list[Medium] = []
    for name in names:
        known = [each for each in get_args(Medium) if name in (each, BOTH.get(each))]
        if not known:
            choices = ", ".join((*get_args(Medium), "both"))
            raise ValueError(f"link {name!r}: write one of {choices}, or a list of them")
        if set(known) & set(found):
            raise ValueError(f"link {name!r}: it is there twice: write it once")
        found += known
    if not found:
        raise ValueError('link: write "bluetooth", "ir", "mqtt" or a list of them')
    return tuple(found)


def check_media(link: Media) -> None:
    """Raise SetupError unless this is a tuple of media, and not empty."""
    if not isinstance(link, tuple) or not link or not {*link} <= {*get_args(Medium)}:
        raise SetupError(f"link is a tuple of {', '.join(get_args(Medium))}, not {link!r}")


@dataclass(frozen=True)
class BrokerSettings:
    """How a broker is reached.

    Attributes:
        url: ``mqtts://host:8883``. ``others``: of brokers for when that one is lost.
        ca: a file with its certificates (PEM); None: the system's.
        user, password: of an account there; empty: those of the table's key.
        open_wire: allows a broker on another machine without TLS.
        relay: the socket of the relay with the network; None: a direct connection.
        public: everybody may watch the handheld's matches.
    """

    url: str = ""
    ca: Path | None = None
    user: str = ""
    password: str = field(default="", repr=False)
    open_wire: bool = False
    relay: Path | None = None
    public: bool = False
    others: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one handheld.

    Attributes:
        language: of the display, one of `LANGUAGES`.
        journal: the file of the journal; its folder must exist.
        bluetooth: the controller, as a bumble transport name.
        link: the media.
        broker: the broker of "mqtt"; None: none.
        volume: of sounds, 0 (silence) to 3, until the player chooses another.
        light: which light sensor is fitted.
        name: of the player; None: the player chooses one in the lobby.
        address: of the Bluetooth controller; None: the handheld makes one up, and keeps it.
        faults: the treatment of faults that the sensors notice.
        opponent: plays the other seats of a lone player.
        standing: the fixed table of the settings; None: the handheld begins in the lobby.

    Raises SetupError for a word or a number that is none of these.
    """

    language: str = "en"
    journal: Path = Path("/var/lib/maexchen/journal.sqlite")
    bluetooth: str = "hci-socket:0"
    link: Media = ("bluetooth",)
    broker: BrokerSettings | None = None
    volume: int = USUAL_VOLUME
    light: LightKind = "veml7700"
    name: str | None = None
    address: str | None = None
    faults: Faults = "ask"
    opponent: Opponents = "usual"
    standing: StandingTable | None = None

    def __post_init__(self) -> None:
        known = {"light": LightKind, "faults": Faults, "opponent": Opponents}
        for name, kinds in known.items():
            check_choice(name, getattr(self, name), get_args(kinds))
        check_choice("language", self.language, LANGUAGES)
        check_media(self.link)

    @property
    def others(self) -> tuple[bytes, ...] | None:
        """The devices of the other seats of the fixed table; None without one."""
        if self.standing is None:
            return None
        me = self.standing.agreed.me
        people = enumerate(self.standing.agreed.people)
        return tuple(person.device for seat, person in people if seat != me)
