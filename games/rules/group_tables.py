"""The tables that answers name, held against the tables that the answers are for.

Not here: how a list of tables is written (`tables`), two lists of one configuration that overlap (`checks`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.rules.model import Answers, Chapter, Finding, Requirement
from games.rules.tables import format_tables, parse_tables, tables_with_noun

DEALING_TABLES = "dealing-tables-overlap"  # its options list, for each way of dealing, the tables that deal so


@dataclass(frozen=True, slots=True)
class GroupTables:
    """The tables of one configuration: those `named`; if none is named, all but those `elsewhere`."""

    named: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()


ALL_TABLES = GroupTables()


def on_group_tables(
    chapter: Chapter, used: Answers, asked_keys: tuple[str, ...], tables: GroupTables
) -> Iterator[Finding]:
    """`used`: the answers that are right in themselves, to lines that are asked."""
    lists = {
        option.key: parse_tables(str(used[option.key]))
        for option in chapter.options
        if option.limits.format == "tables" and option.key in used
    }
    for key, named in lists.items():
        outside = named - tables.named if tables.named else named & tables.elsewhere
        if outside:
            yield _outside(chapter, key, outside, tables)
    for requirement in chapter.requirements:
        if requirement.id.endswith(DEALING_TABLES):
            yield from _without_method(chapter, requirement, lists, asked_keys, tables)


def _outside(chapter: Chapter, key: str, outside: frozenset[str], tables: GroupTables) -> Finding:
    option = chapter.option(key)
    whose = f"this group is for {tables_with_noun(tables.named)}" if tables.named else "another group is for it"
    if not tables.named and len(outside) > 1:
        whose = "other groups are for them"
    return Finding(
        rule=f"{chapter.number}.tables-outside-group",
        severity="blocking",
        options=(key,),
        message=f"“{option.question}” names {tables_with_noun(outside)}, but {whose}.",
        fix="Name only tables that these answers are for, or change the tables of the group.",
        citation=option.citation,
    )


def _without_method(
    chapter: Chapter,
    requirement: Requirement,
    lists: Mapping[str, frozenset[str]],
    asked_keys: tuple[str, ...],
    tables: GroupTables,
) -> Iterator[Finding]:
    """Where lists are asked, every table of the group is on one of them; not ripe while one is unanswered."""
    asked_lists = tuple(key for key in requirement.options if key in asked_keys)
    if not asked_lists or not all(key in lists for key in asked_lists):
        return
    if missing := tables.named.difference(*(lists[key] for key in asked_lists)):
        yield Finding(
            rule=f"{chapter.number}.tables-without-dealing-method",
            severity="blocking",
            options=asked_lists,
            message=f"No answer says how cards are dealt at {tables_with_noun(missing)} of this group.",
            fix=f"Add {format_tables(missing)} to the tables of one way of dealing, or take it out of the group.",
            citation=requirement.citation,
        )
