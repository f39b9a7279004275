"""Choosing the planned effective day on the checklist page."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.filings.planned_day import plan_effective_day
from submissions.search.field_parsing import day_of
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.filings.checklist import checklist_page
from submissions.web.forms import is_about_entries

NO_DAY = "No day is planned. The submission takes effect when it is approved."


@require_POST
def plan(request: HttpRequest, number: str) -> HttpResponse:
    """Choose the planned effective day; an empty field plans none."""
    submission, text = submission_of(request, number), request.POST.get("takes_effect", "").strip()
    try:
        day = plan_effective_day(person_of(request), submission, day_of(text) if text else None).takes_effect
    except Refusal as refusal:
        if not is_about_entries(refusal) or not is_prepared_by(request, submission):
            raise
        return checklist_page(request, submission, refusal)
    messages.success(request, f"Planned for {date_text(day)}: the rules of that day apply." if day else NO_DAY)
    return redirect("checklist", number)
