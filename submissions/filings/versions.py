"""Versions: the approved filing in effect on each day for a licensee's game; putting one in effect, ending a game.

A version is in effect from its effective date until the next version's; of versions of one day, the one made later
counts. A version whose successor has the same or an earlier date is never in effect. Versions are only added at the
end: none gets an effective date before the last one's, so that nothing announced for a day is changed afterwards.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import models, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import lock_history, record_event
from submissions.core.dates import date_text, day_before
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.models import Organization, Person, Revision, Submission, Version
from submissions.permissions import workflow


def put_in_effect(actor: Person, revision: Revision, from_day: date) -> Version:
    """Create the version of an approval, in its transaction; it is in effect from `from_day` until a later one is."""
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
    """Return the row; its basis is a revision, or the reason for the end of the game."""
    basis |= {"organization": submission.organization, "chapter": submission.chapter}
    return Version.objects.create(from_day=from_day, by=actor, made_at=timezone.now(), **basis)


def version_in_effect(organization: Organization, chapter: str, day: date) -> Version | None:
    """Return the version in effect on the day; None where the game is not offered."""
    rows = Version.objects.filter(organization=organization, chapter=chapter, from_day__lte=day)
    version = rows.select_related("revision__submission").order_by("-from_day", "-pk").first()
    return version if version and version.revision else None


def versions_in_effect(day: date) -> QuerySet[Version]:
    """Return every version in effect on the day, one per licensee and chapter."""
    game = Version.objects.filter(organization=OuterRef("organization"), chapter=OuterRef("chapter"), from_day__lte=day)
    later = game.filter(Q(from_day__gt=OuterRef("from_day")) | Q(from_day=OuterRef("from_day"), pk__gt=OuterRef("pk")))
    return Version.objects.filter(~Exists(later), from_day__lte=day, revision__isnull=False)


def latest_version(organization: Organization, chapter: str) -> Version | None:
    """Return the version decided last; one without a revision discontinues the game."""
    rows = Version.objects.filter(organization=organization, chapter=chapter).select_related("by", "revision")
    return rows.order_by("-from_day", "-pk").first()


def amendable_games(organization: Organization) -> dict[str, str]:
    """Return what can be amended: by chapter, the submission whose version is the last word on it."""
    last = Version.objects.filter(organization=organization, period__ends=None, revision__isnull=False).order_by()
    return dict(last.values_list("chapter", "revision__submission__number"))


def is_latest_version(submission: Submission) -> bool:
    """Return whether nothing was decided after this submission's version: only then it can be amended or ended."""
    versions = Version.objects.filter(organization=submission.organization_id, chapter=submission.chapter)
    return versions.order_by("-from_day", "-pk").values_list("revision__submission", flat=True).first() == submission.pk


def require_latest_version(submission: Submission) -> Version:
    """Return the version of this submission, if nothing came after it; else `Conflict` with who was faster."""
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


class VersionState(models.TextChoices):
    IN_FORCE = "in-force", "In effect"
    SCHEDULED = "scheduled", "Scheduled"
    SUPERSEDED = "superseded", "Superseded"
    DISCONTINUED = "discontinued", "Discontinued"


@dataclass(frozen=True, slots=True)
class EffectivePeriod:
    """A version and its period. `ends`: the first day on which it is no longer in effect; None: no end is known."""

    version: Version
    ends: date | None = None
    successor: str = ""  # the receipt that replaces it; "" = none, or the game is discontinued

    @property
    def ever_in_effect(self) -> bool:
        """Return whether it is in effect on any day."""
        return self.ends is None or self.ends > self.version.from_day

    @property
    def is_latest(self) -> bool:
        """Return whether nothing was decided after it: a later version ends it."""
        return self.ends is None

    @property
    def last_day(self) -> date | None:
        return day_before(self.ends)

    def state(self, day: date) -> VersionState:
        return version_state(self.version.from_day, self.ends, self.successor, day)

    def words(self, day: date) -> str:
        """Return since when or until when, and what takes its place, as “Since March 1, 2026”."""
        return " ".join(filter(None, (self._begins(day), self._ends())))

    def _begins(self, day: date) -> str:
        if not self.ever_in_effect:
            return "It never took effect."
        begins = self.version.from_day
        if self.last_day and self.last_day < day:
            first, last = date_text(begins), date_text(self.last_day)
            return f"In effect on {first}." if first == last else f"In effect from {first} to {last}."
        return f"Since {date_text(begins)}." if begins <= day else f"From {date_text(begins)}."

    def _ends(self) -> str:
        if self.ends is None:
            return ""
        if self.successor:
            return f"Replaced by {self.successor} from {date_text(self.ends)}."
        return f"The game is not offered from {date_text(self.ends)}."


def version_state(from_day: date, ends: date | None, successor: str | None, day: date) -> VersionState:
    """Return the state on `day` of a version with this period."""
    if ends and (ends <= from_day or ends <= day):
        return VersionState.SUPERSEDED if successor else VersionState.DISCONTINUED
    return VersionState.IN_FORCE if from_day <= day else VersionState.SCHEDULED


def effective_periods(rows: QuerySet[Version]) -> list[EffectivePeriod]:
    """Return the rows, in their order, each with its time."""
    return [effective_period(row) for row in rows.select_related("period")]


def effective_period(version: Version) -> EffectivePeriod:
    """Return the time of a version, as it is now."""
    return EffectivePeriod(version, version.period.ends, version.period.successor or "")


def in_state(rows: QuerySet[Version], state: VersionState, day: date) -> QuerySet[Version]:
    """Return the versions that have this state on the day: `EffectivePeriod.state`, computed by the database."""
    over = Q(period__ends__lte=day) | Q(period__ends__lte=F("from_day"))
    holds = ~over | Q(period__ends=None)
    return rows.filter(
        {
            VersionState.IN_FORCE: holds & Q(from_day__lte=day),
            VersionState.SCHEDULED: holds & Q(from_day__gt=day),
            VersionState.SUPERSEDED: over & Q(period__successor__isnull=False),
            VersionState.DISCONTINUED: over & Q(period__successor=None),
        }[state]
    )


def not_over(rows: QuerySet[Version], day: date) -> QuerySet[Version]:
    """Return the versions that are in effect on the day or scheduled."""
    return rows.filter(Q(period__ends=None) | Q(period__ends__gt=day) & Q(period__ends__gt=F("from_day")))
