"""The history of a submission in words: who did what, when, why, and which lines it changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from games.rules.compare import in_words
from games.rules.model import Chapter
from games.rules.registry import chapter as chapter_of
from submissions.access import Visitor, history_visible_to
from submissions.models import Event, Submission

WORDS = {
    "started": "started the Rules Submission",
    "saved": "changed answers",
    "attached": "attached a file",
    "filed": "filed it",
    "withdrew": "withdrew it",
    "simulated": "finished the simulation",
    "recommended": "recommended approval",
    "returned": "returned it with questions",
    "approved": "approved it",
    "signed": "signed the document",
}
TOGETHER = timedelta(hours=1)  # changes of one person within this time are one entry


@dataclass(slots=True)
class Entry:
    """One entry of the history; `changes` is (question, before, after)."""

    who: str
    role: str
    what: str
    verb: str
    at: datetime
    reason: str = ""
    detail: str = ""
    changes: dict[str, tuple[str, str, str]] = field(default_factory=dict)


def history(submission: Submission, reader: Visitor) -> list[Entry]:
    """What this reader may know, newest first; consecutive changes of one person are told together."""
    chapter = chapter_of(submission.chapter)
    told: list[Entry] = []
    for event in history_visible_to(reader, submission):
        entry = _entry(chapter, event)
        last = told[-1] if told else None
        if last and last.verb == entry.verb == "saved" and last.who == entry.who and entry.at - last.at < TOGETHER:
            for key, (question, before, after) in entry.changes.items():
                earliest = last.changes[key][1] if key in last.changes else before
                last.changes[key] = (question, earliest, after)
            last.at = entry.at
        else:
            told.append(entry)
    return told[::-1]


def _entry(chapter: Chapter, event: Event) -> Entry:
    who, role = (event.actor.name, event.actor.get_role_display()) if event.actor else ("The portal", "")
    return Entry(
        who=who,
        role=role,
        what=WORDS.get(event.verb, event.verb),
        verb=event.verb,
        at=event.at,
        reason=event.reason,
        detail=_detail(event),
        changes=dict(_changes(chapter, event)),
    )


def _detail(event: Event) -> str:
    if event.verb == "simulated":
        return "It agrees with the exact figures." if event.after.get("passed") else "It does not agree."
    if event.verb == "filed":
        return f"Receipt {event.after.get('receipt', '')}."
    return ""


def _changes(chapter: Chapter, event: Event) -> Iterator[tuple[str, tuple[str, str, str]]]:
    if event.verb not in ("saved", "attached"):
        return
    for option in chapter.options:
        if option.key in event.after:
            before = in_words(chapter, option, event.before.get(option.key))
            after = in_words(chapter, option, event.after[option.key])
            yield option.key, (option.question, before or "not answered", after or "not answered")
