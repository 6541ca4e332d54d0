"""What a handheld keeps over a loss of power: one SQLite file, one transaction a write.

May import: nothing of ours.
Begin with ``writes``, then ``sqlite``; ``keys`` lists what is kept.
"""
