"""Every address of the portal's pages in one table: the path, the view, its name, whom it is for.

The table guards them: a view is reached only through `access_gate.guarded`. A test walks it with the whole cast.
"""

from dataclasses import dataclass
from functools import partial

from django.urls import path, register_converter
from django.urls.converters import StringConverter
from django.views.generic import TemplateView

from submissions.accounts.pages import (
    agency_sign_in,
    api_credentials,
    factor_forms,
    members,
    reauthentication,
    security_log,
    sessions,
)
from submissions.bulk import pages as bulk_pages
from submissions.filings.evidence import pages as evidence_pages
from submissions.filings.orders.pages import orders
from submissions.filings.pages import (
    amendments,
    chapters,
    checklist,
    drafts,
    filing,
    par_sheets,
    submissions,
    table_groups,
    versions,
)
from submissions.filings.review.pages import calendar, decisions, equal_filings, worklist, workload
from submissions.filings.tables import pages as table_pages
from submissions.layouts.pages import drawing_comparison, layout_actions, layout_page
from submissions.notifications import pages as notification_pages
from submissions.operations import pages as operations
from submissions.permissions.workflow import LAYOUT_TRANSITIONS, TRANSITIONS
from submissions.public import pages as public_pages
from submissions.rulemakings import pages as rulemaking_pages
from submissions.web import error_pages
from submissions.web.access_gate import Audience, View, guarded
from submissions.web.help import pages as help_pages


class StepConverter(StringConverter):
    """The steps that are taken from a submission's page."""

    regex = "|".join(verb for verb, step in TRANSITIONS.items() if step.success)


class LayoutStepConverter(StringConverter):
    """The Board's steps, taken from the page of a layout filing."""

    regex = "|".join(verb for verb, step in LAYOUT_TRANSITIONS.items() if step.success)


register_converter(StepConverter, "verb")
register_converter(LayoutStepConverter, "layoutstep")
PUBLIC, REGISTER = Audience.PUBLIC, Audience.REGISTER
# Swagger UI, which reads the description that the API serves; the calls are those of a program with the same key.
API_EXPLORER = TemplateView.as_view(template_name="public/api_explorer.html", extra_context={"here": "help"})
# The end of the sign-in in a second tab: back to the page that is still open.
SIGNED_IN = TemplateView.as_view(template_name="pages/signed_in.html")


@dataclass(frozen=True, slots=True)
class Address:
    route: str
    view: View
    name: str
    who: Audience = Audience.SIGNED_IN


GAME, WEBHOOK = "in-force/<slug:licensee>/<slug:chapter>/", "organization/webhooks/<int:pk>/"
ADDRESSES = (
    Address("", worklist.home, "home", PUBLIC),
    Address("queue/equal/<slug:step>/<slug:digest>/", equal_filings.page, "equal-filings"),
    Address("queue/saved/", worklist.save_view, "save-view"),
    Address("calendar/", calendar.page, "calendar"),
    Address("calendar/calendar.ics", calendar.ics, "calendar-ics"),
    Address("workload/", workload.page, "workload"),
    Address("workload/turnaround.csv", workload.csv, "workload-csv"),
    Address("register/", versions.register, "register", REGISTER),
    Address("in-force/", versions.index, "in-force", REGISTER),
    Address("in-force/<slug:licensee>/tables/", versions.show_tables, "in-force-tables", REGISTER),
    Address("in-force/<slug:licensee>/tables/<str:name>/", versions.show_table, "in-force-any-table", REGISTER),
    Address(GAME, versions.game, "in-force-game", REGISTER),
    Address(f"{GAME}tables/<str:name>/", versions.show_game_table, "in-force-table", REGISTER),
    Address("orders/", orders.index, "orders"),
    Address("orders/new/", orders.enter, "order-new"),
    Address("orders/chapters/", orders.list_temporary_chapters, "temporary-chapters"),
    Address("orders/chapters/<slug:number>/", orders.decide_chapter, "chapter-decision"),
    Address("orders/<slug:number>/", orders.show, "order"),
    Address("orders/<slug:number>/document/", orders.document, "order-document"),
    Address("orders/<slug:number>/replace/", orders.replace, "order-replace"),
    Address("orders/<slug:number>/end/", orders.end, "order-end"),
    Address("tables/", table_pages.index, "tables"),
    Address("tables/change/", table_pages.change_table, "table-change"),
    Address("tables/upload/", table_pages.upload_sheet, "tables-upload"),
    Address("tables/of/<slug:licensee>/", table_pages.show, "tables-of"),
    Address("tables/of/<slug:licensee>/qr-codes.pdf", table_pages.qr_codes_pdf, "tables-qr"),
    Address("tables/of/<slug:licensee>/tables.<slug:kind>", table_pages.download_sheet, "tables-download"),
    Address("tables/of/<slug:licensee>/<str:name>/", table_pages.table, "table"),
    Address("rules/changes/", versions.compliance, "changed-rules"),
    Address("rulemakings/", rulemaking_pages.index, "rulemakings", PUBLIC),
    Address("rulemakings/start/", rulemaking_pages.start, "rulemaking-start"),
    Address("rulemakings/<slug:number>/", rulemaking_pages.show, "rulemaking", PUBLIC),
    Address("rulemakings/<slug:number>/change/", rulemaking_pages.change_text, "rulemaking-change"),
    Address("rulemakings/<slug:number>/change/remove/", rulemaking_pages.remove_change, "rulemaking-change-remove"),
    Address("rulemakings/<slug:number>/form/", rulemaking_pages.change_form, "rulemaking-form"),
    Address("rulemakings/<slug:number>/trial/", rulemaking_pages.trial_page, "rulemaking-trial"),
    Address("rulemakings/<slug:number>/trial.csv", rulemaking_pages.trial_csv, "rulemaking-trial-csv"),
    Address("rulemakings/<slug:number>/trial.pdf", rulemaking_pages.trial_pdf, "rulemaking-trial-pdf"),
    Address("rulemakings/<slug:number>/publish/", rulemaking_pages.publish, "rulemaking-publish"),
    Address("rulemakings/<slug:number>/withdraw/", rulemaking_pages.withdraw, "rulemaking-withdraw"),
    Address("search/", public_pages.search_page, "search"),
    Address("search/export.csv", public_pages.search_csv, "export-csv"),
    Address("search/export.zip", public_pages.search_archive, "export-zip"),
    Address("exports/<int:pk>/", public_pages.export_page, "export"),
    Address("exports/<int:pk>/file/", public_pages.export_file, "export-file"),
    Address("search/saved/", public_pages.keep_search, "keep-filter"),
    Address("search/saved/<int:pk>/forget/", public_pages.forget_search, "forget-filter"),
    Address("games/", chapters.index, "chapters", PUBLIC),
    Address("games/<slug:number>/", chapters.chapter, "chapter", PUBLIC),
    Address("errata/", evidence_pages.show_errata, "errata", PUBLIC),
    Address("errata/report.json", evidence_pages.errata_json, "errata-json", PUBLIC),
    Address("errata/report.csv", evidence_pages.errata_csv, "errata-csv", PUBLIC),
    Address("errata/<slug:number>/", evidence_pages.show_chapter_errata, "errata-chapter", PUBLIC),
    Address("sections/<str:place>/", chapters.section, "section", PUBLIC),
    Address("signed-in/", SIGNED_IN, "signed-in"),
    Address("submissions/start/<slug:number>/", drafts.start, "start"),
    Address("submissions/start/<slug:number>/from/", drafts.start_from, "start-from"),
    Address("submissions/<slug:number>/", submissions.show, "submission"),
    Address("submissions/<slug:number>/checklist/", checklist.page, "checklist"),
    Address("submissions/<slug:number>/checklist/review/", checklist.save_and_review, "save-and-review"),
    Address("submissions/<slug:number>/checklist/clear/", checklist.clear_answers, "clear-answers"),
    Address("submissions/<slug:number>/checklist/questions/<int:pk>/", checklist.answer_question, "answer-question"),
    Address("submissions/<slug:number>/checklist/<slug:key>/clear/", checklist.clear_answers, "clear-answer"),
    Address("submissions/<slug:number>/checklist/<slug:key>/comment/", checklist.write_comment, "line-comment"),
    Address("submissions/<slug:number>/checklist/<slug:key>/figures/", checklist.figures, "figures"),
    Address("submissions/<slug:number>/checklist/<slug:key>/reset/", checklist.reset, "reset-line"),
    Address("submissions/<slug:number>/checklist/<slug:key>/resolve/", checklist.resolve_clash, "resolve-clash"),
    Address("submissions/<slug:number>/day/", checklist.choose_effective_day, "planned-day"),
    Address("submissions/<slug:number>/groups/", table_groups.add, "groups"),
    Address("submissions/<slug:number>/groups/<int:group>/", table_groups.change, "group"),
    Address("submissions/<slug:number>/groups/<int:group>/remove/", table_groups.remove, "group-remove"),
    Address("submissions/<slug:number>/file/", filing.file, "file"),
    Address("submissions/<slug:number>/send/", filing.send_to_manager, "send-to-manager"),
    Address("submissions/<slug:number>/send-back/", filing.send_back, "send-back"),
    Address("submissions/<slug:number>/delete/", drafts.delete, "delete-draft"),
    Address("submissions/<slug:number>/receipt/", filing.receipt, "receipt"),
    Address("submissions/<slug:number>/progress/", submissions.progress, "progress"),
    Address("submissions/<slug:number>/rounds/", evidence_pages.show_round, "round"),
    Address("submissions/<slug:number>/par/", par_sheets.page, "par"),
    Address("submissions/<slug:number>/par/sheet.pdf", par_sheets.sheet_pdf, "par-sheet"),
    Address("submissions/<slug:number>/par/sheet.xlsx", par_sheets.workbook, "par-workbook"),
    Address("submissions/<slug:number>/document/", submissions.document, "document"),
    Address("submissions/<slug:number>/draft/", submissions.draft, "draft"),
    Address("submissions/<slug:number>/draft/<int:place>/", submissions.draft_revision, "draft-of-revision"),
    Address("submissions/<slug:number>/papers/<int:group>/<slug:part>.<slug:kind>", layout_page.draft, "paper-draft"),
    Address("submissions/<slug:number>/files/<slug:sha256>/", submissions.attachment, "attachment"),
    Address("submissions/<slug:number>/<verb:verb>/", decisions.decide, "decide"),
    Address("submissions/<slug:number>/assign/", decisions.assign_submission, "assign"),
    Address("submissions/<slug:number>/changes/", amendments.changes, "changes"),
    Address("submissions/<slug:number>/amend/", amendments.amend, "amend"),
    Address("submissions/<slug:number>/copy/", drafts.copy_to_property, "copy"),
    Address("submissions/<slug:number>/discontinue/", amendments.discontinue, "discontinue"),
    Address("submissions/<slug:number>/remarks/", decisions.write_comment, "remark"),
    Address("submissions/<slug:number>/remarks/<int:pk>/", decisions.follow_up, "remark-follow"),
    Address("layouts/<slug:number>/assign/", decisions.assign_layout, "layout-assign"),
    Address("layouts/<slug:number>/judge/", layout_actions.judge, "layout-judge"),
    Address("layouts/<slug:number>/compare/", drawing_comparison.page, "layout-compare"),
    Address("layouts/<slug:number>/<layoutstep:step>/", layout_actions.decide, "layout-decide"),
    Address("submissions/<slug:number>/layouts/start/<int:group>/", layout_actions.start, "layout-start"),
    Address("layouts/<slug:number>/", layout_page.show, "layout"),
    Address("layouts/<slug:number>/progress/", layout_page.progress, "layout-progress"),
    Address("layouts/<slug:number>/upload/", layout_actions.upload, "layout-upload"),
    Address("layouts/<slug:number>/positions/", layout_actions.positions, "layout-positions"),
    Address("layouts/<slug:number>/inspect/", layout_actions.inspect, "layout-inspect"),
    Address("layouts/<slug:number>/marks/", layout_actions.mark_element, "layout-mark"),
    Address("layouts/<slug:number>/marks/<int:pk>/remove/", layout_actions.remove_mark, "layout-unmark"),
    Address("layouts/<slug:number>/file/", layout_actions.file, "layout-file"),
    Address("layouts/<slug:number>/withdraw/", layout_actions.withdraw, "layout-withdraw"),
    Address("layouts/<slug:number>/drawings/<int:pk>/", layout_page.drawing, "layout-drawing"),
    Address("layouts/<slug:number>/drawings/<int:pk>/pages/<int:page>/", layout_page.picture, "layout-picture"),
    Address("bulk/", bulk_pages.index, "bulk"),
    Address("bulk/configurations.xlsx", bulk_pages.download, "bulk-workbook"),
    Address("bulk/<slug:number>/", bulk_pages.page, "batch"),
    Address("bulk/<slug:number>/progress/", bulk_pages.progress, "batch-progress"),
    Address("bulk/<slug:number>/result.csv", partial(bulk_pages.result, form="csv"), "batch-result"),
    Address("bulk/<slug:number>/result.xlsx", partial(bulk_pages.result, form="xlsx"), "batch-result-workbook"),
    Address("bulk/<slug:number>/confirm/", bulk_pages.confirm, "batch-confirm"),
    Address("bulk/<slug:number>/discard/", bulk_pages.discard, "batch-discard"),
    Address("notices/", notification_pages.notice_list, "notices"),
    Address("people/", members.page, "people"),
    Address("people/invitations/<int:pk>/<slug:action>/", members.invitation, "invitation"),
    Address("people/stand-ins/", members.stand_in_list, "stand-ins"),
    Address("people/stand-ins/<int:pk>/end/", members.end_stand_in, "stand-in-end"),
    Address("people/<int:pk>/", members.member, "person"),
    Address("people/<int:pk>/<slug:action>/", members.change, "person-action"),
    Address("organization/credentials/", api_credentials.page, "credentials"),
    Address("organization/credentials/<int:pk>/", api_credentials.credential, "credential"),
    Address("organization/credentials/<int:pk>/<slug:action>/", api_credentials.change, "credential-action"),
    Address("organization/webhooks/", notification_pages.webhook_list, "webhooks"),
    Address(WEBHOOK, notification_pages.webhook_page, "webhook"),
    Address(f"{WEBHOOK}<slug:action>/", notification_pages.change_webhook, "webhook-action"),
    Address(f"{WEBHOOK}deliveries/<slug:key>/replay/", notification_pages.replay, "webhook-replay"),
    Address("security-log/", security_log.page, "security-log"),
    Address("security-log/export.csv", security_log.export, "security-log-export"),
    Address("operations/", operations.page, "operations"),
    Address("operations/jobs/<int:pk>/", operations.run_again, "job-run-again"),
    Address("help/", help_pages.index, "help", PUBLIC),
    Address("help/glossary/", help_pages.glossary, "help-glossary", PUBLIC),
    Address("help/tour/close/", help_pages.close_tour, "close-tour"),
    Address("help/<slug:key>/", help_pages.role, "help-role", PUBLIC),
    Address("api/", API_EXPLORER, "api-explorer", PUBLIC),
    Address("errors/", error_pages.catalog, "catalogue", PUBLIC),
    Address("accounts/reauthenticate/", reauthentication.page, reauthentication.CONFIRMATION_PAGE),
    Address("accounts/agency/", agency_sign_in.start, "agency-sign-in", PUBLIC),
    Address("accounts/agency/signed-out/", agency_sign_in.signed_out, "agency-signed-out", PUBLIC),
    Address("accounts/passkey-options/", factor_forms.request_options, "passkey-options"),
    Address("sessions/<int:pk>/end/", sessions.end, "end-session", Audience.ACCOUNT),
    Address("properties/switch/", sessions.switch, "property-switch", Audience.ACCOUNT),
    Address("invitations/<str:secret>/", members.invitation_page, "join", PUBLIC),
)

urlpatterns = [path(address.route, guarded(address.view, address.who), name=address.name) for address in ADDRESSES]
