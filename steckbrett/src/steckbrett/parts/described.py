"""Every part described in Markdown, from its own data: kinds, pins, worlds, registers.

``python -m steckbrett.parts.described`` prints it.
"""

import sys
from importlib import import_module

from . import PartModel
from .catalogue import KINDS
from .registers import table

_HEAD = """# Parts

Pins are those that a wire can lead to. Worlds are what a test can set: functions of the time in µs.

| kind | chip | address | pins | worlds | checked against |
|---|---|---|---|---|---|
"""


def described() -> str:
    """Return the document."""
    rows, registers = [], []
    for kind, path in KINDS.items():
        module_name, _, class_name = path.partition(":")
        module = import_module(module_name, __package__)
        part: type[PartModel] = getattr(module, class_name)
        told = [one.__doc__ or "" for one in (*part.__mro__, module)]
        addresses = [at for at in (part.address, part.other_address) if at is not None]
        cells = (
            f"`{kind}`",
            part.name,
            ", ".join(f"0x{at:02X}" for at in addresses) or "–",
            ", ".join((*part.outputs, *part.inputs)) or "–",
            ", ".join(part.worlds) or "–",
            next(filter(None, map(checked_against, told)), ""),
        )
        rows.append(f"| {' | '.join(cells)} |\n")
        if hasattr(part, "registers"):
            registers.append(f"\n## {part.name}\n\n" + "\n".join(table(part)) + "\n")
    return _HEAD + "".join(rows) + "".join(registers)


def checked_against(docstring: str) -> str:
    """Return what a docstring says that a part was checked against; "" for nothing."""
    _, _, rest = " ".join(docstring.split()).partition("Checked against ")
    return rest.partition(". ")[0].rstrip(".").replace("`", "")


if __name__ == "__main__":
    sys.stdout.write(described())
