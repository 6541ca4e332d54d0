"""Mutants: `python -m tests.labs.mutants` tells how much of what is changed the tests notice."""
