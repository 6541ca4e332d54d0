"""A program with a wrong register, and no reading of its error."""

from smbus2 import SMBus


def read_identity(bus):
    return bus.read_byte_data(0x29, 0x00)


with SMBus(1) as bus:
    print(read_identity(bus))
