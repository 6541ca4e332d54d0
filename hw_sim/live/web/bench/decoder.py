"""Short descriptions of transfers on the I2C bus and of packets on the air.

For people who look at the bus and the air. Names are those of the data sheets, of the Bluetooth
Core specification and of the handover's messages.
"""

from typing import NamedTuple

from firmware.table.protocol.header import HEADER_BYTES, Header
from firmware.table.protocol.kinds import MessageKind
from hw_sim.steckbrett.board.bus import Transfer

ACCELEROMETER, DISPLAY, LIGHT, OTHER_LIGHT = 0x53, 0x3C, 0x10, 0x23
PARTS = {ACCELEROMETER: "ADXL345", DISPLAY: "SSD1306", LIGHT: "VEML7700", OTHER_LIGHT: "BH1750"}

_ADXL = {
    0x00: "DEVID", 0x1D: "THRESH_TAP", 0x1E: "OFSX", 0x1F: "OFSY", 0x20: "OFSZ", 0x21: "DUR",
    0x22: "Latent", 0x23: "Window", 0x24: "THRESH_ACT", 0x25: "THRESH_INACT", 0x26: "TIME_INACT",
    0x27: "ACT_INACT_CTL", 0x28: "THRESH_FF", 0x29: "TIME_FF", 0x2A: "TAP_AXES",
    0x2B: "ACT_TAP_STATUS", 0x2C: "BW_RATE", 0x2D: "POWER_CTL", 0x2E: "INT_ENABLE",
    0x2F: "INT_MAP", 0x30: "INT_SOURCE", 0x31: "DATA_FORMAT", 0x32: "DATAX0", 0x38: "FIFO_CTL",
    0x39: "FIFO_STATUS",
}  # fmt: skip
_VEML = {
    0: "ALS_CONF", 1: "ALS_WH", 2: "ALS_WL", 3: "POWER_SAVING", 4: "ALS", 5: "WHITE", 6: "ALS_INT",
    7: "ID",
}  # fmt: skip
_SSD = {
    0x20: "addressing mode", 0x21: "column window", 0x22: "page window", 0x81: "contrast",
    0x8D: "charge pump", 0xA4: "show RAM", 0xA6: "not inverted", 0xAE: "display off",
    0xAF: "display on", 0xA8: "multiplex", 0xD3: "offset", 0xD5: "clock", 0xD9: "precharge",
    0xDA: "COM pins", 0xDB: "VCOMH",
}  # fmt: skip
_CONTROL_DATA = 0x40


_CHANNELS = {0x0004: "ATT", 0x0005: "L2CAP", 0x0006: "SMP"}
_SIGNALS = {
    0x01: "refused", 0x06: "asks to disconnect", 0x07: "disconnects", 0x12: "asks for timing",
    0x13: "answers on timing", 0x14: "asks for a channel", 0x15: "opens the channel",
    0x16: "gives credit",
}  # fmt: skip
_LENGTHS_BYTES = 4
"""Before a frame stand the length of its SDU and its own."""


class DecodedLine(NamedTuple):
    """A transfer, decoded: its time in µs, part, direction, register and meaning."""

    t_us: int
    part: str
    read: bool
    register: str
    meaning: str
    size: int


class Decoder:
    """Follows one bus: a read goes on from the register that the last write chose."""

    def __init__(self) -> None:
        self._register: dict[int, int] = {}

    def decode(self, transfer: Transfer) -> DecodedLine:
        """The transfer in words; an unknown address or register in hex."""
        part = PARTS.get(transfer.address, f"0x{transfer.address:02X}")
        if transfer.failed:
            meaning = f"no answer (errno {transfer.failed})"
            return DecodedLine(transfer.t_us, part, transfer.read, "", meaning, 0)
        register, meaning = self._meaning(transfer)
        return DecodedLine(
            transfer.t_us, part, transfer.read, register, meaning, len(transfer.data)
        )

    def _meaning(self, transfer: Transfer) -> tuple[str, str]:
        data, address = transfer.data, transfer.address
        if not transfer.read and data:
            self._register[address] = data[0]
        pointer = self._register.get(address, 0)
        if address == DISPLAY:
            return _display(data)
        if address == OTHER_LIGHT:  # it has opcodes and no registers
            value = int.from_bytes(data, "big")
            return "", f"{value} counts" if transfer.read else f"opcode 0x{value:02X}"
        body = data if transfer.read else data[1:]
        if address == LIGHT:
            name = _VEML.get(pointer, f"0x{pointer:02X}")
            if len(body) == 2:
                value = int.from_bytes(body, "little")
                return name, f"{value} counts" if pointer == 4 else f"0x{value:04X}"
            return name, "address"
        name = _ADXL.get(pointer, f"0x{pointer:02X}")
        if not body:
            return name, "address"
        if pointer == 0x32 and len(body) == 6:
            xyz = (int.from_bytes(body[i : i + 2], "little", signed=True) for i in (0, 2, 4))
            return name, "x {} y {} z {}".format(*xyz)
        if pointer == 0x39:
            return name, f"{body[0] & 0x3F} in the FIFO"
        return name, " ".join(f"{byte:02X}" for byte in body[:8])


def _display(data: bytes) -> tuple[str, str]:
    if not data:
        return "", ""
    if data[0] == _CONTROL_DATA:
        return "GDDRAM", f"{len(data) - 1} bytes of picture"
    opcode = data[1] if len(data) > 1 else data[0]
    name = _SSD.get(opcode, f"command 0x{opcode:02X}")
    return name, " ".join(f"{byte:02X}" for byte in data[2:8])


def decode_packet(payload: bytes) -> str:
    """Describe an L2CAP packet; a sealed frame by its clear header."""
    channel = int.from_bytes(payload[2:4], "little")
    body = payload[4:]
    if channel == 0x0005:
        return f"L2CAP: {_SIGNALS.get(body[0], hex(body[0])) if body else 'nothing'}"
    if channel in _CHANNELS:
        return _CHANNELS[channel]
    frame = body[_LENGTHS_BYTES:]
    if len(frame) < HEADER_BYTES or int.from_bytes(body[2:4], "little") != len(frame):
        return "part of a frame"
    header = Header.unpack(frame[:HEADER_BYTES])
    if header.kind not in list(MessageKind):
        return "frame of the lobby"
    kind = MessageKind(header.kind).name
    entries = f", {header.count} entries" if header.kind == MessageKind.LOG else ""
    return f"{kind} {header.number}{entries}"
