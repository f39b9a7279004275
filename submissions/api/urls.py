"""Every address of the API in one table: the path, the view, its name. Whom it is for is each view's `scope`."""

from django.urls import path, re_path

from submissions.api import (
    about,
    assignments,
    description,
    documents,
    layout_drafts,
    layout_inspections,
    layouts,
    notifications,
    oauth,
    orders,
    review,
    signed_files,
    table_sheets,
    tables,
)
from submissions.api.bulk import batches, single_item
from submissions.api.filings import chapter_schemas, chapters, judgment, revisions, submissions, versions
from submissions.api.framework import security_schemes  # noqa: F401  the description finds it once it is imported
from submissions.api.framework.cross_origin import allow_description
from submissions.api.framework.read_views import BaseView

SUBMISSION, LAYOUT = "submissions/<slug:number>", "layouts/<slug:number>"
ADDRESSES: tuple[tuple[str, type[BaseView], str], ...] = (
    ("", about.RootView, "root"),
    ("me/", about.MeView, "me"),
    ("status/", about.StatusView, "status"),
    ("errors/", description.CodesView, "errors"),
    ("errors/<slug:code>/", description.CodeDetailView, "error"),
    ("chapters/", chapters.ChaptersView, "chapters"),
    ("chapters/<slug:number>/", chapters.RuleModelView, "chapter"),
    ("chapters/<slug:number>/schema/", chapter_schemas.ChapterSchemaView, "chapter-schema"),
    ("data-dictionary.csv", chapter_schemas.DataDictionaryView, "data-dictionary"),
    ("chapters/<slug:number>/judge/", judgment.JudgeView, "judge"),
    ("submissions/", single_item.SubmissionsView, "submissions"),
    (f"{SUBMISSION}/", submissions.SubmissionDetailView, "submission"),
    (f"{SUBMISSION}/revisions/", revisions.RevisionsView, "revisions"),
    (f"{SUBMISSION}/revisions/<int:place>/", revisions.RevisionDetailView, "revision"),
    (f"{SUBMISSION}/configurations/", revisions.ConfigurationsView, "configurations"),
    (f"{SUBMISSION}/findings/", revisions.FindingsView, "findings"),
    (f"{SUBMISSION}/simulations/", revisions.SimulationsView, "simulations"),
    (f"{SUBMISSION}/remarks/", review.RemarksView, "remarks"),
    (f"{SUBMISSION}/assignment/", assignments.AssignmentView, "assignment"),
    (f"{SUBMISSION}/layouts/", layout_drafts.LayoutsOfView, "layouts-of"),
    (f"{SUBMISSION}/documents/", revisions.DocumentsView, "documents"),
    (f"{SUBMISSION}/documents/<slug:sha256>/", signed_files.DocumentDetailView, "document"),
    (f"{SUBMISSION}/documents/<slug:sha256>/file/", signed_files.DocumentFileView, "document-file"),
    (f"{SUBMISSION}/attachments/", documents.AttachmentsView, "attachments"),
    (f"{SUBMISSION}/attachments/<slug:sha256>/", documents.AttachmentDetailView, "attachment"),
    (f"{SUBMISSION}/events/", review.EventsView, "events"),
    *((f"{SUBMISSION}/{verb}/", view, verb) for verb, view in single_item.ACTION_VIEWS.items()),
    ("events/", review.FeedView, "feed"),
    ("layouts/", layouts.LayoutsView, "layouts"),
    (f"{LAYOUT}/", layouts.LayoutDetailView, "layout"),
    (f"{LAYOUT}/assignment/", assignments.LayoutAssignmentView, "layout-assignment"),
    (f"{LAYOUT}/drawings/", layout_drafts.DrawingsView, "drawings"),
    (f"{LAYOUT}/drawings/<slug:sha256>/", documents.DrawingDetailView, "drawing"),
    (f"{LAYOUT}/reference-drawing/", layout_drafts.ReferenceDrawingView, "reference-drawing"),
    (f"{LAYOUT}/inspection/", layout_inspections.InspectionView, "inspection"),
    (f"{LAYOUT}/inspect-again/", layout_drafts.InspectAgainView, "inspect-again"),
    (f"{LAYOUT}/positions/", layout_drafts.PositionsView, "positions"),
    (f"{LAYOUT}/marks/", layout_drafts.MarksView, "marks"),
    (f"{LAYOUT}/marks/<int:pk>/remove/", layout_drafts.RemoveMarkView, "mark-remove"),
    (f"{LAYOUT}/papers/", documents.PapersView, "papers"),
    (f"{LAYOUT}/papers/<slug:sha256>/", signed_files.PaperDetailView, "paper"),
    (f"{LAYOUT}/papers/<slug:sha256>/file/", signed_files.PaperFileView, "paper-file"),
    ("orders/", orders.OrdersView, "orders"),
    ("tables/", tables.TablesView, "tables"),
    ("tables/<slug:licensee>/tables.csv", table_sheets.TableCsvView, "tables-csv"),
    ("tables/<slug:licensee>/tables.xlsx", table_sheets.TableWorkbookView, "tables-xlsx"),
    ("register/", versions.RegisterView, "register"),
    ("in-force/", versions.InForceView, "in-force"),
    ("in-force/<slug:licensee>/<slug:chapter>/", versions.InForceDetailView, "in-force-game"),
    ("bulk/", batches.BatchesView, "batches"),
    ("bulk/<slug:number>/", batches.BatchDetailView, "batch"),
    ("bulk/<slug:number>/items/", batches.ItemsView, "batch-items"),
    ("bulk/<slug:number>/result.csv", batches.ResultView, "batch-result"),
    ("bulk/<slug:number>/result.xlsx", batches.ResultWorkbookView, "batch-result-workbook"),
    ("bulk/<slug:number>/confirm/", batches.ConfirmBatchView, "batch-confirm"),
    ("bulk/<slug:number>/discard/", batches.DiscardBatchView, "batch-discard"),
    ("webhooks/", notifications.WebhooksView, "webhooks"),
    ("webhooks/<int:pk>/", notifications.WebhookDetailView, "webhook"),
    ("webhooks/<int:pk>/end/", notifications.EndWebhookView, "webhook-end"),
    ("webhooks/<int:pk>/test/", notifications.TestWebhookView, "webhook-test"),
    ("webhooks/<int:pk>/deliveries/", notifications.DeliveriesView, "webhook-deliveries"),
    ("webhooks/<int:pk>/deliveries/<slug:key>/replay/", notifications.ReplayDeliveryView, "webhook-replay"),
)

app_name = "api"
urlpatterns = [
    *(path(route, view.as_view(), name=name) for route, view, name in ADDRESSES),
    path("oauth/token/", oauth.TokenView.as_view(), name="token"),
    path("schema/", description.SchemaView.as_view(), name="schema"),
    re_path("", description.UnknownAddressView.as_view(), name="nowhere"),
]

allow_description()
