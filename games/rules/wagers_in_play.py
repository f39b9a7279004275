"""The wagers that the answers offer, each with its paytables: those to compute and to deal.

Not here: what a filing is judged by (`evaluate`), which refuses a wager without a paytable.
"""

from collections.abc import Collection
from dataclasses import replace

from games.rules.model import Answer, Answers, Chapter, Wager


class NoPaytable(ValueError):
    """A wager is offered without a paytable of its chapter: there is nothing to compute."""


def in_play(chapter: Chapter, answers: Answers | None) -> tuple[tuple[str, str], ...]:
    """Return (wager, paytable) for all that the answers offer, every paytable where they leave it open.

    Without answers every wager is offered. A wager that is part of another (Blind and Raise: the Ante) is decided
    with it and does not appear; "" where a wager has no paytable. `NoPaytable` for one that does not exist.
    """
    pairs = []
    for wager in chapter.wagers:
        if wager.part_of or not _offered(wager, answers):
            continue
        given = (answers or {}).get(wager.paytable_option)
        names = [table.name for table in chapter.tables_of(wager.key)] or [""]
        if given is not None and given not in names:
            raise _refusal(chapter, wager, given)
        pairs += [(wager.key, name) for name in names if given in (None, name)]
    return tuple(pairs)


def with_wagers(chapter: Chapter, wagers: Collection[str]) -> Chapter:
    """Return the chapter with only these wagers in play, to compute their figures alone.

    The others are still there, for what depends on them, but as parts of themselves: `in_play` leaves out a part.
    """
    restricted = (
        wager if wager.key in wagers or wager.part_of else replace(wager, part_of=wager.key) for wager in chapter.wagers
    )
    return replace(chapter, wagers=tuple(restricted))


def covering(chapter: Chapter) -> tuple[Answers, ...]:
    """Return the fewest configurations that offer every wager and use each paytable and each house way at least once.

    The n-th takes every wager's n-th paytable, starting again where one has fewer.
    """
    ways = [way.key for way in chapter.house_ways]
    chosen = {wager.paytable_option: [table.name for table in chapter.tables_of(wager.key)] for wager in chapter.wagers}
    chosen = {option: names for option, names in (chosen | {"house_way": ways}).items() if option and names}
    offered: dict[str, Answer] = {wager.offered_by: True for wager in chapter.wagers if wager.offered_by}
    return tuple(
        offered | {option: names[place % len(names)] for option, names in chosen.items()}
        for place in range(max((len(names) for names in chosen.values()), default=1))
    )


def paytables_in_play(chapter: Chapter, answers: Answers) -> dict[str, str]:
    """Return wager → its one paytable ("" without any); `NoPaytable` where the answers leave several."""
    paytables: dict[str, str] = {}
    for wager, name in in_play(chapter, answers):
        if wager in paytables:
            raise _refusal(chapter, chapter.wager(wager), None)
        paytables[wager] = name
    return paytables


def part_in_play(chapter: Chapter, answers: Answers | None, part: str) -> tuple[str, ...]:
    """Return the paytables that the answers leave for a part of another wager (the Bad Beat Bonus of 682a's Ante)."""
    wager = chapter.wager(part)
    given = (answers or {}).get(wager.paytable_option)
    names = tuple(table.name for table in chapter.tables_of(part) if given in (None, table.name))
    if not names:
        raise _refusal(chapter, wager, given)
    return names


def part_paytable(chapter: Chapter, answers: Answers, part: str) -> str:
    """Return the one paytable of a part; `NoPaytable` where the answers leave several."""
    names = part_in_play(chapter, answers, part)
    if len(names) > 1:
        raise _refusal(chapter, chapter.wager(part), None)
    return names[0]


def _offered(wager: Wager, answers: Answers | None) -> bool:
    return answers is None or not wager.offered_by or answers.get(wager.offered_by) is True


def _refusal(chapter: Chapter, wager: Wager, given: object) -> NoPaytable:
    line = chapter.option(wager.paytable_option)
    allowed = ", ".join(table.name for table in chapter.tables_of(wager.key))
    return NoPaytable(
        f"the {wager.name} is offered, but `{line.key}` is {given!r}; "
        f"answer it with one of {allowed}, or do not offer the wager ({line.citation})"
    )
