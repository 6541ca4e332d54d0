"""The settings file of one handheld (TOML): who sits where, which game, how to reach the others.

An example, which ``maexchen run`` accepts::

    language = "de"                    # "de" or "en"
    journal = "/var/lib/maexchen/journal.sqlite"
    bluetooth = "hci-socket:0"         # a bumble transport
    link = "both"                      # "bluetooth", "ir" or "both"
    light = "veml7700"                 # the light sensor that is fitted: or "bh1750"
    volume = 2                         # of sounds: 0 (silence) to 3; the menu changes it for good

    [table]
    key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    game = "class"
    seat = 0                           # which of the seats below this handheld is
    first = 0                          # the seat that opens the first round
    epoch = 1                          # raise it at every seat to begin a new match
    faults = "ask"                     # a fault the sensors notice: "ask", "strict" or "off"
    options = { stakes = "matches" }

    [[table.seats]]
    name = "Ana"
    address = "F0:F1:F2:F3:F4:00"

    [[table.seats]]
    name = "Ben"
    address = "F0:F1:F2:F3:F4:01"

    [[table.seats]]
    name = "Cem"
    address = "F0:F1:F2:F3:F4:02"

Without [table] the handheld begins in the lobby, where a table is made up on the displays. Then
these may stand at the top level, too::

    name = "Ana"                       # else it is chosen on the display
    address = "F0:F1:F2:F3:F4:00"      # else one is made up, and kept in the journal
    faults = "ask"
"""

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

from drivers.light_sensor import LightKind
from firmware.display.text.words import LANGUAGES
from firmware.effects.sounds import USUAL_VOLUME, VOLUMES
from firmware.settings.model import Media, Newcomer, Settings
from firmware.settings.table import Faults, TablePlayer, TableTerms
from firmware.table.protocol.invitations import name_bytes
from game import new_match, rule_set

KEY_BYTES = 32
MOST_EPOCHS = 0xFFF
_EVERYWHERE = ("language", "journal", "bluetooth", "link", "light", "volume")
_ADDRESS = re.compile(r"[C-F][0-9A-F](:[0-9A-F]{2}){5}")
"""A static random address: its two highest bits are set (Bluetooth Core, vol 6 part B, 1.3.2.1)."""


class SettingsError(ValueError):
    """The settings cannot be used; the text is one line that says what to change."""


def load(path: Path) -> Settings | Newcomer:
    """Read a settings file: of a seat at a table, or without one.

    Raises:
        SettingsError: names the file, the entry and what to write there.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"settings {path}: {error.strerror}: check the path") from None
    except (ValueError, RecursionError) as error:  # tomllib lets some through that are not its own
        raise SettingsError(f"settings {path}: not TOML: {error}") from None
    try:
        return _settings(data) if "table" in data else _newcomer(data)
    except SettingsError as error:
        raise SettingsError(f"settings {path}: {error}") from None


def _settings(data: dict[str, Any]) -> Settings:
    _only(data, {*_EVERYWHERE, "table"}, "the top level")
    table = _get(data, "table", dict, "a [table] section")
    _only(table, {"key", "game", "seat", "first", "epoch", "faults", "options", "seats"}, "[table]")
    language = _get(data, "language", str, "a language", "en")
    if language not in LANGUAGES:
        raise SettingsError(f"language {language!r}: write one of {', '.join(LANGUAGES)}")
    link = _get(data, "link", str, "a word", Settings.link)
    if link not in get_args(Media):
        raise SettingsError(f"link = {link!r}: write one of {', '.join(get_args(Media))}")
    seats = tuple(_seat(entry) for entry in _get(table, "seats", list, "[[table.seats]]"))
    if len({seat.address for seat in seats}) != len(seats):
        raise SettingsError("table.seats: two seats share an address: give each its own")
    key = _key(_get(table, "key", str, "64 hex digits"))
    epoch = _get(table, "epoch", int, "a number from 1", 1)
    if not 1 <= epoch <= MOST_EPOCHS:
        raise SettingsError(f"table.epoch = {epoch}: write a number from 1 to {MOST_EPOCHS}")
    faults = _get(table, "faults", str, "a word", "ask")
    if faults not in get_args(Faults):
        known = ", ".join(get_args(Faults))
        raise SettingsError(f"table.faults = {faults!r}: write one of {known}")
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
    return Settings(
        table=TableTerms(key, rules, seats, first, epoch, faults),
        seat=seat,
        language=language,
        journal=Path(_get(data, "journal", str, "a path", str(Settings.journal))),
        bluetooth=_get(data, "bluetooth", str, "a transport name", Settings.bluetooth),
        link=link,
        volume=_volume(data),
        light=_light(data),
    )


def _newcomer(data: dict[str, Any]) -> Newcomer:
    _only(data, {*_EVERYWHERE, "name", "address", "faults"}, "the top level")
    name = _get(data, "name", str, "a name", "") or None
    if name is not None:
        try:
            name_bytes(name)
        except ValueError as error:
            raise SettingsError(str(error)) from None
    address = _get(data, "address", str, "an address", "").upper() or None
    if address is not None and not _ADDRESS.fullmatch(address):
        raise SettingsError(f"address {address!r}: make one up like F0:F1:F2:F3:F4:00, from C0 up")
    return Newcomer(
        name=name,
        address=address,
        faults=_one_of(data, "faults", Newcomer.faults, get_args(Faults)),
        language=_one_of(data, "language", Newcomer.language, LANGUAGES),
        journal=Path(_get(data, "journal", str, "a path", str(Newcomer.journal))),
        bluetooth=_get(data, "bluetooth", str, "a transport name", Newcomer.bluetooth),
        link=_one_of(data, "link", Newcomer.link, get_args(Media)),
        volume=_volume(data),
        light=_light(data),
    )


def _light(data: dict[str, Any]) -> LightKind:
    light: LightKind = _one_of(data, "light", Settings.light, get_args(LightKind))
    return light


def _volume(data: dict[str, Any]) -> int:
    volume: int = _get(data, "volume", int, "a number", USUAL_VOLUME)
    if volume not in VOLUMES:
        raise SettingsError(f"volume = {volume}: write a number from 0 to {VOLUMES[-1]}")
    return volume


def _one_of(data: dict[str, Any], key: str, default: str, known: tuple[str, ...]) -> Any:
    value = _get(data, key, str, "a word", default)
    if value not in known:
        raise SettingsError(f"{key} = {value!r}: write one of {', '.join(known)}")
    return value


def _seat(entry: object) -> TablePlayer:
    if not isinstance(entry, dict):
        raise SettingsError("table.seats: write each seat as [[table.seats]] with name and address")
    _only(entry, {"name", "address"}, "[[table.seats]]")
    name = _get(entry, "name", str, "a name")
    address = _get(entry, "address", str, "an address").upper()
    if not _ADDRESS.fullmatch(address):
        raise SettingsError(
            f"address {address!r} of {name}: make one up like F0:F1:F2:F3:F4:00, from C0 up"
        )
    return TablePlayer(name, address)


def _seat_number(table: dict[str, Any], key: str, seats: int, default: int | None = None) -> int:
    number: int = _get(table, key, int, "a seat number", default)
    if not 0 <= number < seats:
        raise SettingsError(f"table.{key} = {number}: write a seat from 0 to {seats - 1}")
    return number


def _key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise SettingsError(f"table.key: write {2 * KEY_BYTES} hex digits, the same at every seat")
    return key


def _only(data: dict[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(data) - known)
    if unknown:
        raise SettingsError(
            f"unknown entry {unknown[0]!r} in {where}: it takes {', '.join(sorted(known))}"
        )


def _get(data: dict[str, Any], key: str, kind: type, wanted: str, default: Any = None) -> Any:
    value = data.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise SettingsError(f"{key!r} is missing or not of its kind: write {wanted}")
    return value
