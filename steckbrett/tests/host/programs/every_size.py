"""Every call of SMBus, as ``smbus`` has it."""

import smbus

bus = smbus.SMBus(1)
print(bus.read_byte_data(0x53, 0x00))
bus.write_byte_data(0x53, 0x2D, 0x08)
bus.write_word_data(0x53, 0x1E, 0x0201)
print(hex(bus.read_word_data(0x53, 0x1E)))
bus.write_i2c_block_data(0x53, 0x1E, [3, 4, 5])
print(bus.read_i2c_block_data(0x53, 0x1E, 3))
bus.write_byte(0x53, 0x00)
print(bus.read_byte(0x53))
bus.write_quick(0x53)
print(bus.process_call(0x53, 0x00, 0x0000))
for call in (lambda: bus.write_quick(0x54), lambda: bus.read_byte_data(0x10, 0)):
    try:
        call()
    except OSError as problem:
        print(problem)
bus.close()
