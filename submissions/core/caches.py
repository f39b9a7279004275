"""Results that a process remembers: of a chapter and answers alone, and the rows of a table that only grows."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar

from games.rules.model import Answers, Chapter
from submissions.core.digests import canonical_json

REMEMBERED = 1_000  # results of each function: some kilobytes each
Result = TypeVar("Result")


class _Given:
    """Chapter and answers as a key. The chapter is the same object as long as nothing of it changes."""

    __slots__ = ("answers", "chapter", "written")

    def __init__(self, chapter: Chapter, answers: Answers) -> None:
        self.chapter, self.answers, self.written = chapter, answers, canonical_json(answers)

    def __hash__(self) -> int:
        return hash((id(self.chapter), self.written))

    def __eq__(self, key: object) -> bool:
        return isinstance(key, _Given) and self.chapter is key.chapter and self.written == key.written


def remembered(function: Callable[[Chapter, Answers], Result]) -> Callable[[Chapter, Answers], Result]:
    """Return the function, whose results nobody may change. What it raises is not remembered."""

    @lru_cache(maxsize=REMEMBERED)
    def work_out(given: _Given) -> Result:
        return function(given.chapter, given.answers)

    @wraps(function)
    def recall(chapter: Chapter, answers: Answers) -> Result:
        return work_out(_Given(chapter, answers))

    return recall


RowsSeen = tuple[int, tuple[Any, ...] | None]


def rows_seen(model: Any, *moments: str) -> RowsSeen:
    """Return the number of rows, and key and fields of the latest, before which an earlier one may be seen later."""
    latest = model.objects.order_by("-pk").values_list("pk", *moments).first()
    return (model.objects.order_by().count(), latest)
