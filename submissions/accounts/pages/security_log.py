"""The security log for administrators: filtered, newest first, page by page, and as a CSV table.

Pages are asked for by the last number of the page before, so that none is counted or skipped. Not here: who sees which
rows (`permissions.may`), how a filter is read (`security_log.lists`).
"""

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.accounts.pages.sessions import browser_of
from submissions.core.csv_export import csv_lines
from submissions.jobs.export_files import ExportRequest
from submissions.models import AccessRecord
from submissions.permissions import access_records_visible_to, require
from submissions.public.pages import CSV, queued_export
from submissions.security_log.lists import COLUMNS, KIND, RecordFilterSet, record_cells
from submissions.security_log.records import EXPORTED_ROWS
from submissions.web.access_gate import organization_of, person_of
from submissions.web.responses import whole_number

PAGE = 50  # rows
AT_ONCE = 1000  # rows of the table that are read together
FIRST_PAGE = 2**62  # a number that no row has reached
MOST_AT_ONCE = 5_000  # rows that are exported without a job
REASONS = {  # codes of failures that no refusal explains
    "passphrase-wrong": "passphrase or account wrong",
    "no-account": "no such account",
    "repeated": "more of the same in one minute",
    "csrf-failed": "form of another site or an earlier sign-in",
}

_LONG_DIGEST = re.compile(r"\b(sha256=[0-9a-f]{12})[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A row as the page shows it."""

    record: AccessRecord

    @property
    def who(self) -> str:
        """The person, the API key or what was entered."""
        person = self.record.person
        return person.name if person else self.record.credential or self.record.account_masked or "Unknown"

    @property
    def reason(self) -> str:
        return REASONS.get(self.record.reason, self.record.reason.replace("-", " "))

    @property
    def browser(self) -> str:
        return browser_of(self.record.agent) if self.record.agent else ""

    @property
    def subject(self) -> str:
        """The object, a file by the first digits of its digest; the table has all of them."""
        return _LONG_DIGEST.sub(r"\1…", self.record.object_reference)

    @property
    def details(self) -> str:
        return "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in self.record.details.items() if value)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Return the rows after the number in `before`, with the form that filters them."""
    require(request.user, "administer")
    search = RecordFilterSet(request.GET, access_records_visible_to(request.user))
    before = whole_number(request.GET.get("before", ""), FIRST_PAGE, digits=18)
    rows = list(search.qs.filter(pk__lt=before)[: PAGE + 1])
    context = {
        "lines": [RecordLine(row) for row in rows[:PAGE]],
        "older": urlencode({**search.values, "before": rows[PAGE - 1].pk}) if len(rows) > PAGE else "",
        "newest": search.query if before != FIRST_PAGE else None,
        "query": search.query,
        "entered": search.entered,
        "faults": search.faults,
        "kinds": AccessRecord.Kind.choices,
        "outcomes": AccessRecord.Outcome.choices,
        "sees_all": person_of(request).at_regulator and organization_of(request).is_live,
        "days": settings.SECURITY_LOG_DAYS,
        "here": "people",
    }
    return render(request, "pages/security_log.html", context, status=search.status)


@require_safe
def export(request: HttpRequest) -> HttpResponseBase:
    """Return all rows of the filter as CSV; of many rows, the page that waits for them. It is recorded itself."""
    require(request.user, "administer")
    search = RecordFilterSet(request.GET, access_records_visible_to(request.user))
    search.refuse_faults()
    matches = search.qs
    last = matches.values_list("pk", flat=True).first() or 0
    rows = matches.filter(pk__lte=last)  # not the row of this export, which follows
    request.META[EXPORTED_ROWS] = count = rows.count()
    name = f"security-log-{timezone.localdate():%Y-%m-%d}.csv"
    if count > MOST_AT_ONCE:
        return queued_export(request, ExportRequest(KIND, name, CSV, count, request.GET.urlencode(), {"last": last}))
    content = csv_lines(COLUMNS, map(record_cells, rows.iterator(AT_ONCE)))
    return StreamingHttpResponse(content, CSV, headers={"Content-Disposition": f'attachment; filename="{name}"'})
