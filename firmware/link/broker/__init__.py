"""Frames over an MQTT broker, to wherever there is a network; the broker cannot open them.

May import: link.link, table.protocol, effects.
Begin with ``link``.
"""
