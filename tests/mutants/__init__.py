"""Mutants: `python -m tests.mutants` tells how much of what is changed the tests notice."""
