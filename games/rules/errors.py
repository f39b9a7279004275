"""Errors of a chapter: data that the loader refuses, parameters that no game of a family can have.

Not here: findings on answers (`model.Finding`).
"""


class RuleError(Exception):
    """A fault in a data file: which file, which table and key in it, what was met and what is allowed."""

    def __init__(self, file: str, where: str, problem: str) -> None:
        super().__init__(f"{file}: {where}: {problem}")
        self.file = file
        self.where = where
        self.problem = problem


class ParameterError(ValueError):
    """A parameter that no game of the family can have; the registry adds the file."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key = key  # "deck", "bonuses['trips'].rows"
        self.problem = problem  # the value met, and what is allowed
