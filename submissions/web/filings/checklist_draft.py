"""One configuration of a draft as its checklist page needs it: the lines with their figures, files and questions.

Not here: the Board's questions on the submission's page (`submissions`, `review.decisions`); what stays closed
(`filings.editable_lines`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from django.contrib import messages
from django.http import Http404, HttpRequest

from games.rules.model import Answers
from submissions.audit.last_changes import LastChange, last_changes
from submissions.core.errors import Refusal
from submissions.evidence import analysis_cache
from submissions.filings import questions
from submissions.filings.editable_lines import locked_lines, open_questions
from submissions.filings.judging import judge_draft
from submissions.models import Attachment, Configuration, LineComment, Person, Remark, Status, Submission
from submissions.permissions import line_comments_visible_to, remarks_visible_to
from submissions.review.threads import Threads, load_threads
from submissions.rules.rules_day import draft_chapter
from submissions.web.access_gate import person_of
from submissions.web.filings import table_groups
from submissions.web.filings.checklist_lines import Checklist, ClashView, build_checklist
from submissions.web.filings.line_comments import FIELD

REPLY = "reply-"  # and the remark's number: the words of an answer that is being typed
ANSWER_SAVED = {"answered": "Your answer was saved.", "disputed": "Your dispute was saved."}


@dataclass(frozen=True, slots=True)
class ChecklistDraft:
    """The configuration that a page is about, among those of its submission."""

    submission: Submission
    row: Configuration
    rows: list[Configuration]
    said: Threads
    sent: Mapping[str, str]  # by the page's form
    changes: Mapping[str, LastChange]  # the last one of each line
    comments: tuple[LineComment, ...]  # among people of the licensee
    reader: Person

    def checklist(
        self,
        answers: Answers,
        parsed_answers: Answers = MappingProxyType({}),
        clashes: Mapping[str, ClashView] = MappingProxyType({}),
        refusals: Mapping[str, Refusal] = MappingProxyType({}),
    ) -> Checklist:
        """The page's lines with these answers; the others as `checklist_lines.build_checklist` takes them."""
        chapter = draft_chapter(self.submission)
        first = self.rows[0].answers if self.row.position else None
        figures, files = analysis_cache.figures_of(chapter, answers), self._files(answers)
        shown = build_checklist(
            chapter,
            answers,
            figures,
            files,
            parsed_answers=parsed_answers,
            clashes=clashes,
            refusals=refusals,
            first=first,
            judgment=judge_draft(chapter, self.row, self.rows, answers),
            changes=self.changes,
        )
        shown = self._with_people(shown)
        return self._with_questions(shown, answers) if self.submission.status == Status.RETURNED else shown

    def _with_people(self, shown: Checklist) -> Checklist:
        """The lines with the comments of the licensee's people, with the one that is being typed, and whether someone
        else than the reader changed them last.
        """
        lines = {
            key: replace(
                line,
                comments=tuple(each for each in self.comments if each.option == key),
                unsaved_comment=self.sent.get(f"{FIELD}{key}", ""),
                changed_by_other=line.last_change is not None and line.last_change.person != self.reader.pk,
            )
            for key, line in shown.lines.items()
        }
        return replace(shown, lines=lines)

    def _with_questions(self, shown: Checklist, answers: Answers) -> Checklist:
        """The lines, those that stay as filed closed, and those that are asked about with their questions."""
        closed, position = locked_lines(self.submission, self.row.position, answers), self.row.position
        threads = [
            replace(thread, unsaved_text=self.sent.get(f"{REPLY}{thread.remark.pk}", ""))
            for thread in self.said.questions
        ]
        lines = {
            key: replace(
                line,
                closed=key in closed,
                questions=tuple(
                    thread for thread in threads if (thread.position, thread.remark.option) == (position, key)
                ),
            )
            for key, line in shown.lines.items()
        }
        return replace(shown, lines=lines)

    def _files(self, answers: Answers) -> dict[str, Attachment]:
        """The file that each line names: groups may name several for one line."""
        files = {
            (file.option, file.stored_id): file
            for file in self.submission.attachments.select_related("stored", "uploaded_by")
        }
        named = {key: answer["sha256"] for key, answer in answers.items() if isinstance(answer, Mapping)}
        return {key: files[key, str(sha256)] for key, sha256 in named.items() if (key, sha256) in files}


def load_draft(request: HttpRequest, submission: Submission) -> ChecklistDraft:
    """The configuration at `?group=`; 404 where there is none, or none any more."""
    position, rows = table_groups.position_in(request.GET.get("group")), list(submission.configurations.all())
    row = next((row for row in rows if row.position == position), None)
    if row is None:
        raise Http404("This table group does not exist. It may have been removed.")
    person = person_of(request)
    comments = tuple(line_comments_visible_to(person, submission).filter(position=position))
    return ChecklistDraft(
        submission,
        row,
        rows,
        load_threads(person, submission),
        request.POST.dict(),
        last_changes(submission, position),
        comments,
        person,
    )


def take_answer(request: HttpRequest, submission: Submission, refusals: dict[str, Refusal]) -> str:
    """Answer the question whose button was pressed (`answer`: its number and how); its line, "" if none was."""
    number, _, kind = request.POST.get("answer", "").partition(":")
    if not number.isascii() or not number.isdigit() or kind not in ANSWER_SAVED:
        return ""
    remark: Remark | None = remarks_visible_to(request.user, submission).filter(pk=int(number[:18])).first()
    if remark is None or not remark.option:
        return ""
    text = request.POST.get(f"{REPLY}{number}", "")
    try:
        questions.answer_question(person_of(request), remark, kind=kind, text=text)
    except Refusal as refusal:
        refusals[remark.option] = refusal
    else:
        left = open_questions(submission).filter(state=Remark.State.OPEN).count()
        rest = (
            f"{left} question{'s' if left > 1 else ''} to go." if left else "All questions are answered. File it again."
        )
        messages.success(request, f"{ANSWER_SAVED[kind]} {rest}")
    return remark.option
