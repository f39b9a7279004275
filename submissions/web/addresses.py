"""Every address of the portal's pages in one table: the path, the view, its name, whom it is for.

The table is what guards them: a view is reached only through `guard.guarded`. A test walks it with the whole cast.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, register_converter

from submissions.web import (
    across,
    amending,
    bulk,
    bulk_batch,
    catalogue,
    changed_rules,
    chapters,
    checklist,
    credentials,
    deciding,
    exports,
    filing,
    grouping,
    home,
    in_force,
    joining,
    layout_compare,
    layout_files,
    layout_filing,
    layout_review,
    layout_start,
    layouts,
    notices,
    papers,
    people,
    printing,
    register,
    remarks,
    rounds,
    search,
    sessions,
    submission,
    webhooks,
)
from submissions.web.guard import View, Who, guarded


class Verb:
    """The steps that are taken from a submission's page."""

    regex = "recommend|return|approve|reject|withdraw"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class LayoutStep(Verb):
    """The Board's steps, taken from the page of a layout filing."""

    regex = "notify|recommend|approve|reject"


register_converter(Verb, "verb")
register_converter(LayoutStep, "layoutstep")


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
    Address("in-force/", in_force.index, "in-force", Who.PUBLIC),
    Address("in-force/<slug:licensee>/<slug:chapter>/", in_force.game, "in-force-game", Who.PUBLIC),
    Address("in-force/<slug:licensee>/<slug:chapter>/tables/<str:name>/", in_force.table, "in-force-table", Who.PUBLIC),
    Address("rules/changes/", changed_rules.page, "changed-rules"),
    Address("search/", search.page, "search"),
    Address("search/export.csv", exports.csv, "export-csv"),
    Address("search/export.zip", exports.zip_archive, "export-zip"),
    Address("search/saved/", search.keep, "keep-filter"),
    Address("search/saved/<int:kept>/forget/", search.forget, "forget-filter"),
    Address("across/", across.index, "across"),
    Address("across/<slug:number>/", across.game, "across-game"),
    Address("games/", chapters.index, "chapters", Who.PUBLIC),
    Address("games/<slug:number>/", chapters.chapter, "chapter", Who.PUBLIC),
    Address("sections/<str:place>/", chapters.section, "section", Who.PUBLIC),
    Address("signed-in/", signed_in, "signed-in"),
    Address("submissions/start/<slug:number>/", checklist.start, "start"),
    Address("submissions/<slug:number>/", submission.page, "submission"),
    Address("submissions/<slug:number>/checklist/", checklist.page, "checklist"),
    Address("submissions/<slug:number>/checklist/<slug:key>/figures/", checklist.figures, "figures"),
    Address("submissions/<slug:number>/groups/", grouping.add, "groups"),
    Address("submissions/<slug:number>/groups/<int:group>/", grouping.change, "group"),
    Address("submissions/<slug:number>/groups/<int:group>/remove/", grouping.remove, "group-remove"),
    Address("submissions/<slug:number>/file/", filing.file, "file"),
    Address("submissions/<slug:number>/receipt/", filing.receipt, "receipt"),
    Address("submissions/<slug:number>/progress/", submission.progress, "progress"),
    Address("submissions/<slug:number>/rounds/", rounds.page, "round"),
    Address("submissions/<slug:number>/document/", submission.document, "document"),
    Address("submissions/<slug:number>/draft/", printing.answers, "draft"),
    Address("submissions/<slug:number>/draft/<int:place>/", printing.revision, "draft-of-revision"),
    Address("submissions/<slug:number>/papers/<int:group>/<slug:part>.<slug:kind>", papers.draft, "paper-draft"),
    Address("submissions/<slug:number>/files/<slug:sha256>/", submission.attachment, "attachment"),
    Address("submissions/<slug:number>/<verb:verb>/", deciding.decide, "decide"),
    Address("submissions/<slug:number>/changes/", amending.changes, "changes"),
    Address("submissions/<slug:number>/amend/", amending.amend, "amend"),
    Address("submissions/<slug:number>/discontinue/", amending.discontinue, "discontinue"),
    Address("submissions/<slug:number>/remarks/", remarks.write, "remark"),
    Address("submissions/<slug:number>/remarks/<int:pk>/", remarks.follow, "remark-follow"),
    Address("layouts/<slug:number>/judge/", layout_review.judge, "layout-judge"),
    Address("layouts/<slug:number>/compare/", layout_compare.page, "layout-compare"),
    Address("layouts/<slug:number>/<layoutstep:step>/", layout_review.decide, "layout-decide"),
    Address("submissions/<slug:number>/layouts/start/<int:group>/", layout_start.start, "layout-start"),
    Address("layouts/<slug:number>/", layouts.page, "layout"),
    Address("layouts/<slug:number>/progress/", layouts.progress, "layout-progress"),
    Address("layouts/<slug:number>/upload/", layout_filing.upload, "layout-upload"),
    Address("layouts/<slug:number>/positions/", layout_filing.positions, "layout-positions"),
    Address("layouts/<slug:number>/inspect/", layout_filing.inspect, "layout-inspect"),
    Address("layouts/<slug:number>/marks/", layout_filing.mark, "layout-mark"),
    Address("layouts/<slug:number>/marks/<int:pk>/remove/", layout_filing.unmark, "layout-unmark"),
    Address("layouts/<slug:number>/file/", layout_filing.file, "layout-file"),
    Address("layouts/<slug:number>/withdraw/", layout_filing.withdraw, "layout-withdraw"),
    Address("layouts/<slug:number>/drawings/<int:pk>/", layout_files.drawing, "layout-drawing"),
    Address("layouts/<slug:number>/drawings/<int:pk>/pages/<int:page>/", layout_files.picture, "layout-picture"),
    Address("bulk/", bulk.index, "bulk"),
    Address("bulk/configurations.xlsx", bulk.download, "bulk-workbook"),
    Address("bulk/<slug:number>/", bulk_batch.page, "batch"),
    Address("bulk/<slug:number>/progress/", bulk_batch.progress, "batch-progress"),
    Address("bulk/<slug:number>/result.csv", bulk_batch.result, "batch-result"),
    Address("bulk/<slug:number>/confirm/", bulk_batch.confirm, "batch-confirm"),
    Address("bulk/<slug:number>/discard/", bulk_batch.discard, "batch-discard"),
    Address("notices/", notices.page, "notices"),
    Address("people/", people.page, "people"),
    Address("people/invitations/<int:pk>/<slug:deed>/", people.invitation, "invitation"),
    Address("people/<int:pk>/", people.one, "person"),
    Address("people/<int:pk>/<slug:deed>/", people.change, "person-deed"),
    Address("organisation/credentials/", credentials.page, "credentials"),
    Address("organisation/credentials/<int:pk>/", credentials.one, "credential"),
    Address("organisation/credentials/<int:pk>/<slug:deed>/", credentials.change, "credential-deed"),
    Address("organisation/webhooks/", webhooks.page, "webhooks"),
    Address("organisation/webhooks/<int:pk>/", webhooks.one, "webhook"),
    Address("organisation/webhooks/<int:pk>/<slug:deed>/", webhooks.change, "webhook-deed"),
    Address("organisation/webhooks/<int:pk>/deliveries/<slug:key>/replay/", webhooks.replay, "webhook-replay"),
    Address("errors/", catalogue.page, "catalogue", Who.PUBLIC),
    Address("sessions/<int:pk>/end/", sessions.end, "end-session"),
    Address("invitations/<str:secret>/", joining.page, "join", Who.PUBLIC),
)

urlpatterns = [path(one.route, guarded(one.view, one.who), name=one.name) for one in ADDRESSES]
