"""Which approved filing is in effect on which day for a licensee's game; putting one in effect, discontinuing a game.
Versions are only ever added at the end: none gets an effective date before the last one's, so that nothing announced
for a day is changed afterwards. Periods are computed in `filings.effective_periods`.
"""

from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core.dates import date_text
from submissions.core.errors import Conflict, Refusal
from submissions.core.text_cleaning import clean_text
from submissions.models import Organization, Person, Revision, Submission, Version
from submissions.permissions import workflow


def put_in_effect(actor: Person, revision: Revision, from_day: date) -> Version:
    """Create the version of an approval, inside its transaction. It is in effect from `from_day` until a later one
    is.
    """
    submission = revision.submission
    if not submission.organization.is_live:
        raise Refusal("sandbox")
    _refuse_past(from_day, "It cannot take effect")
    lock_history()  # one after the other: the last version is looked up
    last = latest_version(submission.organization, submission.chapter)
    if last:
        _refuse_overtaken(submission, last)
        _refuse_before(last, from_day)
    return _version(actor, submission, from_day, revision=revision)


def discontinue(actor: Person, submission: Submission, *, from_day: date, reason: str) -> Version:
    """Offer the game no longer from that day on; `submission` is the one whose version is the last word on it."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        permissions.require(actor, "discontinue", submission)
        reason = clean_text(reason, "The reason")
        if not reason:
            raise Refusal("reason-missing/discontinue")
        _refuse_past(from_day, "The game cannot be discontinued")
        lock_history()  # one after the other: the last version is looked up
        _refuse_before(require_latest_version(submission), from_day)
        version = _version(actor, submission, from_day, reason=reason)
        after = {"chapter": submission.chapter, "from_day": from_day.isoformat()}
        record_event(actor, submission, "discontinued", reason=reason, after=after, seals=(version,))
    return version


def _version(actor: Person, submission: Submission, from_day: date, **basis: Any) -> Version:
    """The row; its basis is a revision, or the reason for the end of the game."""
    basis |= {"organization": submission.organization, "chapter": submission.chapter}
    return Version.objects.create(from_day=from_day, by=actor, made_at=timezone.now(), **basis)


def version_in_effect(organization: Organization, chapter: str, day: date) -> Version | None:
    """The version in effect on the day; None where the game is not offered."""
    rows = Version.objects.filter(organization=organization, chapter=chapter, from_day__lte=day)
    version = rows.select_related("revision__submission").order_by("-from_day", "-pk").first()
    return version if version and version.revision else None


def versions_in_effect(day: date) -> QuerySet[Version]:
    """Every version in effect on the day, one per licensee and chapter."""
    same = Version.objects.filter(organization=OuterRef("organization"), chapter=OuterRef("chapter"))
    latest_by_day = same.filter(from_day__lte=day).order_by("-from_day", "-pk").values("pk")[:1]
    return Version.objects.filter(pk=Subquery(latest_by_day), revision__isnull=False)


def latest_version(organization: Organization, chapter: str) -> Version | None:
    """The version decided last; one without a revision discontinues the game."""
    rows = Version.objects.filter(organization=organization, chapter=chapter).select_related("by", "revision")
    return rows.order_by("-from_day", "-pk").first()


def amendable_games(organization: Organization) -> dict[str, str]:
    """Chapter → the number of the submission whose version is the last word on it: what can be amended."""
    last = Version.objects.filter(organization=organization, period__ends=None, revision__isnull=False).order_by()
    return dict(last.values_list("chapter", "revision__submission__number"))


def is_latest_version(submission: Submission) -> bool:
    """Whether nothing later was decided than this submission's version: only then it can be amended or ended."""
    versions = Version.objects.filter(organization=submission.organization_id, chapter=submission.chapter)
    return versions.order_by("-from_day", "-pk").values_list("revision__submission", flat=True).first() == submission.pk


def require_latest_version(submission: Submission) -> Version:
    """The version of this submission, if nothing came after it; else `Conflict` with who was faster."""
    last = latest_version(submission.organization, submission.chapter)
    if last is None:
        raise Conflict("no-version", number=submission.number)
    when, day = f"{date_text(timezone.localdate(last.made_at))} by {last.by.name}", date_text(last.from_day)
    if last.revision is None:
        raise Conflict("already-discontinued", when=when, from_day=day)
    if last.revision.submission_id != submission.pk:
        raise Conflict("superseded", number=submission.number, receipt=last.revision.receipt, when=when, from_day=day)
    return last


def _refuse_past(from_day: date, what: str) -> None:
    today = timezone.localdate()
    if from_day < today:
        raise Refusal("effective-date-past", what=what, from_day=date_text(from_day), today=date_text(today))


def _refuse_before(last: Version, from_day: date) -> None:
    if from_day < last.from_day:
        what = f"{last.revision.receipt} is in effect" if last.revision else "the game is not offered"
        raise Refusal("earlier-than-scheduled", from_day=date_text(last.from_day), what=what, day=date_text(from_day))


def _refuse_overtaken(submission: Submission, last: Version) -> None:
    """Refuse an amendment of a version that was replaced: its differences would mean something else now."""
    if submission.amends_id is None or (last.revision and last.revision.submission_id == submission.amends_id):
        return
    last_one = f"{last.revision.receipt} was approved" if last.revision else "the game was discontinued"
    raise Refusal("amends-superseded", number=submission.number, last_one=last_one)
