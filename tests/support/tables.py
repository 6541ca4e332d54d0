"""Fixed tables whose keys all come from one, as a seat knows them."""

from firmware.table.crypto import public
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.invitations import device_of
from firmware.table.protocol.sealing import keys_of_table
from game import RULES
from hw_sim.air import bluetooth_address

KEY = bytes(range(32))


def simulated(seat):
    """Return the device of a simulated handheld."""
    return device_of(bluetooth_address(seat))


def fixed(
    names, seat, *, key=KEY, rules=RULES["class"], first=0, number=1, carrier=None,
    devices=simulated,
):  # fmt: skip
    """Return the table as ``seat`` knows it; ``devices`` gives a seat's handheld."""
    players = [(name, devices(at)) for at, name in enumerate(names)]
    keys = keys_of_table(key, seat, range(len(names)))
    return StandingTable.fixed(key, keys, seat, players, rules, first, number, carrier)


def secret(seat):
    """Return the secret of a seat of a table in settings."""
    return bytes([seat + 1]) * 32


def seats_text(names, address="F0:F1:F2:F3:F4:0{}".format):
    """Return the seats of a table as settings write them; ``address`` gives that of a seat."""
    return "".join(
        f'[[table.seats]]\nname = "{name}"\naddress = "{address(seat)}"\n'
        f'key = "{public(secret(seat)).hex()}"\n'
        for seat, name in enumerate(names)
    )


def table_text(names, seat, game="class", key=KEY):
    """Return a table as the settings of a seat write it."""
    own = f'key = "{key.hex()}"\nsecret = "{secret(seat).hex()}"\ngame = "{game}"\nseat = {seat}\n'
    return f"[table]\n{own}{seats_text(names)}"
