"""The checklist page of a draft: showing it, saving it as it is typed, taking its files.

One address takes the whole form, from htmx on every change and from a plain submit alike; what htmx gets
back are the parts that changed. `?group=N` is the checklist of a group of tables. Not here: making groups (`grouping`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from games.rules.model import Answer, Answers, Chapter
from games.rules.registry import chapter as chapter_of
from submissions import analysis
from submissions.access import may
from submissions.actions import drafts, groups, uploads
from submissions.errors import Conflict, Refusal
from submissions.models import Attachment, Configuration, Decision, Person, Status, Submission
from submissions.story import history
from submissions.talks import Talks, talks
from submissions.web import asking, fields, grouping, saving
from submissions.web.guard import is_prepared_by, submission_of
from submissions.web.lines import Checklist, Line, checklist
from submissions.web.receiving import oversize


@require_POST
def start(request: HttpRequest, number: str) -> HttpResponse:
    return redirect("checklist", drafts.start(cast(Person, request.user), number).number)


def page(request: HttpRequest, number: str) -> HttpResponse:
    submission = submission_of(request, number)
    if request.method == "POST":
        return _save(request, submission)
    if not is_prepared_by(request, submission):
        return redirect("submission", number)
    draft = _draft(request, submission)
    return _show(request, draft, draft.checklist(draft.row.answers))


def figures(request: HttpRequest, number: str, key: str) -> HttpResponse:
    """The figures of one line's paytables or house ways; asked for again until they are computed."""
    submission = submission_of(request, number)
    if not is_prepared_by(request, submission):
        raise Http404("The answers of this submission are not being prepared.")
    draft = _draft(request, submission)
    line = draft.checklist(draft.row.answers).lines.get(key)
    if line is None or not (line.tables or line.ways):
        raise Http404("This line has no paytables.")
    context = {"line": line, "submission": submission, "tables": line.tables, "oob_ways": True}
    return render(request, "parts/figures.html" if line.tables else "parts/holds_of_ways.html", context)


def _save(request: HttpRequest, submission: Submission) -> HttpResponse:
    person = cast(Person, request.user)
    chapter, group = chapter_of(submission.chapter), grouping.position_in(request.GET.get("group"))
    typed, seen = fields.posted(chapter, request.POST), fields.seen(chapter, request.POST)
    chosen = _resolve(request, chapter, typed, seen)
    try:
        outcome = saving.save(person, submission, typed, seen, group=group)
    except Conflict as gone:
        if request.htmx:  # type: ignore[attr-defined]
            return render(request, "parts/saved.html", {"gone": gone, "oob": True}, status=gone.status)
        raise
    if request.htmx:  # type: ignore[attr-defined]
        return _changes(request, submission, typed, seen, outcome)
    target = _take_file(request, submission, group, outcome) or _set_back(request, submission, group, outcome) or chosen
    target = asking.take_answer(request, submission, outcome.refusals) or target
    if outcome.unsaved:
        draft = _draft(request, submission)
        shown = draft.checklist(outcome.answers, outcome, typed)
        return _show(request, draft, shown, status=409 if outcome.clashes else 400)
    if "continue" in request.POST:
        return redirect("file", submission.number)
    return HttpResponseRedirect(grouping.address(submission, group, target))


def _set_back(request: HttpRequest, submission: Submission, group: int, outcome: saving.Outcome) -> str:
    """Answer the line whose button was pressed as all other tables have it; "" if none was."""
    key = request.POST.get("set-back", "")
    if not group or key not in {option.key for option in chapter_of(submission.chapter).options}:
        return ""
    try:
        outcome.answers = groups.set_back(cast(Person, request.user), submission, group, key).answers
    except Refusal as refusal:
        outcome.refusals[key] = refusal
    return key


def _resolve(request: HttpRequest, chapter: Chapter, typed: dict[str, Answer], seen: dict[str, Answer]) -> str:
    """The line whose two answers were just decided upon; "mine" goes in as if theirs had been seen."""
    key, _, choice = request.POST.get("resolve", "").partition(":")
    if key not in {option.key for option in chapter.options}:
        return ""
    seen[key] = fields.remembered(request.POST.get(f"theirs-{key}", "null"))
    typed[key] = fields.remembered(request.POST.get(f"mine-{key}", "null")) if choice == "mine" else seen[key]
    return key


def _take_file(request: HttpRequest, submission: Submission, group: int, outcome: saving.Outcome) -> str:
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
            person = cast(Person, request.user)
            uploads.attach(person, submission, key, file.name or "", file.read(), configuration=group)
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
    draft = _draft(request, submission)
    before = draft.checklist({**outcome.answers, **seen})
    after = draft.checklist(outcome.answers, outcome, typed)
    whole: list[Line] = []
    findings: list[Line] = []
    for key, line in after.lines.items():
        shown = typed.get(key, seen.get(key))
        by_others = key in seen and key not in outcome.unsaved and shown != outcome.answers.get(key)
        if by_others and line.option.kind != "attachment":
            line = replace(line, notice=_by_whom(submission, key, draft.row.position))
        earlier = before.lines[key]
        if line.notice or line.clash or (line.asked, line.closed) != (earlier.asked, earlier.closed):
            whole.append(line)
        elif line.refusal or line.findings != earlier.findings or key in outcome.changed:
            findings.append(line)
    context: dict[str, object] = {
        "whole": whole,
        "findings": findings,
        "changed": outcome.changed,
        "unsaved": outcome.unsaved,
    }
    return _render(request, "parts/changes.html", draft, after, context)


def _by_whom(submission: Submission, key: str, group: int) -> str:
    event = saving.last_change(submission, key, group)
    return f"Changed by {event.actor.name} just now." if event and event.actor else "Changed by somebody else just now."


@dataclass(frozen=True, slots=True)
class Draft:
    """The configuration that a page is about, among those of its submission."""

    submission: Submission
    row: Configuration
    rows: list[Configuration]
    said: Talks
    sent: Mapping[str, str]  # by the page's form

    def checklist(
        self, answers: Answers, outcome: saving.Outcome | None = None, typed: Answers | None = None
    ) -> Checklist:
        chapter = chapter_of(self.submission.chapter)
        first = self.rows[0].answers if self.row.position else None
        figures = analysis.of_every_paytable(chapter)
        shown = checklist(chapter, answers, figures, self._files(answers), outcome, typed, first)
        if self.submission.status != Status.RETURNED:
            return shown
        return asking.marked(shown, self.submission, self.row, answers, self.said, self.sent)

    def _files(self, answers: Answers) -> dict[str, Attachment]:
        """The file that each line names: groups may name several for one line."""
        files = {
            (file.option, file.stored_id): file
            for file in self.submission.attachments.select_related("stored", "uploaded_by")
        }
        named = {key: answer["sha256"] for key, answer in answers.items() if isinstance(answer, Mapping)}
        return {key: files[key, str(sha256)] for key, sha256 in named.items() if (key, sha256) in files}


def _draft(request: HttpRequest, submission: Submission) -> Draft:
    """The configuration at `?group=`; 404 where there is none, or none any more."""
    position, rows = grouping.position_in(request.GET.get("group")), list(submission.configurations.all())
    row = next((one for one in rows if one.position == position), None)
    if row is None:
        raise Http404("There is no such group of tables, or it is no more.")
    said = talks(cast(Person, request.user), submission)
    return Draft(submission, row, rows, said, request.POST.dict())


def _show(request: HttpRequest, draft: Draft, shown: Checklist, status: int = 200) -> HttpResponse:
    questions = Decision.objects.filter(revision__submission=draft.submission, kind=Decision.Kind.RETURN)
    context: dict[str, object] = {
        "returned": questions.select_related("by").last(),
        "tabs": grouping.tabs(shown.chapter, draft.rows),
        "may_group": grouping.may_group(request, draft.submission),
        "history": history(draft.submission, request.user),
    }
    return _render(request, "pages/checklist.html", draft, shown, context, status)


def _render(
    request: HttpRequest,
    template: str,
    draft: Draft,
    shown: Checklist,
    context: dict[str, object],
    status: int = 200,
) -> HttpResponse:
    context |= {
        "submission": draft.submission,
        "group": draft.row if draft.row.position else None,
        "address": grouping.address(draft.submission, draft.row.position),
        "chapter": shown.chapter,
        "checklist": shown,
        "talks": draft.said,
        "may_edit": may(request.user, "edit", draft.submission),
        "here": "home",
    }
    return render(request, template, context, status=status)
