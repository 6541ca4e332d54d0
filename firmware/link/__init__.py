"""The way from handheld to handheld."""
