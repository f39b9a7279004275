"""Judging one configuration of a submission for the tables that it is for: of a draft, or of a filing.

The rules are those of `games`; what the Board's orders change in the verdict is `filings.orders.waived_findings`. A
draft also gets the warnings of its casino's table list, and blocking findings on what rests on text of the regulation
that is missing: no order of the Board lifts them, `PORTAL_ALLOW_MISSING_TEXT` and a rulemaking that enters the text do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.conf import settings

from games.rules.evaluate import GroupTables, gravest_first, judge
from games.rules.missing_text import is_on_missing_text, on_missing_text
from games.rules.model import Answers, Chapter, Finding, Judgment
from submissions.core.configurations import Snapshot, tables_of
from submissions.core.errors import Refusal
from submissions.filings.orders.waived_findings import OrderBook, apply_orders
from submissions.filings.tables.list_findings import list_findings, named_tables
from submissions.models import Configuration, Organization
from submissions.rules import chapter_on, rules_day


def draft_tables(row: Configuration, rows: Sequence[Configuration]) -> GroupTables:
    """Return the tables of one of a draft's configurations."""
    place = next(place for place, each in enumerate(rows) if each.position == row.position)
    return tables_of(place, [each.tables for each in rows])


def judge_draft(
    chapter: Chapter,
    row: Configuration,
    rows: Sequence[Configuration],
    answers: Answers | None = None,
    book: OrderBook | None = None,
    *,
    reads_list: bool = True,
) -> Judgment:
    """Return the verdict on a draft's configuration, with `answers` in place of its own and loaded orders (`book`).

    Where only what blocks matters, the casino's table list need not be read: it only gives warnings.
    """
    submission, tables, day = row.submission, draft_tables(row, rows), rules_day(row.submission)
    answers = row.answers if answers is None else answers
    judgment = judge(chapter, answers, tables)
    if reads_list:
        judgment = _with_list_findings(judgment, chapter, row, answers, day)
    if row.position and not row.tables:
        judgment = replace(judgment, findings=(_without_tables(chapter, row), *judgment.findings))
    judgment = apply_orders(chapter, judgment, licensee_slug(submission.organization), tables, day, book)
    return with_missing_text(chapter, judgment, answers)


def _with_list_findings(
    judgment: Judgment, chapter: Chapter, row: Configuration, answers: Answers, day: date
) -> Judgment:
    """Return the judgment with the warnings of tables that the casino's table list does not have for the game."""
    named = named_tables(chapter, answers, judgment.asked_keys, row.tables)
    return with_warnings(judgment, list_findings(chapter, row.submission.organization, named, day))


def with_warnings(judgment: Judgment, warnings: Sequence[Finding]) -> Judgment:
    """Return the judgment with these findings, too, the gravest first."""
    return replace(judgment, findings=gravest_first((*judgment.findings, *warnings))) if warnings else judgment


def _without_tables(chapter: Chapter, row: Configuration) -> Finding:
    """Return the finding on a group that was copied from another property, whose tables are other ones."""
    return Finding(
        rule=f"{chapter.number}.group-without-tables",
        severity="blocking",
        options=(),
        message=f"The tables of the group “{row.name}” are to be entered.",
        fix="Enter the tables of this property, or remove the group.",
        citation="§ 601a.2",
    )


@dataclass(frozen=True, slots=True)
class FiledJudgment:
    """The verdict on a configuration of a filing by the rules of a chapter alone, before the Board's orders."""

    judgment: Judgment
    licensee: str  # slug
    tables: GroupTables

    def on(self, chapter: Chapter, day: date, book: OrderBook | None = None) -> Judgment:
        """Return the judgment with the orders of that day; `book`: the orders, if they are loaded."""
        return apply_orders(chapter, self.judgment, self.licensee, self.tables, day, book)


def filed_judgment(chapter: Chapter, content: Snapshot, place: int) -> FiledJudgment:
    """Return the judgment of the configuration at this place, by the chapter."""
    rows = content["configurations"]
    tables = tables_of(place, [row["tables"] for row in rows])
    licensee = content.get("licensee", {}).get("slug", "")
    return FiledJudgment(judge(chapter, rows[place]["answers"], tables), licensee, tables)


def judge_filed(chapter: Chapter, content: Snapshot, place: int, day: date, book: OrderBook | None = None) -> Judgment:
    """Return the verdict on a filing's configuration by that day's chapter and orders (`book`, if loaded)."""
    return filed_judgment(chapter, content, place).on(chapter, day, book)


def licensee_slug(organization: Organization | None) -> str:
    """Return the slug by which orders name a licensee; "" for the Board and sandboxes (orders for all only)."""
    is_licensee = organization is not None and organization.kind == Organization.Kind.LICENSEE
    return organization.slug if organization and is_licensee and organization.is_live else ""


def with_missing_text(chapter: Chapter, judgment: Judgment, answers: Answers) -> Judgment:
    """Return the judgment with a blocking finding for each use of missing text, unless that is allowed."""
    findings = () if settings.ALLOW_MISSING_TEXT else tuple(on_missing_text(chapter, answers))
    return replace(judgment, findings=(*findings, *judgment.findings)) if findings else judgment


def refuse_missing_text(findings: Sequence[Finding]) -> None:
    """Refuse with a code of its own if one of these findings is on missing text."""
    if missing := [finding for finding in findings if is_on_missing_text(finding)]:
        line, citation = missing[0].line_among(()), missing[0].citation
        raise Refusal("text-missing", option=line, citation=citation, findings=findings, text=_words_of(missing))


def refuse_filed_missing_text(content: Snapshot, day: date) -> None:
    """Refuse to recommend or approve, for that day, what was filed while the portal allowed missing text."""
    if settings.ALLOW_MISSING_TEXT:
        return
    chapter = chapter_on(content["chapter"]["number"], day)
    rows = content["configurations"]
    if missing := list(dict.fromkeys(each for row in rows for each in on_missing_text(chapter, row["answers"]))):
        raise Refusal("text-missing/decide", citation=missing[0].citation, findings=missing, text=_words_of(missing))


def _words_of(missing: Sequence[Finding]) -> str:
    more = len(missing) - 1
    return f"{missing[0].message} ({more} more)" if more else missing[0].message
