"""Changes without an event: filings, decisions, simulations and documents whose event is missing from the history.

The hash chain shows a missing event; this also shows one when the chain was rewritten afterwards.
"""

from collections.abc import Iterator

from django.db.models import Exists, F, Model, OuterRef, QuerySet
from django.db.models.fields.json import KT

from submissions.models import Decision, Document, Event, LayoutDecision, LayoutRevision, Paper, Revision, Simulation
from submissions.permissions.workflow import LAYOUT_TRANSITIONS, TRANSITIONS

LAYOUTS = {"notice": "notify", "recommend": "recommend", "approve": "approve", "reject": "reject"}  # kind → step


def unrecorded_changes() -> Iterator[str]:
    """A text for each change without its event."""
    for receipt in _without_event(Revision.objects.all(), "filed", ""):
        yield f"the filing {receipt}"
    for kind in Decision.Kind:
        for receipt in _without_event(Decision.objects.filter(kind=kind), TRANSITIONS[kind].done, "revision__"):
            yield f"{receipt}: {kind.label.lower()}"
    for receipt in _without_event(Simulation.objects.filter(finished_at__isnull=False), "simulated", "revision__"):
        yield f"the simulation of {receipt}"
    for receipt in _without_event(Document.objects.all(), "signed", "revision__"):
        yield f"the signed document of {receipt}"
    yield from _of_layouts()


def _of_layouts() -> Iterator[str]:
    of = "filing__submission"
    for receipt in _without_event(LayoutRevision.objects.all(), "layout-filed", "", of):
        yield f"the filing {receipt}"
    for kind in LayoutDecision.Kind:
        verb, rows = LAYOUT_TRANSITIONS[LAYOUTS[kind]].done, LayoutDecision.objects.filter(kind=kind)
        for receipt in _without_event(rows, verb, "layout_revision__", of):
            yield f"{receipt}: {kind.label.lower()}"
    for receipt in dict.fromkeys(_without_event(Paper.objects.all(), "papers-signed", "layout_revision__", of)):
        yield f"the signed papers of {receipt}"


def _without_event(rows: QuerySet[Model], verb: str, revision: str, submission: str = "submission") -> Iterator[str]:
    """The receipts of the rows that no event with this verb names.

    `revision` is the lookup from the row to its revision, `submission` from there to the submission.
    """
    events = Event.objects.filter(verb=verb, submission=OuterRef(f"{revision}{submission}"))
    recorded = events.annotate(receipt=KT("after__receipt")).filter(receipt=OuterRef(f"{revision}receipt"))
    missing = rows.filter(~Exists(recorded)).annotate(of=F(f"{revision}receipt")).order_by("pk")
    yield from missing.values_list("of", flat=True)
