"""Which approved filing holds on which day, for a licensee's game; what puts one in force, and what ends a game.

Versions only ever follow one another: none is made for a day before the last one's, so that nothing that was
announced for a day is changed by what comes before it. From when until when each holds is `submissions.terms`.
"""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from submissions import access, workflow
from submissions.actions.history import record
from submissions.actions.wording import clean_text
from submissions.errors import Conflict, Refusal
from submissions.models import Organisation, Person, Revision, Submission, Version
from submissions.terms import in_words


def put_in_force(actor: Person, revision: Revision, from_day: date) -> Version:
    """The version of an approval, inside its transaction. It holds from `from_day` until a later one does."""
    submission = revision.submission
    if not submission.organisation.is_live:
        raise Refusal("sandbox", "Nothing of a sandbox is ever in force.", fix="File it with a live credential.")
    _refuse_past(from_day, "It cannot be in force")
    last = last_word(submission.organisation, submission.chapter)
    if last:
        _refuse_overtaken(submission, last)
        _refuse_before(last, from_day)
    return _version(actor, submission, from_day, revision=revision)


def discontinue(actor: Person, submission: Submission, *, from_day: date, reason: str) -> Version:
    """Offer the game no longer from that day on; `submission` is the one whose version is the last word on it."""
    with transaction.atomic():
        submission = workflow.locked(submission)
        access.demand(actor, "discontinue", submission)
        reason = clean_text(reason, "The reason")
        if not reason:
            raise Refusal("reason-missing", "Discontinuing a game needs a reason.", fix="Say why in a sentence or two.")
        _refuse_past(from_day, "The game cannot be discontinued")
        # Recorded before anything is looked up: the history lets in one after the other.
        after = {"chapter": submission.chapter, "from_day": from_day.isoformat()}
        record(actor, submission, "discontinued", reason=reason, after=after)
        _refuse_before(_last_word_of(submission), from_day)
        return _version(actor, submission, from_day, reason=reason)


def _version(
    actor: Person, submission: Submission, from_day: date, *, revision: Revision | None = None, reason: str = ""
) -> Version:
    """The row: of a revision, or of the end of the game with its reason."""
    return Version.objects.create(
        organisation=submission.organisation,
        chapter=submission.chapter,
        from_day=from_day,
        revision=revision,
        reason=reason,
        by=actor,
        made_at=timezone.now(),
    )


def in_force(organisation: Organisation, chapter: str, day: date) -> Version | None:
    """The version that holds on the day; None where the game is not offered."""
    rows = Version.objects.filter(organisation=organisation, chapter=chapter, from_day__lte=day)
    found = rows.select_related("revision__submission").order_by("-from_day", "-pk").first()
    return found if found and found.revision else None


def all_in_force(day: date) -> QuerySet[Version]:
    """Every version that holds on the day, one per licensee and chapter."""
    same = Version.objects.filter(organisation=OuterRef("organisation"), chapter=OuterRef("chapter"))
    latest_by_day = same.filter(from_day__lte=day).order_by("-from_day", "-pk").values("pk")[:1]
    return Version.objects.filter(pk=Subquery(latest_by_day), revision__isnull=False)


def last_word(organisation: Organisation, chapter: str) -> Version | None:
    """The version that holds in the end, as far as is decided; one without a revision ends the game."""
    rows = Version.objects.filter(organisation=organisation, chapter=chapter).select_related("by", "revision")
    return rows.order_by("-from_day", "-pk").first()


def offered(organisation: Organisation) -> dict[str, str]:
    """Chapter → the number of the submission whose version is the last word on it: what can be amended."""
    rows = Version.objects.filter(organisation=organisation).order_by("from_day", "pk")
    last = dict(rows.values_list("chapter", "revision__submission__number"))
    return {chapter: number for chapter, number in last.items() if number}


def is_last_word(submission: Submission) -> bool:
    """Whether nothing later was decided than this submission's version: only then it can be amended or ended."""
    last = last_word(submission.organisation, submission.chapter)
    return bool(last and last.revision and last.revision.submission_id == submission.pk)


def _last_word_of(submission: Submission) -> Version:
    """The version of this submission, if nothing came after it; else `Conflict` with who was faster."""
    last = last_word(submission.organisation, submission.chapter)
    if last and last.revision and last.revision.submission_id == submission.pk:
        return last
    raise not_the_last_word(submission, last)


def not_the_last_word(submission: Submission, last: Version | None) -> Conflict:
    """What is told to whoever builds upon a version that is not the last one."""
    if last is None:
        return Conflict("no-version", f"No version of {submission.number} is in force.", fix="Reload the page.")
    when = f"{in_words(timezone.localdate(last.made_at))} by {last.by.name}"
    if last.revision is None:
        return Conflict(
            "already-discontinued",
            f"The game was discontinued on {when}: it is not offered from {in_words(last.from_day)}.",
            fix="Start a new Rules Submission to offer it again.",
        )
    return Conflict(
        "superseded",
        f"{submission.number} is no longer the last word: {last.revision.receipt} was approved on {when}, "
        f"in force from {in_words(last.from_day)}.",
        fix=f"Go on from {last.revision.receipt}.",
    )


def _refuse_past(from_day: date, what: str) -> None:
    today = timezone.localdate()
    if from_day < today:
        raise Refusal(
            "effective-date-past",
            f"{what} from {in_words(from_day)}: that day is over.",
            fix=f"Choose {in_words(today)} or a later day.",
        )


def _refuse_before(last: Version, from_day: date) -> None:
    if from_day < last.from_day:
        what = f"{last.revision.receipt} holds" if last.revision else "the game is not offered"
        raise Refusal(
            "earlier-than-scheduled",
            f"From {in_words(last.from_day)} on {what}, and that was decided already: nothing can be put before it, "
            f"on {in_words(from_day)}.",
            fix=f"Choose {in_words(last.from_day)}, to take its place, or a later day.",
        )


def _refuse_overtaken(submission: Submission, last: Version) -> None:
    """An amendment says what changes in one version; over another one it would say something else."""
    if submission.amends_id is None or (last.revision and last.revision.submission_id == submission.amends_id):
        return
    last_one = f"{last.revision.receipt} was approved" if last.revision else "the game was discontinued"
    raise Refusal(
        "amends-superseded",
        f"{submission.number} amends a version that is no longer the last word: {last_one} in between.",
        fix="Return it, so that the licensee looks at what holds now; or reject it, so that it starts a new one.",
    )
