"""The body of a handheld: parts to buy, case, boards and the guide to build it, made from data.

May import: drivers, firmware, hw_sim. It is a project of its own, and no part of the package that
is installed on a handheld. Begin with ``parts.toml``, then ``parts``.
"""
