"""Every address of the portal's pages in one table: the path, the view, its name, whom it is for.

The table is what guards them: a view is reached only through `guard.guarded`. A test walks it with the whole cast.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, register_converter

from submissions.web import chapters, checklist, filing, home, printing, register, rounds, submission
from submissions.web.guard import View, Who, guarded


class Verb:
    """The steps that are taken from a submission's page."""

    regex = "recommend|return|approve|withdraw"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Verb, "verb")


def signed_in(request: HttpRequest) -> HttpResponse:
    """Where the sign-in in a second tab ends: back to the page that is still open."""
    return render(request, "pages/signed_in.html")


@dataclass(frozen=True, slots=True)
class Address:
    route: str
    view: View
    name: str
    who: Who = Who.SIGNED_IN


ADDRESSES = (
    Address("", home.home, "home", Who.PUBLIC),
    Address("register/", register.register, "register", Who.PUBLIC),
    Address("games/", chapters.index, "chapters", Who.PUBLIC),
    Address("games/<slug:number>/", chapters.chapter, "chapter", Who.PUBLIC),
    Address("sections/<str:place>/", chapters.section, "section", Who.PUBLIC),
    Address("signed-in/", signed_in, "signed-in"),
    Address("submissions/start/<slug:number>/", checklist.start, "start"),
    Address("submissions/<slug:number>/", submission.page, "submission"),
    Address("submissions/<slug:number>/checklist/", checklist.page, "checklist"),
    Address("submissions/<slug:number>/checklist/<slug:key>/figures/", checklist.figures, "figures"),
    Address("submissions/<slug:number>/file/", filing.file, "file"),
    Address("submissions/<slug:number>/receipt/", filing.receipt, "receipt"),
    Address("submissions/<slug:number>/progress/", submission.progress, "progress"),
    Address("submissions/<slug:number>/rounds/", rounds.page, "round"),
    Address("submissions/<slug:number>/document/", submission.document, "document"),
    Address("submissions/<slug:number>/draft/", printing.answers, "draft"),
    Address("submissions/<slug:number>/draft/<int:place>/", printing.revision, "draft-of-revision"),
    Address("submissions/<slug:number>/files/<slug:sha256>/", submission.attachment, "attachment"),
    Address("submissions/<slug:number>/<verb:verb>/", submission.decide, "decide"),
)

urlpatterns = [path(one.route, guarded(one.view, one.who), name=one.name) for one in ADDRESSES]
