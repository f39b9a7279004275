"""Comments between people of one licensee on a line of a draft or of a returned filing. The Board never sees them, and
no document prints them. Not here: the Board's comments (`review.comments`), the answers to its questions (`questions`).
"""

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import group_payload, record_event
from submissions.core.errors import Refusal
from submissions.core.text_cleaning import clean_text
from submissions.filings.drafts import configuration_of
from submissions.models import LineComment, Person, Submission
from submissions.permissions import workflow
from submissions.rules.rules_day import draft_chapter


def write_line_comment(
    actor: Person, submission: Submission, *, option: str, text: str, position: int = 0
) -> LineComment:
    """Comment on a line of the table group at this position.

    Raises:
        Forbidden: the person does not prepare this submission, or it cannot be edited now.
        Refusal: the chapter has no such line, or the text is empty or cannot be stored.
        Conflict: there is no such table group any more.
    """
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        permissions.require(actor, "comment", submission)
        chapter, row = draft_chapter(submission), configuration_of(submission, position)
        if option not in {line.key for line in chapter.options}:
            raise Refusal("unknown-line/answer", option=option, number=chapter.number, name=option)
        text = clean_text(text, "The comment", option=option)
        if not text:
            raise Refusal("comment-empty", option=option)
        comment = LineComment.objects.create(
            submission=submission, position=position, option=option, text=text, by=actor, at=timezone.now()
        )
        after = {"comment": comment.pk, "option": option, **group_payload(row)}
        record_event(actor, submission, "commented", reason=text, after=after, seals=(comment,))
    return comment
