"""The worths of throws in `maxen`, `chicago` and `sevens`, from the rule book alone."""

from itertools import combinations


def rank_in_maxen(dice):
    """M-1, best first: General, Max, Pasch, Strasse, Schiet."""
    high, middle, low = sorted(dice, reverse=True)
    if dice.count(1) == 3:
        return (5, 0)
    if dice.count(1) == 2:
        return (4, high)
    if high == low:
        return (3, 0)
    if (high, middle) == (low + 2, low + 1):
        return (2, 0)
    return (1, int(f"{high}{middle}{low}"))


def worth_in_maxen(dice):
    place, number = rank_in_maxen(dice)
    return {4: number, 3: 3, 2: 2, 1: 1}[place]


def sum_in_chicago(dice):
    return sum({1: 100, 6: 60}.get(die, die) for die in dice)


def left_in_sevens(dice, any_number):
    """Return the least rest of a throw of sevens, by trying everything."""
    sizes = range(1, len(dice) + 1) if any_number else (2,)
    left = sum(dice)
    for size in sizes:
        for group in combinations(range(len(dice)), size):
            if sum(dice[place] for place in group) == 7:
                rest = [die for place, die in enumerate(dice) if place not in group]
                left = min(left, left_in_sevens(rest, any_number))
    return left
