"""wiring.md, the drivers' constants and the simulator's netlist say the same."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from drivers import pins
from hw_sim.board.netlist import ADDRESSES, NETLIST
from hw_sim.board.wiring_svg import drawing
from hw_sim.parts.bh1750 import BH1750

ROOT = Path(__file__).parents[2]
WIRING = (ROOT / "wiring.md").read_text(encoding="utf-8")
HEADER = {2: 3, 3: 5, 17: 11, 22: 15, 23: 16, 18: 12, 12: 32, 13: 33, 14: 8, 15: 10}
"""BCM number to place on the 40-pin header."""


def rows(first_column: str) -> list[list[str]]:
    """The cells of the table whose first heading is ``first_column``."""
    lines = iter(WIRING.splitlines())
    for line in lines:
        if line.startswith(f"| {first_column} |"):
            break
    next(lines)
    table = []
    for line in lines:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split("|")])
    return table


SIGNALS = {row[0]: row for row in rows("signal")}


@pytest.mark.parametrize(
    "name",
    ["SDA", "SCL", "ACCELEROMETER_INT1", "TOUCH", "INFRARED_RECEIVE", "INFRARED_TRANSMIT", "PIEZO"],
)
def test_pin_constants_are_the_wiring_table(name):
    _, bcm, header, _ = SIGNALS[name]
    assert int(bcm) == getattr(pins, name)
    assert int(header) == HEADER[int(bcm)]


def test_no_pin_is_missing_from_the_wiring_table_or_used_twice():
    used = [int(row[1]) for row in SIGNALS.values() if row[1].isdigit()]
    assert len(set(used)) == len(used)
    constants = {
        name
        for name, value in vars(pins).items()
        if isinstance(value, int) and "ADDRESS" not in name and not name.startswith("I2C_")
    }
    assert constants - {"INFRARED_TRANSMIT_PI5"} == {
        name for name, row in SIGNALS.items() if row[1].isdigit()
    }


def test_the_pi_5_transmits_infrared_on_the_pin_that_the_table_names():
    assert (
        f"BCM {pins.INFRARED_TRANSMIT_PI5}, header {HEADER[pins.INFRARED_TRANSMIT_PI5]}"
        in (SIGNALS["INFRARED_TRANSMIT"][3])
    )


@pytest.mark.parametrize(
    ("signal", "part", "name"),
    [
        ("SDA", "ADXL345", "SDA"),
        ("SCL", "ADXL345", "SCL"),
        ("SDA", "SSD1306", "SDA"),
        ("SCL", "SSD1306", "SCL"),
        ("SDA", "VEML7700", "SDA"),
        ("SCL", "VEML7700", "SCL"),
        ("INT1", "ADXL345", "ACCELEROMETER_INT1"),
        ("touch", "TTP223", "TOUCH"),
        ("IR receive", "TSOP38238", "INFRARED_RECEIVE"),
        ("IR transmit", "IR LED", "INFRARED_TRANSMIT"),
        ("piezo", "piezo", "PIEZO"),
    ],
)
def test_the_simulated_board_is_wired_like_the_table(signal, part, name):
    (bcm,) = [net.bcm for net in NETLIST if (net.signal, net.part) == (signal, part)]
    assert bcm == int(SIGNALS[name][1])


def test_addresses_are_the_same_in_the_table_the_drivers_and_the_simulator():
    table = {row[0]: int(row[1], 16) for row in rows("part") if row[1].startswith("0x")}
    table |= {
        row[0]: int(row[1], 16)
        for row in (line.strip("|").split("|") for line in WIRING.splitlines() if "| 0x" in line)
        for row in [[cell.strip() for cell in row]]
        if row[0].isupper()
    }
    assert table == {
        "ACCELEROMETER": pins.ACCELEROMETER_ADDRESS,
        "PANEL": pins.PANEL_ADDRESS,
        "LIGHT": pins.LIGHT_ADDRESS,
        "LIGHT_BH1750": pins.LIGHT_ADDRESS_BH1750,
    }
    assert sorted(table.values()) == sorted([*ADDRESSES.values(), BH1750.address])
    for part, address in table.items():
        assert f"0x{address:02X}" in WIRING, part


def test_the_drawing_is_drawn_from_the_netlist():
    assert (ROOT / "docs/wiring.svg").read_text(encoding="utf-8") == drawing(), "make drawing"
    assert "docs/wiring.svg" in WIRING


def test_the_drawing_follows_its_netlist_wire_by_wire():
    changed = tuple(net._replace(bcm=27) if net.signal == "touch" else net for net in NETLIST)
    assert drawing(changed) != drawing()
    tree = ElementTree.fromstring(drawing())
    told = [title.text for title in tree.iter("{http://www.w3.org/2000/svg}title")]
    for net in NETLIST:
        assert f"{net.signal}: header {HEADER[net.bcm]} to {net.part_pin}" in told


@pytest.mark.parametrize("part", sorted({net.part for net in NETLIST}))
def test_the_table_of_each_connector_is_its_part_of_the_netlist(part):
    section = re.search(rf"### \d\. {re.escape(part)}\n(.*?)(?=\n##)", WIRING, re.DOTALL)
    assert section is not None
    table = re.findall(r"^\| ([^|]+) \| ([^|]+) \| (\d+) \|$", section.group(1), re.MULTILINE)
    wires = {(signal, int(header)) for _, signal, header in table}
    supply = {("3V3", 1), ("5V", 2), ("GND", 6)}
    assert wires - supply == {(net.signal, HEADER[net.bcm]) for net in NETLIST if net.part == part}
    for pin, signal, _ in table:
        for net in NETLIST:
            if (net.part, net.signal) == (part, signal):
                assert pin == net.part_pin


def test_what_config_txt_is_told_is_what_the_installer_writes():
    block = WIRING.split("## config.txt")[1].split("```")[1]
    written = (ROOT / "install/config.txt").read_text(encoding="utf-8").splitlines()
    lines = [line for line in block.splitlines() if line]
    assert lines
    assert set(lines) <= set(written)


def test_bluetooths_uart_stays_free():
    assert not {14, 15} & {net.bcm for net in NETLIST}
    assert "BCM 14 and 15 stay free" in WIRING
