"""A table list from a spreadsheet: uploaded or pasted, shown as what would change, applied after a confirmation; and
the list as a file. All or nothing: a row that cannot be read stops the whole.

Not here: how a file is read and written (`bulk.spreadsheets.table_sheets`).
"""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.registry import folders
from submissions.bulk.spreadsheets import table_sheets
from submissions.bulk.spreadsheets.table_sheets import TableSheet
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.models import TableEntry
from submissions.permissions import require, tables_visible_to
from submissions.security_log.records import EXPORTED_ROWS
from submissions.table_list.list_changes import (
    MOST,
    TableRow,
    change_table_list,
    last_entry,
    plan_changes,
    removals,
    row_faults,
)
from submissions.table_list.listed_tables import entries_on, in_order
from submissions.web.access_gate import organization_of, person_of
from submissions.web.asked_day import requested_day
from submissions.web.bulk.batches import XLSX
from submissions.web.error_summary import ANY_ENTRY
from submissions.web.forms import SentFlag, SentText
from submissions.web.orders.order_forms import DatedForm
from submissions.web.responses import whole_number
from submissions.web.table_list.pages import HERE, owner_of
from submissions.web.upload_handler import oversize


class TableSheetForm(DatedForm):
    pasted = SentText(
        "Or paste the rows",
        hint="Copy the cells in your spreadsheet with the row of headings, and paste them here.",
        rows=8,
    )
    from_day = SentText("From", hint="The first day of this list. Eastern Time.", kind="date", required=True)
    whole = SentFlag("This is the whole list: remove every table that is not in it")


def upload(request: HttpRequest) -> HttpResponse:
    """GET: the form. POST: show what would change; with `apply`, apply what was shown."""
    require(request.user, "edit-tables")
    form = TableSheetForm(request, from_day=timezone.localdate().isoformat())
    context: dict[str, object] = {"columns": table_sheets.COLUMNS, "most": MOST, "owner": organization_of(request)}
    context["error_fields"] = {"sheet": "sheet", ANY_ENTRY: "pasted" if request.POST.get("pasted") else "sheet"}
    if request.method == "POST":
        with form.showing_refusals():
            sheet = _sheet(request, form)
            if faults := row_faults(sheet.rows):
                context["faults"] = faults
                raise faults[0]
            return _apply(request, form, sheet.rows) if "apply" in request.POST else _preview(request, form, sheet)
    return form.page(request, "pages/table_sheet.html", {**context, "here": HERE})


@require_safe
def download(request: HttpRequest, licensee: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    """The list of a day as CSV or as a workbook, which can be changed and sent back."""
    owner, day = owner_of(request, licensee), requested_day(request).day
    rows: Sequence[TableEntry] = in_order(entries_on(day, tables_visible_to(request.user)).filter(organization=owner))
    request.META[EXPORTED_ROWS] = len(rows)
    headers = {"Content-Disposition": f'attachment; filename="tables-{owner.slug}-{day.isoformat()}.{kind}"'}
    if kind == "csv":
        return StreamingHttpResponse(table_sheets.table_sheet_csv(rows), "text/csv; charset=utf-8", headers=headers)
    if kind == "xlsx":
        return HttpResponse(table_sheets.table_workbook(rows, list(folders())), XLSX, headers=headers)
    raise Http404("The list is available as csv and as xlsx.")


def _sheet(request: HttpRequest, form: TableSheetForm) -> TableSheet:
    """The file, or what was pasted."""
    file = request.FILES.get("sheet")  # reads the form, which measures the file
    if oversize(request) or (file is not None and (file.size or 0) > table_sheets.LARGEST):
        raise Refusal("sheet-too-large/file", option="sheet", megabytes=table_sheets.LARGEST >> 20)
    text = form.values["pasted"]
    if file is None and not text.strip():
        raise Refusal("file-missing", option="sheet")
    if file is None:
        return table_sheets.read_pasted_table(text)
    # The page that shows the changes names what is hidden, above the button that applies them.
    return table_sheets.read_table_sheet(file.read(), include_hidden=True)


def _preview(request: HttpRequest, form: TableSheetForm, sheet: TableSheet) -> HttpResponse:
    """What the rows would change, with a button that applies exactly that."""
    rows, organization, from_day = sheet.rows, organization_of(request), form.required_day("from_day")
    missing = removals(organization, rows, from_day) if form.values["whole"] else []
    changes = plan_changes(organization, [*rows, *missing], from_day)
    if not changes:
        raise Refusal("table-list-unchanged", day=date_text(from_day))
    context = {
        "owner": organization,
        "changes": changes,
        "unchanged": len(rows) - sum(change.kind != "Remove" for change in changes),
        "note": sheet.note,
        "from_day": from_day,
        "whole": form.values["whole"],
        "rows": table_sheets.rows_as_text(rows),
        "seen": last_entry(organization),
        "here": HERE,
    }
    return form.page(request, "pages/table_preview.html", context)


def _apply(request: HttpRequest, form: TableSheetForm, rows: list[TableRow]) -> HttpResponse:
    organization, from_day = organization_of(request), form.required_day("from_day")
    seen, whole = whole_number(request.POST.get("seen", "")), form.values["whole"]
    entries = change_table_list(person_of(request), rows, from_day=from_day, seen=seen, whole=whole)
    noun = "table" if len(entries) == 1 else "tables"
    messages.success(request, f"The list was changed: {len(entries):,} {noun}, from {date_text(from_day)}.")
    return redirect("tables-of", organization.slug)
