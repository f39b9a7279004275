"""Every address of the API in one table: the path, the view, its name. Whom it is for is each view's `scope`."""

from django.urls import path, re_path

from submissions.api import about, description, oauth
from submissions.api.framework import openapi  # noqa: F401  the description finds it once it is imported
from submissions.api.framework.cross_origin import allow_description
from submissions.api.framework.views import BaseView
from submissions.bulk import api as bulk_api
from submissions.documents import api as documents
from submissions.filings.api import chapters, judgment, revisions, submissions, versions
from submissions.filings.orders import api as order_api
from submissions.filings.review import api as review_api
from submissions.filings.tables import api as table_api
from submissions.layouts import api as layouts
from submissions.notifications import api as notification_api

SUBMISSION, LAYOUT = "submissions/<slug:number>", "layouts/<slug:number>"
ADDRESSES: tuple[tuple[str, type[BaseView], str], ...] = (
    ("", about.RootView, "root"),
    ("me/", about.MeView, "me"),
    ("status/", about.StatusView, "status"),
    ("errors/", description.CodesView, "errors"),
    ("errors/<slug:code>/", description.CodeDetailView, "error"),
    ("chapters/", chapters.ChaptersView, "chapters"),
    ("chapters/<slug:number>/", chapters.RuleModelView, "chapter"),
    ("chapters/<slug:number>/schema/", chapters.ChapterSchemaView, "chapter-schema"),
    ("data-dictionary.csv", chapters.DataDictionaryView, "data-dictionary"),
    ("chapters/<slug:number>/judge/", judgment.JudgeView, "judge"),
    ("submissions/", bulk_api.SubmissionsView, "submissions"),
    (f"{SUBMISSION}/", submissions.SubmissionDetailView, "submission"),
    (f"{SUBMISSION}/revisions/", revisions.RevisionsView, "revisions"),
    (f"{SUBMISSION}/revisions/<int:place>/", revisions.RevisionDetailView, "revision"),
    (f"{SUBMISSION}/configurations/", revisions.ConfigurationsView, "configurations"),
    (f"{SUBMISSION}/findings/", revisions.FindingsView, "findings"),
    (f"{SUBMISSION}/simulations/", revisions.SimulationsView, "simulations"),
    (f"{SUBMISSION}/remarks/", review_api.RemarksView, "remarks"),
    (f"{SUBMISSION}/assignment/", review_api.AssignmentView, "assignment"),
    (f"{SUBMISSION}/layouts/", layouts.LayoutsOfView, "layouts-of"),
    (f"{SUBMISSION}/documents/", revisions.DocumentsView, "documents"),
    (f"{SUBMISSION}/documents/<slug:sha256>/", documents.DocumentDetailView, "document"),
    (f"{SUBMISSION}/documents/<slug:sha256>/file/", documents.DocumentFileView, "document-file"),
    (f"{SUBMISSION}/attachments/", documents.AttachmentsView, "attachments"),
    (f"{SUBMISSION}/attachments/<slug:sha256>/", documents.AttachmentDetailView, "attachment"),
    (f"{SUBMISSION}/events/", review_api.EventsView, "events"),
    *((f"{SUBMISSION}/{verb}/", view, verb) for verb, view in bulk_api.ACTION_VIEWS.items()),
    ("events/", review_api.FeedView, "feed"),
    ("layouts/", layouts.LayoutsView, "layouts"),
    (f"{LAYOUT}/", layouts.LayoutDetailView, "layout"),
    (f"{LAYOUT}/assignment/", review_api.LayoutAssignmentView, "layout-assignment"),
    (f"{LAYOUT}/drawings/", layouts.DrawingsView, "drawings"),
    (f"{LAYOUT}/drawings/<slug:sha256>/", documents.DrawingDetailView, "drawing"),
    (f"{LAYOUT}/reference-drawing/", layouts.ReferenceDrawingView, "reference-drawing"),
    (f"{LAYOUT}/inspection/", layouts.InspectionView, "inspection"),
    (f"{LAYOUT}/inspect-again/", layouts.InspectAgainView, "inspect-again"),
    (f"{LAYOUT}/positions/", layouts.PositionsView, "positions"),
    (f"{LAYOUT}/marks/", layouts.MarksView, "marks"),
    (f"{LAYOUT}/marks/<int:pk>/remove/", layouts.RemoveMarkView, "mark-remove"),
    (f"{LAYOUT}/papers/", documents.PapersView, "papers"),
    (f"{LAYOUT}/papers/<slug:sha256>/", documents.PaperDetailView, "paper"),
    (f"{LAYOUT}/papers/<slug:sha256>/file/", documents.PaperFileView, "paper-file"),
    ("orders/", order_api.OrdersView, "orders"),
    ("tables/", table_api.TablesView, "tables"),
    ("tables/<slug:licensee>/tables.csv", table_api.TableCsvView, "tables-csv"),
    ("tables/<slug:licensee>/tables.xlsx", table_api.TableWorkbookView, "tables-xlsx"),
    ("register/", versions.RegisterView, "register"),
    ("in-force/", versions.InForceView, "in-force"),
    ("in-force/<slug:licensee>/<slug:chapter>/", versions.InForceDetailView, "in-force-game"),
    ("bulk/", bulk_api.BatchesView, "batches"),
    ("bulk/<slug:number>/", bulk_api.BatchDetailView, "batch"),
    ("bulk/<slug:number>/items/", bulk_api.ItemsView, "batch-items"),
    ("bulk/<slug:number>/result.csv", bulk_api.ResultView, "batch-result"),
    ("bulk/<slug:number>/result.xlsx", bulk_api.ResultWorkbookView, "batch-result-workbook"),
    ("bulk/<slug:number>/confirm/", bulk_api.ConfirmBatchView, "batch-confirm"),
    ("bulk/<slug:number>/discard/", bulk_api.DiscardBatchView, "batch-discard"),
    ("webhooks/", notification_api.WebhooksView, "webhooks"),
    ("webhooks/<int:pk>/", notification_api.WebhookDetailView, "webhook"),
    ("webhooks/<int:pk>/end/", notification_api.EndWebhookView, "webhook-end"),
    ("webhooks/<int:pk>/test/", notification_api.TestWebhookView, "webhook-test"),
    ("webhooks/<int:pk>/deliveries/", notification_api.DeliveriesView, "webhook-deliveries"),
    ("webhooks/<int:pk>/deliveries/<slug:key>/replay/", notification_api.ReplayDeliveryView, "webhook-replay"),
)

app_name = "api"
urlpatterns = [
    *(path(route, view.as_view(), name=name) for route, view, name in ADDRESSES),
    path("oauth/token/", oauth.TokenView.as_view(), name="token"),
    path("schema/", description.SchemaView.as_view(), name="schema"),
    re_path("", description.UnknownAddressView.as_view(), name="nowhere"),
]

allow_description()
