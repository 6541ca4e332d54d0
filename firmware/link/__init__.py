"""Frames to and from other devices, near and over a broker. Of bodies it reads TABLE's only.

May import: table.protocol, effects.places, drivers.time.
Begin with ``firmware.link.several``, which joins the media.
"""
