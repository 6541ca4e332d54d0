"""Digests of whole runs: `python -m tests.labs.digests` compares them with those that are kept."""
