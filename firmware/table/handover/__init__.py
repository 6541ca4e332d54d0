"""The cup's way between two seats, as pure values: never two cups, never none.

May import: protocol, game.
Begin with ``handover``, whose docstring has the seven rules.
"""
