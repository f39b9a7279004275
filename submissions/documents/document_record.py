"""A document's content as data: the frozen filing, its evidence, the decisions. Attached to the PDF as canonical JSON.

The shape (format 1):

    format
    snapshot         the filing, as described in `submissions.filings.snapshot`; snapshot_sha256 its digest
    simulations      [{configuration, seed, rounds, block_rounds, retest_rounds (of a second stage, or null), blocks,
                     passed, finished_at, analysis, result}]
    decisions        [{kind, label, at, reason, by {name, role}, confirmed [text] (only where something was)}]
    approved         {at, by {name, role}} | null (a draft)
    in_force         {from_day, supersedes (a receipt, "" = none)} | null (a draft)
    conditions       [{number, text, citation, tables, first_day, last_day (or null)}]; only where the approval has some
    hold_findings    [[finding, in the shape of the snapshot's] for each configuration]; only where one has some
    filed            whether it is filed, or a preparer's draft
    demo             whether a demonstration portal made it
    verify_at        the address of the verification page, once approved
    history          the checkpoint of the history at the approval (`checkpoints`); only when signed

A signed document also has the chapter attached, so that its figures can be computed again: `games.runs.filed_record`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.rules.export import finding_data
from games.rules.model import Finding
from submissions.core.digests import digest
from submissions.documents.checkpoints import checkpoint_of_approval
from submissions.filings.hold_findings import findings_by_place
from submissions.filings.orders.order_entry import first_conditions
from submissions.filings.snapshot import refuse_damaged
from submissions.models import Decision, Order, Person, Revision, Simulation, Version
from submissions.rules import filed_chapter_or_none, filed_day, filed_files

FORMAT = 1
Fields = dict[str, Any]  # a part of a record, or of a template's context
DocumentRecord = dict[str, Any]


def document_record(revision: Revision) -> DocumentRecord:
    """Return the content of this revision's document; the same data at any time."""
    refuse_damaged(revision)
    decisions = list(revision.decisions.all())
    simulations = sorted(revision.simulations.all(), key=lambda row: row.configuration)
    approval = next((row for row in decisions if row.kind == Decision.Kind.APPROVE), None)
    return compose_record(
        revision.content,
        revision.sha256,
        simulations=[_simulation(row) for row in simulations],
        decisions=[
            {"kind": row.kind, "label": row.get_kind_display(), "reason": row.reason, **_decided_by(row.by, row.at)}
            | ({"confirmed": row.confirmed} if row.confirmed else {})
            for row in decisions
        ],
        approved=_decided_by(approval.by, approval.at) if approval else None,
        in_force=_in_force(revision),
        conditions=[_condition(row) for row in first_conditions(revision.pk)],
        hold_findings=findings_by_place(revision.content, {row.configuration: row.analysis for row in simulations}),
    )


def sealed_record(revision: Revision) -> DocumentRecord:
    """Return the content of the document that is signed: the record with the checkpoint of its approval."""
    return {**document_record(revision), "history": checkpoint_of_approval(revision.receipt, revision.submission_id)}


def dated_chapter(revision: Revision) -> Fields | None:
    """Return the chapter by which the filing was judged, as data; None if it has been corrected or removed since."""
    content = revision.content
    chapter = filed_chapter_or_none(content)
    if chapter is None or chapter.digest != revision.rules_digest:
        return None
    return {
        "format": FORMAT,
        "number": chapter.number,
        "rules_on": filed_day(content).isoformat(),
        "files": filed_files(content),
    }


def compose_record(
    snapshot: Fields,
    sha256: str = "",
    *,
    simulations: Sequence[Fields] = (),
    decisions: Sequence[Fields] = (),
    approved: Fields | None = None,
    in_force: Fields | None = None,
    conditions: Sequence[Fields] = (),
    hold_findings: Sequence[Sequence[Finding]] = (),
) -> DocumentRecord:
    """Return a record from its parts; a draft has only a snapshot."""
    return {
        "format": FORMAT,
        "snapshot": snapshot,
        "snapshot_sha256": sha256 or digest(snapshot),
        "simulations": list(simulations),
        "decisions": list(decisions),
        "approved": approved,
        "in_force": in_force,
        "demo": settings.DEMO,
        "filed": bool(sha256),
        "verify_at": f"{settings.PUBLIC_URL}/verify/{sha256}" if approved else "",
        **({"conditions": conditions} if conditions else {}),
        **({"hold_findings": [list(map(finding_data, each)) for each in hold_findings]} if any(hold_findings) else {}),
    }


def _simulation(row: Simulation) -> dict[str, Any]:
    copied = ("configuration", "seed", "rounds", "block_rounds", "retest_rounds", "passed", "analysis", "result")
    return {
        **{name: getattr(row, name) for name in copied},
        "blocks": row.blocks_needed,
        "finished_at": timezone.localtime(row.finished_at).isoformat() if row.finished_at else None,
    }


def _in_force(revision: Revision) -> dict[str, Any] | None:
    """Return the effective date and the version that it replaced, as decided: later approvals change nothing."""
    version: Version | None = getattr(revision, "version", None)  # it has none before its approval
    if version is None:
        return None
    same = Version.objects.filter(organization=version.organization_id, chapter=version.chapter, pk__lt=version.pk)
    # None if the game was discontinued in between.
    supersedes = same.order_by("-from_day", "-pk").values_list("revision__receipt", flat=True).first() or ""
    return {"from_day": version.from_day.isoformat(), "supersedes": supersedes}


def _condition(row: Order) -> dict[str, Any]:
    copied = {name: getattr(row, name) for name in ("number", "text", "citation", "tables")}
    last_day = row.last_day.isoformat() if row.last_day else None
    return {**copied, "first_day": row.first_day.isoformat(), "last_day": last_day}


def _decided_by(by: Person, at: datetime) -> dict[str, Any]:
    return {"at": timezone.localtime(at).isoformat(), "by": {"name": by.name, "role": by.get_role_display()}}
