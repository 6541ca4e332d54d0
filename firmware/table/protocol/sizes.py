"""How many bytes the fields of the messages have, and how many entries go into one."""

DIGEST_BYTES = 8
"""Length of a digest of the log; short, so that a PROPOSE fits 0.35 s of infrared."""
SECRET_BYTES = 16
"""Length of a root, which commits to dice …"""
OPENING_BYTES = 2 * SECRET_BYTES
"""… and of an opening, which proves them (`firmware.table.commitment.verify`)."""
CONTRIBUTION_BYTES = 8
"""Length of what the giver of a cup adds to the next holder's chance."""
NO_SECRET = bytes(SECRET_BYTES)
"""Stands where nothing is committed to …"""
NO_OPENING = bytes(OPENING_BYTES)
"""… and where nothing is proven."""
NO_CONTRIBUTION = bytes(CONTRIBUTION_BYTES)
"""Stands where the giver of a cup adds nothing."""
SIGNATURE_BYTES = 64
"""Length of a signature (`firmware.table.protocol.signing`)."""
NO_SIGNATURE = bytes(SIGNATURE_BYTES)
"""Stands where nothing is signed."""
MOST_DICE = 5
"""Most covered dice in a cup; open ones do not travel, for the log has them."""
MOST_ENTRIES = 0xFF
"""Most entries in one LOG."""
LAST_BYTES = 4
"""So many bytes of entries go with a proposal: what was done since the others were last told."""
TOLD_AT_ONCE = 8
"""As many are told in one, and some more where one signature stands for them."""
