"""One TOML file: seats, fitted parts, links and broker.

An example, which ``maexchen run`` accepts::

    language = "de"                    # the name of a language file
    journal = "/var/lib/maexchen/journal.sqlite"
    bluetooth = "hci-socket:0"         # a bumble transport
    link = "both"                      # "bluetooth", "ir", "both", "mqtt", or a list of them
    light = "veml7700"                 # the light sensor that is fitted: or "bh1750"
    volume = 2                         # of sounds: 0 (silence) to 3; the menu changes it for good

    [table]
    key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    secret = "0fbdca979d729ff1c9c74eddf722ebc97c60e360032ee85a0f81fa618a5f166e"
    game = "class"
    seat = 0                           # which of the seats below this handheld is
    first = 0                          # the seat that opens the first round
    epoch = 1                          # of the first match; raise it at every seat to begin anew
    faults = "ask"                     # a fault the sensors notice: "ask", "strict" or "off"
    options = { stakes = "matches" }
    carrier = 0                        # the seat that passes on what others cannot bring, if any

    [[table.seats]]
    name = "Ana"
    address = "F0:F1:F2:F3:F4:00"
    key = "31769ba188a8cf8a08100789047a4edfcfbb9d523a0af80183c1f1f7c5269ab1"

    [[table.seats]]
    name = "Ben"
    address = "F0:F1:F2:F3:F4:01"
    key = "50afb5f7b4b6b93d6ad920400e1db01494a3d5bf020eaecbecce1385344e5701"

    [[table.seats]]
    name = "Cem"
    address = "F0:F1:F2:F3:F4:02"
    key = "d6c0f7b0cdb1cf026c38dae16a8533cc66a158fe49134962f493fd07ebf85f3a"

The file is the same at every seat but for ``seat`` and ``secret``. ``maexchen key`` makes a secret
and the key of its seat. All seats share the table's ``key``. Nobody leaves this table at the
display: after a match, a tap leads to the next one, whose epoch is one higher. If a handheld loses
its journal after the first match, raise ``epoch`` at every seat, beyond all matches played.

Without [table] the handheld begins in the lobby, where a table is formed on the displays. Then
these may stand at the top level, too::

    name = "Ana"                       # else it is chosen on the display
    address = "F0:F1:F2:F3:F4:00"      # else one is made up, and kept in the journal
    faults = "ask"
    opponent = "expert"                # opponent in practice, with its strength from 0 to
                                       # 100: "usual", "honest" (63), "learner" (77), "skilled"
                                       # (94), "expert" (100) or "shark" (100)

With "mqtt" among the links, a broker carries frames to wherever there is a network::

    [broker]
    url = "mqtts://broker.example:8883"
    others = ["mqtts://two.example"]   # where a match goes on once that one is lost, two at most
    ca = "/etc/maexchen/ca.pem"        # its certificates; else those that the system trusts
    user = "ana"                       # an account there; else the table's key gives one
    password = "..."
    relay = "/run/maexchen-relay/socket"   # the relay with the network; url is in its settings
    open_wire = false                  # true: without TLS, even to another machine
    public = false                     # true: anybody may watch

May import: table.protocol, table.pairing, table.crypto, journal, effects, display.text, game,
drivers.light_sensor.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args

from drivers.light_sensor import LightKind
from firmware.display.text.language import LANGUAGES
from firmware.effects import USUAL_VOLUME, VOLUMES
from firmware.journal import who_may_read
from firmware.table.crypto import hkdf, public, shared_secret
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.invitations import device_of
from firmware.table.protocol.sealing import KEY_BYTES, Keys, key_to_all, number_of_table
from game import new_match, rule_set
from game.names import BadNameError, name_of, tidied
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


MOST_EPOCHS = 0xFFF
"""The highest number of a match: an epoch of 16 bits has room for it (PROTOCOL.md)."""
_OWN = ("language", "journal", "bluetooth", "link", "light", "volume", "broker")
MOST_OTHERS = 2
"""The most brokers beside the first one; chosen."""
_BROKER = ("url", "others", "ca", "user", "password", "open_wire", "relay", "public")
_TABLE = (
    "key", "secret", "game", "seat", "first", "epoch", "faults", "options", "seats", "carrier",
)  # fmt: skip
_ADDRESS = re.compile(r"[C-F][0-9A-F](:[0-9A-F]{2}){5}")
"""A static random address: its two highest bits are set (Bluetooth Core, vol 6 part B, 1.3.2.1)."""
_MAKE_ONE_UP = "make one up like F0:F1:F2:F3:F4:00, from C0 up"
_OWN_SECRET = "64 hex digits that no other seat has: maexchen key makes them"
_SEAT_KEY = "the 64 hex digits that maexchen key made with its secret"


class SettingsError(ValueError):
    """The settings cannot be used; the text is one line that says what to change."""


class _Seat(NamedTuple):
    """One seat of a fixed table: its player, the address of its handheld, its public key."""

    name: str
    address: str
    key: bytes


def load(path: Path) -> Settings:
    """Read a settings file.

    Raises:
        SettingsError: unreadable, not TOML, an unknown entry or a value out of range; its one line
            names the file, the entry and what to write there.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        to_do = who_may_read(path) if isinstance(error, PermissionError) else "check the path"
        raise SettingsError(f"settings {path}: {error.strerror}: {to_do}") from None
    except (ValueError, RecursionError) as error:  # tomllib lets some through that are not its own
        raise SettingsError(f"settings {path}: not TOML: {error}") from None
    try:
        return _with_table(data) if "table" in data else _without_table(data)
    except SettingsError as error:
        raise SettingsError(f"settings {path}: {error}") from None


def _with_table(data: dict[str, Any]) -> Settings:
    _only(data, (*_OWN, "table"), "the top level")
    table = _get(data, "table", dict, "a [table] section")
    _only(table, _TABLE, "[table]")
    own = _own(data)
    key = _key(table, "key", "table.key", "64 hex digits, the same at every seat")
    secret = _key(table, "secret", "table.secret", _OWN_SECRET)
    seats = tuple(_seat(entry) for entry in _get(table, "seats", list, "[[table.seats]]"))
    for shared in ("address", "key"):
        if len({getattr(seat, shared) for seat in seats}) != len(seats):
            raise SettingsError(f"table.seats: two seats share the {shared}: give each its own")
    epoch = _get(table, "epoch", int, "a number from 1", 1)
    if not 1 <= epoch <= MOST_EPOCHS:
        raise SettingsError(f"table.epoch = {epoch}: write a number from 1 to {MOST_EPOCHS}")
    faults = _one_of(table, "faults", Settings.faults, get_args(Faults), "table.")
    options = _get(table, "options", dict, "a table", {})
    game = _get(table, "game", str, 'a name such as "class"')
    try:
        rules = rule_set(game, options)
    except ValueError as error:
        raise SettingsError(str(error)) from None
    try:
        new_match(rules, tuple(entry.name for entry in seats), first=0)
    except ValueError as error:
        raise SettingsError(f"table.seats: {error}") from None
    seat = _seat_number(table, "seat", len(seats))
    first = _seat_number(table, "first", len(seats), 0)
    carrier = _seat_number(table, "carrier", len(seats)) if "carrier" in table else None
    try:
        keys = keys_of_seat(key, seat, secret, [each.key for each in seats])
    except ValueError as error:
        raise SettingsError(f"table.seats: {error}: write {_SEAT_KEY}") from None
    players = [(each.name, device_of(each.address)) for each in seats]
    standing = StandingTable.fixed(key, keys, seat, players, rules, first, epoch, carrier)
    me = seats[seat]
    return Settings(name=me.name, address=me.address, faults=faults, standing=standing, **own)


def _without_table(data: dict[str, Any]) -> Settings:
    _only(data, (*_OWN, "name", "address", "faults", "opponent"), "the top level")
    name = _get(data, "name", str, "a name", "") or None
    try:
        name = None if name is None else name_of(name)
    except BadNameError as error:
        raise SettingsError(str(error)) from None
    address = _get(data, "address", str, "an address", "").upper() or None
    if address is not None and not _ADDRESS.fullmatch(address):
        raise SettingsError(f"address {address!r}: {_MAKE_ONE_UP}")
    faults = _one_of(data, "faults", Settings.faults, get_args(Faults))
    opponent = _one_of(data, "opponent", Settings.opponent, get_args(Opponents))
    return Settings(name=name, address=address, faults=faults, opponent=opponent, **_own(data))


def _own(data: dict[str, Any]) -> dict[str, Any]:
    """Return the top-level entries, with a table and without: fields of ``Settings``."""
    volume = _get(data, "volume", int, "a number", Settings.volume)
    if volume not in VOLUMES:
        raise SettingsError(f"volume = {volume}: write a number from 0 to {VOLUMES[-1]}")
    link, broker = _link(data), _broker(data)
    if "mqtt" in link and broker is None:
        raise SettingsError('link = "mqtt" wants a [broker] section: write url = "mqtts://host"')
    return {
        "language": _one_of(data, "language", Settings.language, LANGUAGES),
        "journal": Path(_get(data, "journal", str, "a path", str(Settings.journal))),
        "bluetooth": _get(data, "bluetooth", str, "a transport name", Settings.bluetooth),
        "link": link,
        "broker": broker,
        "volume": volume,
        "light": _one_of(data, "light", Settings.light, get_args(LightKind)),
    }


def _link(data: dict[str, Any]) -> Media:
    link = data.get("link", list(Settings.link))
    names = link if isinstance(link, list) else [link]
    try:
        return media_of(*(str(name) for name in names))
    except ValueError as error:
        raise SettingsError(str(error)) from None


def _broker(data: dict[str, Any]) -> BrokerSettings | None:
    if "broker" not in data:
        return None
    broker = _get(data, "broker", dict, "a [broker] section")
    _only(broker, _BROKER, "[broker]")
    url = _get(broker, "url", str, '"mqtts://host:8883"', "")
    relay = _get(broker, "relay", str, "a path", "")
    if not url and not relay:
        raise SettingsError('[broker]: write url = "mqtts://host:8883", or relay = a path')
    ca = _get(broker, "ca", str, "a path", "")
    others = _get(broker, "others", list, '["mqtts://host:8883"]', [])
    if others and not (url and len(others) <= MOST_OTHERS):
        raise SettingsError(f"[broker]: write one url, and {MOST_OTHERS} others at most")
    return BrokerSettings(
        url,
        Path(ca) if ca else None,
        _get(broker, "user", str, "a name", ""),
        _get(broker, "password", str, "a password", ""),
        _get(broker, "open_wire", bool, "true or false", False),
        Path(relay) if relay else None,
        _get(broker, "public", bool, "true or false", False),
        tuple(str(each) for each in others),
    )


def _one_of(
    data: dict[str, Any], key: str, default: str, known: tuple[str, ...], where: str = ""
) -> Any:
    value = _get(data, key, str, "a word", default)
    if value not in known:
        raise SettingsError(f"{where}{key} = {value!r}: write one of {', '.join(known)}")
    return value


def _seat(entry: object) -> _Seat:
    if not isinstance(entry, dict):
        raise SettingsError("table.seats: write each seat as [[table.seats]] with name and address")
    _only(entry, ("name", "address", "key"), "[[table.seats]]")
    name = tidied(_get(entry, "name", str, "a name"))
    address = _get(entry, "address", str, "an address").upper()
    if not _ADDRESS.fullmatch(address):
        raise SettingsError(f"address {address!r} of {name}: {_MAKE_ONE_UP}")
    return _Seat(name, address, _key(entry, "key", f"key of {name}", _SEAT_KEY))


def _seat_number(table: dict[str, Any], key: str, seats: int, default: int | None = None) -> int:
    number: int = _get(table, key, int, "a seat number", default)
    if not 0 <= number < seats:
        raise SettingsError(f"table.{key} = {number}: write a seat from 0 to {seats - 1}")
    return number


def _key(data: dict[str, Any], name: str, entry: str, wanted: str) -> bytes:
    """Return the key ``name`` of ``data``; the error calls it ``entry``."""
    text = data.get(name)
    try:
        key = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise SettingsError(f"{entry}: write {wanted}")
    return key


def _only(data: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise SettingsError(
            f"unknown entry {unknown[0]!r} in {where}: it takes {', '.join(sorted(known))}"
        )


def _get(data: dict[str, Any], key: str, kind: type, wanted: str, default: Any = None) -> Any:
    value = data.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise SettingsError(f"{key!r} is missing or not of its kind: write {wanted}")
    return value


INSTALLED: Final = Path("/etc/maexchen/settings.toml")
"""The file that the service reads."""


def chosen_light(path: Path | None) -> LightKind | None:
    """Return the light sensor that a settings file names; ``path`` None: the installed file.

    Without an installed file it is the usual sensor; None: only the service's user may read it.

    Raises:
        SettingsError: the file cannot be used.
    """
    if path is None:
        path = INSTALLED
        try:
            path.open("rb").close()
        except FileNotFoundError:
            return Settings.light
        except PermissionError:
            return None
    return load(path).light


def usual_light(path: Path | None) -> LightKind:
    """Return `chosen_light`, or the usual sensor if that is unknown."""
    return chosen_light(path) or Settings.light
