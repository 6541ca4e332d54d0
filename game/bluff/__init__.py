"""The engine of the bluff games: one cup with two dice that travels round the table."""
