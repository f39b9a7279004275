"""The Board's comments on the lines of a filing: writing, following up, resolving, and sending to the licensee.

And the threads of comments and replies that one reader may see.

A comment to the licensee is sent with the Board's next return, approval or rejection (`send_with`). With a return it is
a question: it must be answered or disputed before the next filing, and resolved before a recommendation. Not here: the
licensee's answers (`filings.questions`), who may read what (`permissions`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.rules.phrases import in_words
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.configurations import Snapshot, group_at
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.filings.questions import (
    STATE_AFTER_REPLY,
    open_questions,
    question_subject,
    record_reply,
    stored_reply,
)
from submissions.models import Decision, Person, Remark, Reply, Revision, Submission
from submissions.permissions import may, read_remarks, read_replies, workflow
from submissions.rules import draft_chapter


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
    """Add a remark on one line of the latest revision, or on the whole filing. `revision`: the number seen."""
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
    """Return the open remarks that a decision sends to the licensee; a return also sends the reopened ones again."""
    if decision.kind not in permissions.DISCLOSING_DECISIONS:
        return []
    unsettled = open_remarks(decision.revision.submission)
    sent = list(unsettled if decision.kind == Decision.Kind.RETURN else unsettled.filter(shown_with=None))
    Remark.objects.filter(pk__in=[remark.pk for remark in sent]).update(shown_with=decision)
    return sent


def open_remarks(submission: Submission) -> QuerySet[Remark]:
    """Return the remarks for the licensee that would be the questions of a return."""
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
        return record_reply(actor, submission, remark, kind, text)


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


NOT_ANSWERED, NOT_ASKED = "Not answered", "Not asked"


@dataclass(frozen=True, slots=True)
class Thread:
    """One comment with its replies. `before`: the answer that it is about; `now`: the current answer of that line."""

    remark: Remark
    state: Remark.State  # as far as this reader may know
    question: str  # of the line; "" = the whole filing
    citation: str
    group: str  # of tables; "" where there is but one
    position: int  # of the group in the draft
    before: str
    now: str
    replies: tuple[Reply, ...]
    of_latest_return: bool  # as a question to the licensee
    may_answer: bool
    may_follow: bool
    unsaved_text: str = ""  # an answer that could not be saved

    @property
    def anchor(self) -> str:
        return f"remark-{self.remark.pk}"

    @property
    def changed(self) -> bool:
        return bool(self.question) and self.before != self.now

    @property
    def settled(self) -> bool:
        return self.state == Remark.State.RESOLVED

    @property
    def within_board(self) -> bool:
        return self.remark.audience == Remark.Audience.BOARD

    @property
    def is_unsent(self) -> bool:
        """Return whether it is for the licensee and not sent yet."""
        return not self.within_board and self.remark.shown_with_id is None and not self.settled


@dataclass(frozen=True)
class Threads:
    """All of them, in the order in which they were written."""

    all: tuple[Thread, ...]

    @cached_property
    def open(self) -> list[Thread]:
        """Return the unresolved threads: disputed ones first, then answered ones, then open ones."""
        order = [Remark.State.DISPUTED, Remark.State.ANSWER_GIVEN, Remark.State.OPEN]
        return sorted(
            (thread for thread in self.all if not thread.settled), key=lambda thread: order.index(thread.state)
        )

    @property
    def settled(self) -> list[Thread]:
        return [thread for thread in self.all if thread.settled]

    @property
    def questions(self) -> list[Thread]:
        return [thread for thread in self.all if thread.of_latest_return]

    @property
    def unanswered(self) -> list[Thread]:
        return [question for question in self.questions if question.state == Remark.State.OPEN]

    @property
    def unsent(self) -> list[Thread]:
        return [thread for thread in self.all if thread.is_unsent]

    def counts(self) -> list[tuple[int, str]]:
        """Return (number, state) of the unresolved threads."""
        counts = [
            (sum(thread.state == state for thread in self.open), str(state.label).lower()) for state in Remark.State
        ]
        return [(number, word) for number, word in counts if number]

    def of(self, position: int, option: str) -> list[Thread]:
        return [thread for thread in self.all if (thread.position, thread.remark.option) == (position, option)]


def load_threads(reader: Person, submission: Submission) -> Threads:
    """Return every remark that this reader may read; the draft's answers beside it while the licensee answers."""
    remarks = read_remarks(reader, submission)
    return Threads(tuple(_threads(reader, submission, remarks)) if remarks else ())


def _threads(reader: Person, submission: Submission, remarks: Iterable[Remark]) -> Iterator[Thread]:
    filings = list(submission.revisions.all())
    now, replies = _now(reader, submission, filings[0].content), _replies(reader, submission)
    filed = {filing.pk: filing for filing in filings}
    latest_questions = set(open_questions(submission).values_list("pk", flat=True))
    may_answer, may_follow = bool(may(reader, "answer", submission)), bool(may(reader, "resolve", submission))
    for remark in remarks:
        remark.revision = filed[remark.revision_id]
        content = remark.revision.content
        configuration = content["configurations"][remark.configuration]
        line: Snapshot = next((line for line in configuration["lines"] if line["key"] == remark.option), {})
        position, remark_replies = group_at(content, remark.configuration), tuple(replies.get(remark.pk, ()))
        yield Thread(
            remark=remark,
            state=_state(remark_replies),
            question=line.get("question", ""),
            citation=line.get("citation", ""),
            group=configuration["name"] if len(content["configurations"]) > 1 and remark.option else "",
            position=position,
            before=line.get("answer") or NOT_ANSWERED,
            now=now.get((position, remark.option), NOT_ASKED),
            replies=remark_replies,
            of_latest_return=remark.pk in latest_questions,
            may_answer=may_answer and remark.pk in latest_questions,
            may_follow=may_follow,
        )


def _replies(reader: Person, submission: Submission) -> Mapping[int, list[Reply]]:
    replies: dict[int, list[Reply]] = {}
    for reply in read_replies(reader, submission):
        replies.setdefault(reply.remark_id, []).append(reply)
    return replies


def _state(replies: tuple[Reply, ...]) -> Remark.State:
    """Return the state after the last reply that this reader may read."""
    states = [STATE_AFTER_REPLY[Reply.Kind(reply.kind)] for reply in replies if reply.kind in STATE_AFTER_REPLY]
    return states[-1] if states else Remark.State.OPEN


def _now(reader: Person, submission: Submission, content: Snapshot) -> dict[tuple[int, str], str]:
    """Return the current answer as text by (group, line).

    It is the draft's for the licensee that prepares it, else that of the last filing, its `content`.
    """
    if submission.editable and not reader.at_regulator:
        chapter = draft_chapter(submission)
        return {
            (row.position, option.key): in_words(chapter, option, row.answers.get(option.key)) or NOT_ANSWERED
            for row in submission.configurations.all()
            for option in chapter.options
        }
    return {
        (group_at(content, place), line["key"]): line["answer"] or NOT_ANSWERED
        for place, configuration in enumerate(content["configurations"])
        for line in configuration["lines"]
    }
