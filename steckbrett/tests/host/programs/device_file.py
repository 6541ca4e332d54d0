"""A program that knows no library: it opens the device and speaks the kernel's ioctl."""

import fcntl
import os
import struct

I2C_SLAVE, I2C_FUNCS = 0x0703, 0x0705
print(os.path.exists("/dev/i2c-1"), os.path.exists("/dev/i2c-7"))
with open("/dev/i2c-1", "r+b", buffering=0) as bus:
    funcs = bytearray(8)
    fcntl.ioctl(bus, I2C_FUNCS, funcs, True)
    print(hex(struct.unpack("L", funcs)[0]))
    found = []
    for address in range(0x08, 0x78):
        fcntl.ioctl(bus, I2C_SLAVE, address)
        try:
            bus.read(1)
        except OSError as problem:
            assert problem.errno == 121
        else:
            found.append(hex(address))
    print(found)
    fcntl.ioctl(bus, I2C_SLAVE, 0x53)
    bus.write(b"\x00")
    print(bus.read(1).hex())
descriptor = os.open("/dev/i2c-1", os.O_RDWR)
fcntl.ioctl(descriptor, I2C_SLAVE, 0x53)
os.write(descriptor, b"\x2c")
print(os.read(descriptor, 1).hex())
os.close(descriptor)
try:
    open("/dev/i2c-7", "rb")
except FileNotFoundError as problem:
    print(problem.strerror)
