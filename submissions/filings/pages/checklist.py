"""The checklist page of a draft: showing it, saving it as it is typed, taking its files, its comments, the answers to
the Board's questions, and the planned effective day.

One address takes the whole form, from htmx on every change and from a plain submit alike; htmx gets back the parts that
changed. `?group=N` is the checklist of a group of tables. Not here: groups (`table_groups`), one line on the page
(`checklist_lines`), the lines that stay locked (`filings.questions`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from games.rules.evaluate import unused
from games.rules.model import Answer, Answers, Chapter
from submissions.audit.record import last_change
from submissions.audit.timeline import LastChange, last_changes, timeline
from submissions.core.dates import date_text
from submissions.core.errors import Busy, Conflict, Refusal
from submissions.core.parameters import day_of
from submissions.filings import answer_values, drafts, questions
from submissions.filings import attachments as uploads
from submissions.filings.evidence import computations
from submissions.filings.handover import write_line_comment
from submissions.filings.judging import judge_draft
from submissions.filings.pages import table_groups
from submissions.filings.pages.changed_rules import planned_changes
from submissions.filings.pages.checklist_lines import Checklist, ChecklistLine, ClashView, build_checklist, clash_view
from submissions.filings.planned_day import plan_effective_day
from submissions.filings.questions import locked_lines, open_questions
from submissions.filings.review.comments import Threads, load_threads
from submissions.filings.table_groups import reset_line
from submissions.models import Attachment, Configuration, Decision, LineComment, Person, Remark, Status, Submission
from submissions.permissions import line_comments_visible_to, may, remarks_visible_to
from submissions.rules import draft_chapter, linked_day, rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.forms import ANY_ENTRY, is_about_entries
from submissions.web.responses import render_page, retry_later
from submissions.web.upload_handler import oversize

COMMENT_FIELD = "comment-"  # and the line's key: the text that is being typed


def take_comment(request: HttpRequest, submission: Submission, group: int, refusals: dict[str, Refusal]) -> str:
    """Save the comment whose button was pressed (`comment`: the line's key); that line, "" if none was."""
    key = request.POST.get("comment", "")
    if not key:
        return ""
    text = request.POST.get(f"{COMMENT_FIELD}{key}", "")
    try:
        write_line_comment(person_of(request), submission, option=key, text=text, position=group)
    except Refusal as refusal:
        refusals[key] = refusal
    else:
        messages.success(request, "Your comment is saved. Only people of your licensee see it.")
    return key


REPLY = "reply-"  # and the remark's number: the words of an answer that is being typed
ANSWER_SAVED = {"answered": "Your answer was saved.", "disputed": "Your dispute was saved."}


@dataclass(frozen=True, slots=True)
class ChecklistDraft:
    """The configuration that a page is about, among those of its submission."""

    submission: Submission
    row: Configuration
    rows: list[Configuration]
    said: Threads
    sent: Mapping[str, str]  # by the page's form
    changes: Mapping[str, LastChange]  # the last one of each line
    comments: tuple[LineComment, ...]  # among people of the licensee
    reader: Person

    def checklist(
        self,
        answers: Answers,
        parsed_answers: Answers = MappingProxyType({}),
        clashes: Mapping[str, ClashView] = MappingProxyType({}),
        refusals: Mapping[str, Refusal] = MappingProxyType({}),
    ) -> Checklist:
        """The page's lines with these answers; the others as `checklist_lines.build_checklist` takes them."""
        chapter = draft_chapter(self.submission)
        first = self.rows[0].answers if self.row.position else None
        figures, files = computations.figures_of(chapter, answers), self._files(answers)
        shown = build_checklist(
            chapter,
            answers,
            figures,
            files,
            parsed_answers=parsed_answers,
            clashes=clashes,
            refusals=refusals,
            first=first,
            judgment=judge_draft(chapter, self.row, self.rows, answers),
            changes=self.changes,
        )
        shown = self._with_people(shown)
        return self._with_questions(shown, answers) if self.submission.status == Status.RETURNED else shown

    def _with_people(self, shown: Checklist) -> Checklist:
        """The lines with the comments of the licensee's people, with the one that is being typed, and whether someone
        else than the reader changed them last.
        """
        lines = {
            key: replace(
                line,
                comments=tuple(each for each in self.comments if each.option == key),
                unsaved_comment=self.sent.get(f"{COMMENT_FIELD}{key}", ""),
                changed_by_other=line.last_change is not None and line.last_change.person != self.reader.pk,
            )
            for key, line in shown.lines.items()
        }
        return replace(shown, lines=lines)

    def _with_questions(self, shown: Checklist, answers: Answers) -> Checklist:
        """The lines, those that stay as filed closed, and those that are asked about with their questions."""
        closed, position = locked_lines(self.submission, self.row.position, answers), self.row.position
        threads = [
            replace(thread, unsaved_text=self.sent.get(f"{REPLY}{thread.remark.pk}", ""))
            for thread in self.said.questions
        ]
        lines = {
            key: replace(
                line,
                closed=key in closed,
                questions=tuple(
                    thread for thread in threads if (thread.position, thread.remark.option) == (position, key)
                ),
            )
            for key, line in shown.lines.items()
        }
        return replace(shown, lines=lines)

    def _files(self, answers: Answers) -> dict[str, Attachment]:
        """The file that each line names: groups may name several for one line."""
        files = {
            (file.option, file.stored_id): file
            for file in self.submission.attachments.select_related("stored", "uploaded_by")
        }
        named = {key: answer["sha256"] for key, answer in answers.items() if isinstance(answer, Mapping)}
        return {key: files[key, str(sha256)] for key, sha256 in named.items() if (key, sha256) in files}


def load_draft(request: HttpRequest, submission: Submission) -> ChecklistDraft:
    """The configuration at `?group=`; 404 where there is none, or none any more."""
    position, rows = table_groups.position_in(request.GET.get("group")), list(submission.configurations.all())
    row = next((row for row in rows if row.position == position), None)
    if row is None:
        raise Http404("This table group does not exist. It may have been removed.")
    person = person_of(request)
    comments = tuple(line_comments_visible_to(person, submission).filter(position=position))
    return ChecklistDraft(
        submission,
        row,
        rows,
        load_threads(person, submission),
        request.POST.dict(),
        last_changes(submission, position),
        comments,
        person,
    )


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
        questions.answer_question(person_of(request), remark, kind=kind, text=text)
    except Refusal as refusal:
        refusals[remark.option] = refusal
    else:
        left = open_questions(submission).filter(state=Remark.State.OPEN).count()
        rest = (
            f"{left} question{'s' if left > 1 else ''} to go." if left else "All questions are answered. File it again."
        )
        messages.success(request, f"{ANSWER_SAVED[kind]} {rest}")
    return remark.option


def page(request: HttpRequest, number: str) -> HttpResponse:
    submission = submission_of(request, number)
    if request.method == "POST":
        return _save(request, submission)
    if not is_prepared_by(request, submission):
        return redirect("submission", number)
    return checklist_page(request, submission)


def checklist_page(request: HttpRequest, submission: Submission, refusal: Refusal | None = None) -> HttpResponse:
    """The page, with the refusal of its form of the effective day, if there is one."""
    draft = load_draft(request, submission)
    return _show(request, draft, draft.checklist(draft.row.answers), refusal=refusal)


def figures(request: HttpRequest, number: str, key: str) -> HttpResponse:
    """The figures of one line's paytables or house ways; asked for again until they are computed."""
    submission = submission_of(request, number)
    if not is_prepared_by(request, submission):
        raise Http404("You cannot change the answers of this submission now.")
    draft = load_draft(request, submission)
    line = draft.checklist(draft.row.answers).lines.get(key)
    if line is None or not (line.tables or line.ways):
        raise Http404("This line does not have paytables.")
    context = {"line": line, "submission": submission, "tables": line.tables, "oob_ways": True}
    return render(request, "parts/figures.html" if line.tables else "parts/house_way_holds.html", context)


def _save(request: HttpRequest, submission: Submission) -> HttpResponse:
    """Save what was typed, then do what the pressed button asks for; the page shows again what could not be saved."""
    person, chapter = person_of(request), draft_chapter(submission)
    group = table_groups.position_in(request.GET.get("group"))
    parsed_answers = answer_values.posted_answers(chapter, request.POST)
    seen = answer_values.seen_answers(chapter, request.POST)
    target = _resolve(request, chapter, parsed_answers, seen) or _clear(request, submission, group, parsed_answers)
    changes = {key: answer for key, answer in parsed_answers.items() if answer != seen.get(key)}
    try:
        result = drafts.save_answers(person, submission, changes, seen=seen, configuration=group)
    except Conflict as conflict:
        if request.htmx:  # type: ignore[attr-defined]
            return render(request, "parts/save_state.html", {"conflict": conflict, "oob": True}, status=conflict.status)
        raise
    if request.htmx:  # type: ignore[attr-defined]
        return _changes(request, submission, parsed_answers, seen, result)
    refusals = dict(result.refusals)
    for act in (_take_files, _reset_line, take_comment):
        target = act(request, submission, group, refusals) or target
    target = take_answer(request, submission, refusals) or target
    if result.clashes or refusals:
        draft = load_draft(request, submission)
        shown = draft.checklist(
            draft.row.answers, parsed_answers, _clash_views(submission, result, parsed_answers), refusals
        )
        response = _show(request, draft, shown, faults={f"line-{key}": refusals[key] for key in refusals})
        response.status_code = 409 if result.clashes else 400
        busy = next((refusal for refusal in refusals.values() if isinstance(refusal, Busy)), None)
        return retry_later(response, busy) if busy and not result.clashes else response
    if "continue" in request.POST:
        return redirect("file", submission.number)
    return HttpResponseRedirect(table_groups.checklist_address(submission, group, target))


def _resolve(request: HttpRequest, chapter: Chapter, parsed_answers: dict[str, Answer], seen: dict[str, Answer]) -> str:
    """The line whose two answers were just decided upon; "mine" goes in as if theirs had been seen."""
    key, _, choice = request.POST.get("resolve", "").partition(":")
    if key not in {option.key for option in chapter.options}:
        return ""
    seen[key] = answer_values.deserialize_answer(request.POST.get(f"theirs-{key}", "null"))
    mine = request.POST.get(f"mine-{key}", "null")
    parsed_answers[key] = answer_values.deserialize_answer(mine) if choice == "mine" else seen[key]
    return key


def _clear(request: HttpRequest, submission: Submission, group: int, parsed_answers: dict[str, Answer]) -> str:
    """Take back the kept answer whose button was pressed, "all" of them for the button of the summary; the line."""
    key = request.POST.get("clear", "")
    if key:
        answers = drafts.configuration_of(submission, group).answers
        unasked = unused(draft_chapter(submission), answers)
        parsed_answers |= {
            line: None for line in unasked if key in (line, "all") and not isinstance(answers[line], dict)
        }
    return "" if key == "all" else key


def _take_files(request: HttpRequest, submission: Submission, group: int, refusals: dict[str, Refusal]) -> str:
    """Attach every file that came with the form; the first one's line, "" if there was none."""
    for field, name in oversize(request):
        with _refused_at(field.removeprefix("file-"), refusals):
            uploads.check_size(name, int(request.META.get("CONTENT_LENGTH") or 0))
    target = ""
    for field, received in request.FILES.items():
        key, file = field.removeprefix("file-"), cast("UploadedFile[bytes]", received)
        with _refused_at(key, refusals):
            content = file.read()
            uploads.attach_file(person_of(request), submission, key, file.name or "", content, configuration=group)
            messages.success(request, f"“{file.name}” was checked and stored.")
            target = target or key
    return target


def _reset_line(request: HttpRequest, submission: Submission, group: int, refusals: dict[str, Refusal]) -> str:
    """Answer the line whose button was pressed as all other tables have it; "" if none was."""
    key = request.POST.get("set-back", "")
    if not group or key not in {option.key for option in draft_chapter(submission).options}:
        return ""
    with _refused_at(key, refusals):
        reset_line(person_of(request), submission, group, key)
    return key


@contextmanager
def _refused_at(key: str, refusals: dict[str, Refusal]) -> Iterator[None]:
    """Note a refusal at the line that it is about."""
    try:
        yield
    except Refusal as refusal:
        refusals[key] = refusal


def _changes(
    request: HttpRequest, submission: Submission, parsed_answers: Answers, seen: Answers, result: drafts.SaveResult
) -> HttpResponse:
    """Only what the page does not show yet: lines that appear, disappear, clash or were changed by others."""
    draft, answers = load_draft(request, submission), result.row.answers
    before = draft.checklist({**answers, **seen})
    after = draft.checklist(answers, parsed_answers, _clash_views(submission, result, parsed_answers), result.refusals)
    whole: list[ChecklistLine] = []
    findings: list[ChecklistLine] = []
    for key, line in after.lines.items():
        shown = parsed_answers.get(key, seen.get(key))
        by_others = key in seen and key not in result.unsaved and shown != answers.get(key)
        if by_others and line.option.kind != "attachment":
            line = replace(line, notice=_by_whom(submission, key, draft.row.position))
        earlier = before.lines[key]
        if line.notice or line.clash or (line.is_asked, line.closed) != (earlier.is_asked, earlier.closed):
            whole.append(line)
        elif line.refusal or _findings_of(line) != _findings_of(earlier) or key in result.saved:
            findings.append(line)
    parts = {"whole": whole, "findings": findings, "changed": result.saved}
    return render(request, "parts/checklist_update.html", _context(request, draft, after) | parts)


def _findings_of(line: ChecklistLine) -> tuple[object, ...]:
    """What the findings of a line say, in full and by pointers."""
    return (*line.findings, *line.pointers)


def _clash_views(submission: Submission, result: drafts.SaveResult, parsed_answers: Answers) -> dict[str, ClashView]:
    """Each clash with both answers, and who stored the other one."""
    chapter, group = draft_chapter(submission), result.row.position
    return {
        key: clash_view(
            chapter, key, parsed_answers[key], result.row.answers.get(key), last_change(submission, key, group)
        )
        for key in result.clashes
    }


def _by_whom(submission: Submission, key: str, group: int) -> str:
    event = last_change(submission, key, group)
    name = event.actor.name if event and event.actor else "Another user"
    return f"{name} changed this line just now."


def _show(
    request: HttpRequest,
    draft: ChecklistDraft,
    shown: Checklist,
    *,
    refusal: Refusal | None = None,
    faults: Mapping[str, Refusal] = MappingProxyType({}),
) -> HttpResponse:
    """The page; `faults`: by the id of a line, what of it was not saved."""
    questions = Decision.objects.filter(revision__submission=draft.submission, kind=Decision.Kind.RETURN)
    context = _context(request, draft, shown) | {
        "returned": questions.select_related("by").last(),
        "tabs": table_groups.group_tabs(shown.chapter, draft.rows),
        "may_group": table_groups.may_group(request, draft.submission),
        "history": timeline(draft.submission, request.user),
        "planned": planned_changes(draft.submission),
        "entered_day": request.POST.get("takes_effect", "") if refusal else "",
        "faults": faults,
        "error_fields": {ANY_ENTRY: "takes-effect"},
    }
    return render_page(request, "pages/checklist.html", context, refusal)


def _context(request: HttpRequest, draft: ChecklistDraft, shown: Checklist) -> dict[str, Any]:
    return {
        "submission": draft.submission,
        "rules_on": linked_day(rules_day(draft.submission)),
        "group": draft.row if draft.row.position else None,
        "has_groups": len(draft.rows) > 1,
        "address": table_groups.checklist_address(draft.submission, draft.row.position),
        "chapter": shown.chapter,
        "checklist": shown,
        "unsaved": [line for line in shown.lines.values() if line.clash or line.refusal],
        "threads": draft.said,
        "may_edit": may(request.user, "edit", draft.submission),
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
