"""Frames over infrared: what they look like on the air, who may speak when, and the device."""
