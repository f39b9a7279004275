"""The lines that an event affects, each with its question, section and tables: for notices and mails.

They are the lines of the remarks that a decision sends to the licensee, those that a filing changed, and those that an
approval changes in the approved version. Internal remarks of the Board are excluded. The differences themselves are in
`filings.diff`.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from submissions.audit.row_seals import rows_in
from submissions.core.configuration_index import group_at
from submissions.models import Decision, Event, Remark, Revision, Submission

RevisionContent = dict[str, Any]
LineInGroup = tuple[int, str]  # the group, the line's key
ABSENT = ("", None)  # text and answer of a line that is not asked
NAMED_AT_MOST = 20  # lines; the page has the others


def affected_lines(event: Event) -> list[str]:
    """The lines as text, in the order of the checklist; a last entry counts those that are left out."""
    if event.verb == "layout-found-deficient":
        named = [f"{element['element']} ({element['citation']})" for element in event.after.get("elements", ())]
        return named or ["the filing as a whole"]
    if event.submission is None or event.verb not in ("filed", "returned", "approved", "rejected"):
        return []
    latest = event.submission.revisions.latest("number")
    lines = list(dict.fromkeys(_lines_of(event, event.submission, latest)))
    left = len(lines) - NAMED_AT_MOST
    return [*lines[:NAMED_AT_MOST], f"and {left} more"] if left > 0 else lines


def _lines_of(event: Event, submission: Submission, latest: Revision) -> Iterator[str]:
    """Of a decision, also the lines of the remarks that it seals: they go out with it (`review.comments`). The payload
    does not name them: signed documents have that of an approval.
    """
    if event.verb != "filed":
        yield from _about(Remark.objects.filter(pk__in=rows_in(event.rows).get(Remark._meta.db_table, ())))
    if event.verb == "filed":
        questions = Remark.objects.filter(revision__submission=submission, shown_with__kind=Decision.Kind.RETURN)
        yield from _about(questions.filter(state__in=(Remark.State.ANSWER_GIVEN, Remark.State.DISPUTED)))
        yield from _changed(submission.revisions.filter(number=latest.number - 1).first(), latest)
    if event.verb == "approved" or (event.verb == "filed" and latest.number == 1):
        amended = Revision.objects.filter(submission=submission.amends_id, version__isnull=False).first()
        yield from _changed(amended, latest)


def _about(remarks: QuerySet[Remark]) -> Iterator[str]:
    for remark in remarks.select_related("revision").order_by("configuration", "pk"):
        content = remark.revision.content
        text, _ = _lines(content).get((group_at(content, remark.configuration), remark.option), ABSENT)
        yield text or "the filing as a whole"


def _changed(before: Revision | None, after: Revision) -> Iterator[str]:
    """The lines whose answers differ, with added and removed ones."""
    if before is None:
        return
    old, new = _lines(before.content), _lines(after.content)
    for line, (text, _) in {**old, **new}.items():
        if old.get(line, ABSENT)[1] != new.get(line, ABSENT)[1]:
            yield text


def _lines(content: RevisionContent) -> dict[LineInGroup, tuple[str, Any]]:
    """Every line that is asked, as text (with its tables if there are several groups), and its answer."""
    rows = content["configurations"]
    return {
        (group_at(content, place), line["key"]): (
            f"{line['question']} ({line['citation']}{tables})",
            row["answers"].get(line["key"], ""),
        )
        for place, row in enumerate(rows)
        for tables in [f"; {row['name']}" if len(rows) > 1 and row["name"] else ""]
        for line in row["lines"]
    }
