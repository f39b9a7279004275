"""The checklist page of a draft: showing it, saving it as it is typed, taking its files.

One address takes the whole form, from htmx on every change and from a plain submit alike; what htmx gets
back are the parts that changed. `?group=N` is the checklist of a group of tables. Not here: groups (`table_groups`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render

from games.rules.evaluate import unused
from games.rules.model import Answer, Answers, Chapter
from submissions.audit.record import last_change
from submissions.audit.timeline import timeline
from submissions.core.errors import Busy, Conflict, Refusal
from submissions.filings import answer_parsing, drafts
from submissions.filings import attachments as uploads
from submissions.filings.table_groups import reset_line
from submissions.models import Decision, Submission
from submissions.permissions import may
from submissions.rules.rules_day import draft_chapter, linked_day, rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.error_summary import ANY_ENTRY
from submissions.web.filings import table_groups
from submissions.web.filings.checklist_draft import ChecklistDraft, load_draft, take_answer
from submissions.web.filings.checklist_lines import Checklist, ChecklistLine, ClashView, clash_view
from submissions.web.filings.line_comments import take_comment
from submissions.web.filings.planned_day import planned_changes
from submissions.web.responses import render_page, retry_later
from submissions.web.upload_handler import oversize


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
    parsed_answers = answer_parsing.posted_answers(chapter, request.POST)
    seen = answer_parsing.seen_answers(chapter, request.POST)
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
    seen[key] = answer_parsing.deserialize_answer(request.POST.get(f"theirs-{key}", "null"))
    mine = request.POST.get(f"mine-{key}", "null")
    parsed_answers[key] = answer_parsing.deserialize_answer(mine) if choice == "mine" else seen[key]
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
