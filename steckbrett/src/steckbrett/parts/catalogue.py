"""Every part that a board can be asked for by its kind."""

from importlib import import_module
from typing import Any, Final

from . import PartModel

KINDS: Final = {
    "ads1115": ".converters:ADS1115",
    "adxl345": ".adxl345:ADXL345",
    "bh1750": ".bh1750:BH1750",
    "bme280": ".bme280:BME280",
    "button": ".on_pins:Button",
    "ds18b20": ".kernel_lines:DS18B20",
    "ds3231": ".ds3231:DS3231",
    "encoder": ".on_pins:RotaryEncoder",
    "hc-sr04": ".on_pins:HCSR04",
    "high-button": ".on_pins:HighButton",
    "lcd1602": ".pcf8574_lcd:LCD1602",
    "lcd2004": ".pcf8574_lcd:LCD2004",
    "led": ".on_pins:LED",
    "mcp3008": ".converters:MCP3008",
    "mpu6050": ".mpu6050:MPU6050",
    "pcf8591": ".converters:PCF8591",
    "serial": ".kernel_lines:SerialPeer",
    "sh1106": ".sh1106:SH1106",
    "ssd1306": ".ssd1306:SSD1306",
    "ssd1306-32": ".ssd1306:SSD1306Low",
    "ttp223": ".on_pins:TTP223",
    "veml7700": ".veml7700:VEML7700",
}
"""Module and class by kind."""


def kinds_at(address: int) -> list[str]:
    """Return the kinds that can be strapped to a 7-bit address, as words for `part_of`."""
    found = []
    for kind, path in KINDS.items():
        module, _, name = path.partition(":")
        part = getattr(import_module(module, __package__), name)
        if address in (part.addresses or (part.address, part.other_address)):
            found.append(kind if address == part.address else f"{kind}@0x{address:02x}")
    return found


def make(kind: str, seed: int | str, t_us: int) -> Any:
    """Make a part of ``kind``: one of `KINDS`, or ``module:Class`` of a part of your own.

    Raises:
        ValueError: there is no such kind, module or class.
    """
    path = KINDS.get(kind, kind)
    module_name, _, class_name = path.partition(":")
    if not class_name:
        from difflib import get_close_matches  # nobody else needs it

        like = get_close_matches(kind, KINDS, 3) or sorted(KINDS)
        known = ", ".join(like)
        raise ValueError(f"no part {kind!r}: choose {known}, or module:Class of your own")
    try:
        made = getattr(import_module(module_name, __package__), class_name)
    except (ImportError, AttributeError) as problem:
        raise ValueError(f"no part {kind!r}: {problem}") from problem
    if not (isinstance(made, type) and issubclass(made, PartModel)):
        raise ValueError(f"no part {kind!r}: {class_name} is no PartModel")
    return made(seed, t_us)
