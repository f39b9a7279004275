"""The parameters of a family: what no game can have is refused when the chapter's `play.py` is loaded."""


class ParameterError(ValueError):
    """A parameter that no game of the family can have; the registry adds the file."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key  # "deck", "bonuses['trips'].rows"
        self.problem = problem  # the value met, and what is allowed
