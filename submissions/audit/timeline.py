"""The timeline of a submission: who did what, when, why, and which lines it changed; who changed each line last.

The lines that an event affects, for notices and mails, are those of the remarks that a decision sends to the licensee,
those that a filing changed, and those that an approval changes in the approved version (`filings.diff`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from games.rules.model import Chapter
from games.rules.phrases import in_words
from submissions.audit.record import ACTS_AS, IN_GROUP
from submissions.audit.row_seals import rows_in
from submissions.core.configurations import group_at, tables_as_text
from submissions.core.dates import date_text
from submissions.models import Decision, Event, Remark, Revision, Submission
from submissions.permissions import TABLE_GROUP_VERBS, Visitor, history_visible_to
from submissions.permissions.workflow import LAYOUT_TRANSITIONS, TRANSITIONS
from submissions.rules import chapter_on_or_none

VERB_TEXTS = {  # the order of the API's description
    "started": "started the Rules Submission",
    "amends": "started an amendment",
    "copied": "copied it to another property",
    "saved": "changed answers",
    "attached": "attached a file",
    "planned": "changed the planned effective day",
    "grouped": "added a table group",
    "regrouped": "changed a table group",
    "ungrouped": "removed a table group",
    "sent-to-manager": "sent it to the manager",
    "sent-back": "sent it back to the preparer",
    "commented": "commented on a line",
    **{step.done: step.history for step in TRANSITIONS.values()},
    "simulated": "finished the simulation",
    "remarked": "wrote a comment",
    "replied": "replied to a comment",
    "resolved": "resolved a comment",
    "reopened": "reopened a question",
    "answered": "answered a question",
    "disputed": "disputed a question",
    "signed": "signed the document",
    "discontinued": "discontinued the game",
    "layout-started": "started a layout filing",
    "layout-drawn": "put a drawing into the layout filing",
    "layout-positions": "set the number of betting positions",
    "layout-inspected": "inspected the drawing",
    **{step.done: step.history for step in LAYOUT_TRANSITIONS.values()},
    "layout-given-up": "deleted the draft of a layout filing",
    "layout-judged": "decided on an element of the layout",
    "papers-signed": "signed the layout, sign and guide",
    "work-assigned": "assigned it",
    "work-unassigned": "unassigned it",
}
ABOUT_A_LINE = ("commented", "remarked", "replied", "resolved", "reopened", "answered", "disputed")
MERGED_WITHIN = timedelta(hours=1)  # changes of one person within this time are one entry


@dataclass(slots=True)
class TimelineEntry:
    """One entry of the history; `changes` is (question, before, after)."""

    who: str
    role: str
    what: str
    verb: str
    at: datetime
    number: int  # of the event; of a merged entry, of the last one
    reason: str = ""
    detail: str = ""
    changes: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    @property
    def lines(self) -> list[dict[str, str]]:
        """Return the changed lines as the API shows them."""
        return line_changes(self.changes)


def line_changes(changes: Mapping[str, tuple[str, str, str]]) -> list[dict[str, str]]:
    """Return changed lines as the API shows them: `{option, question, before, after}` each."""
    return [
        {"option": option, "question": question, "before": before, "after": after}
        for option, (question, before, after) in changes.items()
    ]


def timeline(submission: Submission, reader: Visitor) -> list[TimelineEntry]:
    """Return the entries that this reader may see, newest first; consecutive changes of one person are merged."""
    entries: list[TimelineEntry] = []
    for event in history_visible_to(reader, submission):
        entry = timeline_entry(event_chapter(submission.chapter, submission.takes_effect, event.at), event)
        last = entries[-1] if entries else None
        if last and _continues(last, entry):
            for key, (question, before, after) in entry.changes.items():
                earliest = last.changes[key][1] if key in last.changes else before
                last.changes[key] = (question, earliest, after)
            last.at, last.number = entry.at, entry.number
        else:
            entries.append(entry)
    return entries[::-1]


def event_chapter(number: str, takes_effect: date | None, at: datetime) -> Chapter | None:
    """Return the chapter that an event was about: on its day, or on the planned effective day of the submission."""
    day = timezone.localdate(at)
    return chapter_on_or_none(number, max(takes_effect or day, day))


def _continues(last: TimelineEntry, entry: TimelineEntry) -> bool:
    """Return whether the same person changed more answers of the same table group."""
    same = last.verb == entry.verb == "saved" and last.who == entry.who and last.detail == entry.detail
    return same and entry.at - last.at < MERGED_WITHIN


def timeline_entry(chapter: Chapter | None, event: Event) -> TimelineEntry:
    """Return the entry of one event; without lines if the portal no longer has the chapter."""
    who, role = (event.actor.name, event.actor.get_role_display()) if event.actor else ("The portal", "")
    return TimelineEntry(
        who=who,
        role=f"{role}, {acts_as}" if (acts_as := event.after.get(ACTS_AS)) else role,
        what=VERB_TEXTS.get(event.verb, event.verb),
        verb=event.verb,
        at=event.at,
        number=event.sequence,
        reason=event.reason,
        detail=event_detail(chapter, event) if chapter else "",
        changes=dict(changed_lines(chapter, event)) if chapter else {},
    )


def event_detail(chapter: Chapter, event: Event) -> str:
    """Return details of the event other than its verb, by verb and payload: a receipt, day, question or table group."""
    if event.verb.startswith(("layout-", "papers-")):
        return _layout(event.after)
    if event.verb in ("work-assigned", "work-unassigned"):
        return _assignment(event)
    if event.verb == "simulated":
        if not chapter.paytables:
            return "No simulation was needed: players do not wager against the house."
        return "It matches the exact figures." if event.after.get("passed") else "It does not match the exact figures."
    if event.verb == "filed":
        return f"Receipt {event.after.get('receipt', '')}."
    if event.verb == "copied":
        return f"To {event.after.get('property', '')}: {event.after.get('copy', '')}."
    if event.verb == "started" and "copied_from" in event.after:
        return _copy_detail(event.after)
    if event.verb == "amends":
        return f"Of {event.after.get('amends', '')}."
    if day := event.after.get("from_day"):
        when = date_text(date.fromisoformat(day))
        return f"It is not offered from {when}." if event.verb == "discontinued" else f"In effect from {when}."
    if event.verb in ABOUT_A_LINE:
        return _question(chapter, event.after.get("option", ""))
    if event.verb in TABLE_GROUP_VERBS:
        group = event.after if event.verb != "ungrouped" else event.before
        return f"“{group['name']}”: {tables_as_text(group['tables'], group['pit'])}."
    if group := event.after.get(IN_GROUP):
        return f"Of “{group['name']}”."
    return ""


def _copy_detail(after: Mapping[str, Any]) -> str:
    """Return the source of a copy, and the lines that the rules no longer have."""
    of_property = f" of {after['property']}" if "property" in after else ""
    missing = after.get("not_copied", ())
    left = f" Not copied, because the rules no longer have it: {'; '.join(missing)}." if missing else ""
    return f"A copy of {after['copied_from']}{of_property}.{left}"


def _assignment(event: Event) -> str:
    """Return the layout filing, if it is one, and from whom to whom."""
    layout = f"{event.after['filing']} " if "filing" in event.after else ""
    before = f"from {event.before['assigned_to']}" if event.before else ""
    after = f"to {event.after['assigned_to']}" if "assigned_to" in event.after else ""
    words = f"{layout}{' '.join(filter(None, (before, after)))}"
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _layout(after: Mapping[str, Any]) -> str:
    """Return the filing and its elements."""
    named = "; ".join(element["element"] for element in after.get("elements", ()))
    what = named or after.get("element") or after.get("name", "")
    number = after.get("receipt") or after.get("filing", "")
    return f"{number}: {what}." if what else f"{number}."


def _question(chapter: Chapter, key: str) -> str:
    question = next((option.question for option in chapter.options if option.key == key), "")
    return f"“{question}”" if question else "About the whole filing."


def changed_lines(chapter: Chapter, event: Event) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield (option, (question, before, after)) of each line that the event changed, as text."""
    if event.verb not in ("saved", "attached"):
        return
    for option in chapter.options:
        if option.key in event.after:
            before = in_words(chapter, option, event.before.get(option.key))
            after = in_words(chapter, option, event.after[option.key])
            yield option.key, (option.question, before or "not answered", after or "not answered")


RevisionContent = dict[str, Any]
LineInGroup = tuple[int, str]  # the group, the line's key
ABSENT = ("", None)  # text and answer of a line that is not asked
NAMED_AT_MOST = 20  # lines; the page has the others


def affected_lines(event: Event) -> list[str]:
    """Return the lines as text, in the order of the checklist; a last entry counts those that are left out."""
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
    """Yield the event's lines; of a decision, also those of the remarks that go out with it, which it does not name."""
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
    """Yield the lines whose answers differ, with added and removed ones."""
    if before is None:
        return
    old, new = _lines(before.content), _lines(after.content)
    for line, (text, _) in {**old, **new}.items():
        if old.get(line, ABSENT)[1] != new.get(line, ABSENT)[1]:
            yield text


def _lines(content: RevisionContent) -> dict[LineInGroup, tuple[str, Any]]:
    """Return the text of every line that is asked (with its tables if there are several groups), and its answer."""
    rows = content["configurations"]
    lines = {}
    for place, row in enumerate(rows):
        tables = f"; {row['name']}" if len(rows) > 1 and row["name"] else ""
        for line in row["lines"]:
            text = f"{line['question']} ({line['citation']}{tables})"
            lines[group_at(content, place), line["key"]] = (text, row["answers"].get(line["key"], ""))
    return lines


@dataclass(frozen=True, slots=True)
class LastChange:
    """The last change of a line; `name` of the person, or "The portal"."""

    name: str
    at: datetime
    person: int | None = None  # the key of the person's record; None for the portal


def last_changes(submission: Submission, group: int) -> dict[str, LastChange]:
    """Return the last change of each line of the table group at this position, if anybody changed it since it began."""
    rows = Event.objects.filter(submission=submission, verb__in=("saved", "attached", "grouped")).order_by("sequence")
    changes: dict[str, LastChange] = {}
    for verb, after, at, name, person in rows.values_list("verb", "after", "at", "actor__name", "actor"):
        if verb == "grouped":  # a position that another group had begins without changes
            if after.get("position") == group:
                changes.clear()
        elif after.get(IN_GROUP, {"position": 0})["position"] == group:
            changes |= {key: LastChange(name or "The portal", at, person) for key in after if key != IN_GROUP}
    return changes
