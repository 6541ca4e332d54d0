"""One module for each kind of page: how it is laid out on the panel.

May import: oled, screens, text, game.
Begin with ``cups``, and there with ``closed``, the page of a cup that stays covered.

Every function draws a whole screen on a page that is dark.
"""
