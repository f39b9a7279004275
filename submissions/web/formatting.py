"""Words that several pages share: percentages, ages, sections and states.

Presentation that several pages share; no queries here, and no HTML.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache

from django.urls import reverse
from django.utils import timezone

from games.registry import folders, title_of
from submissions.core.dates import day_before, short_day, short_moment
from submissions.rules import chapter_on_or_none, days_of_change

REMEMBERED = 5_000  # questions and citations: every page has them again
MINUS = "\N{MINUS SIGN}"
SPACE = "\N{NO-BREAK SPACE}"
_PLACE = re.compile(r"§ (?P<number>[0-9]+[a-z]?)\.")
_LEVEL = re.compile(r"(?P<indent> *)-? ?(?P<words>.+)")


def refusal_heading(status: int, forbidden: str = "Not allowed", default: str = "Not done") -> str:
    """Return the heading of the message that a step was refused, by the HTTP status of the refusal."""
    later = "Try again later"
    return {403: forbidden, 409: "Changed by another user", 429: later, 503: later, 507: later}.get(status, default)


def percent(value: Fraction | float, digits: int = 3) -> str:
    """Return a share as a percentage, "5.607 %", with a true minus."""
    text = f"{float(value) * 100:.{digits}f}"
    return text.replace("-", MINUS) + SPACE + "%"


def number(value: Fraction | float, digits: int = 3) -> str:
    return f"{float(value):,.{digits}f}".replace("-", MINUS)


@lru_cache(maxsize=REMEMBERED)
def keep_section_signs(text: str) -> str:
    """Return the text with every "§" kept on one line with its number."""
    return text.replace("§ ", f"§{SPACE}")


def size(count: int) -> str:
    """Bytes for people."""
    return f"{count / 1e6:.1f}{SPACE}MB" if count >= 1e6 else f"{max(1, round(count / 1e3))}{SPACE}kB"


def age(since: datetime, now: datetime | None = None) -> str:
    """Return the age in words: "3 days", "2 hours", "just now"."""
    seconds = ((now or timezone.now()) - since).total_seconds()
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'s' if count > 1 else ''}"
    return "just now"


def ago(since: datetime) -> str:
    """Return the time of something in words: "3 days ago", "just now"."""
    waited = age(since)
    return waited if waited == "just now" else f"{waited} ago"


def game(number_of_chapter: str) -> str:
    """Return the game's name, or the chapter's number where the portal no longer knows it."""
    return title_of(number_of_chapter) or f"Chapter {number_of_chapter}"


def section_address(citation: str, day: date | None = None) -> str:
    """Return the address of the text of a section on that day (None: today), "" if the portal does not have it."""
    if not section_text(citation, day or timezone.localdate()):
        return ""
    address = reverse("section", args=[citation.removeprefix("§ ")])
    return f"{address}?on={day.isoformat()}" if day else address


def section_changes(citation: str) -> list[tuple[date, str, str]]:
    """Return (first day, words before, words from then on) of each change of the section's words."""
    match = _PLACE.match(citation)
    days = days_of_change(match["number"]) if match and is_known_chapter(match["number"]) else ()
    texts = ((day, section_text(citation, day_before(day)), section_text(citation, day)) for day in days)
    return [(day, before, after) for day, before, after in texts if before != after]


def section_text(citation: str, day: date) -> str:
    """Return the words of a section on that day, of its own chapter or else of the general provisions.

    Every chapter has the general provisions.
    """
    match = _PLACE.match(citation)
    if match is None:
        return ""
    own = chapter_on_or_none(match["number"], day) if is_known_chapter(match["number"]) else None
    if own and citation in own.sections:
        return own.sections[citation]
    chapters = (chapter_on_or_none(number, day) for number in folders())  # the first has it: no need to read the rest
    return next((chapter.sections[citation] for chapter in chapters if chapter and citation in chapter.sections), "")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of the regulation; `level` is its depth below the section, `heading` the section's own title."""

    words: str
    level: int = 0
    heading: bool = False


def paragraphs(text: str) -> list[Paragraph]:
    """Return the Markdown list of `text.md` as paragraphs with their depth, counted from the shallowest."""
    blocks = []
    for line in filter(str.strip, text.splitlines()):
        if line.startswith("#"):
            blocks.append(Paragraph(line.lstrip("# "), heading=True))
        elif match := _LEVEL.match(line):
            blocks.append(Paragraph(match["words"], len(match["indent"]) // 2 + line.lstrip().startswith("- ")))
    shallowest = min((block.level for block in blocks if not block.heading), default=0)
    return [block if block.heading else Paragraph(block.words, block.level - shallowest) for block in blocks]


def is_known_chapter(chapter_number: str) -> bool:
    return chapter_number in folders()


FILTERS = (age, game, number, percent, refusal_heading, short_day, short_moment, size)
