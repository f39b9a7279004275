"""Which two filings are compared, and what differs: a filing with the version that it would take the place of.

What "differs" means is `submissions.filings.diff`; nothing here is worded.
"""

from django.db.models import QuerySet
from django.utils import timezone

from games.maths.results import Analysis
from games.rules.evaluate import judge
from games.rules.model import Chapter
from games.runs.engine import ENGINE, to_json
from submissions.evidence import analysis_cache
from submissions.filings.diff import FilingDiff, FilingSide, diff_filings
from submissions.filings.snapshot import Content, build_snapshot
from submissions.filings.versions import latest_version
from submissions.models import Person, Revision, Simulation, Submission
from submissions.rules.rules_day import draft_chapter


def base_revision(revision: Revision) -> Revision | None:
    """What a filing is read against: the version amended, or in force, when it was filed; else the filing before."""
    version, submission = getattr(revision, "version", None), revision.submission  # no version before its approval
    versions = _versions(submission).order_by("-version__from_day", "-version__pk")
    if version:
        versions = versions.filter(version__pk__lt=version.pk)
    return versions.first() or _earlier(revision).first()


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
    """With what would be filed now, and the figures of these answers as far as they are computed."""
    content = draft_content(draft, by)
    figures = _draft_figures(draft_chapter(draft), content)
    return diff_filings(FilingSide(before.content, _analyses(before).get(before.pk, {})), FilingSide(content, figures))


def draft_content(draft: Submission, by: Person) -> Content:
    """What would be frozen now."""
    return build_snapshot(draft, draft_chapter(draft), number=0, by=by, at=timezone.now(), attestation="", engine="")


def base_revision_of_draft(submission: Submission) -> Revision | None:
    """The revision that a draft amends or would replace; else the submission's own last filing."""
    last = latest_version(submission.organization, submission.chapter)
    return (last.revision if last else None) or submission.revisions.first()


def _versions(submission: Submission) -> QuerySet[Revision]:
    """The filings of the versions of the licensee's game."""
    game = {"version__organization": submission.organization_id, "version__chapter": submission.chapter}
    rows = Revision.objects.filter(**game)
    return rows.select_related("submission", "version")


def _earlier(revision: Revision) -> QuerySet[Revision]:
    """The earlier filings of the same submission."""
    return Revision.objects.filter(submission_id=revision.submission_id, number__lt=revision.number)


def _draft_figures(chapter: Chapter, content: Content) -> dict[int, Content]:
    """Place → figures, in the form in which a filing's are stored; a job computes those that are missing."""
    places: dict[int, Content] = {}
    for place, row in enumerate(content["configurations"]):
        answers = row["answers"]
        figures = analysis_cache.figures_of(chapter, answers)
        if figures or not chapter.paytables:  # without paytables no wager is made against the house: there are none
            rows = analysis_cache.in_use(chapter, judge(chapter, answers), answers, figures or {})
            places[place] = to_json(Analysis(chapter.number, chapter.digest, ENGINE, rows))
    return places


def _analyses(*revisions: Revision) -> dict[int, dict[int, Content]]:
    """Revision → place → figures, in one query, without the tallies beside them."""
    analyses: dict[int, dict[int, Content]] = {}
    rows = Simulation.objects.filter(revision__in=revisions, analysis__isnull=False)
    for revision, place, analysis in rows.values_list("revision_id", "configuration", "analysis"):
        analyses.setdefault(revision, {})[place] = analysis or {}
    return analyses
