"""One configuration of a draft as its checklist page needs it: the lines with their figures, files and comments."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from django.http import Http404, HttpRequest

from games.registry import chapter as chapter_of
from games.rules.model import Answers
from submissions.core.errors import Refusal
from submissions.evidence import analysis_cache
from submissions.models import Attachment, Configuration, Person, Status, Submission
from submissions.review.threads import Threads, load_threads
from submissions.web.filings import questions as asking
from submissions.web.filings import table_groups
from submissions.web.filings.checklist_lines import Checklist, ClashView, build_checklist


@dataclass(frozen=True, slots=True)
class ChecklistDraft:
    """The configuration that a page is about, among those of its submission."""

    submission: Submission
    row: Configuration
    rows: list[Configuration]
    said: Threads
    sent: Mapping[str, str]  # by the page's form

    def checklist(
        self,
        answers: Answers,
        typed: Answers = MappingProxyType({}),
        clashes: Mapping[str, ClashView] = MappingProxyType({}),
        refusals: Mapping[str, Refusal] = MappingProxyType({}),
    ) -> Checklist:
        """The page's lines with these answers; `typed`, `clashes` and `refusals` as `checklist_lines` takes them."""
        chapter = chapter_of(self.submission.chapter)
        first = self.rows[0].answers if self.row.position else None
        figures, files = analysis_cache.default_figures(chapter), self._files(answers)
        shown = build_checklist(
            chapter, answers, figures, files, typed=typed, clashes=clashes, refusals=refusals, first=first
        )
        if self.submission.status != Status.RETURNED:
            return shown
        return asking.mark_questions(shown, self.submission, self.row, answers, self.said, self.sent)

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
        raise Http404("There is no such group of tables, or it is no more.")
    said = load_threads(cast(Person, request.user), submission)
    return ChecklistDraft(submission, row, rows, said, request.POST.dict())
