"""Every key under which a handheld keeps a value in its journal, and the bytes of that value.

============  =====================================================================================
key           bytes
============  =====================================================================================
mark          how far the journal itself is: ``Mark.encode``; not among what survives
device        the six bytes that name this handheld to others, where it has made them up
volume        the volume that the player chose last: one byte, 0 (silence) to 3
table         the standing table: ``StandingTable.encode``; empty where it was forgotten
one handheld  the match on this handheld alone: ``OneHandheld.encode``; empty for none
seat          whose match it is: the table's number, two bytes, and the seat
cup           where the cup is: ``Cup.encode``
votes         the votes for new epochs that are known, 81 bytes each: ``packed_votes``
learning      1 while entries of the log may be ones that this epoch began without, else 0
fair          the own part in fair dice: ``CommitterState.encode``
caught        who was caught: accuser, accused and charge, a byte each; empty for nobody
lost          1 if this handheld has lost its memory of the match, else 0
============  =====================================================================================

From ``seat`` on they are the state of one seat (``firmware.table.seat.storage``). If several seats
share one journal, a space and the seat's number follow each of these (``SharedJournal``).
"""

from typing import Final

MARK_KEY: Final = "mark"
DEVICE_KEY: Final = "device"
VOLUME_KEY: Final = "volume"
TABLE_KEY: Final = "table"
ONE_HANDHELD_KEY: Final = "one handheld"
SEAT_KEY: Final = "seat"
CUP_KEY: Final = "cup"
VOTES_KEY: Final = "votes"
LEARNING_KEY: Final = "learning"
FAIR_KEY: Final = "fair"
CAUGHT_KEY: Final = "caught"
LOST_KEY: Final = "lost"
