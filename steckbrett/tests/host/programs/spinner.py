"""A module beside a program: it waits for a flag, and for nothing else."""

flag = []


def wait():
    while not flag:
        pass
