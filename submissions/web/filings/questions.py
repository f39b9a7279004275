"""The Board's questions on the checklist: beside their lines with the old answer, and answered from there.

Not here: the same questions on the submission's page (`talks`, `remarks`); what stays closed
(`filings.editable_lines`).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from django.contrib import messages
from django.http import HttpRequest

from games.rules.model import Answers
from submissions.core.errors import Refusal
from submissions.filings import questions
from submissions.filings.editable_lines import locked_lines, open_questions
from submissions.models import Configuration, Person, Remark, Submission
from submissions.permissions import remarks_visible_to
from submissions.review.threads import Threads
from submissions.web.filings.checklist_lines import Checklist

REPLY = "reply-"  # and the remark's number: the words of an answer that is being typed
ANSWER_SAVED = {"answered": "Your answer was kept.", "disputed": "Your dispute was kept."}


def mark_questions(
    shown: Checklist,
    submission: Submission,
    row: Configuration,
    answers: Answers,
    said: Threads,
    typed: Mapping[str, str],
) -> Checklist:
    """The page's lines, those that stay as filed closed, and those that are asked about with their questions."""
    closed = locked_lines(submission, row.position, answers)
    asked = [replace(one, typed=typed.get(f"{REPLY}{one.remark.pk}", "")) for one in said.questions]
    lines = {
        key: replace(
            line,
            closed=key in closed,
            questions=tuple(one for one in asked if (one.position, one.remark.option) == (row.position, key)),
        )
        for key, line in shown.lines.items()
    }
    return replace(shown, lines=lines)


def take_answer(request: HttpRequest, submission: Submission, refusals: dict[str, Refusal]) -> str:
    """Answer the question whose button was pressed (`answer`: its number and how); its line, "" if none was."""
    number, _, kind = request.POST.get("answer", "").partition(":")
    if not number.isascii() or not number.isdigit() or kind not in ANSWER_SAVED:
        return ""
    remark: Remark | None = remarks_visible_to(request.user, submission).filter(pk=int(number[:18])).first()
    if remark is None or not remark.option:
        return ""
    text = request.POST.get(f"{REPLY}{number}", "")
    try:
        questions.answer_question(cast(Person, request.user), remark, kind=kind, text=text)
    except Refusal as refusal:
        refusals[remark.option] = refusal
    else:
        left = open_questions(submission).filter(state=Remark.State.OPEN).count()
        rest = f"{left} question{'s' if left > 1 else ''} to go." if left else "That was the last: file it again."
        messages.success(request, f"{ANSWER_SAVED[kind]} {rest}")
    return remark.option
