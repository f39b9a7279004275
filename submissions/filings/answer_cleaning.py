"""Answers in the form in which they are stored. What no checklist can contain is refused: unknown lines, control
characters, files, values of a type that no line takes. Whether an answer is allowed, the findings say.
"""

from games.rules.answers import wrong_type
from games.rules.model import Answer, Answers, Chapter, Option
from submissions.core.errors import Refusal
from submissions.core.text_cleaning import clean_text, refuse_endless_number

NUMBERS = ("count", "money", "percent")  # the kinds of line that take a number


def clean_answers(chapter: Chapter, changes: Answers) -> tuple[dict[str, Answer], dict[str, Refusal]]:
    """The answers in the form that is stored, and the refusals of those that cannot be."""
    cleaned: dict[str, Answer] = {}
    refusals: dict[str, Refusal] = {}
    for key, answer in changes.items():
        try:
            cleaned[key] = _clean(_line(chapter, key), answer)
        except Refusal as refusal:
            refusals[key] = refusal
    return cleaned, refusals


def _line(chapter: Chapter, key: str) -> Option:
    try:
        option = chapter.option(key)
    except StopIteration:
        raise Refusal("unknown-line/answer", option=key, number=chapter.number, name=key) from None
    if option.kind == "attachment":
        raise Refusal("file-expected", option=key, question=option.question)
    return option


def _clean(option: Option, answer: Answer) -> Answer:
    """The answer in the form that is stored; `Refusal` if it cannot be stored."""
    where = f"“{option.question}”"
    if answer is None or isinstance(answer, bool):
        return answer
    if not isinstance(answer, str | int):  # 1.5, for example: in the words of the finding on the same text
        fault = wrong_type(option, answer)
        raise Refusal("answer-shape", fault.message, fix=fault.fix, option=option.key, citation=option.citation)
    if option.kind in NUMBERS or isinstance(answer, int):
        refuse_endless_number(answer, where, option=option.key)
    if isinstance(answer, int):
        return answer
    return clean_text(answer, where, option=option.key, citation=option.citation) or None
