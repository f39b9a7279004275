"""Table lists as pages: all licensees for the Board, one list on a day, one table with its history.

Also the form that changes one's own list, spreadsheets, and QR codes as a PDF to print.

A spreadsheet is uploaded or pasted, shown as what would change, and applied after a confirmation, all or nothing: a row
that cannot be read stops the whole. Not here: how a file is read and written (`bulk.table_sheets`), the page of a table
for everyone (`filings.pages.versions`).
"""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, cast
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.forms.models import model_to_dict
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.rules.lists import parse_table
from submissions.bulk import table_sheets
from submissions.bulk.sheet_files import XLSX
from submissions.bulk.table_sheets import TableSheet
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.parameters import DayField
from submissions.core.text import counted
from submissions.filings.pages.versions import requested_day
from submissions.filings.tables.table_lists import (
    MOST,
    TableRow,
    change_table_list,
    entries_on,
    has_list,
    in_order,
    last_entry,
    plan_changes,
    row_faults,
    scheduled_entries,
    table_words,
)
from submissions.models import Organization, TableEntry, TableState
from submissions.permissions import licensees_visible_to, may, require, tables_visible_to
from submissions.public.list_filters import TableFilterSet
from submissions.rules import chapters_on
from submissions.security_log.records import EXPORTED_ROWS
from submissions.web.access_gate import organization_of, person_of
from submissions.web.forms import PageForm, add_refusal, posted, render_form
from submissions.web.responses import file_response, page_of, whole_number
from submissions.web.upload_handler import oversize

PAGE = 100
QR_CODES = 60  # of one PDF, which takes about two seconds of the server
HERE = "tables"


@dataclass(frozen=True, slots=True)
class LicenseeTables:
    """A licensee's list in numbers, for the Board."""

    licensee: Organization
    open: int
    closed: int

    @property
    def words(self) -> str:
        if not self.open and not self.closed:
            return "No table list"
        return f"{counted(self.open, 'table')} open, {self.closed} closed"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show a licensee its own list; the Board every licensee with the count of its tables today."""
    person = person_of(request)
    if person.organization and not person.at_regulator:
        return redirect("tables-of", organization_of(request).slug)
    rows = entries_on(timezone.localdate(), tables_visible_to(person))
    counts = Counter(rows.values_list("organization", "state"))
    lists = [
        LicenseeTables(row, counts[row.pk, TableState.OPEN], counts[row.pk, TableState.CLOSED])
        for row in licensees_visible_to(person)
    ]
    return render(request, "pages/table_lists.html", {"lists": lists, "today": timezone.localdate(), "here": HERE})


@require_safe
def show(request: HttpRequest, licensee: str) -> HttpResponse:
    """Show one licensee's list on a day, narrowed by game and state, with the entries for later days."""
    owner, requested = owner_of(request, licensee), requested_day(request)
    rows = entries_on(requested.day, tables_visible_to(request.user)).filter(organization=owner)
    chosen = TableFilterSet(request.GET, rows)
    listed = in_order(chosen.qs)
    shown_query = {"on": requested.query.removeprefix("?on="), **chosen.entered}
    query = urlencode({name: value for name, value in shown_query.items() if value})
    context = {
        "owner": owner,
        "requested": requested,
        "chosen": chosen,
        "page": page_of(request, listed, PAGE),
        "query": f"{query}&" if query else "",
        "summary": _summary(listed),
        "qr_parts": _qr_parts(listed),
        "has_list": bool(listed) or has_list(owner, requested.day),
        "scheduled": scheduled_entries(owner, requested.day),
        "may_edit": may_edit(request, owner),
        "here": HERE,
    }
    return render(request, "pages/table_list.html", context, status=max(chosen.status, requested.status))


@require_safe
def table(request: HttpRequest, licensee: str, name: str) -> HttpResponse:
    """Show one table: its present, past and coming entries, and who entered them."""
    owner = owner_of(request, licensee)
    number = _number(name)
    rows = tables_visible_to(request.user).filter(organization=owner, number=number).select_related("by")
    history = list(rows.order_by("-from_day", "-pk"))
    if not history:
        raise Http404(f"Table {number} was never on the table list of {owner.name}.")
    now = entries_on(timezone.localdate(), rows).first()
    context = {"owner": owner, "number": number, "history": history, "now": now, "may_edit": may_edit(request, owner)}
    return render(request, "pages/table.html", {**context, "here": HERE})


def owner_of(request: HttpRequest, slug: str) -> Organization:
    """Return the licensee whose list this person may see; 404 otherwise."""
    return get_object_or_404(licensees_visible_to(request.user), slug=slug)


def may_edit(request: HttpRequest, owner: Organization) -> bool:
    return bool(may(request.user, "edit-tables")) and organization_of(request) == owner


def _number(name: str) -> str:
    try:
        return parse_table(name)
    except ValueError:
        raise Http404("There is no such table.") from None


def _summary(rows: list[TableEntry]) -> str:
    """Return the counts in words: "12 tables: 10 open, 2 closed"."""
    opened = sum(row.state == TableState.OPEN for row in rows)
    return f"{counted(len(rows), 'table')}: {opened} open, {len(rows) - opened} closed"


def _qr_parts(rows: list[TableEntry]) -> list[tuple[int, str, str]]:
    """Return (page, first table, last table) of each PDF with QR codes of the open tables."""
    numbers = [row.number for row in rows if row.state == TableState.OPEN]
    parts = (numbers[start : start + QR_CODES] for start in range(0, len(numbers), QR_CODES))
    return [(page, part[0], part[-1]) for page, part in enumerate(parts, 1)]


@require_safe
def qr_codes_pdf(request: HttpRequest, licensee: str) -> FileResponse:
    """Return a card for each open table of today, 60 in one file (`?page=2`).

    `?chapter=`: of one game; `?table=12`: for this table only, open or closed.
    """
    from submissions.documents.qr_sheet import QrCard, qr_sheet_pdf  # Start-up cost: 0.4 s, for this page only

    owner, number = owner_of(request, licensee), request.GET.get("table", "")
    rows = entries_on(timezone.localdate(), tables_visible_to(request.user)).filter(organization=owner)
    game = {"chapter": request.GET.get("chapter", "")}
    rows = rows.filter(number=number) if number else TableFilterSet.narrow(game, rows.filter(state=TableState.OPEN))
    part = page_of(request, in_order(rows), QR_CODES)
    if not part.object_list:
        raise Http404("The table list has no such table today.")
    cards = [QrCard(row.number, table_address(owner, row.number)) for row in part]
    return file_response(qr_sheet_pdf(owner.name, cards), f"qr-codes-{owner.slug}.pdf", "application/pdf")


def table_address(owner: Organization, number: str) -> str:
    """Return the public address of the rules that govern the table, as a phone reaches it."""
    return settings.PUBLIC_URL + reverse("in-force-any-table", args=[owner.slug, number])


class TableForm(PageForm, forms.ModelForm):  # type: ignore[type-arg]  # not generic when it runs
    codes: ClassVar = dict.fromkeys(("required", "max_length", "invalid_choice"), "table-row")
    chapter = forms.ChoiceField(label="Game")
    state = forms.ChoiceField(choices=TableState.choices)
    from_day = DayField(label="From", help_text="The first day of this change. Eastern Time.")

    class Meta:
        model = TableEntry
        fields = ("number", "chapter", *TableEntry.DETAILS, "state", "from_day")
        labels = {name: f"{name.capitalize()} (optional)" for name in TableEntry.DETAILS}
        help_texts = {"number": "As on the felt, such as 12 or BJ-4."}
        widgets = dict.fromkeys(("number", *TableEntry.DETAILS), forms.TextInput({"autocomplete": "off"}))


def change_table(request: HttpRequest) -> HttpResponse:
    """GET: the form, for the table in the address if one is named. POST: apply it."""
    require(request.user, "edit-tables")
    organization, entry = organization_of(request), _entry(request)
    listed = model_to_dict(entry, exclude=["from_day"]) if entry else {"state": TableState.OPEN}
    form = TableForm(*posted(request), initial={"from_day": timezone.localdate(), **listed})
    cast(Any, form.fields["chapter"]).choices = [
        (game.number, f"{game.title} ({game.number})") for game in chapters_on(timezone.localdate())
    ]
    if request.method == "POST":
        try:
            if form.is_valid():
                return _apply_form(request, form.instance)
        except Refusal as refusal:
            add_refusal(form, refusal)
    context = {"owner": organization, "entry": entry, "seen": last_entry(organization), "here": HERE}
    return render_form(request, "pages/table_form.html", context, form)


def _apply_form(request: HttpRequest, sent: TableEntry) -> HttpResponse:
    """Apply the form and go back to the list; raise the refusal where it changes nothing."""
    seen = whole_number(request.POST.get("seen", ""))
    row = TableRow(sent.number, sent.chapter, sent.state, sent.details)
    entries = change_table_list(person_of(request), [row], from_day=sent.from_day, seen=seen)
    if not entries:
        raise Refusal("table-list-unchanged", day=date_text(sent.from_day))
    (entry,) = entries
    state = entry.get_state_display().lower()
    messages.success(request, f"Saved: table {entry.number}, {state} from {date_text(entry.from_day)}.")
    return redirect("tables-of", organization_of(request).slug)


def _entry(request: HttpRequest) -> TableEntry | None:
    """Return the table that the address names, as it is today."""
    rows = tables_visible_to(request.user).filter(organization=organization_of(request))
    return entries_on(timezone.localdate(), rows).filter(number=request.GET.get("table", "")).first()


class TableSheetForm(PageForm):
    sheet = forms.FileField(
        label="Workbook or CSV file",
        help_text=f".xlsx or .csv, up to {table_sheets.LARGEST >> 20} MB and {MOST:,} tables.",
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput({"accept": ".xlsx,.csv"}),
    )
    pasted = forms.CharField(
        label="Or paste the rows",
        help_text="Copy the cells in your spreadsheet with the row of headings, and paste them here.",
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 8}),
    )
    from_day = DayField(label="From", help_text="The first day of this list. Eastern Time.")
    whole = forms.BooleanField(label="This is the whole list: remove every table that is not in it", required=False)


def upload_sheet(request: HttpRequest) -> HttpResponse:
    """GET: the form. POST: show what would change; with `apply`, apply what was shown."""
    require(request.user, "edit-tables")
    form = TableSheetForm(*posted(request), initial={"from_day": timezone.localdate()})
    context: dict[str, object] = {"columns": table_sheets.COLUMNS, "owner": organization_of(request), "here": HERE}
    if request.method == "POST":
        try:
            is_valid = form.is_valid()
            sheet = _sheet(request, form.cleaned_data.get("pasted", ""))
            if faults := row_faults(sheet.rows):
                context["faults"] = faults
                raise faults[0]
            if is_valid:
                from_day, whole = form.cleaned_data["from_day"], form.cleaned_data["whole"]
                apply = _apply_sheet if "apply" in request.POST else _preview
                return apply(request, sheet, from_day, whole)
        except Refusal as refusal:
            add_refusal(form, refusal, "pasted" if request.POST.get("pasted") else "sheet")
    return render_form(request, "pages/table_sheet.html", context, form)


@require_safe
def download_sheet(request: HttpRequest, licensee: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    """Return the list of a day as CSV or as a workbook, which can be changed and sent back."""
    owner, day = owner_of(request, licensee), requested_day(request).day
    rows = in_order(entries_on(day, tables_visible_to(request.user)).filter(organization=owner))
    request.META[EXPORTED_ROWS] = len(rows)
    headers = {"Content-Disposition": f'attachment; filename="tables-{owner.slug}-{day.isoformat()}.{kind}"'}
    if kind == "csv":
        return StreamingHttpResponse(table_sheets.table_sheet_csv(rows), "text/csv; charset=utf-8", headers=headers)
    if kind == "xlsx":
        return HttpResponse(table_sheets.table_workbook(rows), XLSX, headers=headers)
    raise Http404("The list is available as csv and as xlsx.")


def _sheet(request: HttpRequest, text: str) -> TableSheet:
    """Return the file, or what was pasted."""
    file = request.FILES.get("sheet")  # reads the form, which measures the file
    if oversize(request) or (file is not None and (file.size or 0) > table_sheets.LARGEST):
        raise Refusal("sheet-too-large/file", option="sheet", megabytes=table_sheets.LARGEST >> 20)
    if file is None and not text.strip():
        raise Refusal("file-missing", option="sheet")
    if file is None:
        return table_sheets.read_pasted_table(text)
    # The page that shows the changes names what is hidden, above the button that applies them.
    return table_sheets.read_table_sheet(file.read(), include_hidden=True)


def _preview(request: HttpRequest, sheet: TableSheet, from_day: date, whole: bool) -> HttpResponse:
    """Show the changes that the rows would make, with a button that applies exactly those."""
    rows, organization = sheet.rows, organization_of(request)
    plan = plan_changes(organization, rows, from_day, whole=whole)
    changes = [change for change in plan if change.kind]
    if not changes:
        raise Refusal("table-list-unchanged", day=date_text(from_day))
    context = {
        "owner": organization,
        "changes": [(change, table_words(change.before), table_words(change.after)) for change in changes],
        "unchanged": len(plan) - len(changes),
        "note": sheet.note,
        "from_day": from_day,
        "whole": whole,
        "rows": table_sheets.rows_as_text(change.after for change in plan[: len(rows)]),
        "seen": last_entry(organization),
        "here": HERE,
    }
    return render(request, "pages/table_preview.html", context)


def _apply_sheet(request: HttpRequest, sheet: TableSheet, from_day: date, whole: bool) -> HttpResponse:
    organization, seen = organization_of(request), whole_number(request.POST.get("seen", ""))
    entries = change_table_list(person_of(request), sheet.rows, from_day=from_day, seen=seen, whole=whole)
    messages.success(request, f"The list was changed: {counted(len(entries), 'table')}, from {date_text(from_day)}.")
    return redirect("tables-of", organization.slug)
