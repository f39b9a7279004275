"""What holds on a day: at every licensee, for one game with its versions, at one table. Public.

Everything is read from the frozen filings. Which version holds is `actions.versions`, from when until when `terms`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from submissions import following, tables
from submissions.access import licensees
from submissions.actions.snapshot import refuse_damaged
from submissions.actions.versions import all_in_force, in_force
from submissions.documents.present import present as present_document
from submissions.documents.record import compose
from submissions.errors import Refusal
from submissions.models import Document, Organisation, Revision, Version
from submissions.offers import analyses_of, groups
from submissions.search.versions import light, narrowed
from submissions.terms import terms
from submissions.web import present
from submissions.web.at_table import at_table
from submissions.web.days import Day, day_asked

Shown = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """A licensee's game, and the day that is asked about."""

    licensee: Organisation
    chapter: str
    asked: Day

    @property
    def version(self) -> Version | None:
        return in_force(self.licensee, self.chapter, self.asked.day)

    @property
    def context(self) -> Shown:
        return {"licensee": self.licensee, "chapter": self.chapter, "asked": self.asked, "here": "in-force"}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Which games each licensee offers on the day, by which version."""
    asked, chosen = day_asked(request), narrowed(request.GET)
    rows = chosen.of(all_in_force(asked.day), asked.day).order_by("organisation__name", "chapter")
    found = terms(light(rows))
    context = {
        "asked": asked,
        "chosen": chosen,
        "licensees": [
            (licensee, list(held)) for licensee, held in groupby(found, key=lambda term: term.version.organisation)
        ],
        "here": "in-force",
    }
    return render(request, "public/in_force.html", context, status=max(chosen.status, asked.status))


@require_safe
def game(request: HttpRequest, licensee: str, chapter: str) -> HttpResponse:
    """One licensee's game on the day: every configuration with its paytables, the document, all versions."""
    place = _place(request, licensee, chapter)
    typed = request.GET.get("table", "").strip()
    fault = _no_table(typed) if typed else None
    if typed and not fault:
        address = reverse("in-force-table", args=[licensee, chapter, tables.one(typed)])
        return redirect(f"{address}{place.asked.query}")
    version = place.version
    history = terms(
        light(Version.objects.filter(organisation=place.licensee, chapter=chapter)).order_by("-from_day", "-pk")
    )
    context = place.context | {
        "typed": typed,
        "fault": fault,
        "history": [(term, term.state(place.asked.day)) for term in history],
        "term": next((term for term in history if version and term.version.pk == version.pk), None),
        **(_filed(version.revision) if version and version.revision else {}),
    }
    status = fault.status if fault else place.asked.status
    return render(request, "public/in_force_game.html", context, status=status)


@require_safe
def table(request: HttpRequest, licensee: str, chapter: str, name: str) -> HttpResponse:
    """What an inspector looks for at one table: the felt, the sign, the options; made for a phone."""
    place = _place(request, licensee, chapter)
    if fault := _no_table(name):
        raise fault
    version = place.version
    context = place.context | {"table": tables.one(name), "version": version, "fault": None}
    if version and version.revision:
        refuse_damaged(version.revision)
        context |= {
            "shown": at_table(version.revision.content, tables.one(name)),
            "document": Document.objects.filter(revision=version.revision).only("signed_id").first(),
            "papers": _papers_at(version.revision, tables.one(name)),
        }
    return render(request, "public/in_force_table.html", context, status=place.asked.status)


def _papers_at(revision: Revision, table: str) -> following.Group:
    """Layout, sign and guide of the group that the table belongs to."""
    groups = following.of_revision(revision)
    return groups[tables.group_at([one.tables for one in groups], table)]


def _place(request: HttpRequest, licensee: str, chapter: str) -> Place:
    """404 where there is no such licensee or no such game; a game that it never offered has a page that says so."""
    if not present.known(chapter):
        raise Http404(f"The portal does not hold chapter {chapter}.")
    found = get_object_or_404(licensees(), slug=licensee)
    return Place(found, chapter, day_asked(request))


def _no_table(name: str) -> Refusal | None:
    try:
        tables.one(name)
    except ValueError as error:
        return Refusal("no-table", f"{error}.", fix="Write it as it stands at the table, such as 12 or BJ-4.")
    return None


def _filed(revision: Revision) -> Shown:
    """The filing in words, and what each group's wagers hold."""
    refuse_damaged(revision)
    content = revision.content
    return {
        "revision": revision,
        "following": following.of_revision(revision),
        "document": Document.objects.filter(revision=revision).only("signed_id", "pages").first(),
        "shown": present_document(compose(content, revision.sha256)),
        "groups": groups(revision.pk, content, analyses_of([revision.pk])),
    }
