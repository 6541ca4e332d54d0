"""Digests of whole runs: `python -m tests.digests` compares them with those that are kept."""
