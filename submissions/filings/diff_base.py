"""Which two filings are compared, and what differs: a filing with the version that it would take the place of.

What "differs" means is `submissions.filings.diff`; nothing here is worded.
"""

from django.db.models import QuerySet
from django.utils import timezone

from games.registry import chapter as chapter_of
from submissions.filings.diff import FilingDiff, FilingSide, diff_filings
from submissions.filings.snapshot import Content, build_snapshot
from submissions.filings.versions import latest_version
from submissions.models import Person, Revision, Simulation, Submission


def base_revision(revision: Revision) -> Revision | None:
    """What a filing is read against: the version amended, or in force, when it was filed; else the filing before."""
    versions = _versions(revision.submission)
    if version := getattr(revision, "version", None):  # it has none before its approval
        versions = versions.filter(version__pk__lt=version.pk)
    return versions.order_by("-version__from_day", "-version__pk").first() or _earlier(revision).first()


def comparable_revisions(revision: Revision) -> list[Revision]:
    """The filings that this one can be compared with: all versions of the licensee's game, and its own earlier
    filings.
    """
    versions = _versions(revision.submission).exclude(pk=revision.pk).order_by("-version__pk")
    return list({version.pk: version for version in (*versions, *_earlier(revision))}.values())


def compare_revisions(before: Revision, after: Revision) -> FilingDiff:
    """With the exact figures of both, as far as they are computed."""
    figures = _analyses(before, after)
    return diff_filings(
        FilingSide(before.content, figures.get(before.pk, {})), FilingSide(after.content, figures.get(after.pk, {}))
    )


def compare_draft(before: Revision, draft: Submission, by: Person) -> FilingDiff:
    """With what would be filed now; its figures are computed once it is."""
    now, chapter = timezone.now(), chapter_of(draft.chapter)
    content = build_snapshot(draft, chapter, number=0, by=by, at=now, attestation="", engine="")
    return diff_filings(FilingSide(before.content, _analyses(before).get(before.pk, {})), FilingSide(content, {}))


def base_revision_of_draft(submission: Submission) -> Revision | None:
    """The revision that a draft amends or would replace; else the submission's own last filing."""
    last = latest_version(submission.organization, submission.chapter)
    return (last.revision if last else None) or submission.revisions.first()


def _versions(submission: Submission) -> QuerySet[Revision]:
    return Revision.objects.filter(
        version__organization=submission.organization_id, version__chapter=submission.chapter
    ).select_related("submission", "version")


def _earlier(revision: Revision) -> QuerySet[Revision]:
    """The earlier filings of the same submission."""
    return Revision.objects.filter(submission_id=revision.submission_id, number__lt=revision.number)


def _analyses(*revisions: Revision) -> dict[int, dict[int, Content]]:
    """Revision → place → figures, in one query, without the tallies beside them."""
    rows = Simulation.objects.filter(revision__in=revisions, analysis__isnull=False)
    analyses: dict[int, dict[int, Content]] = {}
    for revision, place, analysis in rows.values_list("revision_id", "configuration", "analysis"):
        analyses.setdefault(revision, {})[place] = analysis or {}
    return analyses
