"""Warnings of a draft whose groups or answers name tables that the casino's table list does not have for the game.

They never block: the list may be behind the filing. A casino without a list gets none.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import date

from games.registry import title_of
from games.rules.lists import format_tables, parse_tables
from games.rules.model import Answers, Chapter, Finding
from submissions.filings.tables.table_lists import entries_of_tables, has_list
from submissions.models import Organization, TableEntry

GROUP = ""  # in place of an option's key: the tables of the group itself
CITATION = "§ 601a.2"
FIX = "Correct the number here, or change the table list under “Tables”."


def named_tables(
    chapter: Chapter, answers: Answers, asked_keys: Collection[str], group_tables: str
) -> dict[str, frozenset[str]]:
    """Return the tables that the group (`GROUP`) and each answer to an asked line name, by key; no empty lists."""
    lists = {GROUP: group_tables} | {
        option.key: str(answers[option.key])
        for option in chapter.options
        if option.limits.format == "tables" and option.key in asked_keys and answers.get(option.key)
    }
    return {key: tables for key, text in lists.items() if (tables := _parsed(text))}


def list_findings(
    chapter: Chapter, organization: Organization, named: Mapping[str, frozenset[str]], day: date
) -> list[Finding]:
    """Return the warnings for these tables (`named_tables`) by the list of that day; at most two queries."""
    if not named or organization.pk is None:
        return []
    tables = frozenset[str]().union(*named.values())
    entries = entries_of_tables(organization, tables, day)
    if not entries and not has_list(organization, day):
        return []
    return [finding for key in named for finding in _findings(chapter, organization, key, named[key], entries)]


def _findings(
    chapter: Chapter, organization: Organization, key: str, tables: frozenset[str], entries: Mapping[str, TableEntry]
) -> Iterator[Finding]:
    """Yield a warning for the tables of one list that are not listed, and one for those of each other game."""
    if missing := frozenset(table for table in tables if table not in entries):
        yield _warning(
            chapter, key, "table-not-on-list", f"{_subject(missing)} not on {organization.name}'s table list."
        )
    other_games = {entries[table].chapter for table in tables - missing} - {chapter.number}
    for number in sorted(other_games):
        of_game = frozenset(table for table in tables - missing if entries[table].chapter == number)
        message = f"{_subject(of_game)} on {organization.name}'s table list for {title_of(number)}, not for "
        yield _warning(chapter, key, "table-of-another-game", f"{message}{chapter.title}.")


def _subject(tables: frozenset[str]) -> str:
    """Return "Table 12 is" or "Tables 3, 7-9 are"."""
    return f"Table {format_tables(tables)} is" if len(tables) == 1 else f"Tables {format_tables(tables)} are"


def _warning(chapter: Chapter, key: str, rule: str, message: str) -> Finding:
    return Finding(
        rule=f"{chapter.number}.{rule}",
        severity="warning",
        options=(key,) if key else (),
        message=message,
        fix=FIX,
        citation=chapter.option(key).citation if key else CITATION,
    )


def _parsed(text: str) -> frozenset[str]:
    """Return the tables of a list; none of one that cannot be read, which is a finding of its own."""
    try:
        return parse_tables(text)
    except ValueError:
        return frozenset()
