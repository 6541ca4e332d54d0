"""The memory of a handheld over a power loss: one SQLite file, one transaction a write.

May import: nothing of ours.
Begin with ``writes``, then ``sqlite``; ``keys`` lists what is kept. ``files`` replaces other files.
"""
