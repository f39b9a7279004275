"""Every address of the portal's pages in one table: the path, the view, its name, whom it is for.

The table guards them: a view is reached only through `access_gate.guarded`. A test walks it with the whole cast.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, register_converter
from django.urls.converters import StringConverter

from submissions.web import api_explorer, error_pages, evidence
from submissions.web import exports as export_pages
from submissions.web.access_gate import Audience, View, guarded
from submissions.web.accounts import (
    agency_sign_in,
    api_credentials,
    confirmation_page,
    invitation_acceptance,
    members,
    passkeys,
    properties,
    security_log,
    sessions,
    stand_ins,
)
from submissions.web.bulk import batches
from submissions.web.filings import (
    amendments,
    chapters,
    checklist,
    draft_deletion,
    effective_day,
    errata_downloads,
    errata_pages,
    filing,
    handover,
    property_copies,
    start,
    submissions,
    table_groups,
    table_pages,
    versions,
)
from submissions.web.help import pages as help_pages
from submissions.web.layouts import drawing_comparison, layout_files, layout_filing, layout_page, layout_review
from submissions.web.notifications import notices, webhooks
from submissions.web.operations import pages as operations
from submissions.web.orders import chapter_decisions, order_list, order_page
from submissions.web.review import assignments, calendar, decisions, equal_filings, saved_views, worklist, workload
from submissions.web.rulemakings import changes as rule_changes
from submissions.web.rulemakings import pages as rulemakings
from submissions.web.rulemakings import trials
from submissions.web.search import exports, search_page
from submissions.web.table_list import changes as table_changes
from submissions.web.table_list import pages as table_lists
from submissions.web.table_list import qr_codes
from submissions.web.table_list import sheets as table_sheets


class StepConverter(StringConverter):
    """The steps that are taken from a submission's page."""

    regex = "recommend|return|approve|reject|withdraw"


class LayoutStepConverter(StringConverter):
    """The Board's steps, taken from the page of a layout filing."""

    regex = "notify|recommend|approve|reject"


register_converter(StepConverter, "verb")
register_converter(LayoutStepConverter, "layoutstep")
PUBLIC, REGISTER = Audience.PUBLIC, Audience.REGISTER


def signed_in(request: HttpRequest) -> HttpResponse:
    """Where the sign-in in a second tab ends: back to the page that is still open."""
    return render(request, "pages/signed_in.html")


@dataclass(frozen=True, slots=True)
class Address:
    route: str
    view: View
    name: str
    who: Audience = Audience.SIGNED_IN


ADDRESSES = (
    Address("", worklist.home, "home", PUBLIC),
    Address("queue/equal/<slug:step>/<slug:digest>/", equal_filings.page, "equal-filings"),
    Address("queue/saved/", saved_views.save_view, "save-view"),
    Address("calendar/", calendar.page, "calendar"),
    Address("calendar/calendar.ics", calendar.ics, "calendar-ics"),
    Address("workload/", workload.page, "workload"),
    Address("workload/turnaround.csv", workload.csv, "workload-csv"),
    Address("register/", versions.register, "register", REGISTER),
    Address("in-force/", versions.index, "in-force", REGISTER),
    Address("in-force/<slug:licensee>/tables/", table_pages.index, "in-force-tables", REGISTER),
    Address("in-force/<slug:licensee>/tables/<str:name>/", table_pages.any_game, "in-force-any-table", REGISTER),
    Address("in-force/<slug:licensee>/<slug:chapter>/", versions.game, "in-force-game", REGISTER),
    Address("in-force/<slug:licensee>/<slug:chapter>/tables/<str:name>/", table_pages.game, "in-force-table", REGISTER),
    Address("orders/", order_list.index, "orders"),
    Address("orders/new/", order_page.enter, "order-new"),
    Address("orders/chapters/", chapter_decisions.index, "temporary-chapters"),
    Address("orders/chapters/<slug:number>/", chapter_decisions.decide, "chapter-decision"),
    Address("orders/<slug:number>/", order_page.show, "order"),
    Address("orders/<slug:number>/document/", order_page.document, "order-document"),
    Address("orders/<slug:number>/replace/", order_page.replace, "order-replace"),
    Address("orders/<slug:number>/end/", order_page.end, "order-end"),
    Address("tables/", table_lists.index, "tables"),
    Address("tables/change/", table_changes.change, "table-change"),
    Address("tables/upload/", table_sheets.upload, "tables-upload"),
    Address("tables/of/<slug:licensee>/", table_lists.show, "tables-of"),
    Address("tables/of/<slug:licensee>/qr-codes.pdf", qr_codes.pdf, "tables-qr"),
    Address("tables/of/<slug:licensee>/tables.<slug:kind>", table_sheets.download, "tables-download"),
    Address("tables/of/<slug:licensee>/<str:name>/", table_lists.table, "table"),
    Address("rules/changes/", versions.compliance, "changed-rules"),
    Address("rulemakings/", rulemakings.index, "rulemakings", PUBLIC),
    Address("rulemakings/start/", rulemakings.start, "rulemaking-start"),
    Address("rulemakings/<slug:number>/", rulemakings.show, "rulemaking", PUBLIC),
    Address("rulemakings/<slug:number>/change/", rule_changes.change, "rulemaking-change"),
    Address("rulemakings/<slug:number>/change/remove/", rule_changes.remove, "rulemaking-change-remove"),
    Address("rulemakings/<slug:number>/form/", rule_changes.form, "rulemaking-form"),
    Address("rulemakings/<slug:number>/trial/", trials.trial, "rulemaking-trial"),
    Address("rulemakings/<slug:number>/trial.csv", trials.csv, "rulemaking-trial-csv"),
    Address("rulemakings/<slug:number>/trial.pdf", trials.pdf, "rulemaking-trial-pdf"),
    Address("rulemakings/<slug:number>/publish/", rulemakings.publish, "rulemaking-publish"),
    Address("rulemakings/<slug:number>/withdraw/", rulemakings.withdraw, "rulemaking-withdraw"),
    Address("search/", search_page.page, "search"),
    Address("search/export.csv", exports.csv, "export-csv"),
    Address("search/export.zip", exports.zip_archive, "export-zip"),
    Address("exports/<int:pk>/", export_pages.page, "export"),
    Address("exports/<int:pk>/file/", export_pages.file, "export-file"),
    Address("search/saved/", search_page.keep, "keep-filter"),
    Address("search/saved/<int:pk>/forget/", search_page.forget, "forget-filter"),
    Address("games/", chapters.index, "chapters", PUBLIC),
    Address("games/<slug:number>/", chapters.chapter, "chapter", PUBLIC),
    Address("errata/", errata_pages.index, "errata", PUBLIC),
    Address("errata/report.json", errata_downloads.data, "errata-json", PUBLIC),
    Address("errata/report.csv", errata_downloads.table, "errata-csv", PUBLIC),
    Address("errata/<slug:number>/", errata_pages.chapter, "errata-chapter", PUBLIC),
    Address("sections/<str:place>/", chapters.section, "section", PUBLIC),
    Address("signed-in/", signed_in, "signed-in"),
    Address("submissions/start/<slug:number>/", start.start, "start"),
    Address("submissions/start/<slug:number>/from/", start.start_from, "start-from"),
    Address("submissions/<slug:number>/", submissions.show, "submission"),
    Address("submissions/<slug:number>/checklist/", checklist.page, "checklist"),
    Address("submissions/<slug:number>/checklist/<slug:key>/figures/", checklist.figures, "figures"),
    Address("submissions/<slug:number>/day/", effective_day.plan, "planned-day"),
    Address("submissions/<slug:number>/groups/", table_groups.add, "groups"),
    Address("submissions/<slug:number>/groups/<int:group>/", table_groups.change, "group"),
    Address("submissions/<slug:number>/groups/<int:group>/remove/", table_groups.remove, "group-remove"),
    Address("submissions/<slug:number>/file/", filing.file, "file"),
    Address("submissions/<slug:number>/send/", handover.send, "send-to-manager"),
    Address("submissions/<slug:number>/send-back/", handover.send_back, "send-back"),
    Address("submissions/<slug:number>/delete/", draft_deletion.delete, "delete-draft"),
    Address("submissions/<slug:number>/receipt/", filing.receipt, "receipt"),
    Address("submissions/<slug:number>/progress/", submissions.progress, "progress"),
    Address("submissions/<slug:number>/rounds/", evidence.page, "round"),
    Address("submissions/<slug:number>/document/", submissions.document, "document"),
    Address("submissions/<slug:number>/draft/", submissions.draft, "draft"),
    Address("submissions/<slug:number>/draft/<int:place>/", submissions.draft_revision, "draft-of-revision"),
    Address("submissions/<slug:number>/papers/<int:group>/<slug:part>.<slug:kind>", layout_files.draft, "paper-draft"),
    Address("submissions/<slug:number>/files/<slug:sha256>/", submissions.attachment, "attachment"),
    Address("submissions/<slug:number>/<verb:verb>/", decisions.decide, "decide"),
    Address("submissions/<slug:number>/assign/", assignments.assign_submission, "assign"),
    Address("submissions/<slug:number>/changes/", amendments.changes, "changes"),
    Address("submissions/<slug:number>/amend/", amendments.amend, "amend"),
    Address("submissions/<slug:number>/copy/", property_copies.copy, "copy"),
    Address("submissions/<slug:number>/discontinue/", amendments.discontinue, "discontinue"),
    Address("submissions/<slug:number>/remarks/", decisions.write_comment, "remark"),
    Address("submissions/<slug:number>/remarks/<int:pk>/", decisions.follow_up, "remark-follow"),
    Address("layouts/<slug:number>/assign/", assignments.assign_layout, "layout-assign"),
    Address("layouts/<slug:number>/judge/", layout_review.judge, "layout-judge"),
    Address("layouts/<slug:number>/compare/", drawing_comparison.page, "layout-compare"),
    Address("layouts/<slug:number>/<layoutstep:step>/", layout_review.decide, "layout-decide"),
    Address("submissions/<slug:number>/layouts/start/<int:group>/", layout_filing.start, "layout-start"),
    Address("layouts/<slug:number>/", layout_page.show, "layout"),
    Address("layouts/<slug:number>/progress/", layout_page.progress, "layout-progress"),
    Address("layouts/<slug:number>/upload/", layout_filing.upload, "layout-upload"),
    Address("layouts/<slug:number>/positions/", layout_filing.positions, "layout-positions"),
    Address("layouts/<slug:number>/inspect/", layout_filing.inspect, "layout-inspect"),
    Address("layouts/<slug:number>/marks/", layout_filing.mark_element, "layout-mark"),
    Address("layouts/<slug:number>/marks/<int:pk>/remove/", layout_filing.remove_mark, "layout-unmark"),
    Address("layouts/<slug:number>/file/", layout_filing.file, "layout-file"),
    Address("layouts/<slug:number>/withdraw/", layout_filing.withdraw, "layout-withdraw"),
    Address("layouts/<slug:number>/drawings/<int:pk>/", layout_files.drawing, "layout-drawing"),
    Address("layouts/<slug:number>/drawings/<int:pk>/pages/<int:page>/", layout_files.picture, "layout-picture"),
    Address("bulk/", batches.index, "bulk"),
    Address("bulk/configurations.xlsx", batches.download, "bulk-workbook"),
    Address("bulk/<slug:number>/", batches.page, "batch"),
    Address("bulk/<slug:number>/progress/", batches.progress, "batch-progress"),
    Address("bulk/<slug:number>/result.csv", batches.result, "batch-result"),
    Address("bulk/<slug:number>/result.xlsx", batches.result_workbook_file, "batch-result-workbook"),
    Address("bulk/<slug:number>/confirm/", batches.confirm, "batch-confirm"),
    Address("bulk/<slug:number>/discard/", batches.discard, "batch-discard"),
    Address("notices/", notices.page, "notices"),
    Address("people/", members.page, "people"),
    Address("people/invitations/<int:pk>/<slug:action>/", members.invitation, "invitation"),
    Address("people/stand-ins/", stand_ins.page, "stand-ins"),
    Address("people/stand-ins/<int:pk>/end/", stand_ins.end, "stand-in-end"),
    Address("people/<int:pk>/", members.member, "person"),
    Address("people/<int:pk>/<slug:action>/", members.change, "person-action"),
    Address("organization/credentials/", api_credentials.page, "credentials"),
    Address("organization/credentials/<int:pk>/", api_credentials.credential, "credential"),
    Address("organization/credentials/<int:pk>/<slug:action>/", api_credentials.change, "credential-action"),
    Address("organization/webhooks/", webhooks.page, "webhooks"),
    Address("organization/webhooks/<int:pk>/", webhooks.webhook, "webhook"),
    Address("organization/webhooks/<int:pk>/<slug:action>/", webhooks.change, "webhook-action"),
    Address("organization/webhooks/<int:pk>/deliveries/<slug:key>/replay/", webhooks.replay, "webhook-replay"),
    Address("security-log/", security_log.page, "security-log"),
    Address("security-log/export.csv", security_log.export, "security-log-export"),
    Address("operations/", operations.page, "operations"),
    Address("operations/jobs/<int:pk>/", operations.run_again, "job-run-again"),
    Address("help/", help_pages.index, "help", PUBLIC),
    Address("help/glossary/", help_pages.glossary, "help-glossary", PUBLIC),
    Address("help/tour/close/", help_pages.close_tour, "close-tour"),
    Address("help/<slug:key>/", help_pages.role, "help-role", PUBLIC),
    Address("api/", api_explorer.page, "api-explorer", PUBLIC),
    Address("errors/", error_pages.catalog, "catalogue", PUBLIC),
    Address("accounts/reauthenticate/", confirmation_page.page, confirmation_page.CONFIRMATION_PAGE),
    Address("accounts/agency/", agency_sign_in.start, "agency-sign-in", PUBLIC),
    Address("accounts/agency/signed-out/", agency_sign_in.signed_out, "agency-signed-out", PUBLIC),
    Address("accounts/passkey-options/", passkeys.request_options, "passkey-options"),
    Address("sessions/<int:pk>/end/", sessions.end, "end-session", Audience.ACCOUNT),
    Address("properties/switch/", properties.switch, "property-switch", Audience.ACCOUNT),
    Address("invitations/<str:secret>/", invitation_acceptance.page, "join", PUBLIC),
)

urlpatterns = [path(address.route, guarded(address.view, address.who), name=address.name) for address in ADDRESSES]
