"""What a form of the checklist posts: the answers, and what the page last knew of them."""

from __future__ import annotations

import json

from django.http import QueryDict

from games.rules.model import Answer, Chapter
from submissions.typed import read

ANSWER, SEEN = "answer-", "seen-"


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
