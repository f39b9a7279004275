"""Every address of the API. Whom it is for is each view's `scope`."""

from django.urls import path, re_path

from submissions.api import about, description, oauth
from submissions.api.framework import openapi  # noqa: F401  the description finds it once it is imported
from submissions.bulk import api as bulk_api
from submissions.bulk.items import ITEM_VERBS
from submissions.documents import api as documents
from submissions.filings.api import chapters, judgment, revisions, submissions, versions
from submissions.filings.orders import api as order_api
from submissions.filings.review import api as review_api
from submissions.filings.tables import api as table_api
from submissions.layouts import api as layouts
from submissions.notifications import api as notification_api

SUBMISSION, LAYOUT = "submissions/<slug:number>", "layouts/<slug:number>"
app_name = "api"
urlpatterns = [
    path("", about.RootView.as_view(), name="root"),
    path("me/", about.MeView.as_view(), name="me"),
    path("status/", about.StatusView.as_view(), name="status"),
    path("errors/", description.CodesView.as_view(), name="errors"),
    path("errors/<slug:code>/", description.CodeDetailView.as_view(), name="error"),
    path("chapters/", chapters.ChaptersView.as_view(), name="chapters"),
    path("chapters/<slug:number>/", chapters.RuleModelView.as_view(), name="chapter"),
    path("chapters/<slug:number>/schema/", chapters.ChapterSchemaView.as_view(), name="chapter-schema"),
    path("data-dictionary.csv", chapters.DataDictionaryView.as_view(), name="data-dictionary"),
    path("chapters/<slug:number>/judge/", judgment.JudgeView.as_view(), name="judge"),
    path("submissions/", bulk_api.SubmissionsView.as_view(), name="submissions"),
    path(f"{SUBMISSION}/", submissions.SubmissionDetailView.as_view(), name="submission"),
    path(f"{SUBMISSION}/revisions/", revisions.RevisionsView.as_view(), name="revisions"),
    path(f"{SUBMISSION}/revisions/<int:place>/", revisions.RevisionDetailView.as_view(), name="revision"),
    path(f"{SUBMISSION}/configurations/", revisions.ConfigurationsView.as_view(), name="configurations"),
    path(f"{SUBMISSION}/findings/", revisions.FindingsView.as_view(), name="findings"),
    path(f"{SUBMISSION}/simulations/", revisions.SimulationsView.as_view(), name="simulations"),
    path(f"{SUBMISSION}/remarks/", review_api.RemarksView.as_view(), name="remarks"),
    path(f"{SUBMISSION}/assignment/", review_api.AssignmentView.as_view(), name="assignment"),
    path(f"{SUBMISSION}/layouts/", layouts.LayoutsOfView.as_view(), name="layouts-of"),
    path(f"{SUBMISSION}/documents/", revisions.DocumentsView.as_view(), name="documents"),
    path(f"{SUBMISSION}/documents/<slug:sha256>/", documents.DocumentDetailView.as_view(), name="document"),
    path(f"{SUBMISSION}/documents/<slug:sha256>/file/", documents.DocumentFileView.as_view(), name="document-file"),
    path(f"{SUBMISSION}/attachments/", documents.AttachmentsView.as_view(), name="attachments"),
    path(f"{SUBMISSION}/attachments/<slug:sha256>/", documents.AttachmentDetailView.as_view(), name="attachment"),
    path(f"{SUBMISSION}/events/", review_api.EventsView.as_view(), name="events"),
    *(
        path(f"{SUBMISSION}/{verb}/", bulk_api.ItemView.as_view(verb=verb), name=verb)
        for verb, kind in ITEM_VERBS.items()
        if "submission" in kind.needs
    ),
    path("events/", review_api.FeedView.as_view(), name="feed"),
    path("layouts/", layouts.LayoutsView.as_view(), name="layouts"),
    path(f"{LAYOUT}/", layouts.LayoutDetailView.as_view(), name="layout"),
    path(f"{LAYOUT}/assignment/", review_api.LayoutAssignmentView.as_view(), name="layout-assignment"),
    path(f"{LAYOUT}/drawings/", layouts.DrawingsView.as_view(), name="drawings"),
    path(f"{LAYOUT}/drawings/<slug:sha256>/", documents.DrawingDetailView.as_view(), name="drawing"),
    path(f"{LAYOUT}/reference-drawing/", layouts.ReferenceDrawingView.as_view(), name="reference-drawing"),
    path(f"{LAYOUT}/inspection/", layouts.InspectionView.as_view(), name="inspection"),
    path(f"{LAYOUT}/inspect-again/", layouts.InspectAgainView.as_view(), name="inspect-again"),
    path(f"{LAYOUT}/positions/", layouts.PositionsView.as_view(), name="positions"),
    path(f"{LAYOUT}/marks/", layouts.MarksView.as_view(), name="marks"),
    path(f"{LAYOUT}/marks/<int:pk>/remove/", layouts.RemoveMarkView.as_view(), name="mark-remove"),
    path(f"{LAYOUT}/papers/", documents.PapersView.as_view(), name="papers"),
    path(f"{LAYOUT}/papers/<slug:sha256>/", documents.PaperDetailView.as_view(), name="paper"),
    path(f"{LAYOUT}/papers/<slug:sha256>/file/", documents.PaperFileView.as_view(), name="paper-file"),
    path("orders/", order_api.OrdersView.as_view(), name="orders"),
    path("tables/", table_api.TablesView.as_view(), name="tables"),
    path("tables/<slug:licensee>/tables.csv", table_api.TableCsvView.as_view(), name="tables-csv"),
    path("tables/<slug:licensee>/tables.xlsx", table_api.TableWorkbookView.as_view(), name="tables-xlsx"),
    path("register/", versions.RegisterView.as_view(), name="register"),
    path("in-force/", versions.InForceView.as_view(), name="in-force"),
    path("in-force/<slug:licensee>/<slug:chapter>/", versions.InForceDetailView.as_view(), name="in-force-game"),
    path("bulk/", bulk_api.BatchesView.as_view(), name="batches"),
    path("bulk/<slug:number>/", bulk_api.BatchDetailView.as_view(), name="batch"),
    path("bulk/<slug:number>/items/", bulk_api.ItemsView.as_view(), name="batch-items"),
    path("bulk/<slug:number>/result.csv", bulk_api.ResultView.as_view(), name="batch-result"),
    path("bulk/<slug:number>/result.xlsx", bulk_api.ResultWorkbookView.as_view(), name="batch-result-workbook"),
    path("bulk/<slug:number>/confirm/", bulk_api.ConfirmBatchView.as_view(), name="batch-confirm"),
    path("bulk/<slug:number>/discard/", bulk_api.DiscardBatchView.as_view(), name="batch-discard"),
    path("webhooks/", notification_api.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/<int:pk>/", notification_api.WebhookDetailView.as_view(), name="webhook"),
    path("webhooks/<int:pk>/end/", notification_api.EndWebhookView.as_view(), name="webhook-end"),
    path("webhooks/<int:pk>/test/", notification_api.TestWebhookView.as_view(), name="webhook-test"),
    path("webhooks/<int:pk>/deliveries/", notification_api.DeliveriesView.as_view(), name="webhook-deliveries"),
    path(
        "webhooks/<int:pk>/deliveries/<slug:key>/replay/",
        notification_api.ReplayDeliveryView.as_view(),
        name="webhook-replay",
    ),
    path("oauth/token/", oauth.TokenView.as_view(), name="token"),
    path("schema/", description.SchemaView.as_view(), name="schema"),
    re_path("", description.UnknownAddressView.as_view(), name="nowhere"),
]
