"""The public register: every approved version, with its state today and its document. Nothing else is public."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from submissions.filings.effective_periods import effective_period, with_ends
from submissions.filings.versions import versions_in_effect
from submissions.models import Version
from submissions.search.version_filters import RegisterFilterSet, light

PAGE = 50


@require_safe
def register(request: HttpRequest) -> HttpResponse:
    today = timezone.localdate()
    chosen = RegisterFilterSet(request.GET, with_ends(Version.objects.filter(revision__isnull=False)))
    page = Paginator(light(chosen.qs).order_by("-made_at", "-pk"), PAGE).get_page(request.GET.get("page"))
    found = [(one, one.state(today)) for one in map(effective_period, page)]
    context = {"page": page, "found": found, "chosen": chosen, "query": chosen.query, "today": today}
    return render(request, "public/register.html", {**context, "here": "register"}, status=chosen.status)


def offered_by() -> dict[str, list[str]]:
    """Chapter → the licensees with a version of it in force today, by name."""
    found: dict[str, list[str]] = {}
    rows = versions_in_effect(timezone.localdate()).order_by("organization__name")
    for chapter, name in rows.values_list("chapter", "organization__name"):
        found.setdefault(chapter, []).append(name)
    return found
