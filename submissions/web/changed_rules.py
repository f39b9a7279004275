"""The versions that no longer comply, or will not from a known day: all for the Board, its own for a licensee."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from submissions.access import versions_visible_to
from submissions.compliance import compliance
from submissions.web.days import day_asked


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    asked = day_asked(request)
    found = compliance(versions_visible_to(request.user), asked.day)
    breaches = [(breach, breach.is_coming(asked.day)) for breach in found.breaches]
    context = {"asked": asked, "found": found, "breaches": breaches, "here": "changed-rules"}
    return render(request, "pages/changed_rules.html", context, status=asked.status)
