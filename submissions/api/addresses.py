"""Every address of the API in one table: the path, the view, its name. Whom it is for is each view's `scope`."""

from __future__ import annotations

from django.urls import path, re_path

from submissions.api import (
    bulk,
    chapters,
    errors,
    files,
    filings,
    judging,
    layouts,
    parts,
    single,
    submissions,
    versions,
    webhooks,
)
from submissions.api.reading import Door
from submissions.api.schema import Description, Nowhere

ONE = "submissions/<slug:number>"
ADDRESSES: tuple[tuple[str, type[Door], str], ...] = (
    ("errors/", errors.Codes, "errors"),
    ("errors/<slug:code>/", errors.OneCode, "error"),
    ("chapters/", chapters.Chapters, "chapters"),
    ("chapters/<slug:number>/", chapters.RuleModel, "chapter"),
    ("chapters/<slug:number>/judge/", judging.Judge, "judge"),
    ("submissions/", single.Submissions, "submissions"),
    (f"{ONE}/", submissions.OneSubmission, "submission"),
    (f"{ONE}/revisions/", filings.Revisions, "revisions"),
    (f"{ONE}/revisions/<int:place>/", filings.OneRevision, "revision"),
    (f"{ONE}/configurations/", filings.Configurations, "configurations"),
    (f"{ONE}/findings/", filings.Findings, "findings"),
    (f"{ONE}/simulations/", filings.Simulations, "simulations"),
    (f"{ONE}/remarks/", parts.Remarks, "remarks"),
    (f"{ONE}/layouts/", layouts.LayoutsOf, "layouts-of"),
    (f"{ONE}/documents/", filings.Documents, "documents"),
    (f"{ONE}/attachments/", files.Attachments, "attachments"),
    (f"{ONE}/attachments/<slug:sha256>/", files.OneAttachment, "attachment"),
    (f"{ONE}/events/", parts.Events, "events"),
    *((f"{ONE}/{verb}/", view, verb) for verb, view in single.DOORS.items()),
    ("events/", parts.Feed, "feed"),
    ("layouts/", layouts.Layouts, "layouts"),
    ("layouts/<slug:number>/", layouts.OneLayout, "layout"),
    ("layouts/<slug:number>/drawings/", files.Drawings, "drawings"),
    ("layouts/<slug:number>/drawings/<slug:sha256>/", files.OneDrawing, "drawing"),
    ("layouts/<slug:number>/papers/", files.Papers, "papers"),
    ("register/", versions.Register, "register"),
    ("in-force/", versions.InForce, "in-force"),
    ("in-force/<slug:licensee>/<slug:chapter>/", versions.OneInForce, "in-force-game"),
    ("bulk/", bulk.Batches, "batches"),
    ("bulk/<slug:number>/", bulk.OneBatch, "batch"),
    ("bulk/<slug:number>/items/", bulk.Items, "batch-items"),
    ("bulk/<slug:number>/result.csv", bulk.Result, "batch-result"),
    ("bulk/<slug:number>/confirm/", bulk.Confirm, "batch-confirm"),
    ("bulk/<slug:number>/discard/", bulk.Discard, "batch-discard"),
    ("webhooks/", webhooks.Webhooks, "webhooks"),
    ("webhooks/<int:pk>/", webhooks.OneWebhook, "webhook"),
    ("webhooks/<int:pk>/end/", webhooks.End, "webhook-end"),
    ("webhooks/<int:pk>/test/", webhooks.TryOut, "webhook-test"),
    ("webhooks/<int:pk>/deliveries/", webhooks.Deliveries, "webhook-deliveries"),
    ("webhooks/<int:pk>/deliveries/<slug:key>/replay/", webhooks.Replay, "webhook-replay"),
)

app_name = "api"
urlpatterns = [
    *(path(route, view.as_view(), name=name) for route, view, name in ADDRESSES),
    path("schema/", Description.as_view(), name="schema"),
    re_path("", Nowhere.as_view(), name="nowhere"),
]
