"""Judging one configuration of a submission for the tables that it is for: of a draft, or of a filing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from games.rules.evaluate import judge
from games.rules.group_tables import GroupTables
from games.rules.model import Answers, Chapter, Finding, Judgment
from submissions.core.configuration_index import Snapshot
from submissions.core.table_ranges import tables_of
from submissions.models import Configuration


def draft_tables(row: Configuration, rows: Sequence[Configuration]) -> GroupTables:
    """The tables of one of a draft's configurations."""
    place = next(place for place, each in enumerate(rows) if each.position == row.position)
    return tables_of(place, [each.tables for each in rows])


def judge_draft(
    chapter: Chapter, row: Configuration, rows: Sequence[Configuration], day: date, answers: Answers | None = None
) -> Judgment:
    """The verdict on one of a draft's configurations; `answers` in place of its own, if given."""
    judgment = judge(chapter, row.answers if answers is None else answers, day, draft_tables(row, rows))
    if row.position == 0 or row.tables:
        return judgment
    return replace(judgment, findings=(_without_tables(chapter, row), *judgment.findings))


def _without_tables(chapter: Chapter, row: Configuration) -> Finding:
    """A group that was copied from another property, whose tables are other ones."""
    return Finding(
        rule=f"{chapter.number}.group-without-tables",
        severity="blocking",
        options=(),
        message=f"The tables of the group “{row.name}” are to be entered.",
        fix="Enter the tables of this property, or remove the group.",
        citation="§ 601a.2",
    )


def judge_filed(chapter: Chapter, content: Snapshot, place: int, day: date) -> Judgment:
    """The verdict on the configuration at this place of a filing, by the rules of that day."""
    rows = content["configurations"]
    return judge(chapter, rows[place]["answers"], day, tables_of(place, [row["tables"] for row in rows]))
