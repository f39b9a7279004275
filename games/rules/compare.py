"""What differs between two configurations of a chapter, line by line, in words."""

from dataclasses import dataclass

from games.rules.model import Answers, Chapter
from games.rules.phrases import in_words

__all__ = ["Difference", "differences", "in_words"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One line that is answered differently: its key, citation and question, and both answers in words."""

    option: str
    citation: str
    question: str
    before: str
    after: str


def differences(chapter: Chapter, before: Answers, after: Answers) -> tuple[Difference, ...]:
    """The lines answered differently, in the form's order, then answers to lines that are no more."""
    changes = [
        Difference(
            option.key,
            option.citation,
            option.question,
            in_words(chapter, option, before.get(option.key)),
            in_words(chapter, option, after.get(option.key)),
        )
        for option in chapter.options
        if before.get(option.key) != after.get(option.key)
    ]
    known = {option.key for option in chapter.options}
    for key in sorted((before.keys() | after.keys()) - known):
        if before.get(key) != after.get(key):
            changes.append(Difference(key, "", f"{key} (no longer asked)", str(before.get(key)), str(after.get(key))))
    return tuple(changes)
