"""asyncio loops whose time is a number: virtual, hurried, paced.

May import: steckbrett.clock.
Begin with ``virtual``.
"""
