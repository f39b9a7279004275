"""What a table pays: every wager that the answers offer with its odds, the payout limit, and what signs must say.

The same for the payout sign and the gaming guide. Not here: words of the round (`told`), how they look (`sign`,
`guide`). Nothing is left out silently: a wager whose paytable is not chosen says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.conditions import holds
from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter, Judgement, LayoutElement, Paytable, Requirement, Wager
from games.rules.phrases import Filled, in_words
from submissions.layouts.told import Sentence, Told, told

NOT_CHOSEN = "The paytable is not chosen yet."
PROGRESSIVE = {
    "progressive_bet": "Wager",
    "progressive_rate": "Added to the meter",
    "progressive_initial": "Meter begins at",
    "progressive_reset": "Meter reset to",
    "progressive_reset_major": "Major jackpot reset to",
    "progressive_reset_minor": "Minor jackpot reset to",
}


@dataclass(frozen=True, slots=True)
class Printed:
    """A paytable as it is printed: a row is the outcome and a cell for each column."""

    name: str
    citation: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    facts: tuple[tuple[str, str], ...]  # the bet, the meter, what becomes of the wager


@dataclass(frozen=True, slots=True)
class Paid:
    """A wager that is offered: `fixed` words where no table says what it pays, or besides the table."""

    wager: str
    name: str
    size: str
    citation: str
    optional: bool
    fixed: str
    fixed_at: tuple[str, ...]
    table: Printed | None

    @property
    def wide(self) -> bool:
        return self.table is not None and len(self.table.columns) > 1

    @property
    def lines(self) -> int:
        """About how many lines its table takes, a long outcome two."""
        if self.table is None:
            return 0
        around = self.wide + bool(self.table.facts)
        return around + sum(1 + (len(row[0]) > 30) for row in self.table.rows)


@dataclass(frozen=True, slots=True)
class Limit:
    amount: str
    citation: str
    covers: tuple[str, ...]  # names of the wagers offered over which it runs
    leaves_out: tuple[str, ...]

    @property
    def words(self) -> str:
        """What stands after the amount."""
        over = f", for {_and(self.covers)}" if self.covers else ""
        without = f" It does not include: {'; '.join(self.leaves_out)}." if self.leaves_out else ""
        return f"per player per round of play{over}.{without}"


@dataclass(frozen=True, slots=True)
class Offer:
    """A table's configuration, judged: what it offers and pays."""

    chapter: Chapter
    used: Answers  # those to lines that are asked
    judgement: Judgement
    told: Told
    paid: tuple[Paid, ...]
    limit: Limit | None

    def says(self, sentence: Sentence) -> str:
        """The sentence with the answers that it speaks of in their places."""
        return sentence.words.format_map(Filled(self.chapter, self.used))

    def notices(self) -> list[tuple[str, str]]:
        """(words, citation) of what a sign at the table must say besides odds and limit."""
        signs = [element for element in self.judgement.layout if element.kind == "sign"]
        return [(words, element.citation) for element in signs for words in self._wording(element)]

    def _wording(self, element: LayoutElement) -> list[str]:
        if element.wording:
            return [element.wording]
        said = [sentence for key, sentence in self.told.notices if key == element.key]
        return [self.says(sentence) for sentence in said if holds(sentence.condition, self.used)]

    def steps(self) -> list[Sentence]:
        return [step for step in self.told.steps if holds(step.condition, self.used)]


def offer(chapter: Chapter, answers: Answers) -> Offer:
    judgement, words = judge(chapter, answers), told(chapter.number)
    used = {key: answers[key] for key in judgement.asked if key in answers}
    offered = [wager for wager in chapter.wagers if _offered(wager, judgement, used)]
    return Offer(
        chapter=chapter,
        used=used,
        judgement=judgement,
        told=words,
        paid=tuple(_paid(chapter, wager, judgement, used, words) for wager in offered),
        limit=_limit(chapter, used, [wager.key for wager in offered]),
    )


def _offered(wager: Wager, judgement: Judgement, used: Answers) -> bool:
    if wager.part_of:
        return wager.part_of in judgement.offered and (wager.required or used.get(wager.offered_by) is True)
    return wager.key in judgement.offered


def _paid(chapter: Chapter, wager: Wager, judgement: Judgement, used: Answers, words: Told) -> Paid:
    chosen = judgement.paytables.get(wager.key)
    fixed = [one for one in words.fixed if one.wager == wager.key]
    said = [one.pays for one in fixed]
    if chapter.tables_of(wager.key) and chosen is None:
        said.append(NOT_CHOSEN)
    table = chapter.paytable(wager.key, chosen) if chosen else None
    return Paid(
        wager=wager.key,
        name=wager.name,
        size=wager.size,
        citation=wager.citation,
        optional=not wager.required and not wager.part_of,
        fixed=" ".join(said),
        fixed_at=tuple(citation for one in fixed for citation in one.at),
        table=_printed(chapter, wager, table, used) if table else None,
    )


def _printed(chapter: Chapter, wager: Wager, table: Paytable, used: Answers) -> Printed:
    envy = any(row.envy is not None for row in table.rows)
    columns = table.columns or ("Pays",)
    return Printed(
        name=table.name,
        citation=table.citation,
        columns=(*columns, _extra(chapter)) if envy else columns,
        rows=tuple(
            (row.outcome, *map(str, row.pays), *((f"${row.envy:,}" if row.envy is not None else "–",) if envy else ()))
            for row in table.rows
        ),
        facts=tuple(_facts(chapter, wager, table, used)),
    )


def _extra(chapter: Chapter) -> str:
    """How the chapter calls what other players receive for a hand."""
    named = any("envy" in text.lower() for text in chapter.sections.values())
    return "Envy bonus" if named else "Each other player"


def _facts(chapter: Chapter, wager: Wager, table: Paytable, used: Answers) -> Iterator[tuple[str, str]]:
    if table.wager_amount is not None:
        yield "Wager", f"${table.wager_amount:,}"
    if table.seed is not None:
        yield "Meter begins at", f"${table.seed:,}"
    if table.rate is not None:
        yield "Added to the meter", f"{float(table.rate * 100):g}% of the wager"
    if table.wager_returned is not None:
        yield "Original wager", "returned" if table.wager_returned else "not returned"
    if table.fully_wild_joker:
        yield "Joker", "fully wild"
    if wager.progressive:
        yield from _progressive(chapter, used)


def _progressive(chapter: Chapter, used: Answers) -> Iterator[tuple[str, str]]:
    """What the Rules Submission says of the meter, in the form's words."""
    for option in chapter.options:
        answer = used.get(option.key)
        if option.key in PROGRESSIVE and answer is not None and option.kind in ("money", "percent"):
            words = in_words(chapter, option, answer)
            percent = f"{words.removesuffix(' %').removesuffix('.00')}% of the wager"
            yield PROGRESSIVE[option.key], percent if option.kind == "percent" else words


def _and(names: tuple[str, ...]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _limit(chapter: Chapter, used: Answers, offered: list[str]) -> Limit | None:
    if used.get("payout_limit_established") is not True or used.get("payout_limit") in (None, ""):
        return None
    rule = next((rule for rule in chapter.requirements if rule.covers), None)
    return Limit(
        amount=in_words(chapter, "payout_limit", used["payout_limit"]),
        citation=chapter.option("payout_limit").citation,
        covers=tuple(_covered(chapter, rule, offered)) if rule else (),
        leaves_out=tuple(_left_out(chapter, rule, used)) if rule else (),
    )


def _covered(chapter: Chapter, rule: Requirement, offered: list[str]) -> list[str]:
    return [chapter.wager(key).name for key in dict.fromkeys(rule.covers) if key in offered]


def _left_out(chapter: Chapter, rule: Requirement, used: Answers) -> list[str]:
    """The outcomes that the limit does not cover, of the paytables in use."""
    tables = judge(chapter, used).paytables
    printed = {row.outcome for wager, name in tables.items() for row in chapter.paytable(wager, name).rows}
    return [outcome for outcome in rule.leaves_out if outcome in printed]
