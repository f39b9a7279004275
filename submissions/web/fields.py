"""From what a form posts to answers, and from answers to what an input shows.

What makes no sense for a line's kind is kept as typed: judging says what is wrong, and nothing is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from django.http import QueryDict

from games.rules.model import Answer, Chapter, Option

ANSWER, SEEN = "answer-", "seen-"
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_AROUND = str.maketrans("", "", "$,% \N{NO-BREAK SPACE}")


def posted(chapter: Chapter, form: QueryDict) -> dict[str, Answer]:
    """The answers in the form; a line that it does not contain is not there."""
    return {
        option.key: read(option, str(form[ANSWER + option.key]))
        for option in chapter.options
        if option.kind != "attachment" and ANSWER + option.key in form
    }


def seen(chapter: Chapter, form: QueryDict) -> dict[str, Answer]:
    """What this page last knew to be stored, line by line. What cannot be read counts as never seen."""
    return {
        option.key: remembered(str(form[SEEN + option.key])) for option in chapter.options if SEEN + option.key in form
    }


def read(option: Option, text: str) -> Answer:
    """One answer in the shape its kind is stored in."""
    text = text.replace("\r\n", "\n").strip()
    if not text:
        return None
    if option.kind == "yes_no":
        return {"yes": True, "no": False}.get(text, text)
    if option.kind == "count":
        return int(text) if _WHOLE.fullmatch(text) else text
    if option.kind in ("money", "percent"):
        return _decimal(text)
    return text


def shown(answer: Answer) -> str:
    """The answer as the value of an input."""
    if answer is None or isinstance(answer, Mapping):
        return ""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer)


def remember(answer: Answer) -> str:
    """The answer as a hidden field carries it."""
    return json.dumps(answer, sort_keys=True)


def remembered(text: str) -> Answer:
    """The answer that a hidden field carried; what cannot be read counts as none."""
    try:
        answer: Answer = json.loads(text)
    except (ValueError, RecursionError):  # nested beyond reason by whoever forged it
        return None
    return answer


def _decimal(text: str) -> str:
    bare = text.translate(_AROUND)
    try:
        return bare if Decimal(bare).is_finite() else text
    except InvalidOperation:
        return text
