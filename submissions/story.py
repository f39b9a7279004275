"""The history of a submission in words: who did what, when, why, and which lines it changed.

Each entry tells its place in the chain of all events, which is what `manage.py verify_history` names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from games.rules.compare import in_words
from games.rules.model import Chapter
from games.rules.registry import held
from submissions.access import GROUPED, Visitor, history_visible_to
from submissions.actions.configurations import IN_GROUP
from submissions.models import Event, Submission
from submissions.tables import in_words as tables_in_words
from submissions.terms import in_words as day_in_words

WORDS = {
    "started": "started the Rules Submission",
    "amends": "started an amendment",
    "saved": "changed answers",
    "attached": "attached a file",
    "grouped": "added a group of tables",
    "regrouped": "described a group of tables anew",
    "ungrouped": "removed a group of tables",
    "filed": "filed it",
    "withdrew": "withdrew it",
    "simulated": "finished the simulation",
    "recommended": "recommended approval",
    "returned": "returned it with questions",
    "approved": "approved it",
    "rejected": "rejected it",
    "remarked": "wrote a remark",
    "replied": "replied to a remark",
    "resolved": "resolved a remark",
    "reopened": "reopened a question",
    "answered": "answered a question",
    "disputed": "disputed a question",
    "signed": "signed the document",
    "discontinued": "discontinued the game",
    "layout-started": "started a layout filing",
    "layout-drawn": "put a drawing into the layout filing",
    "layout-filed": "filed the layout",
    "layout-withdrew": "withdrew the layout filing",
    "layout-given-up": "gave up the draft of a layout filing",
    "layout-judged": "judged an element of the layout",
    "layout-found-deficient": "gave notice of deficiencies of the layout",
    "layout-recommended": "reported on the layout to the Executive Director",
    "layout-approved": "approved the layout",
    "layout-rejected": "rejected the layout",
    "papers-signed": "signed the layout, sign and guide",
}
ABOUT_A_LINE = ("remarked", "replied", "resolved", "reopened", "answered", "disputed")
TOGETHER = timedelta(hours=1)  # changes of one person within this time are one entry


@dataclass(slots=True)
class Entry:
    """One entry of the history; `changes` is (question, before, after)."""

    who: str
    role: str
    what: str
    verb: str
    at: datetime
    number: int  # of the event; of several told together, the last
    reason: str = ""
    detail: str = ""
    changes: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    @property
    def lines(self) -> list[dict[str, str]]:
        """The lines that were changed, as programs are told."""
        return [
            {"option": option, "question": question, "before": before, "after": after}
            for option, (question, before, after) in self.changes.items()
        ]


def history(submission: Submission, reader: Visitor) -> list[Entry]:
    """What this reader may know, newest first; consecutive changes of one person are told together."""
    chapter = held(submission.chapter)
    told: list[Entry] = []
    for event in history_visible_to(reader, submission):
        entry = entry_of(chapter, event)
        last = told[-1] if told else None
        if last and _is_more_of(last, entry):
            for key, (question, before, after) in entry.changes.items():
                earliest = last.changes[key][1] if key in last.changes else before
                last.changes[key] = (question, earliest, after)
            last.at, last.number = entry.at, entry.number
        else:
            told.append(entry)
    return told[::-1]


def _is_more_of(last: Entry, entry: Entry) -> bool:
    """Whether one person went on changing answers of the same group of tables."""
    alike = last.verb == entry.verb == "saved" and last.who == entry.who and last.detail == entry.detail
    return alike and entry.at - last.at < TOGETHER


def entry_of(chapter: Chapter | None, event: Event) -> Entry:
    """The event alone, as one entry; without its chapter, which the portal may no longer know, no lines are named."""
    who, role = (event.actor.name, event.actor.get_role_display()) if event.actor else ("The portal", "")
    return Entry(
        who=who,
        role=role,
        what=WORDS.get(event.verb, event.verb),
        verb=event.verb,
        at=event.at,
        number=event.sequence,
        reason=event.reason,
        detail=_detail(chapter, event) if chapter else "",
        changes=dict(_changes(chapter, event)) if chapter else {},
    )


def _detail(chapter: Chapter, event: Event) -> str:
    if event.verb.startswith(("layout-", "papers-")):
        return _layout(event)
    if event.verb == "simulated":
        return "It agrees with the exact figures." if event.after.get("passed") else "It does not agree."
    if event.verb == "filed":
        return f"Receipt {event.after.get('receipt', '')}."
    if event.verb == "amends":
        return f"Of {event.after.get('amends', '')}."
    if day := event.after.get("from_day"):
        when = day_in_words(date.fromisoformat(day))
        return f"It is not offered from {when}." if event.verb == "discontinued" else f"In force from {when}."
    if event.verb in ABOUT_A_LINE:
        return _question(chapter, event.after.get("option", ""))
    if event.verb in GROUPED:
        return _group(event.after if event.verb != "ungrouped" else event.before)
    if group := event.after.get(IN_GROUP):
        return f"Of “{group['name']}”."
    return ""


def _layout(event: Event) -> str:
    """The filing, and what of it."""
    after = event.after
    named = [one["element"] for one in after.get("elements", ())] or [after.get("element") or after.get("name", "")]
    what = "; ".join(filter(None, named))
    number = after.get("receipt") or after.get("filing", "")
    return f"{number}: {what}." if what else f"{number}."


def _question(chapter: Chapter, key: str) -> str:
    asked = next((option.question for option in chapter.options if option.key == key), "")
    return f"“{asked}”" if asked else "About the whole filing."


def _group(group: Mapping[str, str]) -> str:
    return f"“{group['name']}”: {tables_in_words(group['tables'], group['pit'])}."


def _changes(chapter: Chapter, event: Event) -> Iterator[tuple[str, tuple[str, str, str]]]:
    if event.verb not in ("saved", "attached"):
        return
    for option in chapter.options:
        if option.key in event.after:
            before = in_words(chapter, option, event.before.get(option.key))
            after = in_words(chapter, option, event.after[option.key])
            yield option.key, (option.question, before or "not answered", after or "not answered")
