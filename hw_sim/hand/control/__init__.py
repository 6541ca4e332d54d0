"""A person's hand by keys, by a dragged picture, by a phone.

May import: signals, recordings, firmware.display.screens, firmware.input.controls, drivers.time.
Begin with ``keyboard_hand``.
"""
