"""The base of parts that consist of registers; each register is a line of data.

A transfer begins with the number of a register. A write goes on with values, a read gives values.
The base knows access, reset values and reserved bits, and refuses what a sheet does not allow. A
part adds only what its registers do: `stored` after a write, `loaded` before a read.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

from . import Offence, PartModel

Access = Literal["rw", "r", "w"]


class Field(NamedTuple):
    """Bits ``high`` to ``low`` of a register."""

    name: str
    high: int
    low: int
    what: str = ""

    @property
    def mask(self) -> int:
        """Its bits within the register."""
        return (2 << self.high) - (1 << self.low)


class Register(NamedTuple):
    """One register: where it is, what the host may do with it, and what it holds after a reset.

    ``reserved``: bits that a host may not set. ``unmodelled``: bits that a chip acts on and its
    model does not.
    """

    at: int
    name: str
    access: Access = "rw"
    reset: int = 0
    reserved: int = 0
    fields: tuple[Field, ...] = ()
    unmodelled: int = 0

    def lacks(self, value: int) -> str:
        """Return what of ``value``, written here, the model does not act on; "" for nothing."""
        bits = (value ^ self.reset) & self.unmodelled
        named = [each.name for each in self.fields if bits & each.mask]
        return f"{', '.join(named) or 'a value'} of {self.name}" if bits else ""


def block(
    first: int, last: int, name: str, access: Access = "rw", *, unmodelled: int = 0
) -> tuple[Register, ...]:
    """Return the registers ``first`` to ``last``, named ``name`` and a number from 0 on."""
    return tuple(
        Register(at, f"{name}{at - first}", access, unmodelled=unmodelled)
        for at in range(first, last + 1)
    )


class RegisterPart(PartModel):
    """A part whose face on the bus are `registers`.

    ``width`` is the bytes of a register, ``order`` which comes first. ``increments``: the number
    of the register moves on after each value read. ``pairs``: a write of several values needs the
    number of each; else it moves on too. ``after``: what follows a register that has not its
    neighbour behind it. ``unlisted``: registers that every chip has and no sheet lists; they keep
    what is written.
    """

    registers: ClassVar[tuple[Register, ...]] = ()
    width: ClassVar[int] = 1
    order: ClassVar[Literal["big", "little"]] = "big"
    increments: ClassVar[bool] = True
    pairs: ClassVar[bool] = False
    after: ClassVar[Mapping[int, int]] = {}
    unlisted: ClassVar[frozenset[int]] = frozenset()
    _by_number: ClassVar[dict[int, Register]] = {}
    _by_field: ClassVar[dict[str, tuple[int, int, int]]] = {}

    def __init_subclass__(cls) -> None:
        cls._by_number = {register.at: register for register in cls.registers}
        cls._by_field = {
            field.name: (register.at, field.low, (1 << field.high - field.low + 1) - 1)
            for register in cls.registers
            for field in register.fields
        }

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: every register at its reset value."""
        del t_us
        self.values = {register.at: register.reset for register in self.registers}
        self.pointer = 0

    def field(self, name: str) -> int:
        """Return the value of a field."""
        at, low, mask = self._by_field[name]
        return self.values[at] >> low & mask

    def set_field(self, name: str, value: int) -> None:
        """Let the part itself change a field."""
        at, low, mask = self._by_field[name]
        self.values[at] = self.values[at] & ~(mask << low) | (value & mask) << low

    # ---- what a part adds --------------------------------------------------------------------

    def stored(self, at: int, before: int, t_us: int) -> None:
        """Do what a write to register ``at`` does; it held ``before``."""

    def loaded(self, at: int, t_us: int) -> int:
        """Return the value that a read of register ``at`` gives."""
        del t_us
        return self.values[at]

    # ---- bus face ----------------------------------------------------------------------------

    def write(self, data: bytes, t_us: int) -> None:
        """Take a register's number and values for it and, if it moves on, its successors."""
        self.accesses += 1
        if not data:
            return
        self.advance(t_us)
        self.pointer = data[0]
        at = 1
        while at < len(data):
            piece = data[at : at + self.width]
            at += self.width
            if len(piece) < self.width:
                self.refuse(t_us, f"half a value for register 0x{self.pointer:02X}")
                return
            self._store(self.pointer, int.from_bytes(piece, self.order), t_us)
            if self.pairs and at < len(data):
                self.pointer = data[at]
                at += 1
            elif self.increments:
                self.pointer = self.after.get(self.pointer, self.pointer + 1)

    def read(self, count: int, t_us: int) -> bytes:
        """Return ``count`` bytes from the register that was chosen last."""
        self.accesses += 1
        self.advance(t_us)
        found = bytearray()
        while len(found) < count:
            if found and not self.increments:
                self.refuse(t_us, f"{count} bytes of one register", Offence.UNLISTED)
                found += b"\xff" * (count - len(found))
                break
            found += self._load(self.pointer, t_us).to_bytes(self.width, self.order)
            if self.increments:
                self.pointer = self.after.get(self.pointer, self.pointer + 1)
        return bytes(found[:count])

    def stop(self) -> None:
        """Take a STOP; the register's number stays."""

    def _store(self, at: int, value: int, t_us: int) -> None:
        register = self._by_number.get(at)
        if register is None and at in self.unlisted:
            self.refuse(t_us, f"write to register 0x{at:02X}", Offence.UNLISTED)
            self.values[at] = value
            return
        if register is None or register.access == "r":
            kind = "unknown" if register is None else "read-only"
            self.refuse(t_us, f"write to {kind} register 0x{at:02X}")
            return
        if value & register.reserved:
            self.refuse(t_us, f"reserved bits set: 0x{value:02X} written to {register.name}")
            value &= ~register.reserved
        if lacking := register.lacks(value):
            self.refuse(t_us, f"{lacking} is not modelled", Offence.UNMODELLED)
        before, self.values[at] = self.values[at], value
        self.stored(at, before, t_us)

    def _load(self, at: int, t_us: int) -> int:
        register = self._by_number.get(at)
        if register is None and at in self.unlisted:
            self.refuse(t_us, f"read of register 0x{at:02X}", Offence.UNLISTED)
            return self.values.get(at, 0)
        if register is None or register.access == "w":
            kind = "unknown" if register is None else "write-only"
            self.refuse(t_us, f"read of {kind} register 0x{at:02X}")
            return 0
        return self.loaded(at, t_us)


def table(part: Any) -> list[str]:
    """Return the `registers` of a part as lines of a Markdown table; a `block` is one line."""
    lines = ["| register | name | access | reset | fields |", "|---|---|---|---|---|"]
    digits = 2 * getattr(part, "width", 1)
    blocks: list[list[Register]] = []
    for one in part.registers:
        last = blocks[-1][-1] if blocks else None
        stem = one.name.rstrip("0123456789")
        if (
            last is not None
            and (last.at + 1, last.access, last.reset, last.fields) == (one.at, one.access, 0, ())
            and last.name.rstrip("0123456789") == stem != one.name
        ):
            blocks[-1].append(one)
        else:
            blocks.append([one])
    for first, *rest in blocks:
        at, name = f"0x{first.at:02X}", first.name
        if rest:
            at, name = f"{at}–0x{rest[-1].at:02X}", f"{name} … {rest[-1].name}"
        fields = ", ".join(
            f"{field.name} {field.high}" + (f"–{field.low}" if field.high != field.low else "")
            for field in first.fields
        )
        row = (at, name, first.access, f"0x{first.reset:0{digits}X}", fields)
        lines.append(f"| {' | '.join(row)} |")
    return lines
