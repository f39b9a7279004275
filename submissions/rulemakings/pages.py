"""Rulemakings: the list, one rulemaking and the steps of its draft, its changes, its trial, and who must file again.

Changes are pasted or uploaded as TOML, or written by the form, which makes the same TOML. Nothing is stored before it
was shown as TOML, and after a refusal the text stays on the page.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, ClassVar, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from games import registry
from submissions import rules
from submissions.accounts.pages import reauthentication
from submissions.core.csv_export import csv_lines
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.parameters import DayInput, ParsedField
from submissions.documents.pages import WantedPdf, pdf_response
from submissions.filings.pages.filing import version_of
from submissions.models import Job, Rulemaking
from submissions.permissions import may_publish, may_write, require_allowed, rulemakings_visible_to, sees_drafts
from submissions.rulemakings import drafting, rule_changes
from submissions.rulemakings.refiling import Refiling, refilings_of
from submissions.rulemakings.rule_changes import LONGEST_TEXT, FormField
from submissions.rulemakings.trial_report import (
    BY_CHANGE,
    COLUMNS,
    ORDERS,
    charts_of,
    csv_rows,
    sorted_lines,
    stored_trial_pdf,
    summary_of,
    trial_pdf_key,
)
from submissions.rulemakings.trials import Trial, trial_job_of, trial_of, try_rulemaking
from submissions.rules import chapter_on
from submissions.web.access_gate import person_of
from submissions.web.forms import ANY_ENTRY, PageForm, add_refusal, posted, render_form
from submissions.web.responses import page_of, render_page

RULEMAKINGS_PER_PAGE = 50


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show every rulemaking that the person may see, the newest first; the Board may start one."""
    return _list_page(request)


class StartForm(PageForm):
    title = forms.CharField(max_length=drafting.LONGEST_TITLE)
    source = forms.CharField(
        label="Adopting document",
        help_text="Enter its citation, for example “57 Pa.B. 1001”.",
        max_length=drafting.LONGEST_TITLE,
    )


def _list_page(request: HttpRequest, form: StartForm | None = None) -> HttpResponse:
    rows = rulemakings_visible_to(request.user).prefetch_related("changes")
    context = {
        "page": page_of(request, rows, RULEMAKINGS_PER_PAGE),
        "verdict": may_write(request.user) if sees_drafts(request.user) else None,
        "here": "rulemakings",
    }
    return render_form(request, "public/rulemakings.html", context, form or StartForm())


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Start a draft, and open it."""
    require_allowed(may_write(request.user))
    form = StartForm(request.POST)
    try:
        if form.is_valid():
            row = drafting.start_rulemaking(person_of(request), **form.cleaned_data)
            messages.success(request, f"{row.number} is a draft. Write what it changes.")
            return redirect("rulemaking", row.number)
    except Refusal as refusal:
        add_refusal(form, refusal)
    return _list_page(request, form)


@require_safe
def show(request: HttpRequest, number: str) -> HttpResponse:
    """Show one rulemaking."""
    return page(request, rulemaking_of(request, number))


@require_POST
def publish(request: HttpRequest, number: str) -> HttpResponse:
    """Publish the draft, confirmed by its director."""
    row, confirmed = rulemaking_of(request, number), request.POST.get("confirmed") == "yes"
    try:
        reauthentication.require_confirmation(request)
        drafting.publish_rulemaking(person_of(request), row, version=version_of(request), confirmed=confirmed)
    except reauthentication.Unconfirmed as unconfirmed:
        if missing := drafting.refusal_before_signing(person_of(request), row):  # a signature would not help
            return page(request, row, missing)
        if not confirmed:
            unconfirmed.further = (drafting.missing_confirmation(row),)
        return page(request, row, unconfirmed)
    except Refusal as refusal:
        return page(request, row, refusal)
    messages.success(request, f"{row.number} is published. The portal notifies the affected licensees.")
    return redirect("rulemaking", number)


@require_POST
def withdraw(request: HttpRequest, number: str) -> HttpResponse:
    """End the draft."""
    row = rulemaking_of(request, number)
    try:
        reason = request.POST.get("reason", "")
        drafting.withdraw_rulemaking(person_of(request), row, version=version_of(request), reason=reason)
    except Refusal as refusal:
        return page(request, row, refusal)
    messages.success(request, f"{row.number} is withdrawn.")
    return redirect("rulemaking", number)


def rulemaking_of(request: HttpRequest, number: str) -> Rulemaking:
    """Return the rulemaking with this number, if this person may see it; 404 otherwise."""
    rows = rulemakings_visible_to(request.user).select_related("created_by", "written_by", "published_by")
    return get_object_or_404(rows, number=number)


def page(request: HttpRequest, row: Rulemaking, refusal: Refusal | None = None) -> HttpResponse:
    """Return the page of the rulemaking, with the refusal of a step, if there is one."""
    row.refresh_from_db()
    at_board = sees_drafts(request.user)
    trial = trial_of(row)
    context: dict[str, Any] = {
        "rulemaking": row,
        "changes": list(row.changes.all()),
        "trial": trial,
        "summaries": [(change, summary_of(change)) for change in trial.changes] if trial else [],
        "at_board": at_board,
        "error_fields": {"reason": "reason", "confirmed": "confirmed"},
        "here": "rulemakings",
    }
    if at_board:
        verdict = may_publish(request.user, row)
        confirming = reauthentication.confirmation_question(request) if verdict else None
        context |= {
            "job": trial_job_of(row) if row.is_draft else None,
            "may_write": may_write(request.user),
            "may_publish": verdict,
            "confirming": confirming,
            "refilings": refiling_rows(refilings_of(row)),
            "reason": request.POST.get("reason", "") if refusal else "",
        }
    return render_page(request, "public/rulemaking.html", context, refusal)


EXAMPLE = """\
[guide.object]                 # each key replaces the whole of the guide's
words = "Have two hands that are higher than those of the dealer."
at = [".11(f)"]

[labels.odds]                  # odds that the layout shows, and their section
pai_gow = ["Winning Face Up Pai Gow Poker Wager", "1 to 1", ".12(a)"]

[[house_way]]                  # how the dealer sets a hand: one that exists, by its key
key = "traditional"
name = "Traditional way"
"""
"""What the form does not write, as the page shows it. A test reads it."""
NEW_RECORD_HINT = (
    "Use the same keys as another record of this kind. "
    'To place the record after another, add after = "…" with the name of that record.'
)
METHODS = ("GET", "HEAD", "POST")


@require_http_methods(METHODS)
def change_text(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the TOML of a change, `?chapter=…&effective=…`, or an empty one. POST: store it."""
    row = _writable(request, number)
    day = _day(request.GET.get("effective"))
    text = _stored_text(row, request.GET.get("chapter", ""), day) if day else ""
    if request.method != "POST":
        return _text_page(request, row, text)
    text = _sent_text(request)
    try:
        written = drafting.write_change(person_of(request), row, text, version=version_of(request))
    except Refusal as refusal:
        return _text_page(request, row, text, refusal)
    messages.success(request, f"The change of chapter {written.chapter} is stored. Try the rulemaking again.")
    return redirect("rulemaking", number)


@require_POST
def remove_change(request: HttpRequest, number: str) -> HttpResponse:
    """Take a change out of the draft."""
    row = _writable(request, number)
    chapter, effective = request.POST.get("chapter", ""), _day(request.POST.get("effective"))
    if effective is None:
        raise Http404("This change does not exist.")
    drafting.remove_change(person_of(request), row, chapter, effective, version=version_of(request))
    messages.success(request, f"The change of chapter {chapter} is removed.")
    return redirect("rulemaking", number)


def _chapters() -> list[tuple[str, str]]:
    return [
        ("", "Choose a chapter"),
        *((number, f"{number}: {registry.title_of(number)}") for number in registry.folders()),
    ]


def _first_day(text: str) -> date:
    if (day := _day(text)) is None:
        raise Refusal("rule-change-unfit/day", option="effective", value=text[:40])
    return day


class RecordChooser(PageForm):
    """The record to change; which records there are, follows from chapter, day and kind."""

    codes: ClassVar = {"required": "rule-change-unfit", "invalid_choice": "rule-change-unknown-chapter"}
    chapter = forms.ChoiceField(choices=_chapters)
    effective = ParsedField(label="In effect from", parse=_first_day, widget=DayInput)
    kind = forms.ChoiceField(label="Kind of record", choices=list(rule_changes.KINDS.items()))
    name = forms.CharField(label="Record", required=False, widget=forms.Select)


class RecordForm(PageForm):
    """The values of a record on the day from which they change; `values` is None where a record is added."""

    def __init__(self, kind: str, values: Sequence[FormField] | None, *args: Any) -> None:
        super().__init__(*args)
        self.values = values or ()
        self.names = {value.key: f"field-{place}" for place, value in enumerate(self.values)}
        for value in self.values:
            self.fields[self.names[value.key]] = forms.CharField(
                label=value.label,
                help_text=f"Now: {Truncator(value.present).chars(200)}",
                initial=value.present,
                required=False,
                strip=False,
                widget=forms.Textarea({"rows": value.rows}) if value.rows > 1 else forms.TextInput,
            )
        if values is None:
            self.fields["body"] = forms.CharField(
                label="The new record (TOML)",
                help_text=NEW_RECORD_HINT,
                required=False,
                strip=False,
                widget=forms.Textarea({"rows": 12, "spellcheck": "false"}),
            )
        elif kind not in (rule_changes.THE_CHAPTER, rule_changes.LABEL):
            self.fields["removed"] = forms.BooleanField(label="Remove this record from that day on", required=False)


@require_http_methods(METHODS)
def change_form(request: HttpRequest, number: str) -> HttpResponse:
    """GET: choose chapter, day, kind and record; then the record's values. POST: the TOML of what was entered."""
    row, sent = _writable(request, number), request.POST if request.method == "POST" else request.GET
    chooser = RecordChooser(sent if "chapter" in sent or request.method == "POST" else None)
    record = None
    try:
        if chooser.is_valid():
            record = _record_form(request, chooser)
            if request.method == "POST" and record is None:
                raise Refusal("rule-change-unfit/form", option="name")
            if record and record.is_valid():
                return _text_page(request, row, _form_text(row, record, **chooser.cleaned_data), from_form=True)
    except Refusal as refusal:
        if record:
            add_refusal(record, refusal, record.names.get(refusal.option, next(iter(record.fields), "")))
        else:
            add_refusal(chooser, refusal)
    context = {"rulemaking": row, "chooser": chooser, "record": record, "here": "rulemakings"}
    return render_form(request, "pages/rulemaking_form.html", context, record or chooser)


def _writable(request: HttpRequest, number: str) -> Rulemaking:
    """Return the draft, for the Board's staff who may write it."""
    row = rulemaking_of(request, number)
    require_allowed(may_write(request.user))
    return row


def _text_page(
    request: HttpRequest, row: Rulemaking, text: str, refusal: Refusal | None = None, *, from_form: bool = False
) -> HttpResponse:
    context = {
        "rulemaking": row,
        "text": text or f'number = ""\neffective = \ntitle = "{row.title}"\nsource = "{row.source}"\n',
        "from_form": from_form,
        "example": EXAMPLE,
        "error_fields": {"file": "file", ANY_ENTRY: "text"},
        "here": "rulemakings",
    }
    return render_page(request, "pages/rulemaking_change.html", context, refusal)


def _record_form(request: HttpRequest, chooser: RecordChooser) -> RecordForm | None:
    """Return the form of the record, once one is chosen among those of the kind."""
    chosen = chooser.cleaned_data
    number, day, kind, name = chosen["chapter"], chosen["effective"], chosen["kind"], chosen["name"]
    data = registry.chapter_data(number, day, rules.published_changes(number))
    sections = chapter_on(number, day).sections
    added = () if kind in rule_changes.NOT_ADDED else ((rule_changes.NEW, "Add a new one"),)
    choices = [("", "Choose"), *rule_changes.record_choices(data, sections, kind), *added]
    cast(Any, chooser.fields["name"].widget).choices = choices
    if not name:
        return None
    values = None if name == rule_changes.NEW else rule_changes.record_fields(data, sections, kind, name)
    return RecordForm(kind, values, *posted(request))


def _form_text(row: Rulemaking, record: RecordForm, *, chapter: str, effective: date, kind: str, name: str) -> str:
    """Return the TOML of the change with what was entered."""
    text, sent = _stored_text(row, chapter, effective), record.cleaned_data
    head = {"number": chapter, "effective": effective, "title": row.title, "source": row.source}
    if name == rule_changes.NEW:
        return rule_changes.with_new_row(text, head, kind, sent["body"])
    if sent.get("removed"):
        return rule_changes.with_row(text, head, kind, name, {"removed": True})
    entered = {key: sent[field] for key, field in record.names.items()}
    return rule_changes.with_row(text, head, kind, name, rule_changes.changed_row(record.values, entered))


def _stored_text(row: Rulemaking, chapter: str, day: date) -> str:
    """Return the TOML that the draft has for the chapter from that day on; "" for none."""
    stored = row.changes.filter(chapter=chapter, effective=day).first()
    return stored.text if stored else ""


def _sent_text(request: HttpRequest) -> str:
    """Return the file if one was sent, else the text."""
    file = request.FILES.get("file")
    if file is None:
        return str(request.POST.get("text", ""))
    try:
        return bytes(file.read(4 * LONGEST_TEXT)).decode()
    except UnicodeDecodeError:
        raise Refusal("rule-change-unfit/file", option="file", name=str(file.name)[:80]) from None


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "").strip())
    except ValueError:
        return None


LINES_PER_PAGE = 100


@require_http_methods(["GET", "HEAD", "POST"])
def trial_page(request: HttpRequest, number: str) -> HttpResponse:
    """POST: have it tried. GET: the result, or how far the job is."""
    row = _of_board(request, number)
    if request.method == "POST":
        try_rulemaking(person_of(request), row)
        return redirect("rulemaking-trial", number)
    result, is_part = trial_of(row), bool(getattr(request, "htmx", False))
    if result is None:
        template = "parts/trial_progress.html" if is_part else "pages/rulemaking_trial_progress.html"
        return render(request, template, {"rulemaking": row, "job": trial_job_of(row), "here": "rulemakings"})
    if is_part:
        return HttpResponseClientRefresh()
    order = request.GET.get("sort", BY_CHANGE)
    context: dict[str, Any] = {
        "rulemaking": row,
        "changes": [(change, summary_of(change), charts_of(change)) for change in result.changes],
        "page": page_of(request, sorted_lines(result, order), LINES_PER_PAGE),
        "order": order if order in ORDERS else BY_CHANGE,
        "orders": ORDERS.items(),
        "here": "rulemakings",
    }
    return render(request, "pages/rulemaking_trial.html", context)


@require_safe
def trial_csv(request: HttpRequest, number: str) -> StreamingHttpResponse:
    """Return every line of the result as CSV."""
    row = _of_board(request, number)
    response = StreamingHttpResponse(csv_lines(COLUMNS, csv_rows(_result(row))), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{row.number}-trial.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
def trial_pdf(request: HttpRequest, number: str) -> HttpResponseBase:
    """Return the result with its charts as a file, or the page that waits for it."""
    row = _of_board(request, number)
    _result(row)
    key = trial_pdf_key(row)
    wanted = WantedPdf(
        content=stored_trial_pdf(row, key),
        kind=Job.Kind.TRIAL_PDF,
        key=key,
        file_name=f"{row.number}-trial.pdf",
        title=f"Trial of {row.number} as PDF",
        noun="PDF",
        label="Download trial (PDF)",
        back=reverse("rulemaking-trial", args=[number]),
        here="rulemakings",
    )
    return pdf_response(request, wanted)


def _of_board(request: HttpRequest, number: str) -> Rulemaking:
    """Return the rulemaking for the Board's staff: a trial lists every licensee."""
    row = rulemaking_of(request, number)
    if not sees_drafts(request.user):
        raise Http404("Only the Board can run the trial of a rulemaking.")
    return row


def _result(row: Rulemaking) -> Trial:
    result = trial_of(row)
    if result is None:
        raise Http404("The rulemaking changed after its last trial.")
    return result


def refiling_rows(refilings: list[Refiling]) -> list[tuple[Refiling, bool, str]]:
    """Return (licensee's game, whether it is late, its day in words) of these that must be filed again."""
    today = timezone.localdate()
    return [(row, row.is_late(today), date_text(row.due)) for row in refilings]
