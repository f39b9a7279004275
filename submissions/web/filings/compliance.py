"""The versions that no longer comply, or will not from a known day: all for the Board, its own for a licensee."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from submissions.filings.compliance import check_compliance
from submissions.permissions import versions_visible_to
from submissions.web.asked_day import requested_day


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    asked = requested_day(request)
    found = check_compliance(versions_visible_to(request.user), asked.day)
    breaches = [(breach, breach.is_coming(asked.day)) for breach in found.breaches]
    context = {"asked": asked, "found": found, "breaches": breaches, "here": "changed-rules"}
    return render(request, "pages/changed_rules.html", context, status=asked.status)
