"""The comments on a submission as one reader may see them: each with its line, both answers, and the replies.

Not here: who may read what (`permissions`), storing comments (`review.comments`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.rules.compare import in_words
from submissions.core.configuration_index import Snapshot, group_at
from submissions.filings.editable_lines import open_questions
from submissions.filings.questions import STATE_AFTER_REPLY
from submissions.models import Person, Remark, Reply, Submission
from submissions.permissions import may, read_remarks, read_replies
from submissions.rules.rules_day import draft_chapter

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
        """Whether it is for the licensee and not sent yet."""
        return not self.within_board and self.remark.shown_with_id is None and not self.settled


@dataclass(frozen=True)
class Threads:
    """All of them, in the order in which they were written."""

    all: tuple[Thread, ...]

    @cached_property
    def open(self) -> list[Thread]:
        """The unresolved threads: disputed ones first, then answered ones, then open ones."""
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
        """(number, state) of the unresolved threads."""
        counts = [
            (sum(thread.state == state for thread in self.open), str(state.label).lower()) for state in Remark.State
        ]
        return [(number, word) for number, word in counts if number]

    def of(self, position: int, option: str) -> list[Thread]:
        return [thread for thread in self.all if (thread.position, thread.remark.option) == (position, option)]


def load_threads(reader: Person, submission: Submission) -> Threads:
    """Every remark that this reader may read; the draft's answers beside it while the licensee answers."""
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
    """The state after the last reply that this reader may read."""
    states = [STATE_AFTER_REPLY[Reply.Kind(reply.kind)] for reply in replies if reply.kind in STATE_AFTER_REPLY]
    return states[-1] if states else Remark.State.OPEN


def _now(reader: Person, submission: Submission, content: Snapshot) -> dict[tuple[int, str], str]:
    """(group, line) → the current answer as text: the draft's for the licensee that prepares it, else that of the last
    filing, its `content`.
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
