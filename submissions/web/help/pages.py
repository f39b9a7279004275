"""Help: guides by role, the words of the pages, whom to ask. The texts are data beside this module."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_POST, require_safe

from submissions.models import Person

HERE = Path(__file__).parent
TOUR_COOKIE = f"{settings.COOKIE_PREFIX}tour"
TOUR_DAYS = 365


@cache
def guides() -> tuple[dict[str, Any], ...]:
    """Return each role's guide: key, title, intro, tasks with steps; `**words**` in a step are labels of its page."""
    rows = tomllib.loads((HERE / "guides.toml").read_text(encoding="utf-8"))["guide"]
    return tuple(
        {**row, "tasks": [{**task, "steps": [_marked(step["text"]) for step in task["steps"]]} for task in row["task"]]}
        for row in rows
    )


@cache
def terms() -> tuple[dict[str, Any], ...]:
    """Return the words in alphabetical order."""
    rows = tomllib.loads((HERE / "terms.toml").read_text(encoding="utf-8"))["term"]
    return tuple(sorted(rows, key=lambda row: str(row["word"]).lower()))


def guide_of(person: object) -> str:
    """Return the key of the guide for this person's role."""
    return str(person.role) if isinstance(person, Person) and person.organization else "public"


def tour_of(request: HttpRequest) -> str:
    """Return the guide that the first page offers; "" once the person has closed it in this browser."""
    return guide_of(request.user) if request.user.is_authenticated and TOUR_COOKIE not in request.COOKIES else ""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    context = {"guides": guides(), "mine": guide_of(request.user), "here": "help"}
    return render(request, "help/index.html", context)


@require_safe
def role(request: HttpRequest, key: str) -> HttpResponse:
    for guide in guides():
        if guide["key"] == key:
            return render(request, "help/role.html", {"guide": guide, "guides": guides(), "here": "help"})
    raise Http404(f"There is no guide “{key}”.")


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    return render(request, "help/glossary.html", {"terms": terms(), "here": "help"})


@require_POST
def close_tour(request: HttpRequest) -> HttpResponse:
    """Do not offer the tour again in this browser."""
    response = redirect("home")
    response.set_cookie(
        TOUR_COOKIE, "closed", max_age=TOUR_DAYS * 86_400, secure=settings.SESSION_COOKIE_SECURE, httponly=True,
        samesite="Lax",
    )  # fmt: skip
    return response


def _marked(step: str) -> SafeString:
    """Return the step with `**words**` in bold."""
    parts = escape(step).split("**")
    return mark_safe("".join(f"<b>{part}</b>" if place % 2 else part for place, part in enumerate(parts)))
