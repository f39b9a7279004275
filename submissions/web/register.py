"""The public register: every approved version, with where it stands today and its document. Nothing else is public."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.actions.versions import all_in_force
from submissions.models import Version
from submissions.search.versions import light, narrowed
from submissions.terms import term, with_ends

PAGE = 50


@require_safe
def register(request: HttpRequest) -> HttpResponse:
    chosen, today = narrowed(request.GET), timezone.localdate()
    rows = chosen.of(with_ends(Version.objects.filter(revision__isnull=False)), today)
    page = Paginator(light(rows).order_by("-made_at", "-pk"), PAGE).get_page(request.GET.get("page"))
    found = [(one, one.state(today)) for one in map(term, page)]
    context = {"page": page, "found": found, "chosen": chosen, "query": chosen.query, "today": today}
    return render(request, "public/register.html", {**context, "here": "register"}, status=chosen.status)


def offered_by() -> dict[str, list[str]]:
    """Chapter → the licensees with a version of it in force today, by name."""
    found: dict[str, list[str]] = {}
    rows = all_in_force(timezone.localdate()).order_by("organisation__name")
    for chapter, name in rows.values_list("chapter", "organisation__name"):
        found.setdefault(chapter, []).append(name)
    return found
