"""Answers in words, for pages, documents and messages."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from games.rules.model import Answer, Answers, Chapter, Option

NOT_ANSWERED = "not answered"


def in_words(chapter: Chapter, option: Option | str, answer: Answer) -> str:
    """The answer as a reader would say it: Yes, $50,000.00, the label of a choice, the name of a file."""
    line = chapter.option(option) if isinstance(option, str) else option
    if answer is None or answer == "":
        return NOT_ANSWERED
    if isinstance(answer, bool):
        return "Yes" if answer else "No"
    if isinstance(answer, Mapping):
        return f"{answer.get('name', 'attachment')} ({_size(answer.get('size'))})"
    if line.kind == "choice":
        return next((choice.label for choice in line.choices if choice.value == answer), str(answer))
    if line.kind == "money":
        return _dollars(str(answer))
    return f"{answer} %" if line.kind == "percent" else str(answer)


def with_required_parts(chapter: Chapter, key: str) -> str:
    """A wager with the parts that every player must make too: “Ante, Blind and Raise Wagers”."""
    parts = [part.name for part in chapter.wagers if part.part_of == key and part.required]
    names = [chapter.wager(key).name, *parts]
    if len(names) == 1 or not all(name.endswith(" Wager") for name in names):
        return names[0]
    *most, last = (name.removesuffix(" Wager") for name in names)
    return f"{', '.join(most)} and {last} Wagers"


def _dollars(answer: str) -> str:
    """`$50,000.00`; a draft may contain what is no amount yet, which is shown unchanged."""
    try:
        return f"${Decimal(answer):,.2f}"
    except InvalidOperation:
        return answer


def _size(size: str | int | None) -> str:
    if not isinstance(size, int):
        return "size unknown"
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{max(1, round(size / 1000))} kB"


class Filled(dict[str, object]):
    """What fills the braces of a message: the words of a check, and any option's answer by its key."""

    def __init__(self, chapter: Chapter, answers: Answers, words: Mapping[str, object] | None = None) -> None:
        super().__init__(words or {})
        self._chapter = chapter
        self._answers = answers

    def __missing__(self, key: str) -> str:
        return in_words(self._chapter, key, self._answers.get(key))
