"""Every address of the API in one table: the path, the view, its name. Whom it is for is each view's `scope`."""

from django.urls import path, re_path

from submissions.api import description, documents, layouts, notifications, orders, review, tables
from submissions.api.bulk import batches, single_item
from submissions.api.filings import chapters, judgment, revisions, submissions, versions
from submissions.api.framework.read_views import BaseView

SUBMISSION = "submissions/<slug:number>"
ADDRESSES: tuple[tuple[str, type[BaseView], str], ...] = (
    ("errors/", description.CodesView, "errors"),
    ("errors/<slug:code>/", description.CodeDetailView, "error"),
    ("chapters/", chapters.ChaptersView, "chapters"),
    ("chapters/<slug:number>/", chapters.RuleModelView, "chapter"),
    ("chapters/<slug:number>/judge/", judgment.JudgeView, "judge"),
    ("submissions/", single_item.SubmissionsView, "submissions"),
    (f"{SUBMISSION}/", submissions.SubmissionDetailView, "submission"),
    (f"{SUBMISSION}/revisions/", revisions.RevisionsView, "revisions"),
    (f"{SUBMISSION}/revisions/<int:place>/", revisions.RevisionDetailView, "revision"),
    (f"{SUBMISSION}/configurations/", revisions.ConfigurationsView, "configurations"),
    (f"{SUBMISSION}/findings/", revisions.FindingsView, "findings"),
    (f"{SUBMISSION}/simulations/", revisions.SimulationsView, "simulations"),
    (f"{SUBMISSION}/remarks/", review.RemarksView, "remarks"),
    (f"{SUBMISSION}/layouts/", layouts.LayoutsOfView, "layouts-of"),
    (f"{SUBMISSION}/documents/", revisions.DocumentsView, "documents"),
    (f"{SUBMISSION}/attachments/", documents.AttachmentsView, "attachments"),
    (f"{SUBMISSION}/attachments/<slug:sha256>/", documents.AttachmentDetailView, "attachment"),
    (f"{SUBMISSION}/events/", review.EventsView, "events"),
    *((f"{SUBMISSION}/{verb}/", view, verb) for verb, view in single_item.ACTION_VIEWS.items()),
    ("events/", review.FeedView, "feed"),
    ("layouts/", layouts.LayoutsView, "layouts"),
    ("layouts/<slug:number>/", layouts.LayoutDetailView, "layout"),
    ("layouts/<slug:number>/drawings/", documents.DrawingsView, "drawings"),
    ("layouts/<slug:number>/drawings/<slug:sha256>/", documents.DrawingDetailView, "drawing"),
    ("layouts/<slug:number>/papers/", documents.PapersView, "papers"),
    ("orders/", orders.OrdersView, "orders"),
    ("tables/", tables.TablesView, "tables"),
    ("register/", versions.RegisterView, "register"),
    ("in-force/", versions.InForceView, "in-force"),
    ("in-force/<slug:licensee>/<slug:chapter>/", versions.InForceDetailView, "in-force-game"),
    ("bulk/", batches.BatchesView, "batches"),
    ("bulk/<slug:number>/", batches.BatchDetailView, "batch"),
    ("bulk/<slug:number>/items/", batches.ItemsView, "batch-items"),
    ("bulk/<slug:number>/result.csv", batches.ResultView, "batch-result"),
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
    path("schema/", description.SchemaView.as_view(), name="schema"),
    re_path("", description.UnknownAddressView.as_view(), name="nowhere"),
]
