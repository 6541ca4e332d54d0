"""Frames over an MQTT broker, to wherever there is a network; the broker cannot open them.

May import: framing, table.protocol, effects.
Begin with ``link``.
"""
