"""Names of players, as the lobby offers them."""

NAMES = (
    "Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Leo", "Mia",
    "Nils", "Ole", "Pia", "Rosa", "Sam", "Tom", "Uta", "Vera", "Willi", "Zoe",
)  # fmt: skip
"""Names to choose from by tilting."""
