"""Frames to and from other devices, near and over a broker. It reads no bodies but those of TABLE.

May import: table.protocol, effects.places, drivers.time.
Begin with ``firmware.link.several``, which joins the media.
"""
