"""One module for each kind of page: how it is laid out on the panel.

May import: oled, screens, text, game.
Begin with ``cups``; its ``closed`` draws a cup that stays covered.

Every function draws a whole screen on a page that is dark.
"""
