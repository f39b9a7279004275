"""The parts (layout, payout sign, gaming guide) that a change of a configuration makes stale, with the reasons.

A part is stale if the facts that it must show change. Not here: those facts (`required_facts`), the papers that are
filed or approved (`readiness`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.model import Answers, Chapter
from submissions.layouts.required_facts import ELEMENT, Fact, PartFacts, facts_shown
from submissions.models import Part

PAYTABLE = "paytable "
SHOWN_BY_SIGN = 3  # a paytable on a sign: its name, columns and rows


@dataclass(frozen=True, slots=True)
class UpdateReason:
    """A part that must be updated; `why`: a sentence for each fact that changed, in the order of the paper."""

    part: Part
    why: tuple[str, ...]


def updates_required(
    chapter: Chapter,
    before: Answers,
    after: Answers,
    *,
    odds_repeated: bool = True,
    chapter_before: Chapter | None = None,
) -> tuple[UpdateReason, ...]:
    """The parts that must be updated, in the order of `Part`; `odds_repeated` as in `facts_shown`.

    `chapter_before`: the chapter on the day of the answers before, where it is another one.
    """
    was = facts_shown(chapter_before or chapter, before, odds_repeated=odds_repeated)
    now = facts_shown(chapter, after, odds_repeated=odds_repeated)
    return updates_between(was, now)


def updates_between(was: Mapping[Part, PartFacts], now: Mapping[Part, PartFacts]) -> tuple[UpdateReason, ...]:
    """The parts whose facts differ, whether answers or rules changed, in the order of `Part`."""
    changed = [part for part in Part if was[part].digest != now[part].digest]
    return tuple(UpdateReason(part, tuple(_why(was[part].facts, now[part].facts))) for part in changed)


def _why(was: Mapping[str, Fact], now: Mapping[str, Fact]) -> Iterator[str]:
    removed = {key: fact for key, fact in was.items() if key not in now}
    for key, fact in now.items():
        old = was[key] if key in was else _replaced(fact, removed)
        if old is None:
            yield _alone(key, fact, "now")
        elif old.shows != fact.shows:
            # the second of two paytables by its name without “paytable”
            new = fact.words.removeprefix(PAYTABLE) if old.words.startswith(PAYTABLE) else fact.words
            changed = "; ".join(_rows(old, fact)) if old.words == fact.words else ""
            yield f"{fact.subject}: {changed or f'{_ended(old.words)} → {_ended(new)}'}, {fact.citation}"
    yield from (_alone(key, fact, "no longer") for key, fact in removed.items())


def _rows(old: Fact, new: Fact) -> Iterator[str]:
    """The rows of a paytable that changed under the same name: “Three-of-a-Kind 6 to 1 → 5 to 1”."""
    was, now = (_printed_rows(fact.shows) for fact in (old, new))
    for outcome in dict.fromkeys((*now, *was)):
        if was.get(outcome) != now.get(outcome):
            yield f"{outcome} {was.get(outcome, 'no such row')} → {now.get(outcome, 'no such row')}"


def _printed_rows(shows: tuple[Any, ...]) -> dict[str, str]:
    """Outcome → its payouts, of a fact that shows a paytable; nothing of other facts.

    A sign shows (name, columns, rows) with all columns in a row, a felt a row (outcome, column, payout) for each.
    """
    of_sign = len(shows) >= SHOWN_BY_SIGN and isinstance(shows[0], str) and isinstance(shows[2], tuple)
    rows, cells = shows[2] if of_sign else shows, dict[str, list[str]]()
    for row in rows:
        if isinstance(row, tuple):
            cells.setdefault(str(row[0]), []).append((" / " if of_sign else " ").join(filter(None, row[1:])))
    return {outcome: ", ".join(pays) for outcome, pays in cells.items()}


def _replaced(fact: Fact, removed: dict[str, Fact]) -> Fact | None:
    """The removed fact of the same subject and section, which is then no longer counted as removed."""
    same = (key for key, old in removed.items() if (old.subject, old.citation) == (fact.subject, fact.citation))
    key = next(same, None)
    return removed.pop(key) if key else None


def _alone(key: str, fact: Fact, when: str) -> str:
    """A fact of only one of the two configurations."""
    if key.startswith(ELEMENT):
        return f"{fact.subject}: {when} called for, {fact.citation}"
    return f"{fact.subject}: {_ended(fact.words)} ({when} shown), {fact.citation}"


def _ended(words: str) -> str:
    """Without the period, since the sentence continues."""
    return f"{words[:-2]}”" if words.endswith(".”") else words.removesuffix(".")
