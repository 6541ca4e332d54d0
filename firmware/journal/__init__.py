"""What must not be forgotten: one SQLite file, one transaction for each write.

May import: nothing of ours.
Begin with ``writes``, then ``sqlite``; ``keys`` lists what is kept.
"""
