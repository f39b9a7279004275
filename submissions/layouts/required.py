"""What a table's layout, its signs and the table itself must show, derived from the chapter and the answers.

One `Required` per element of the chapter's `layout.toml` that the answers call for, and one per area where an element
is several areas. Pure. Not here: the words themselves (`words`), the odds (`odds`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from games.rules.asking import sound_answers
from games.rules.evaluate import effective, judge
from games.rules.loading.cells import dollars
from games.rules.model import Answers, Chapter, LayoutElement, Paytable
from games.rules.periods import in_force
from submissions.layouts import words
from submissions.layouts.odds import Odds, all_odds

ODDS = ("odds_on_layout", "odds_sign")
LIMIT = ("limit_on_layout", "limit_sign")
NAME_OR_LOGO = "name_or_logo"


@dataclass(frozen=True, slots=True)
class Required:
    """One element. `phrases`: words of which one must stand on the drawing; none where no machine can decide.

    `key` is the element's, with a number behind it ("raise_areas.2") where the element is several areas. `times` is how
    often at least: once, or once for each betting position; of betting positions, how many there are. `kind` is the
    element's (area, card_area, inscription, sign, device, box, position); a sign stands beside the layout, not on it.
    `suggested`: what to print where the chapter prints no words; another wording may do. `odds` only of the elements
    that post payouts.
    """

    key: str
    citation: str
    element: str
    kind: str
    phrases: tuple[str, ...]
    times: int
    wager: str = ""
    odds: tuple[Odds, ...] = ()
    suggested: str = ""


def required(
    chapter: Chapter, answers: Answers, *, positions: int = 0, licensee: str = "", on: date | None = None
) -> tuple[Required, ...]:
    """Everything that the answers call for; `positions` at the table, as many as the chapter allows where 0.

    `licensee` is the name that may stand in the place of a logo; `on` the day whose rules count (None: the latest).
    """
    chapter = in_force(chapter, on)
    counted = effective(chapter, answers, on)
    judged = judge(chapter, counted, on)
    facts = _Facts(
        chapter,
        positions=positions or chapter.max_positions,
        licensee=licensee,
        limit=_limit(sound_answers(chapter, counted)),
        odds=all_odds(chapter, judged),
    )
    return tuple(found for element in judged.layout for found in _of(element, facts))


@dataclass(frozen=True, slots=True)
class _Facts:
    chapter: Chapter
    positions: int
    licensee: str
    limit: str  # "$50,000"; "" = none is established
    odds: tuple[Odds, ...]


def _of(element: LayoutElement, facts: _Facts) -> Iterator[Required]:
    if element.kind in words.AREAS:
        yield from _areas(element, facts)
    elif element.key in ODDS:
        yield _required(element, facts, odds=facts.odds)
    elif element.key in LIMIT and facts.limit:
        sentence = f"The payout limit is {facts.limit} per player per round of play."
        yield _required(element, facts, (facts.limit,), suggested=sentence)
    elif element.key == NAME_OR_LOGO and facts.licensee:
        yield _required(element, facts, (facts.licensee,))
    else:
        wording = (element.wording,) if element.wording else ()
        yield _required(element, facts, wording, suggested=words.says(facts.chapter, element))


def _areas(element: LayoutElement, facts: _Facts) -> Iterator[Required]:
    found = words.labels(facts.chapter, element)
    if len(found) < 2:
        yield _required(element, facts, found)
        return
    for number, label in enumerate(found, start=1):
        yield _required(element, facts, (label,), number=number)


def _required(
    element: LayoutElement,
    facts: _Facts,
    phrases: tuple[str, ...] = (),
    *,
    number: int = 0,
    odds: tuple[Odds, ...] = (),
    suggested: str = "",
) -> Required:
    everywhere = element.per_position or element.kind == "position"
    return Required(
        key=f"{element.key}.{number}" if number else element.key,
        citation=element.citation,
        element=f"{element.element} ({phrases[0]})" if number else element.element,
        kind=element.kind,
        phrases=phrases,
        times=facts.positions if everywhere else 1,
        wager=element.wager,
        odds=odds,
        suggested=suggested,
    )


def _limit(counted: Answers) -> str:
    limit = counted.get("payout_limit")
    return dollars(Decimal(limit)) if isinstance(limit, str) else ""


__all__ = ["Answers", "Chapter", "LayoutElement", "Odds", "Paytable", "Required", "required"]
