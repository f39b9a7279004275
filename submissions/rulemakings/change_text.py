"""The text of a change: read strictly, and tried on the chapter for every day from its first on.

What the loader refuses becomes a `Refusal` that names the table, the value and what is allowed. Not here: storing the
text (`drafting`), its effect on approved versions (`trial`).
"""

from collections.abc import Sequence
from datetime import date

from games import registry
from games.rules.changes import RuleChange
from games.rules.chapter_diff import RuleDifference, chapter_differences, word_differences
from games.rules.errors import RuleError
from games.rules.model import Chapter
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.rules import effective_rules
from submissions.rules.effective_rules import rule_change

LONGEST = 200_000  # characters
REORDERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # shown in another order than they are stored


def read_text(number: str, text: str) -> RuleChange:
    """The change that this text of the rulemaking `number` states, by itself."""
    if len(text) > LONGEST:
        raise Refusal("rule-change-too-long", option="text", count=len(text), longest=LONGEST)
    if mark := next((sign for sign in text if sign in REORDERING), ""):
        raise Refusal("control-characters/text", option="text", where="The change", code_point=ord(mark))
    try:
        change = rule_change(number, text.replace("\r\n", "\n"))
    except RuleError as error:
        raise _refusal(error) from None
    if change.number not in registry.folders():
        known = ", ".join(registry.folders())
        raise Refusal("rule-change-unknown-chapter", option="text", chapter=change.number, known=known)
    return change


def refuse_past(change: RuleChange, today: date) -> None:
    """A change begins on a day to come, or today: what was played by is not rewritten."""
    if change.effective < today:
        raise Refusal("rule-change-past", option="text", effective=date_text(change.effective), today=date_text(today))


def refuse_unfit(change: RuleChange, also: Sequence[RuleChange] = ()) -> None:
    """Load the chapter with the change, the published ones and those of the same draft, on each day from its first on.

    `also`: the other changes of the draft. Refuses what does not fit, and a change that alters nothing.
    """
    same_chapter = tuple(row for row in also if row.number == change.number)
    changes = (*effective_rules.published_changes(change.number), *same_chapter, change)
    days = [day for day in registry.days_of_change(change.number, changes) if day >= change.effective]
    for day in days:
        load(change.number, day, changes)
    if not differences(change, same_chapter):
        raise Refusal(
            "rule-change-without-effect", option="text", chapter=change.number, effective=date_text(change.effective)
        )


def differences(change: RuleChange, also: Sequence[RuleChange] = ()) -> tuple[RuleDifference, ...]:
    """What the chapter's first day under the change differs in from the same day without it."""
    before, after = before_and_after(change, also)
    return (*chapter_differences(before, after), *word_differences(registry.words(before), registry.words(after)))


def before_and_after(change: RuleChange, also: Sequence[RuleChange] = ()) -> tuple[Chapter, Chapter]:
    """The chapter on the change's first day without the change and with it; `also`: of the same draft."""
    published = tuple(row for row in effective_rules.published_changes(change.number) if row != change)
    changes = (*published, *(row for row in also if row.number == change.number and row != change))
    day = change.effective
    return load(change.number, day, changes), load(change.number, day, (*changes, change))


def load(number: str, day: date, changes: tuple[RuleChange, ...]) -> Chapter:
    """The chapter with its words; what does not fit is refused with the file, the table and what is allowed."""
    try:
        chapter = effective_rules.chapter_with(number, day, changes)
        registry.words(chapter)
    except registry.UnknownChapter as error:
        raise _refusal(error.__cause__ if isinstance(error.__cause__, RuleError) else error) from None
    except RuleError as error:
        raise _refusal(error) from None
    return chapter


def _refusal(error: BaseException) -> Refusal:
    if isinstance(error, RuleError):
        return Refusal("rule-change-unfit", option="text", file=error.file, where=error.where, problem=error.problem)
    return Refusal("rule-change-unfit/chapter", option="text", problem=str(error))
