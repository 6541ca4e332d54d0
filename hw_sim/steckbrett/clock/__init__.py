"""asyncio loops whose time is a number: virtual, hurried, paced.

May import: nothing of ours.
Begin with ``virtual``.
"""
