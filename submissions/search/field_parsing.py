"""How one field of a search is read: what was typed, as it is looked for, or the refusal that says what may be there.

Pure. Not here: which fields there are, and how they hang together (`filters`).
"""

from collections.abc import Mapping
from datetime import date, datetime

from django.utils.text import get_text_list

from games.registry import folders
from games.rules.model import Chapter, Option
from submissions.core.errors import Refusal
from submissions.core.text_cleaning import clean_text
from submissions.filings.answer_index import indexed_value as indexed

MAX_LENGTH = 200  # characters of a field, as many as an indexed answer has
MAX_WORDS = 10
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
EXCERPT_LENGTH = 40  # characters of what was typed, in a message
CHOICE_WORDS: Mapping[str, str] = {  # the end of an error code (`unknown-state`) → the word for it, where it differs
    "assignee": "person",
    "open": "value of `open`",
    "order": "sort order",
    "standing": "status",
    "state": "status",
}


def clean(text: str) -> str:
    """The search text, in the one form in which words are stored."""
    if len(text) > MAX_LENGTH:
        raise Refusal("search-too-long/characters", count=len(text), max_length=MAX_LENGTH)
    return clean_text(text, "The search text")


def words_of(text: str) -> str:
    words = text.split()
    if len(words) > MAX_WORDS:
        raise Refusal("search-too-long/words", count=len(words), max_words=MAX_WORDS)
    return " ".join(words)


def chapter_of(text: str) -> str:
    """The number of a chapter, "687a"."""
    if text not in folders():
        raise Refusal("unknown-chapter/search", text=_short(text), chapters=", ".join(folders()))
    return text


def one_of(text: str, allowed: Mapping[str, object], what: str) -> str:
    """One of these values; `what` they are, is the end of the error code of any other."""
    if text not in allowed:
        word = CHOICE_WORDS.get(what, what)
        raise Refusal(
            f"unknown-{what}",
            f"“{_short(text)}” is not a known {word}.",
            fix=f"Choose a {word} from the list: {', '.join(allowed)}.",
        )
    return text


def option_of(chapter: Chapter, text: str) -> Option:
    """A line of the chapter, by its key."""
    option = next((option for option in chapter.options if option.key == text), None)
    if option is None:
        raise Refusal("unknown-line/search", number=chapter.number, text=_short(text), title=chapter.title)
    return option


def value_of(chapter: Chapter, option: Option, text: str) -> str:
    """The answer that is looked for in a line, as the index has it; a choice also by its words."""
    allowed = answers_of(chapter, option)
    if allowed:
        match = next((value for value, label in allowed if text.casefold() in (value.casefold(), label.casefold())), "")
        if not match:
            raise _no_answer(option, text, get_text_list([f"“{label}”" for _, label in allowed], "or"))
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
        raise Refusal("unknown-paytable", title=chapter.title, name=_short(name or text))
    return text


def day_of(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refusal("no-date/unreadable", text=_short(text)) from None
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Refusal("no-date/out-of-range", year=day.year, first_day_year=FIRST_DAY.year, last_day_year=LAST_DAY.year)
    return day


def moment_of(text: str) -> datetime:
    """A moment with its zone, as ISO 8601 writes it."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min
    if moment.tzinfo is None or not FIRST_DAY < moment.date() <= LAST_DAY:
        raise Refusal("no-moment", text=_short(text), year=FIRST_DAY.year, last_day_year=LAST_DAY.year)
    return moment


def _number(option: Option, text: str) -> str:
    plain = text.replace(",", "").strip("$% ")
    if not plain.replace(".", "", 1).isdecimal():
        raise _no_answer(option, text, "a number")
    return indexed(plain)


def _no_answer(option: Option, text: str, allowed: str) -> Refusal:
    return Refusal("no-such-answer", option=option.key, citation=option.citation, text=_short(text), allowed=allowed)


def _short(text: str) -> str:
    return text if len(text) <= EXCERPT_LENGTH else f"{text[:EXCERPT_LENGTH]}…"
