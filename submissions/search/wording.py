"""How one field of a search is read: what was typed, as it is looked for, or the refusal that says what may be there.

Pure. Not here: which fields there are, and how they hang together (`filters`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime

from games.rules.model import Chapter, Option
from games.rules.registry import folders
from submissions.actions.answered import value_of as indexed
from submissions.actions.wording import clean_text
from submissions.errors import Refusal

LONGEST = 200  # characters of a field, as many as an indexed answer has
MOST_WORDS = 10
FIRST, LAST = date(2000, 1, 1), date(2099, 12, 31)
SHOWN = 40  # characters of what was typed, in a message


def clean(text: str) -> str:
    """What was typed, in the one form in which words are stored."""
    if len(text) > LONGEST:
        raise Refusal(
            "search-too-long",
            f"{len(text):,} characters are too many to look for; up to {LONGEST} can be.",
            fix="Look for fewer words.",
        )
    return clean_text(text, "What was typed")


def words_of(text: str) -> str:
    words = text.split()
    if len(words) > MOST_WORDS:
        raise Refusal(
            "search-too-long",
            f"{len(words)} words are too many to look for; up to {MOST_WORDS} can be.",
            fix="Look for fewer words.",
        )
    return " ".join(words)


def chapter_of(text: str) -> str:
    """The number of a chapter, "687a"."""
    if text not in folders():
        raise Refusal(
            "unknown-chapter",
            f"The portal holds no chapter “{_short(text)}”.",
            fix=f"Choose a game of the list: {', '.join(folders())}.",
        )
    return text


def one_of(text: str, allowed: Mapping[str, object], what: str) -> str:
    if text not in allowed:
        raise Refusal(
            f"unknown-{what}",
            f"“{_short(text)}” is no {what} here.",
            fix=f"Choose a {what} of the list: {', '.join(allowed)}.",
        )
    return text


def option_of(chapter: Chapter, text: str) -> Option:
    """A line of the chapter, by its key."""
    found = next((option for option in chapter.options if option.key == text), None)
    if found is None:
        raise Refusal(
            "unknown-line",
            f"Chapter {chapter.number} has no line “{_short(text)}”.",
            fix=f"Choose a line of {chapter.title}, or none.",
        )
    return found


def value_of(chapter: Chapter, option: Option, text: str) -> str:
    """The answer that is looked for in a line, as the index has it; a choice also by its words."""
    allowed = answers_of(chapter, option)
    if allowed:
        match = next((value for value, label in allowed if text.casefold() in (value.casefold(), label.casefold())), "")
        if not match:
            raise _no_answer(option, text, _either(f"“{label}”" for _, label in allowed))
        return match
    if option.kind in ("count", "money", "percent"):
        return _number(option, text)
    return indexed(text)


def answers_of(chapter: Chapter, option: Option) -> list[tuple[str, str]]:
    """(value, words) of each answer that a line can have; empty where it takes a number or text."""
    if option.kind == "yes_no":
        return [("yes", "Yes"), ("no", "No")]
    if option.kind == "choice":
        return [(choice.value, choice.label) for choice in option.choices]
    if option.kind == "paytable":
        names = dict.fromkeys(table.name for table in chapter.tables_of(option.wager))
        return [(name, name) for name in names]
    return []


def paytables_of(chapter: Chapter) -> list[tuple[Option, list[str]]]:
    """The lines that choose a paytable, each with what it can choose."""
    lines = (option for option in chapter.options if option.kind == "paytable")
    return [(option, [value for value, _ in answers_of(chapter, option)]) for option in lines]


def paytable_of(chapter: Chapter, text: str) -> str:
    """A paytable that a line of the chapter can choose, "wager/name"."""
    wager, _, name = text.partition("/")
    if not any(option.wager == wager and name in names for option, names in paytables_of(chapter)):
        raise Refusal(
            "unknown-paytable",
            f"{chapter.title} has no paytable “{_short(name or text)}” to choose.",
            fix="Choose a paytable of the list, or none.",
        )
    return text


def day_of(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refusal(
            "no-date", f"“{_short(text)}” is no date.", fix="Write year, month and day: 2026-03-01."
        ) from None
    if not FIRST <= day <= LAST:
        raise Refusal("no-date", f"The portal has no filings of {day.year}.", fix=f"Use {FIRST.year} to {LAST.year}.")
    return day


def moment_of(text: str) -> datetime:
    """A moment with its zone, as ISO 8601 writes it."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min
    if moment.tzinfo is None or not FIRST < moment.date() <= LAST:
        raise Refusal(
            "no-moment",
            f"“{_short(text)}” is no moment of the years {FIRST.year} to {LAST.year} with its zone.",
            fix="Write it as 2026-03-01T00:00:00Z or 2026-03-01T00:00:00-05:00; in an address + is %2B.",
        )
    return moment


def days_reversed() -> Refusal:
    return Refusal("days-reversed", "The last day is before the first.", fix="Exchange the two days, or leave one out.")


def game_missing(what: str) -> Refusal:
    return Refusal("game-missing", f"{what} is looked for within one game.", fix="Choose the game first.")


def line_missing() -> Refusal:
    return Refusal("line-missing", "An answer is looked for in one line.", fix="Choose the line first.")


def _number(option: Option, text: str) -> str:
    plain = text.replace(",", "").strip("$% ")
    if not plain.replace(".", "", 1).isdecimal():
        raise _no_answer(option, text, "a number")
    return indexed(plain)


def _no_answer(option: Option, text: str, allowed: str) -> Refusal:
    return Refusal(
        "no-such-answer",
        f"“{_short(text)}” is no answer to this line.",
        fix=f"It is {allowed}.",
        option=option.key,
        citation=option.citation,
    )


def _either(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
