"""The engine of the coaster games with three dice: ``maxen`` and ``chicago``."""
