"""Judging one configuration of a submission for the tables that it is for: of a draft, or of a filing."""

from collections.abc import Sequence

from games.rules.evaluate import judge
from games.rules.group_tables import GroupTables
from games.rules.model import Answers, Chapter, Judgment
from submissions.core.configuration_index import Snapshot
from submissions.core.table_ranges import tables_of
from submissions.models import Configuration


def draft_tables(row: Configuration, rows: Sequence[Configuration]) -> GroupTables:
    """The tables of one of a draft's configurations."""
    place = next(place for place, each in enumerate(rows) if each.position == row.position)
    return tables_of(place, [each.tables for each in rows])


def judge_draft(
    chapter: Chapter, row: Configuration, rows: Sequence[Configuration], answers: Answers | None = None
) -> Judgment:
    """The verdict on one of a draft's configurations; `answers` in place of its own, if given."""
    return judge(chapter, row.answers if answers is None else answers, draft_tables(row, rows))


def judge_filed(chapter: Chapter, content: Snapshot, place: int) -> Judgment:
    """The verdict on the configuration at this place of a filing."""
    rows = content["configurations"]
    return judge(chapter, rows[place]["answers"], tables_of(place, [row["tables"] for row in rows]))
