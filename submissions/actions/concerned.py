"""Which lines an event is about, each by its question, its section and its tables: for notices and mails.

What the Board asks or tells the licensee with a decision; what a filing changed; what an approval changes in what
was approved before. Remarks within the Board name no line here. Not here: the differences themselves, in words and
figures, which pages show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from submissions.models import Decision, Event, Remark, Revision, Submission
from submissions.places import group_of

Content = dict[str, Any]
Place = tuple[int, str]  # the group, the line's key
TOLD_AT_MOST = 20  # lines; the page has the others


def lines_concerned(event: Event) -> list[str]:
    """The lines in words, in the order of the checklist; the last entry counts those that are left out."""
    if event.verb == "layout-found-deficient":
        named = [f"{one['element']} ({one['citation']})" for one in event.after.get("elements", ())]
        return named or ["the filing as a whole"]
    if event.submission is None or event.verb not in ("filed", "returned", "approved", "rejected"):
        return []
    latest = event.submission.revisions.latest("number")
    found = list(dict.fromkeys(_found(event, event.submission, latest)))
    left = len(found) - TOLD_AT_MOST
    return [*found[:TOLD_AT_MOST], f"and {left} more"] if left > 0 else found


def _found(event: Event, submission: Submission, latest: Revision) -> Iterator[str]:
    """`remarks` are those that go out to the licensee with a decision (`actions.remarks`)."""
    yield from _about(Remark.objects.filter(pk__in=[one["remark"] for one in event.after.get("remarks", ())]))
    if event.verb == "filed":
        asked = Remark.objects.filter(revision__submission=submission, shown_with__kind=Decision.Kind.RETURN)
        yield from _about(asked.filter(state__in=(Remark.State.ANSWERED, Remark.State.DISPUTED)))
        yield from _changed(submission.revisions.filter(number=latest.number - 1).first(), latest)
    if event.verb == "approved" or (event.verb == "filed" and latest.number == 1):
        amended = Revision.objects.filter(submission=submission.amends_id, version__isnull=False).first()
        yield from _changed(amended, latest)


def _about(remarks: QuerySet[Remark]) -> Iterator[str]:
    for remark in remarks.select_related("revision").order_by("configuration", "pk"):
        content = remark.revision.content
        named = _lines(content).get((group_of(content, remark.configuration), remark.option))
        yield named or "the filing as a whole"


def _changed(before: Revision | None, after: Revision) -> Iterator[str]:
    """The lines whose answers differ, those that came and those that went."""
    if before is None:
        return
    old, new = before.content, after.content
    answered, named = _answers(old), _answers(new)
    words = {**_lines(old), **_lines(new)}
    yield from (words[place] for place in words if answered.get(place) != named.get(place))


def _answers(content: Content) -> dict[Place, Any]:
    """The answer of every line that is asked; a line that is not has none."""
    return {
        (group_of(content, place), line["key"]): row["answers"].get(line["key"], "")
        for place, row in enumerate(content["configurations"])
        for line in row["lines"]
    }


def _lines(content: Content) -> dict[Place, str]:
    """Every line in words, with its tables where there are several groups."""
    rows = content["configurations"]
    return {
        (group_of(content, place), line["key"]): _words(line, row["name"] if len(rows) > 1 else "")
        for place, row in enumerate(rows)
        for line in row["lines"]
    }


def _words(line: Content, tables: str) -> str:
    return f"{line['question']} ({line['citation']}{f'; {tables}' if tables else ''})"
