"""What a director enters of an order, as it is stored: cleaned, and refused where it names what there is not.

Each refusal names the field of the form (`option`). Not here: who may enter it, and its row (`order_entry`).
"""

from dataclasses import dataclass, replace
from datetime import date

from games.registry import folders
from games.rules.model import Chapter
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.table_ranges import format_tables, parse_tables
from submissions.core.text_cleaning import clean_text
from submissions.models import ChapterEffect, OrderKind
from submissions.orders.chapter_decisions import TEMPORARY
from submissions.rules.effective_rules import chapter_on_or_none

LONGEST = {"citation": 80, "docket": 80, "text": 4000}


@dataclass(frozen=True, slots=True)
class OrderContent:
    """An order as it is entered. `licensee`: a slug, "" = all; `chapter`, `tables`: "" = all; days of Eastern Time."""

    kind: str
    citation: str
    text: str
    first_day: date
    last_day: date | None = None
    licensee: str = ""
    chapter: str = ""
    tables: str = ""
    option: str = ""
    rule: str = ""
    docket: str = ""
    chapter_effect: str = ""


def clean_content(content: OrderContent) -> OrderContent:
    """The content as it is stored; `Refusal` for the first field that is wrong."""
    if content.kind not in OrderKind.values:
        raise Refusal("order-incomplete/kind", option="kind", kind=content.kind, kinds=", ".join(OrderKind.labels))
    cleaned = replace(
        content,
        citation=_clean("citation", content.citation),
        docket=_clean("docket", content.docket),
        text=_clean("text", content.text),
        tables=clean_tables(content.tables),
    )
    _refuse_missing(cleaned)
    _refuse_days(cleaned)
    _refuse_scope(cleaned)
    return cleaned


def clean_tables(text: str) -> str:
    """The list of tables in the form that is stored; "" = all tables."""
    try:
        return format_tables(parse_tables(text))
    except ValueError as error:
        raise Refusal("order-scope/tables", option="tables", error=error) from None


def waivable_rules(chapter: Chapter) -> dict[str, str]:
    """Requirement → what it says, for those whose findings block."""
    return {row.id: row.message for row in chapter.requirements if row.severity == "blocking"}


def _clean(name: str, value: str) -> str:
    text = clean_text(value, "The text", option=name)
    text = text if name == "text" else " ".join(text.split())
    if len(text) > LONGEST[name]:
        raise Refusal("order-incomplete/too-long", option=name, count=len(text), most=LONGEST[name])
    return text


def _refuse_missing(content: OrderContent) -> None:
    if "§" not in content.citation:
        raise Refusal("order-incomplete/citation", option="citation", citation_text=content.citation)
    if not content.text:
        raise Refusal("order-incomplete/text", option="text")


def _refuse_days(content: OrderContent) -> None:
    is_backwards = content.last_day is not None and content.last_day < content.first_day
    if content.last_day and is_backwards and not content.chapter_effect:  # a chapter's end may be past
        last, first = date_text(content.last_day), date_text(content.first_day)
        raise Refusal("order-days/last-before-first", option="last_day", last_day=last, first_day=first)
    if content.chapter_effect == ChapterEffect.ENDS and content.last_day is None:
        raise Refusal("order-days/chapter-end", option="last_day", chapter=content.chapter)


def _refuse_scope(content: OrderContent) -> None:
    """Refuse a chapter, line or requirement that there is not, and a waiver that waives nothing."""
    if content.chapter and content.chapter not in folders():
        raise Refusal("order-scope/chapter", option="chapter", chapter=content.chapter, chapters=", ".join(folders()))
    if not content.chapter and (content.kind != OrderKind.ORDER or content.option or content.rule):
        raise Refusal("order-scope/no-chapter", option="chapter", kind=OrderKind(content.kind).label.lower())
    chapter = chapter_on_or_none(content.chapter, content.first_day) if content.chapter else None
    if chapter:
        _refuse_places(content, chapter)
    if content.kind == OrderKind.WAIVER and not (content.option or content.rule):
        raise Refusal("order-scope/waives-nothing", option="rule")
    if content.chapter_effect and (content.licensee or content.kind != OrderKind.ORDER):
        raise Refusal("order-scope/chapter-for-all", option="chapter_effect")
    if content.chapter_effect and (chapter is None or chapter.status != TEMPORARY):
        raise Refusal("order-scope/not-temporary", option="chapter", chapter=content.chapter)


def _refuse_places(content: OrderContent, chapter: Chapter) -> None:
    keys = [option.key for option in chapter.options]
    if content.option and content.option not in keys:
        raise Refusal("order-scope/option", option="option", text=content.option, chapter=chapter.number)
    if content.rule and content.rule not in waivable_rules(chapter):
        raise Refusal("order-scope/rule", option="rule", text=content.rule, chapter=chapter.number)
