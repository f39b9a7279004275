"""The checklist page of a draft: showing it, saving it as it is typed, taking its files.

One address takes the whole form, from htmx on every change and from a plain submit alike; what htmx gets
back are the parts that changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.rules.model import Answer, Answers, Chapter
from games.rules.registry import chapter as chapter_of
from submissions import analysis
from submissions.access import may
from submissions.actions import drafts, uploads
from submissions.errors import Refusal
from submissions.models import Attachment, Decision, Person, Submission
from submissions.web import fields, saving
from submissions.web.guard import is_prepared_by, submission_of
from submissions.web.lines import Checklist, Line, checklist
from submissions.web.receiving import oversize
from submissions.web.story import history


@require_POST
def start(request: HttpRequest, number: str) -> HttpResponse:
    return redirect("checklist", drafts.start(cast(Person, request.user), number).number)


def page(request: HttpRequest, number: str) -> HttpResponse:
    submission = submission_of(request, number)
    if request.method == "POST":
        return _save(request, submission)
    if not is_prepared_by(request, submission):
        return redirect("submission", number)
    return _show(request, submission, _checklist(submission, _stored(submission)))


def figures(request: HttpRequest, number: str, key: str) -> HttpResponse:
    """The figures of one line's paytables or house ways; asked for again until they are computed."""
    submission = submission_of(request, number)
    if not is_prepared_by(request, submission):
        raise Http404("The answers of this submission are not being prepared.")
    line = _checklist(submission, _stored(submission)).lines.get(key)
    if line is None or not (line.tables or line.ways):
        raise Http404("This line has no paytables.")
    context = {"line": line, "submission": submission, "tables": line.tables, "oob_ways": True}
    return render(request, "parts/figures.html" if line.tables else "parts/holds_of_ways.html", context)


def _save(request: HttpRequest, submission: Submission) -> HttpResponse:
    person = cast(Person, request.user)
    chapter = chapter_of(submission.chapter)
    typed, seen = fields.posted(chapter, request.POST), fields.seen(chapter, request.POST)
    chosen = _resolve(request, chapter, typed, seen)
    outcome = saving.save(person, submission, typed, seen)
    if request.htmx:  # type: ignore[attr-defined]
        return _changes(request, submission, typed, seen, outcome)
    target = _take_file(request, submission, outcome) or chosen
    if outcome.unsaved:
        shown = _checklist(submission, outcome.answers, outcome, typed)
        return _show(request, submission, shown, status=409 if outcome.clashes else 400)
    if "continue" in request.POST:
        return redirect("file", submission.number)
    return HttpResponseRedirect(reverse("checklist", args=[submission.number]) + (f"#line-{target}" if target else ""))


def _resolve(request: HttpRequest, chapter: Chapter, typed: dict[str, Answer], seen: dict[str, Answer]) -> str:
    """The line whose two answers were just decided upon; "mine" goes in as if theirs had been seen."""
    key, _, choice = request.POST.get("resolve", "").partition(":")
    if key not in {option.key for option in chapter.options}:
        return ""
    seen[key] = fields.remembered(request.POST.get(f"theirs-{key}", "null"))
    typed[key] = fields.remembered(request.POST.get(f"mine-{key}", "null")) if choice == "mine" else seen[key]
    return key


def _take_file(request: HttpRequest, submission: Submission, outcome: saving.Outcome) -> str:
    """Attach every file that came with the form; the first one's line, "" if there was none."""
    for field, name in oversize(request):
        key = field.removeprefix("file-")
        try:
            uploads.check_size(name, int(request.META.get("CONTENT_LENGTH") or 0))
        except Refusal as refusal:
            outcome.refusals[key] = refusal
    target = ""
    for field, received in request.FILES.items():
        key, file = field.removeprefix("file-"), cast("UploadedFile[bytes]", received)
        try:
            uploads.attach(cast(Person, request.user), submission, key, file.name or "", file.read())
        except Refusal as refusal:
            outcome.refusals[key] = refusal
            continue
        messages.success(request, f"“{file.name}” was checked and stored.")
        target = target or key
    return target


def _changes(
    request: HttpRequest, submission: Submission, typed: Answers, seen: Answers, outcome: saving.Outcome
) -> HttpResponse:
    """Only what the page does not show yet: lines that appear, disappear, clash or were changed by others."""
    before = _checklist(submission, {**outcome.answers, **seen})
    after = _checklist(submission, outcome.answers, outcome, typed)
    whole: list[Line] = []
    findings: list[Line] = []
    for key, line in after.lines.items():
        shown = typed.get(key, seen.get(key))
        by_others = key in seen and key not in outcome.unsaved and shown != outcome.answers.get(key)
        if by_others and line.option.kind != "attachment":
            line = replace(line, notice=_by_whom(submission, key))
        if line.notice or line.clash or line.asked != before.lines[key].asked:
            whole.append(line)
        elif line.refusal or line.findings != before.lines[key].findings or key in outcome.changed:
            findings.append(line)
    context: dict[str, object] = {
        "whole": whole,
        "findings": findings,
        "changed": outcome.changed,
        "unsaved": outcome.unsaved,
    }
    return _render(request, "parts/changes.html", submission, after, context)


def _by_whom(submission: Submission, key: str) -> str:
    event = saving.last_change(submission, key)
    return f"Changed by {event.actor.name} just now." if event and event.actor else "Changed by somebody else just now."


def _stored(submission: Submission) -> Answers:
    answers: Answers = submission.configurations.get(position=0).answers
    return answers


def _checklist(
    submission: Submission, answers: Answers, outcome: saving.Outcome | None = None, typed: Answers | None = None
) -> Checklist:
    chapter = chapter_of(submission.chapter)
    attachments: dict[str, Attachment] = {}
    for attachment in submission.attachments.select_related("stored", "uploaded_by"):
        attachments.setdefault(attachment.option, attachment)
    return checklist(chapter, answers, analysis.of_every_paytable(chapter), attachments, outcome, typed)


def _show(request: HttpRequest, submission: Submission, shown: Checklist, status: int = 200) -> HttpResponse:
    questions = Decision.objects.filter(revision__submission=submission, kind=Decision.Kind.RETURN)
    context: dict[str, object] = {
        "returned": questions.select_related("by").last(),
        "history": history(submission, request.user),
    }
    return _render(request, "pages/checklist.html", submission, shown, context, status)


def _render(
    request: HttpRequest,
    template: str,
    submission: Submission,
    shown: Checklist,
    context: dict[str, object],
    status: int = 200,
) -> HttpResponse:
    context |= {
        "submission": submission,
        "chapter": shown.chapter,
        "checklist": shown,
        "may_edit": may(request.user, "edit", submission),
        "here": "home",
    }
    return render(request, template, context, status=status)
