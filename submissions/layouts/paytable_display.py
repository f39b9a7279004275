"""The payouts of a table: every wager offered with its odds, the payout limit, and the notices that signs must print.

The same for the payout sign and the gaming guide. Nothing is left out silently: a wager whose paytable is not chosen
says so. Not here: the words of a round (`guide.toml`), the payout limit (`payout_limit`), the pages
(`paper_content`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from games.registry import words as words_of
from games.rules.conditions import holds
from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter, Judgment, LayoutElement, Paytable, Row, Wager
from games.rules.paytable_words import in_the_text, posted, rows_in_use
from games.rules.phrases import Filled, in_words
from games.rules.words import GuideText, Sentence, named_options, named_wagers
from submissions.core.remembered import remembered
from submissions.layouts.payout_limit import PayoutLimit, joined, payout_limit

NOT_CHOSEN = "The paytable is not chosen yet."
FOR_ONE = "“For 1” includes the wager: it is not returned in addition."


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A paytable as it is printed: a row is the outcome and a cell for each column."""

    name: str
    citation: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    facts: tuple[tuple[str, str], ...]  # the bet, the meter, whether the wager is returned
    beneath: tuple[str, ...] = ()  # sentences


@dataclass(frozen=True, slots=True)
class WagerDisplay:
    """A wager that is offered; `fixed`: payouts in words that no paytable has."""

    wager: str
    name: str
    size: str
    citation: str
    optional: bool
    fixed: str
    fixed_at: tuple[str, ...]
    table: PrintedTable | None

    @property
    def wide(self) -> bool:
        return self.table is not None and len(self.table.columns) > 1

    @property
    def lines(self) -> int:
        """The approximate number of lines of its table; a long outcome takes two."""
        if self.table is None:
            return 0
        around = self.wide + bool(self.table.facts) + sum(1 + len(words) // 60 for words in self.table.beneath)
        return around + sum(1 + (len(row[0]) > 30) for row in self.table.rows)


@dataclass(frozen=True, slots=True)
class Offer:
    """A table's configuration: the wagers that it offers and their payouts."""

    chapter: Chapter
    used: Answers  # those to options that the checklist shows
    judgment: Judgment
    guide_text: GuideText
    wagers: tuple[WagerDisplay, ...]
    limit: PayoutLimit | None

    def fill_in(self, sentence: Sentence) -> str:
        """The sentence with its answers and the rows of paytables filled in."""
        return sentence.words.format_map(
            Filled(self.chapter, self.used, rows_in_use(self.chapter, self.judgment.paytables))
        )

    @property
    def not_cleared_for_play(self) -> str:
        """Why sign and guide are not cleared for play; "" if they are."""
        unprinted = tuple(
            self.chapter.wager(key).name
            for key, name in self.judgment.paytables.items()
            if not in_the_text(self.chapter.paytable(key, name))
        )
        if not unprinted:
            return self.guide_text.missing
        odds = (
            f"The payout odds of the {joined(unprinted)} are not in the available text: those shown are in general use."
        )
        return " ".join(words for words in (self.guide_text.missing, odds) if words)

    def notices(self) -> list[tuple[str, str]]:
        """(words, citation) of what a sign at the table must print in addition to odds and limit."""
        signs = [element for element in self.judgment.layout if element.kind == "sign"]
        return [(words, element.citation) for element in signs for words in self._wording(element)]

    def _wording(self, element: LayoutElement) -> list[str]:
        if element.wording:
            return [element.wording]
        notices = [sentence for key, sentence in self.guide_text.notices if key == element.key]
        return [self.fill_in(sentence) for sentence in notices if holds(sentence.condition, self.used)]


def offer(chapter: Chapter, answers: Answers) -> Offer:
    judgment, text = judge(chapter, answers), words_of(chapter).guide
    used = {key: answers[key] for key in judgment.asked_keys if key in answers}
    offered = [wager for wager in chapter.wagers if _offered(wager, judgment, used)]
    wagers = tuple(_display(chapter, wager, judgment, used, text) for wager in offered)
    return Offer(chapter, used, judgment, text, wagers, payout_limit(chapter, used, [wager.key for wager in offered]))


@remembered
def not_cleared_for_play(chapter: Chapter, answers: Answers) -> str:
    """Why sign and guide of these answers are not cleared for play; "" if they are."""
    return offer(chapter, answers).not_cleared_for_play


def _offered(wager: Wager, judgment: Judgment, used: Answers) -> bool:
    if wager.part_of:
        return wager.part_of in judgment.offered and (wager.required or used.get(wager.offered_by) is True)
    return wager.key in judgment.offered


def _display(chapter: Chapter, wager: Wager, judgment: Judgment, used: Answers, text: GuideText) -> WagerDisplay:
    chosen = judgment.paytables.get(wager.key)
    fixed = [payout for payout in text.fixed if payout.wager == wager.key]
    words = [payout.pays for payout in fixed]
    if chapter.tables_of(wager.key) and chosen is None:
        words.append(NOT_CHOSEN)
    table = chapter.paytable(wager.key, chosen) if chosen else None
    return WagerDisplay(
        wager=wager.key,
        name=wager.name,
        size=_size(chapter, wager, judgment, used, text),
        citation=wager.citation,
        optional=wager.key in text.player_may or not (wager.required or wager.part_of),
        fixed=" ".join(words),
        fixed_at=tuple(citation for payout in fixed for citation in payout.at),
        table=_printed(chapter, wager, table, used, judgment) if table else None,
    )


def _size(chapter: Chapter, wager: Wager, judgment: Judgment, used: Answers, text: GuideText) -> str:
    """How much the wager is: with the answers, where the guide has them and they are known; else the rule."""
    filled = Filled(chapter, used, rows_in_use(chapter, judgment.paytables))
    for sentence in (sentence for key, sentence in text.sizes if key == wager.key):
        known = all(used.get(key) not in (None, "") for key in named_options(sentence.words))
        chosen = all(key in judgment.paytables for key in named_wagers(sentence.words))
        if known and chosen and holds(sentence.condition, used):
            return sentence.words.format_map(filled)
    return wager.size


def _printed(chapter: Chapter, wager: Wager, table: Paytable, used: Answers, judgment: Judgment) -> PrintedTable:
    schedules = _envy_schedules(chapter, wager, table)
    return PrintedTable(
        name=table.name,
        citation=table.citation,
        columns=(*(table.columns or ("Pays",)), *schedules),
        rows=tuple(
            (row.outcome, *map(posted, row.pays), *(_envy(schedule.rows[place]) for schedule in schedules.values()))
            for place, row in enumerate(table.rows)
        ),
        facts=tuple(_facts(chapter, wager, table, used)),
        beneath=tuple(_beneath(chapter, wager, table, used, judgment)),
    )


def _envy_schedules(chapter: Chapter, wager: Wager, table: Paytable) -> dict[str, Paytable]:
    """Heading → the table with that schedule.

    Where the player chooses the amount, each schedule from the one filed upwards is for wagers of its amount and more.
    """
    if all(row.envy is None for row in table.rows):
        return {}
    heading, amount = _extra(chapter), table.wager_amount
    if amount is None or wager.progressive:
        return {heading: table}
    pays = [row.pays for row in table.rows]
    alike = [schedule for schedule in chapter.tables_of(wager.key) if [row.pays for row in schedule.rows] == pays]
    amounts = {
        schedule.wager_amount: schedule
        for schedule in alike
        if schedule.wager_amount and schedule.wager_amount >= amount
    }
    return {f"{heading} from ${least:,}": amounts[least] for least in sorted(amounts)}


def _envy(row: Row) -> str:
    return f"${row.envy:,}" if row.envy is not None else "–"


def _beneath(chapter: Chapter, wager: Wager, table: Paytable, used: Answers, judgment: Judgment) -> Iterator[str]:
    """What a player must know to read the table."""
    if not in_the_text(table):
        yield "These odds are in general use. They are not in the available text."
    filled = Filled(chapter, used, rows_in_use(chapter, judgment.paytables))
    own = [sentence for key, sentence in words_of(chapter).guide.beneath if key == wager.key]
    said = [sentence.words.format_map(filled) for sentence in own if holds(sentence.condition, used)]
    yield from said
    if any(pay.per == "for" for row in table.rows for pay in row.pays) and not any("For 1" in words for words in said):
        yield FOR_ONE


def _extra(chapter: Chapter) -> str:
    """The chapter's name for the payout that other players receive for a hand."""
    named = any("envy" in text.lower() for text in chapter.sections.values())
    return "Envy bonus" if named else "Each other player"


def _facts(chapter: Chapter, wager: Wager, table: Paytable, used: Answers) -> Iterator[tuple[str, str]]:
    if table.wager_amount is not None and wager.progressive:
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
    """The answers about the bet and the meter."""
    names = words_of(chapter).labels.progressive
    for option in chapter.options:
        answer = used.get(option.key)
        if option.key in names and answer is not None:
            words = in_words(chapter, option, answer)
            percent = f"{words.removesuffix(' %').removesuffix('.00')}% of the wager"
            yield names[option.key], percent if option.kind == "percent" else words
