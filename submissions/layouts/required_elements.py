"""The elements that a table's layout, its signs and the table must show, and the status of each on a drawing.

One `RequiredElement` for each element of the chapter's `layout.toml` that the answers call for, or for each of its
areas. Its status is made from the report of an inspection, the licensee's marks and the Board's judgments. Pure.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any

from django.db import models

from games.registry import words as words_of
from games.rules.evaluate import effective, judge, sound_answers
from games.rules.model import Answers, Chapter, LayoutElement, Paytable, Wager
from games.rules.phrases import posted_payout
from games.rules.records import dollars
from games.rules.words import AREAS

ODDS = ("odds_on_layout", "odds_sign")
LIMIT = ("limit_on_layout", "limit_sign")
MUST_BE_ON_LAYOUT = (*AREAS, "inscription")  # kinds; other elements may be at the table and not on its drawing
NAME_OR_LOGO = "name_or_logo"
NO_LICENSEE = "Certificate holder"  # stands for the name while the licensee is not known
ENVY = "Envy Bonus"
STATED_ODDS = "Payout odds"


@dataclass(frozen=True, slots=True)
class PostedOdds:
    """The paytable of one wager that must be printed: rows as (outcome, column, pay in words).

    `column` is "" if a paytable has one column, else its heading ("Natural"); an Envy Bonus is a row of its own with
    the column `ENVY`. An outcome that cannot occur ("n/a") has no row. A wager may have two: the odds that a sentence
    of the chapter states (`table` is `STATED_ODDS`) and those of its paytable.
    """

    wager: str
    wager_name: str
    table: str
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class RequiredElement:
    """One element. `phrases`: the drawing must show one of them; none if no machine can decide.

    `key` is the element's, with a number ("raise_areas.2") if the element has several areas. `times`: how often at
    least, once or once for each betting position; of betting positions, their number. `kind` is the element's (area,
    card_area, inscription, sign, device, box, position); a sign is posted at the table, not on the layout. `suggested`:
    words to print if the chapter has none; another wording is possible. `odds`: of the elements that post payouts.
    """

    key: str
    citation: str
    element: str
    kind: str
    phrases: tuple[str, ...]
    times: int
    wager: str = ""
    odds: tuple[PostedOdds, ...] = ()
    suggested: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The phrases, else the suggested words."""
        return self.phrases or ((self.suggested,) if self.suggested else ())


def required_elements(
    chapter: Chapter, answers: Answers, *, positions: int = 0, licensee: str = ""
) -> tuple[RequiredElement, ...]:
    """Return all elements that the answers call for; `positions` at the table, by default the chapter's most.

    `licensee` is the name that may replace a logo.
    """
    counted = effective(chapter, answers)
    judged = judge(chapter, counted)
    offered = [wager for wager in chapter.wagers if wager.key in judged.offered or wager.part_of in judged.offered]
    odds = tuple(row for wager in offered for row in _odds_of(chapter, wager, judged.paytables.get(wager.key)))
    positions = positions or chapter.max_positions
    answer = sound_answers(chapter, counted).get("payout_limit")
    limit = dollars(Decimal(answer)) if isinstance(answer, str) else ""
    return tuple(
        RequiredElement(
            key=f"{element.key}{number}",
            citation=element.citation,
            element=f"{element.element} ({phrases[0]})" if number else element.element,
            kind=element.kind,
            phrases=phrases,
            times=positions if element.per_position or element.kind == "position" else 1,
            wager=element.wager,
            odds=odds if element.key in ODDS else (),
            suggested=suggested,
        )
        for element in judged.layout
        for number, phrases, suggested in _words(chapter, element, limit, licensee)
    )


def _words(
    chapter: Chapter, element: LayoutElement, limit: str, licensee: str
) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield (".2" for the second of several areas, phrases, suggested words), once for each area."""
    if element.kind in AREAS:
        labels = words_of(chapter).labels.areas[element.key]
        if len(labels) < 2:
            yield "", labels, ""
        else:
            yield from ((f".{number}", (label,), "") for number, label in enumerate(labels, start=1))
    elif element.key in ODDS:
        yield "", (), ""
    elif element.key in LIMIT and limit:
        yield "", (limit,), f"The payout limit is {limit} per player per round of play."
    elif element.key == NAME_OR_LOGO and licensee:
        yield "", (licensee,), ""
    else:
        wording = (element.wording,) if element.wording else ()
        yield "", wording, words_of(chapter).labels.suggested.get(element.key, "")


def _odds_of(chapter: Chapter, wager: Wager, name: str | None) -> Iterator[PostedOdds]:
    if sentence := words_of(chapter).labels.odds.get(wager.key):
        yield PostedOdds(wager.key, wager.name, STATED_ODDS, ((sentence.outcome, "", sentence.pays),))
    for table in chapter.tables_of(wager.key):
        if table.name == name:
            yield PostedOdds(wager.key, wager.name, table.name, tuple(_rows(table)))


def _rows(table: Paytable) -> Iterator[tuple[str, str, str]]:
    for row in table.rows:
        for column, pay in zip(table.columns or ("",), row.pays, strict=True):
            if not pay.na:
                yield row.outcome, column, posted_payout(pay)
        if row.envy is not None:
            yield row.outcome, ENVY, dollars(row.envy)


PLACE = ("page", "left", "top", "width", "height")
ReportPlace = Mapping[str, float]  # the names of `PLACE`: page from 1, shares of the page


class ElementStatus(models.TextChoices):
    PRESENT = "found", "Found"
    ACCEPTED = "accepted", "Accepted by the Board"
    REFUSED = "refused", "Not accepted by the Board"
    MARKED = "marked", "Marked by the licensee"
    TO_BE_JUDGED = "to_be_judged", "Needs review"
    DIFFERENT = "different", "Differs"
    TOO_FEW = "too_few", "Too few"
    MISSING = "missing", "Not found"


DEFICIENT = (ElementStatus.MISSING, ElementStatus.TOO_FEW, ElementStatus.DIFFERENT, ElementStatus.REFUSED)
OF_ODDS = ("different", "missing", "not_in_table")  # kinds of differences that the element of the odds includes
UNSURE = ("unclear", "unexplained", "unknown_odds")  # kinds of differences that only a person can call wrong
DIFFERENCE = "difference"  # the kind of an element that stands for a difference


@dataclass(frozen=True, slots=True)
class Element:
    """One required element. `places` are from the inspection, `marks` from the licensee."""

    key: str
    citation: str
    name: str
    kind: str
    status: ElementStatus
    places: tuple[ReportPlace, ...] = ()
    marks: tuple[ReportPlace, ...] = ()
    times: int = 0
    needed: int = 1
    reason: str = ""  # of a judgment
    explanation: str = ""  # why the inspection left it to a person

    @property
    def settled(self) -> bool:
        """True if no decision is needed."""
        return self.status in (ElementStatus.PRESENT, ElementStatus.ACCEPTED)

    @property
    def deficient(self) -> bool:
        """True if missing or wrong by the inspection or the Board, and not marked."""
        return self.status in DEFICIENT

    @property
    def label(self) -> str:
        return str(self.status.label)


def element_statuses(
    report: Mapping[str, Any], marks: Iterable[Mapping[str, Any]], judgments: Iterable[tuple[str, bool, str]] = ()
) -> list[Element]:
    """Return the chapter's elements in order; `judgments`: (key, accepted, reason), an element's latest counts."""
    marked: dict[str, list[ReportPlace]] = {}
    for mark in marks:
        marked.setdefault(mark["element"], []).append({name: mark[name] for name in PLACE})
    judged = {key: (accepted, reason) for key, accepted, reason in judgments}
    rows = report.get("elements", ())
    return [_element(row, marked.get(row["key"], ()), judged.get(row["key"])) for row in rows]


def difference_statuses(report: Mapping[str, Any], judgments: Iterable[tuple[str, bool, str]]) -> list[Element]:
    """Return each difference not one of the odds as an element for the Board's decision, named by the message."""
    judged = {key: (accepted, reason) for key, accepted, reason in judgments}
    rows = [row for row in report.get("differences", ()) if row["kind"] not in OF_ODDS]
    return [_difference(row, judged.get(difference_key(row))) for row in rows]


def difference_key(difference: Mapping[str, Any]) -> str:
    """Return a key that is equal for equal differences at one place."""
    known = [difference["kind"], difference["message"], difference["where"]]
    return f"{DIFFERENCE}.{sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:24]}"


def _difference(difference: Mapping[str, Any], judged: tuple[bool, str] | None) -> Element:
    machine = ElementStatus.TO_BE_JUDGED if difference["kind"] in UNSURE else ElementStatus.DIFFERENT
    return Element(
        key=difference_key(difference),
        citation=difference["citation"],
        name=difference["message"],
        kind=DIFFERENCE,
        status=_status(machine, False, judged),
        places=(difference["where"],) if difference["where"] else (),
        reason=judged[1] if judged else "",
    )


def _element(element: Mapping[str, Any], marks: Sequence[ReportPlace], judged: tuple[bool, str] | None) -> Element:
    return Element(
        key=element["key"],
        citation=element["citation"],
        name=element["element"],
        kind=element["kind"],
        status=_status(ElementStatus(element["state"]), bool(marks), judged),
        places=tuple(element["where"]),
        marks=tuple(marks),
        times=element["times"],
        needed=element["needed"],
        reason=judged[1] if judged else "",
        explanation=element.get("explanation", ""),  # reports before the inspection read sentences have none
    )


def _status(machine: ElementStatus, marked: bool, judged: tuple[bool, str] | None) -> ElementStatus:
    if judged:
        return ElementStatus.ACCEPTED if judged[0] else ElementStatus.REFUSED
    if machine is not ElementStatus.PRESENT and marked:
        return ElementStatus.MARKED
    return machine
