"""The Board's comments on the lines of a filing: writing, following up, resolving, and sending them to the licensee.

A comment to the licensee is sent with the Board's next return, approval or rejection (`send_with`). With a return it is
a question: it must be answered or disputed before the next filing, and resolved before a recommendation. The
licensee's answers are in `filings.questions`.
"""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.errors import Conflict, Refusal
from submissions.core.text_cleaning import clean_text
from submissions.filings.questions import STATE_AFTER_REPLY, question_subject, reply, stored_reply
from submissions.models import Decision, Person, Remark, Reply, Revision, Submission
from submissions.permissions import workflow


def write_comment(
    actor: Person,
    submission: Submission,
    *,
    revision: int,
    text: str,
    audience: str,
    option: str = "",
    configuration: int = 0,
) -> Remark:
    """A remark on one line of the latest revision, or on the whole filing. `revision`: the number seen."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        permissions.require(actor, "remark", submission)
        latest = submission.revisions.latest("number")
        if latest.number != revision:
            raise Conflict("filed-anew", receipt=latest.receipt, seen=revision)
        _refuse_unknown_line(latest, configuration, option)
        if audience not in Remark.Audience.values:
            raise Refusal("audience-unknown", audience=audience)
        remark = Remark.objects.create(
            revision=latest,
            configuration=configuration if option else 0,
            option=option,
            audience=audience,
            text=_required_text(text, "The comment", option=option),
            by=actor,
            at=timezone.now(),
        )
        after = {**question_subject(remark), "audience": remark.audience}
        record_event(actor, submission, "remarked", reason=remark.text, after=after, seals=(remark,))
    return remark


def resolve_comment(actor: Person, remark: Remark, *, text: str = "") -> Reply:
    """Resolve the remark; one that was not sent yet is thereby withdrawn."""
    return _follow(actor, remark, Reply.Kind.RESOLVED, clean_text(text, "The comment", option=remark.option))


def reopen_comment(actor: Person, remark: Remark, *, text: str = "") -> Reply:
    """Make the remark a question of the next return again."""
    return _follow(actor, remark, Reply.Kind.REOPENED, clean_text(text, "The comment", option=remark.option))


def say(actor: Person, remark: Remark, *, text: str) -> Reply:
    """Reply to an internal remark of the Board."""
    if remark.audience != Remark.Audience.BOARD:
        raise Refusal("remark-for-licensee")
    return _follow(actor, remark, Reply.Kind.SAID, _required_text(text, "The reply", option=remark.option))


def send_with(decision: Decision) -> list[Remark]:
    """The open remarks that a decision sends to the licensee; a return also sends the reopened ones again."""
    if decision.kind not in permissions.DISCLOSING_DECISIONS:
        return []
    unsettled = open_remarks(decision.revision.submission)
    sent = list(unsettled if decision.kind == Decision.Kind.RETURN else unsettled.filter(shown_with=None))
    Remark.objects.filter(pk__in=[remark.pk for remark in sent]).update(shown_with=decision)
    return sent


def open_remarks(submission: Submission) -> QuerySet[Remark]:
    """The remarks for the licensee that would be the questions of a return."""
    return Remark.objects.filter(
        revision__submission=submission, audience=Remark.Audience.LICENSEE, state=Remark.State.OPEN
    )


def ask_about_all(actor: Person, revision: Revision, reason: str) -> None:
    """Make the reason of a return without other questions a question about the whole filing, in its transaction."""
    if not reason:
        raise Refusal("question-missing")
    audience = Remark.Audience.LICENSEE
    Remark.objects.create(revision=revision, audience=audience, text=reason, by=actor, at=timezone.now())


def _follow(actor: Person, remark: Remark, kind: Reply.Kind, text: str) -> Reply:
    with transaction.atomic():
        submission, remark = stored_reply(remark)
        permissions.require(actor, "resolve", submission)
        if kind != Reply.Kind.SAID and STATE_AFTER_REPLY[kind] == remark.state:
            last = remark.replies.exclude(kind=Reply.Kind.SAID).select_related("by").last()
            who = f"{last.by.name} {last.get_kind_display()}" if last else "it has no replies yet"
            raise Conflict("remark-changed-meanwhile", state=remark.get_state_display().lower(), who=who)
        return reply(actor, submission, remark, kind, text)


def _refuse_unknown_line(revision: Revision, configuration: int, option: str) -> None:
    configurations = revision.content["configurations"]
    if not 0 <= configuration < len(configurations):
        count = len(configurations)
        raise Refusal("unknown-configuration", receipt=revision.receipt, count=count, configuration=configuration)
    row = configurations[configuration]
    if option and option not in {line["key"] for line in row["lines"]}:
        raise Refusal("unknown-line/filing", receipt=revision.receipt, line=option, group=row["name"])


def _required_text(text: str, where: str, *, option: str) -> str:
    clean = clean_text(text, where, option=option)
    if not clean:
        raise Refusal("remark-empty", option=option, where=where)
    return clean
