"""The job that makes the papers of an approved layout filing: layout, sign and guide, sealed, verified, stored once.

What is stored is stored in one transaction a paper under the lease: killed anywhere, the job goes on with the next one.
A layout is the drawing that was approved; the portal's own drawing is drawn anew for the paper. Not here: how each
looks (`submissions.layouts`), what a paper is about (`about`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.conf import settings
from django.utils import timezone

from games.rules.model import Answers, Chapter
from games.rules.registry import chapter as chapter_of
from submissions.actions import history
from submissions.actions.jobs import Lease
from submissions.actions.snapshot import refuse_damaged
from submissions.documents.about import approved_for, tables_at
from submissions.documents.keys import seal
from submissions.documents.printing import Rendered
from submissions.documents.sealing import Sealed, verified
from submissions.documents.sign import sign
from submissions.errors import Refusal
from submissions.following import digests
from submissions.layouts import drawn, guide
from submissions.layouts import sign as payout_sign
from submissions.layouts.drawn import Picture
from submissions.layouts.paper import Source, Stated
from submissions.layouts.told import told
from submissions.models import LayoutDecision, LayoutDrawing, LayoutRevision, Paper, Part, StoredFile


@dataclass(frozen=True, slots=True)
class Subject:
    """What the papers of a filing are made from."""

    filed: LayoutRevision
    decision: LayoutDecision
    chapter: Chapter
    answers: Answers
    stated: Stated

    @property
    def by(self) -> dict[str, str]:
        return {"name": self.decision.by.name, "role": self.decision.by.get_role_display()}


def produce(lease: Lease) -> None:
    """Make and store the papers of the filing that the job is about, those that are not there yet."""
    decision = _approval(lease.job.subject)
    filed = decision.layout_revision
    subject = _subject(decision)
    there = set(filed.papers.values_list("part", flat=True))
    parts = [part for part in filed.filing.parts if not _without_words(subject, part)]
    left = [part for part in parts if part not in there]
    for part in left:
        _refuse_others(subject, part)
    for part in left:
        lease.beat(parts.index(part), len(parts), f"{Part(part).label}: laying out and sealing")
        sealed = _sealed(subject, part)
        with lease.commit():
            _store(subject, part, sealed, last=part == left[-1])


def _approval(filing: int) -> LayoutDecision:
    """The director's word on the filing; only what is approved is sealed."""
    decisions = LayoutDecision.objects.filter(layout_revision__filing=filing, kind=LayoutDecision.Kind.APPROVE)
    found = decisions.select_related("layout_revision__filing__submission__organisation", "by").last()
    if found is None:
        raise Refusal("not-approved", "The layout filing is not approved.", fix="Only what is approved is sealed.")
    return found


def _subject(decision: LayoutDecision) -> Subject:
    filed = decision.layout_revision
    revision, place = approved_for(filed)
    refuse_damaged(revision)
    stated = Stated(
        licensee=filed.filing.organisation.name,
        day=timezone.localdate(decision.at),
        version=revision.receipt,
        tables=tables_at(revision.content, place),
        filing=filed.receipt,
        demo=settings.DEMO,
    )
    answers = revision.content["configurations"][place]["answers"]
    return Subject(filed, decision, chapter_of(filed.filing.submission.chapter), answers, stated)


def _refuse_others(subject: Subject, part: str) -> None:
    """A paper says what was approved, or it is not made: the rules may have been written anew since."""
    if subject.filed.shown.get(part) not in digests(subject.chapter, subject.answers)[part]:
        raise Refusal(
            "rules-changed",
            f"By the rules of today, the {Part(part).label.lower()} would not show what {subject.filed.receipt} was "
            "approved for.",
            fix="File the Rules Submission anew under the rules of today; its papers follow it.",
        )


def _without_words(subject: Subject, part: str) -> bool:
    """Of a chapter whose text is not at hand, there is no guide."""
    return part == Part.GUIDE and told(subject.chapter.number).object is None


def _sealed(subject: Subject, part: str) -> Sealed:
    rendered, our_seal = _rendered(subject, part), seal()
    what = f"{Part(part).label} {subject.filed.receipt}"
    return verified(rendered, sign(rendered.content, what, subject.by, our_seal), our_seal)


def _rendered(subject: Subject, part: str) -> Rendered:
    chapter, answers = subject.chapter, subject.answers
    stated = replace(subject.stated, verify_at=f"{settings.PUBLIC_URL}/verify/{subject.filed.receipt}-{part}")
    if part == Part.SIGN:
        return payout_sign.sign(chapter, answers, stated)
    if part == Part.GUIDE:
        return guide.guide(chapter, answers, stated)
    drawing = subject.filed.drawing
    if drawing is None or drawing.by_portal:
        return drawn.drawing(chapter, answers, stated, subject.filed.filing.positions)
    source = Source(drawing.name, bytes(drawing.stored.content))
    return drawn.as_filed(chapter, answers, stated, source, _pictures(drawing))


def _pictures(drawing: LayoutDrawing) -> list[Picture]:
    """The drawing itself where it is an SVG, else the pictures that were made of its pages when it was inspected."""
    if drawing.kind == "svg":
        return [Picture("image/svg+xml", bytes(drawing.stored.content))]
    kept = StoredFile.objects.in_bulk(drawing.inspection.previews)
    return [Picture("image/png", bytes(kept[digest].content)) for digest in drawing.inspection.previews]


def _store(subject: Subject, part: str, sealed: Sealed, *, last: bool) -> None:
    """The paper's row; with the last one, the event that tells of all. Inside the caller's transaction."""
    filed = subject.filed
    if Paper.objects.filter(layout_revision=filed, part=part).exists():
        return
    Paper.objects.create(layout_revision=filed, part=part, **sealed.keep())
    if last:
        papers = dict(filed.papers.values_list("part", "signed_id"))
        after = {"filing": filed.filing.number, "receipt": filed.receipt, "papers": papers}
        history.record(None, filed.filing.submission, "papers-signed", after=after)
