"""Parsing what was entered in a form field or spreadsheet cell into the answer that is stored, and formatting it back.
Input that makes no sense for the kind of line is stored as entered: the findings report what is wrong, and no input is
lost.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from games.rules.model import Answer, Chapter, Option
from submissions.core.thousands import WITH_THOUSANDS

ANSWER, SEEN = "answer-", "seen-"  # the fields of a form: what was entered; what the page last knew to be stored
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_AROUND = str.maketrans("", "", "$% \N{NO-BREAK SPACE}")


def parse_answer(option: Option, text: str) -> Answer:
    """One answer in the shape its kind is stored in."""
    text = text.replace("\r\n", "\n").strip()
    if not text:
        return None
    if option.kind == "yes_no":
        return {"yes": True, "no": False}.get(text.casefold(), text)
    if option.kind == "choice":
        return next((choice.value for choice in option.choices if text == choice.label), text)
    if option.kind == "count":
        return int(text) if _WHOLE.fullmatch(text) else text
    if option.kind in ("money", "percent"):
        return _decimal(text)
    return text


def format_answer(answer: Answer) -> str:
    """The answer as the value of an input."""
    if answer is None or isinstance(answer, Mapping):
        return ""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer)


def posted_answers(chapter: Chapter, form: Mapping[str, str]) -> dict[str, Answer]:
    """The answers in the form; a line that it does not contain is not there."""
    return {
        option.key: parse_answer(option, form[ANSWER + option.key])
        for option in chapter.options
        if option.kind != "attachment" and ANSWER + option.key in form
    }


def seen_answers(chapter: Chapter, form: Mapping[str, str]) -> dict[str, Answer]:
    """What this page last knew to be stored, line by line. What cannot be read counts as never seen."""
    return {
        option.key: deserialize_answer(form[SEEN + option.key])
        for option in chapter.options
        if SEEN + option.key in form
    }


def serialize_answer(answer: Answer) -> str:
    """The answer as a hidden field carries it."""
    return json.dumps(answer, sort_keys=True)


def deserialize_answer(text: str) -> Answer:
    """The answer that a hidden field carried; what cannot be read counts as none."""
    try:
        answer: Answer = json.loads(text)
    except (ValueError, RecursionError):  # nested beyond reason: the form was forged
        return None
    return answer


def _decimal(text: str) -> str:
    bare = text.translate(_AROUND)
    if WITH_THOUSANDS.fullmatch(bare):  # "1,00" stays as it is: both 100 and 1.00 would be a guess
        bare = bare.replace(",", "")
    try:
        return bare if Decimal(bare).is_finite() else text
    except InvalidOperation:
        return text
