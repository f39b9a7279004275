"""The remarks on a submission as one reader may know them: each with its line, the answer then and now, what was said.

Not here: who may read what (`submissions.access`), the forms' posts (`remarks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.rules.compare import in_words
from games.rules.registry import chapter as chapter_of
from submissions.access import may, remarks_visible_to, replies_visible_to
from submissions.actions.questions import AFTER
from submissions.models import Person, Remark, Reply, Submission
from submissions.places import Content, group_of
from submissions.reopening import asked_now

NOT_ANSWERED, NOT_ASKED = "Not answered", "Not asked"


@dataclass(frozen=True, slots=True)
class Talk:
    """One remark and whatever was said to it; `before` is the answer that it is about, `now` what stands there now."""

    remark: Remark
    state: Remark.State  # as far as this reader may know
    question: str  # of the line; "" = the whole filing
    citation: str
    group: str  # of tables; "" where there is but one
    position: int  # of the group in the draft
    before: str
    now: str
    replies: tuple[Reply, ...]
    asked: bool  # a question of the return that stands
    may_answer: bool
    may_follow: bool
    typed: str = ""  # an answer that could not be kept

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
    def waiting(self) -> bool:
        """Written for the licensee, and not sent yet."""
        return not self.within_board and self.remark.shown_with_id is None and not self.settled


@dataclass(frozen=True)
class Talks:
    """All of them, in the order in which they were written."""

    all: tuple[Talk, ...]

    @cached_property
    def open(self) -> list[Talk]:
        """What is not settled yet: the licensee's disputes first, then its answers, then what waits for one."""
        order = [Remark.State.DISPUTED, Remark.State.ANSWERED, Remark.State.OPEN]
        return sorted((one for one in self.all if not one.settled), key=lambda one: order.index(one.state))

    @property
    def settled(self) -> list[Talk]:
        return [one for one in self.all if one.settled]

    @property
    def asked(self) -> list[Talk]:
        return [one for one in self.all if one.asked]

    @property
    def unanswered(self) -> list[Talk]:
        return [one for one in self.asked if one.state == Remark.State.OPEN]

    @property
    def unsent(self) -> list[Talk]:
        return [one for one in self.all if one.waiting]

    def counts(self) -> list[tuple[int, str]]:
        """(how many, of which state) of those that are not settled."""
        found = [(sum(one.state == state for one in self.open), str(state.label).lower()) for state in Remark.State]
        return [(number, word) for number, word in found if number]

    def of(self, position: int, option: str) -> list[Talk]:
        return [one for one in self.all if (one.position, one.remark.option) == (position, option)]


def talks(reader: Person, submission: Submission) -> Talks:
    """Every remark that this reader may read; the draft's answers beside it while the licensee answers."""
    replies: dict[int, list[Reply]] = {}
    for reply in replies_visible_to(reader, submission):
        replies.setdefault(reply.remark_id, []).append(reply)
    return Talks(tuple(_told(reader, submission, replies)))


def _told(reader: Person, submission: Submission, replies: Mapping[int, list[Reply]]) -> Iterator[Talk]:
    contents: dict[int, Content] = {}
    now: dict[tuple[int, str], str] = {}
    asked = set(asked_now(submission).values_list("pk", flat=True))
    may_answer, may_follow = bool(may(reader, "answer", submission)), bool(may(reader, "resolve", submission))
    for remark in remarks_visible_to(reader, submission):
        now = now or _now(reader, submission)
        content = contents.setdefault(remark.revision_id, remark.revision.content)
        configuration = content["configurations"][remark.configuration]
        line: Content = next((one for one in configuration["lines"] if one["key"] == remark.option), {})
        position, said = group_of(content, remark.configuration), tuple(replies.get(remark.pk, ()))
        yield Talk(
            remark=remark,
            state=_state(said),
            question=line.get("question", ""),
            citation=line.get("citation", ""),
            group=configuration["name"] if len(content["configurations"]) > 1 and remark.option else "",
            position=position,
            before=line.get("answer") or NOT_ANSWERED,
            now=now.get((position, remark.option), NOT_ASKED),
            replies=said,
            asked=remark.pk in asked,
            may_answer=may_answer and remark.pk in asked,
            may_follow=may_follow,
        )


def _state(replies: tuple[Reply, ...]) -> Remark.State:
    """What the last word that this reader knows made of it."""
    states = [AFTER[Reply.Kind(one.kind)] for one in replies if one.kind in AFTER]
    return states[-1] if states else Remark.State.OPEN


def _now(reader: Person, submission: Submission) -> dict[tuple[int, str], str]:
    """(group, line) → the answer in words: as drafted for the licensee that prepares it, else as filed last."""
    if submission.editable and not reader.at_regulator:
        chapter = chapter_of(submission.chapter)
        return {
            (row.position, option.key): in_words(chapter, option, row.answers.get(option.key)) or NOT_ANSWERED
            for row in submission.configurations.all()
            for option in chapter.options
        }
    content = submission.revisions.latest("number").content
    return {
        (group_of(content, place), line["key"]): line["answer"] or NOT_ANSWERED
        for place, configuration in enumerate(content["configurations"])
        for line in configuration["lines"]
    }
