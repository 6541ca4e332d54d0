"""asyncio loops whose time is a number: virtual, hurried, paced.

May import: steckbrett.
Begin with ``virtual``.
"""
