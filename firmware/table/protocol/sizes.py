"""Lengths of the messages' fields, in bytes, and limits for entries."""

DIGEST_BYTES = 8
"""Length of a digest of the log; short, so that a PROPOSE fits 0.35 s of infrared."""
SECRET_BYTES = 16
"""Length of a root, which commits to dice."""
OPENING_BYTES = 2 * SECRET_BYTES
"""Length of an opening, which proves dice (`firmware.table.commitment.verify`)."""
CONTRIBUTION_BYTES = 8
"""Length of a giver's contribution to the next holder's dice."""
NO_SECRET = bytes(SECRET_BYTES)
"""The root of a seat that commits to nothing."""
NO_OPENING = bytes(OPENING_BYTES)
"""The opening of dice that have no proof."""
NO_CONTRIBUTION = bytes(CONTRIBUTION_BYTES)
"""The contribution of a giver that adds nothing."""
SIGNATURE_BYTES = 64
"""Length of a signature (`firmware.table.protocol.signing`)."""
NO_SIGNATURE = bytes(SIGNATURE_BYTES)
"""The signature of an unsigned message."""
MOST_DICE = 5
"""Most covered dice in a cup; the log has open ones, so they do not travel."""
MOST_ENTRIES = 0xFF
"""Most entries in one LOG."""
LAST_BYTES = 4
"""Most bytes of entries in a proposal: the newest ones, which the others may lack."""
ENTRIES_AT_ONCE = 8
"""Entries in one LOG; some more if one signature covers them."""
