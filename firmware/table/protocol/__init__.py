"""Every byte that leaves a handheld: sealed frames, and the clear frames of the lobby.

May import: game.
Begin with PROTOCOL.md, then ``cup_messages`` and ``layout``.
"""
