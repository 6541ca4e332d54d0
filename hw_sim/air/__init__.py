"""The air between the handhelds: what one controller sends and the others hear."""
