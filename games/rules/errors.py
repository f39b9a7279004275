"""What the loader says when a chapter's data is not right. Not here: findings on answers (`model.Finding`)."""


class RuleError(Exception):
    """A fault in a data file: which file, which table and key in it, what was met and what is allowed."""

    def __init__(self, file: str, where: str, problem: str) -> None:
        super().__init__(f"{file}: {where}: {problem}")
        self.file = file
        self.where = where
        self.problem = problem
