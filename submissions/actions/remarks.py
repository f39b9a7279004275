"""What the Board says about the lines of a filing: remarks, and what becomes of each. The answers are `questions`.

A remark for the licensee goes out with the Board's next return, approval or rejection (`send_with`); with a return it
is a question, which has to be answered or disputed before the next filing and resolved before a recommendation.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from submissions import access, workflow
from submissions.actions.history import record
from submissions.actions.questions import AFTER, about, held, reply
from submissions.actions.wording import clean_text
from submissions.errors import Conflict, Refusal
from submissions.models import Decision, Person, Remark, Reply, Revision, Submission


def write(
    actor: Person,
    submission: Submission,
    *,
    revision: int,
    text: str,
    audience: str,
    option: str = "",
    configuration: int = 0,
) -> Remark:
    """A remark on one line of the latest revision, which is the one that the person saw; or on the whole filing."""
    with transaction.atomic():
        submission = workflow.locked(submission)
        access.demand(actor, "remark", submission)
        latest = submission.revisions.latest("number")
        _expect(latest, revision)
        _refuse_unknown_line(latest, configuration, option)
        remark = Remark.objects.create(
            revision=latest,
            configuration=configuration if option else 0,
            option=option,
            audience=_audience(audience),
            text=_words(text, "The remark", option=option),
            by=actor,
            at=timezone.now(),
        )
        record(actor, submission, "remarked", reason=remark.text, after={**about(remark), "audience": remark.audience})
    return remark


def resolve(actor: Person, remark: Remark, *, text: str = "") -> Reply:
    """The Board is content, or takes back what it did not send yet."""
    return _follow(actor, remark, Reply.Kind.RESOLVED, clean_text(text, "The remark", option=remark.option))


def reopen(actor: Person, remark: Remark, *, text: str = "") -> Reply:
    """The Board is not content: it is a question of the next return again."""
    return _follow(actor, remark, Reply.Kind.REOPENED, clean_text(text, "The remark", option=remark.option))


def say(actor: Person, remark: Remark, *, text: str) -> Reply:
    """A word among the Board's people, on a remark within the Board."""
    if remark.audience != Remark.Audience.BOARD:
        raise Refusal(
            "remark-for-licensee", "The licensee reads this remark.", fix="Write a remark within the Board instead."
        )
    return _follow(actor, remark, Reply.Kind.SAID, _words(text, "The reply", option=remark.option))


def send_with(decision: Decision) -> list[Remark]:
    """What goes out with a decision: what is open for the licensee; with a return, what was reopened once more."""
    if decision.kind not in access.SHOWING:
        return []
    waiting = Remark.objects.filter(
        revision__submission=decision.revision.submission,
        audience=Remark.Audience.LICENSEE,
        state=Remark.State.OPEN,
    )
    if decision.kind != Decision.Kind.RETURN:
        waiting = waiting.filter(shown_with=None)
    sent = list(waiting)
    Remark.objects.filter(pk__in=[one.pk for one in sent]).update(shown_with=decision)
    return sent


def has_questions(submission: Submission) -> bool:
    """Whether a return would ask something already."""
    return (
        Remark.objects.filter(revision__submission=submission)
        .filter(audience=Remark.Audience.LICENSEE, state=Remark.State.OPEN)
        .exists()
    )


def ask_about_all(actor: Person, revision: Revision, text: str) -> Remark:
    """A question about the whole filing, inside the transaction of the return that asks it."""
    return Remark.objects.create(
        revision=revision, audience=Remark.Audience.LICENSEE, text=text, by=actor, at=timezone.now()
    )


def _follow(actor: Person, remark: Remark, kind: Reply.Kind, text: str) -> Reply:
    with transaction.atomic():
        submission, remark = held(remark)
        access.demand(actor, "resolve", submission)
        if kind != Reply.Kind.SAID and AFTER[kind] == remark.state:
            last = remark.replies.exclude(kind=Reply.Kind.SAID).select_related("by").last()
            who = f"{last.by.name} {last.get_kind_display()}" if last else "nobody answered it yet"
            raise Conflict(
                "remark-changed-meanwhile",
                f"It is {remark.get_state_display().lower()} already: {who}.",
                fix="Reload the page to see what was said.",
            )
        return reply(actor, submission, remark, kind, text)


def _refuse_unknown_line(revision: Revision, configuration: int, option: str) -> None:
    configurations = revision.content["configurations"]
    if not 0 <= configuration < len(configurations):
        raise Refusal(
            "unknown-configuration",
            f"{revision.receipt} has {len(configurations)} configuration(s); there is no number {configuration}.",
            fix="Reload the page and write the remark beside its line.",
        )
    if option and option not in {line["key"] for line in configurations[configuration]["lines"]}:
        raise Refusal(
            "unknown-line",
            f"{revision.receipt} has no line {option!r} in “{configurations[configuration]['name']}”.",
            fix="Write the remark beside a line that was filed, or on the whole filing.",
        )


def _expect(latest: Revision, seen: int) -> None:
    if latest.number != seen:
        raise Conflict(
            "filed-anew",
            f"{latest.receipt} is the latest filing; the remark was written on R{seen}.",
            fix="Reload the page, see what changed, and write it again where it still holds.",
        )


def _audience(audience: str) -> Remark.Audience:
    if audience not in Remark.Audience.values:
        raise Refusal(
            "audience-unknown",
            f"A remark is for the licensee or within the Board, not {audience!r}.",
            fix="Choose who reads it.",
        )
    return Remark.Audience(audience)


def _words(text: str, where: str, *, option: str) -> str:
    clean = clean_text(text, where, option=option)
    if not clean:
        raise Refusal("remark-empty", f"{where} says nothing.", fix="Write a sentence or two.", option=option)
    return clean
