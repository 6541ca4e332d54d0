"""The body of a handheld: parts to buy, case, boards and the guide to build it, made from data.

May import: drivers, firmware, hw_sim. It is no
part of the package that is installed. Begin with ``parts.toml``, then ``parts``.
"""
