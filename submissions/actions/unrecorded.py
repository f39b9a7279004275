"""What was done but is told by no event: filings, decisions, tests and documents whose row in the history is gone.

The chain finds that by itself; this finds it where somebody mended the chain too. Looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, F, Model, OuterRef, QuerySet
from django.db.models.fields.json import KT

from submissions.models import Decision, Document, Event, LayoutDecision, LayoutRevision, Paper, Revision, Simulation
from submissions.workflow import LAYOUT_TRANSITIONS, TRANSITIONS

LAYOUTS = {"notice": "notify", "recommend": "recommend", "approve": "approve", "reject": "reject"}  # kind → step


def deeds() -> Iterator[str]:
    """Each deed without its event, in words."""
    for receipt in _untold(Revision.objects.all(), "filed", ""):
        yield f"the filing {receipt}"
    for kind in Decision.Kind:
        for receipt in _untold(Decision.objects.filter(kind=kind), TRANSITIONS[kind].done, "revision__"):
            yield f"{receipt}: {kind.label.lower()}"
    for receipt in _untold(Simulation.objects.filter(finished_at__isnull=False), "simulated", "revision__"):
        yield f"the simulation of {receipt}"
    for receipt in _untold(Document.objects.all(), "signed", "revision__"):
        yield f"the signed document of {receipt}"
    yield from _of_layouts()


def _of_layouts() -> Iterator[str]:
    of = "filing__submission"
    for receipt in _untold(LayoutRevision.objects.all(), "layout-filed", "", of):
        yield f"the filing {receipt}"
    for kind in LayoutDecision.Kind:
        verb, rows = LAYOUT_TRANSITIONS[LAYOUTS[kind]].done, LayoutDecision.objects.filter(kind=kind)
        for receipt in _untold(rows, verb, "layout_revision__", of):
            yield f"{receipt}: {kind.label.lower()}"
    for receipt in dict.fromkeys(_untold(Paper.objects.all(), "papers-signed", "layout_revision__", of)):
        yield f"the signed papers of {receipt}"


def _untold(rows: QuerySet[Model], verb: str, revision: str, submission: str = "submission") -> Iterator[str]:
    """The receipts of the rows that no event with this verb names.

    `revision` leads from the row to its revision, `submission` from there to what the event is about.
    """
    events = Event.objects.filter(verb=verb, submission=OuterRef(f"{revision}{submission}"))
    told = events.annotate(receipt=KT("after__receipt")).filter(receipt=OuterRef(f"{revision}receipt"))
    found = rows.filter(~Exists(told)).annotate(of=F(f"{revision}receipt")).order_by("pk")
    yield from found.values_list("of", flat=True)
