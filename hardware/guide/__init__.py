"""The guide to build a handheld: steps, mistakes and symptoms as data, pages and drawings from it.

May import: hardware.board, hardware.case, hardware.parts, firmware.display.text, firmware.cli,
firmware.upkeep.doctor, hw_sim. Begin with ``steps.toml`` and ``mistakes.toml``, then ``pages``.
"""
