"""The elements that a table's layout, its signs and the table must show, derived from the chapter and the answers.

One `RequiredElement` for each element of the chapter's `layout.toml` that the answers call for, or for each of its
areas if it has several; with the payout odds that must be posted. Pure. Not here: the words (`games.rules.words`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from games.registry import words as words_of
from games.rules.asked_lines import sound_answers
from games.rules.evaluate import effective, judge
from games.rules.loading.cells import dollars
from games.rules.model import Answers, Chapter, LayoutElement, Paytable, Wager
from games.rules.paytable_words import posted
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
    """All elements that the answers call for; `positions` at the table, by default as many as the chapter allows.

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
    """(".2" for the second of several areas, phrases, suggested words), once for each area."""
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
                yield row.outcome, column, posted(pay)
        if row.envy is not None:
            yield row.outcome, ENVY, dollars(row.envy)
