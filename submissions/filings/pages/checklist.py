"""The checklist page of a draft: showing it, saving it as it is typed, and a button for each further step.

Each button has an address of its own. All of them save the form first: every answer and file in it, so that nothing
entered is lost. htmx saves on every change and gets back the parts that changed. `?group=N` is the checklist of a table
group. Not here: groups (`table_groups`), one line on the page (`checklist_lines`), locked lines (`filings.questions`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.rules.evaluate import unused
from games.rules.model import Answers, Chapter, Judgment
from submissions.audit.timeline import LastChange, last_changes, timeline
from submissions.core.dates import date_text
from submissions.core.errors import Busy, Conflict, Refusal
from submissions.core.parameters import day_of
from submissions.core.text import counted
from submissions.filings import answer_values, drafts, questions
from submissions.filings import attachments as uploads
from submissions.filings.evidence import computations
from submissions.filings.handover import write_line_comment
from submissions.filings.hold_findings import with_hold_findings
from submissions.filings.judging import judge_draft
from submissions.filings.pages import table_groups
from submissions.filings.pages.changed_rules import planned_changes
from submissions.filings.pages.checklist_lines import (
    Checklist,
    ChecklistLine,
    build_checklist,
    clash_view,
    line_findings,
    shown_keys,
)
from submissions.filings.planned_day import plan_effective_day
from submissions.filings.questions import locked_lines, open_questions
from submissions.filings.review.comments import Threads, load_threads
from submissions.filings.snapshot import named_files
from submissions.filings.table_groups import reset_line
from submissions.models import Configuration, Decision, LineComment, Remark, Submission
from submissions.permissions import line_comments_visible_to, may, remarks_visible_to
from submissions.rules import draft_chapter, linked_day, rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.forms import ANY_ENTRY, is_about_entries
from submissions.web.responses import render_page, retry_later
from submissions.web.upload_handler import oversize

COMMENT = "comment-"  # and the line's key: the text that is being typed
REPLY = "reply-"  # and the remark's number: the words of an answer that is being typed
ANSWER_SAVED = {"answered": "Your answer was saved.", "disputed": "Your dispute was saved."}


@dataclass(frozen=True, slots=True)
class ChecklistDraft:
    """The configuration that a page is about, among those of its submission."""

    request: HttpRequest
    submission: Submission
    chapter: Chapter
    row: Configuration
    rows: list[Configuration]
    threads: Threads
    changes: Mapping[str, LastChange]  # the last one of each line
    comments: tuple[LineComment, ...]  # among people of the licensee

    def judge(self, answers: Answers) -> Judgment:
        """Return the verdict on the configuration with these answers, as filing judges it."""
        judgment = judge_draft(self.chapter, self.row, self.rows, answers)
        return with_hold_findings(self.chapter, judgment, answers, computations.figures_of(self.chapter, answers))

    def locked_lines(self, answers: Answers) -> frozenset[str]:
        """Return the lines that stay as filed with these answers."""
        return locked_lines(self.chapter, self.submission, self.row.position, answers)

    def checklist(self) -> Checklist:
        """Return the page's lines, with texts that were sent and not saved."""
        answers, position, sent = self.row.answers, self.row.position, self.request.POST
        files = self.submission.attachments.select_related("stored", "uploaded_by")
        shown = build_checklist(
            self.chapter,
            answers,
            self.judge(answers),
            computations.figures_of(self.chapter, answers),
            {file.option: file for file in named_files(files, [answers])},
            first=self.rows[0].answers if position else None,
            changes=self.changes,
        )
        locked = self.locked_lines(answers)
        questions = [
            replace(thread, unsaved_text=sent.get(f"{REPLY}{thread.remark.pk}", ""))
            for thread in self.threads.questions
            if thread.position == position
        ]
        lines = {
            key: replace(
                line,
                closed=key in locked,
                questions=tuple(thread for thread in questions if thread.remark.option == key),
                comments=tuple(each for each in self.comments if each.option == key),
                unsaved_comment=sent.get(f"{COMMENT}{key}", ""),
            )
            for key, line in shown.lines.items()
        }
        return replace(shown, lines=lines)


def load_draft(request: HttpRequest, submission: Submission, chapter: Chapter) -> ChecklistDraft:
    """Return the configuration at `?group=`; 404 where there is none, or none any more."""
    position, rows = table_groups.position_in(request.GET.get("group")), list(submission.configurations.all())
    row = next((row for row in rows if row.position == position), None)
    if row is None:
        raise Http404("This table group does not exist. It may have been removed.")
    person = person_of(request)
    comments = tuple(line_comments_visible_to(person, submission).filter(position=position))
    threads, changes = load_threads(person, submission), last_changes(submission, position)
    return ChecklistDraft(request, submission, chapter, row, rows, threads, changes, comments)


class ChecklistForm:
    """A form that the page sent, and its result."""

    def __init__(self, request: HttpRequest, number: str) -> None:
        self.request, self.submission = request, submission_of(request, number)
        self.chapter = draft_chapter(self.submission)
        self.group = table_groups.position_in(request.GET.get("group"))
        self.entered = answer_values.posted_answers(self.chapter, request.POST)
        self.seen = answer_values.seen_answers(self.chapter, request.POST)

    def save(self) -> None:
        """Save the answers, then the files: an answer or a file that is refused does not hold up the others."""
        person = person_of(self.request)
        changes = {key: answer for key, answer in self.entered.items() if answer != self.seen.get(key)}
        self.result = drafts.save_answers(person, self.submission, changes, seen=self.seen, configuration=self.group)
        self.refusals, self.first_file = dict(self.result.refusals), ""
        if not self.request.htmx:  # type: ignore[attr-defined]  # it saves while a person types, chosen files included
            self._take_files()

    def _take_files(self) -> None:
        for field, name in oversize(self.request):
            with self.refused_at(field.removeprefix("file-")):
                uploads.check_size(name, int(self.request.META.get("CONTENT_LENGTH") or 0))
        for field, received in self.request.FILES.items():
            key, file = field.removeprefix("file-"), cast("UploadedFile[bytes]", received)
            with self.refused_at(key):
                name, content = file.name or "", file.read()
                uploads.attach_file(
                    person_of(self.request), self.submission, key, name, content, configuration=self.group
                )
                messages.success(self.request, f"“{name}” was checked and stored.")
                self.first_file = self.first_file or key

    @contextmanager
    def refused_at(self, key: str) -> Iterator[None]:
        """Note a refusal at the line that it is about."""
        try:
            yield
        except Refusal as refusal:
            self.refusals[key] = refusal

    def next_page(self, line: str = "", address: str = "") -> HttpResponse:
        """Go to the line or to another page; after a refusal, show the page with what could not be saved."""
        if not (self.result.clashes or self.refusals):
            return HttpResponseRedirect(address or table_groups.checklist_address(self.submission, self.group, line))
        draft = load_draft(self.request, self.submission, self.chapter)
        shown = self._checklist(draft)
        response = _show(draft, shown, faults={f"line-{key}": refusal for key, refusal in self.refusals.items()})
        response.status_code = 409 if self.result.clashes else 400
        busy = next((refusal for refusal in self.refusals.values() if isinstance(refusal, Busy)), None)
        return retry_later(response, busy) if busy and not self.result.clashes else response

    def changed_parts(self) -> HttpResponse:
        """Render what the page does not show yet: lines that appear, disappear, clash or were changed by others."""
        draft, result = load_draft(self.request, self.submission, self.chapter), self.result
        after = self._checklist(draft)
        answers, answers_before = draft.row.answers, {**draft.row.answers, **self.seen}
        before, locked_before = draft.judge(answers_before), draft.locked_lines(answers_before)
        shown_before = shown_keys(before, answers_before)
        whole: list[ChecklistLine] = []
        findings: list[ChecklistLine] = []
        for key, line in after.lines.items():
            shown = self.entered.get(key, self.seen.get(key))
            by_others = key in self.seen and key not in result.unsaved and shown != answers.get(key)
            if by_others and line.option.kind != "attachment":
                line = replace(line, notice=f"{line.changed_by} changed this line just now.")
            state_before = key in before.asked_keys, key in locked_before
            findings_before = line_findings(self.chapter, before, shown_before, key)
            if line.notice or line.clash or (line.is_asked, line.closed) != state_before:
                whole.append(line)
            elif line.refusal or (line.findings, line.pointers) != findings_before or key in result.saved:
                findings.append(line)
        parts = {"whole": whole, "findings": findings, "changed": result.saved}
        return render(self.request, "parts/checklist_update.html", _context(draft, after) | parts)

    def _checklist(self, draft: ChecklistDraft) -> Checklist:
        """Return the page's lines, with what could not be saved."""
        shown, entered = draft.checklist(), self.entered
        lines = dict(shown.lines)
        for key in self.refusals.keys() & lines.keys():
            value = answer_values.format_answer(entered.get(key))
            lines[key] = replace(lines[key], refusal=self.refusals[key], value=value)
        for key in self.result.clashes:
            clash = clash_view(self.chapter, lines[key], entered[key], draft.row.answers.get(key))
            lines[key] = replace(lines[key], clash=clash)
        return replace(shown, lines=lines)


def page(request: HttpRequest, number: str) -> HttpResponse:
    """GET: show the checklist. POST: save it."""
    if request.method != "POST":
        submission = submission_of(request, number)
        is_preparing = is_prepared_by(request, submission)
        return checklist_page(request, submission) if is_preparing else redirect("submission", number)
    form, is_htmx = ChecklistForm(request, number), request.htmx  # type: ignore[attr-defined]
    try:
        form.save()
    except Conflict as conflict:
        if not is_htmx:
            raise
        return render(request, "parts/save_state.html", {"conflict": conflict, "oob": True}, status=conflict.status)
    return form.changed_parts() if is_htmx else form.next_page(form.first_file)


@require_POST
def save_and_review(request: HttpRequest, number: str) -> HttpResponse:
    """Save the checklist, and go on to filing."""
    form = ChecklistForm(request, number)
    form.save()
    return form.next_page(address=reverse("file", args=[number]))


@require_POST
def resolve_clash(request: HttpRequest, number: str, key: str) -> HttpResponse:
    """Keep one of two answers to a line (`choice`); "mine" is saved as if theirs had been seen."""
    form = ChecklistForm(request, number)
    mine, theirs = (request.POST.get(f"{whose}-{key}", "null") for whose in ("mine", "theirs"))
    form.seen[key] = answer_values.deserialize_answer(theirs)
    form.entered[key] = answer_values.deserialize_answer(mine if request.POST.get("choice") == "mine" else theirs)
    form.save()
    return form.next_page(key)


@require_POST
def clear_answers(request: HttpRequest, number: str, key: str = "") -> HttpResponse:
    """Clear the answer to a line that is not asked; without a line, all such answers."""
    form = ChecklistForm(request, number)
    answers = drafts.configuration_of(form.submission, form.group).answers
    for line in unused(form.chapter, answers):
        if key in ("", line) and not isinstance(answers[line], dict):
            form.entered[line] = None
    form.save()
    return form.next_page(key)


@require_POST
def reset(request: HttpRequest, number: str, key: str) -> HttpResponse:
    """Answer a line of a table group as all other tables have it."""
    form = ChecklistForm(request, number)
    form.save()
    with form.refused_at(key):
        reset_line(person_of(request), form.submission, form.group, key)
    return form.next_page(key)


@require_POST
def write_comment(request: HttpRequest, number: str, key: str) -> HttpResponse:
    """Save a comment on a line, for people of the licensee."""
    form, text = ChecklistForm(request, number), request.POST.get(f"{COMMENT}{key}", "")
    form.save()
    with form.refused_at(key):
        write_line_comment(person_of(request), form.submission, option=key, text=text, position=form.group)
        messages.success(request, "Your comment is saved. Only people of your licensee see it.")
    return form.next_page(key)


@require_POST
def answer_question(request: HttpRequest, number: str, pk: int) -> HttpResponse:
    """Answer or dispute (`kind`) a question of the Board about a line."""
    form, kind = ChecklistForm(request, number), request.POST.get("kind", "")
    remark = get_object_or_404(remarks_visible_to(request.user, form.submission).exclude(option=""), pk=pk)
    form.save()
    with form.refused_at(remark.option):
        questions.answer_question(person_of(request), remark, kind=kind, text=request.POST.get(f"{REPLY}{pk}", ""))
        left = open_questions(form.submission).filter(state=Remark.State.OPEN).count()
        rest = f"{counted(left, 'question')} to go." if left else "All questions are answered. File it again."
        messages.success(request, f"{ANSWER_SAVED[kind]} {rest}")
    return form.next_page(remark.option)


def checklist_page(request: HttpRequest, submission: Submission, refusal: Refusal | None = None) -> HttpResponse:
    """Show the page, with the refusal of its form of the effective day, if there is one."""
    draft = load_draft(request, submission, draft_chapter(submission))
    return _show(draft, draft.checklist(), refusal=refusal)


def figures(request: HttpRequest, number: str, key: str) -> HttpResponse:
    """Show the figures of one line's paytables or house ways; asked for again until they are computed."""
    submission = submission_of(request, number)
    if not is_prepared_by(request, submission):
        raise Http404("You cannot change the answers of this submission now.")
    line = load_draft(request, submission, draft_chapter(submission)).checklist().lines.get(key)
    if line is None or not (line.tables or line.ways):
        raise Http404("This line does not have paytables.")
    context = {"line": line, "submission": submission, "tables": line.tables, "oob_ways": True}
    return render(request, "parts/figures.html" if line.tables else "parts/house_way_holds.html", context)


def _show(
    draft: ChecklistDraft,
    shown: Checklist,
    *,
    refusal: Refusal | None = None,
    faults: Mapping[str, Refusal] | None = None,
) -> HttpResponse:
    """Show the page; `faults`: by the id of a line, what of it was not saved."""
    request, submission = draft.request, draft.submission
    returns = Decision.objects.filter(revision__submission=submission, kind=Decision.Kind.RETURN)
    context = _context(draft, shown) | {
        "returned": returns.select_related("by").last(),
        "tabs": table_groups.group_tabs(draft.chapter, draft.rows),
        "may_group": table_groups.may_group(request, submission),
        "history": timeline(submission, request.user),
        "planned": planned_changes(submission),
        "entered_day": request.POST.get("takes_effect", "") if refusal else "",
        "faults": faults,
        "error_fields": {ANY_ENTRY: "takes-effect"},
    }
    return render_page(request, "pages/checklist.html", context, refusal)


def _context(draft: ChecklistDraft, shown: Checklist) -> dict[str, Any]:
    """Return what the page and its parts have in common."""
    position = draft.row.position
    return {
        "submission": draft.submission,
        "rules_on": linked_day(rules_day(draft.submission)),
        "group": draft.row if position else None,
        "group_query": f"?group={position}" if position else "",
        "has_groups": len(draft.rows) > 1,
        "checklist": shown,
        "unsaved": [line for line in shown.lines.values() if line.clash or line.refusal],
        "threads": draft.threads,
        "may_edit": may(draft.request.user, "edit", draft.submission),
        "here": "home",
    }


NO_DAY_PLANNED = "No day is planned. The submission takes effect when it is approved."


@require_POST
def choose_effective_day(request: HttpRequest, number: str) -> HttpResponse:
    """Choose the planned effective day; an empty field plans none."""
    submission, text = submission_of(request, number), request.POST.get("takes_effect", "").strip()
    try:
        day = plan_effective_day(person_of(request), submission, day_of(text) if text else None).takes_effect
    except Refusal as refusal:
        if not is_about_entries(refusal) or not is_prepared_by(request, submission):
            raise
        return checklist_page(request, submission, refusal)
    messages.success(request, f"Planned for {date_text(day)}: the rules of that day apply." if day else NO_DAY_PLANNED)
    return redirect("checklist", number)
