"""The content of the payout sign and the gaming guide, as their templates print it, each sentence with its section.

Nothing is left out silently: a wager whose paytable is not chosen is printed with that note. No theoretical hold is
printed. Not here: the sentences (`guide.toml`), the PDF (`paper_pdf`).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from django.utils.text import get_text_list

from games.registry import words as words_of
from games.rules.conditions import holds
from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter, Judgment, LayoutElement, Paytable, Wager
from games.rules.phrases import Filled, in_the_text, in_words, posted_payout, rows_in_use
from games.rules.words import GuideText, Sentence, TableSentence, named_options, named_wagers
from submissions.core.caches import remembered


@dataclass(frozen=True, slots=True)
class PayoutLimit:
    amount: str
    citation: str
    covers: tuple[str, ...]  # names of the wagers offered that it covers
    leaves_out: tuple[str, ...]

    @property
    def words(self) -> str:
        """The words after the amount."""
        over = f", for the {get_text_list(list(self.covers), 'and')}" if self.covers else ""
        without = f" It does not include: {'; '.join(self.leaves_out)}." if self.leaves_out else ""
        return f"per player per round of play{over}.{without}"


def payout_limit(chapter: Chapter, used: Answers, offered: Collection[str]) -> PayoutLimit | None:
    """Return the limit of these answers over the wagers offered (keys); None if there is none."""
    if used.get("payout_limit_established") is not True or used.get("payout_limit") in (None, ""):
        return None
    rule = next((rule for rule in chapter.requirements if rule.covers), None)
    covers, leaves_out = (rule.covers, rule.leaves_out) if rule else ((), ())
    paytables = [chapter.paytable(wager, name) for wager, name in judge(chapter, used).paytables.items()]
    outcomes = {row.outcome for table in paytables for row in table.rows}
    return PayoutLimit(
        amount=in_words(chapter, "payout_limit", used["payout_limit"]),
        citation=chapter.option("payout_limit").citation,
        covers=tuple(  # also a wager that is part of one
            wager.name
            for wager in chapter.wagers
            if wager.key in offered and (wager.key in covers or wager.part_of in covers)
        ),
        leaves_out=tuple(outcome for outcome in leaves_out if outcome in outcomes),
    )


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
        return _filled(sentence, self.chapter, self.used, self.judgment)

    @property
    def not_cleared_for_play(self) -> str:
        """The reason why sign and guide are not cleared for play; "" if they are."""
        unprinted = [
            self.chapter.wager(key).name
            for key, name in self.judgment.paytables.items()
            if not in_the_text(self.chapter.paytable(key, name))
        ]
        if not unprinted:
            return self.guide_text.missing
        wagers = get_text_list(unprinted, "and")
        odds = f"The payout odds of the {wagers} are not in the available text: those shown are in general use."
        return f"{self.guide_text.missing} {odds}".lstrip()

    def notices(self) -> list[tuple[str, str]]:
        """Return (words, citation) of all that a sign at the table must print in addition to odds and limit."""
        signs = [element for element in self.judgment.layout if element.kind == "sign"]
        return [(words, element.citation) for element in signs for words in self._wording(element)]

    def _wording(self, element: LayoutElement) -> list[str]:
        if element.wording:
            return [element.wording]
        notices = [sentence for key, sentence in self.guide_text.notices if key == element.key]
        return [self.fill_in(sentence) for sentence in notices if holds(sentence.condition, self.used)]


def _filled(sentence: Sentence, chapter: Chapter, used: Answers, judgment: Judgment) -> str:
    """Return the sentence with its answers and the rows of paytables filled in."""
    return sentence.words.format_map(Filled(chapter, used, rows_in_use(chapter, judgment.paytables)))


def offer(chapter: Chapter, answers: Answers) -> Offer:
    judgment, text = judge(chapter, answers), words_of(chapter).guide
    used = {key: answers[key] for key in judgment.asked_keys if key in answers}
    offered = [wager for wager in chapter.wagers if _offered(wager, judgment, used)]
    wagers = tuple(_display(chapter, wager, judgment, used, text) for wager in offered)
    return Offer(chapter, used, judgment, text, wagers, payout_limit(chapter, used, [wager.key for wager in offered]))


@remembered
def not_cleared_for_play(chapter: Chapter, answers: Answers) -> str:
    """Return the reason why sign and guide of these answers are not cleared for play; "" if they are."""
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
    """Return the size of the wager: with the answers, if the guide has them and they are known; else the rule."""
    for sentence in (sentence for key, sentence in text.sizes if key == wager.key):
        known = all(used.get(key) not in (None, "") for key in named_options(sentence.words))
        chosen = all(key in judgment.paytables for key in named_wagers(sentence.words))
        if known and chosen and holds(sentence.condition, used):
            return _filled(sentence, chapter, used, judgment)
    return wager.size


def _printed(chapter: Chapter, wager: Wager, table: Paytable, used: Answers, judgment: Judgment) -> PrintedTable:
    schedules = _envy_schedules(chapter, wager, table)
    rows = []
    for place, row in enumerate(table.rows):
        bonuses = [schedule.rows[place].envy for schedule in schedules.values()]
        envy = (f"${bonus:,}" if bonus is not None else "–" for bonus in bonuses)
        rows.append((row.outcome, *map(posted_payout, row.pays), *envy))
    return PrintedTable(
        name=table.name,
        citation=table.citation,
        columns=(*(table.columns or ("Pays",)), *schedules),
        rows=tuple(rows),
        facts=tuple(_facts(chapter, wager, table, used)),
        beneath=tuple(_beneath(chapter, wager, table, used, judgment)),
    )


def _envy_schedules(chapter: Chapter, wager: Wager, table: Paytable) -> dict[str, Paytable]:
    """Return the table of each Envy Bonus schedule, by heading.

    Where the player chooses the amount, each schedule from the one filed upwards is for wagers of its amount and more.
    """
    if all(row.envy is None for row in table.rows):
        return {}
    named = any("envy" in text.lower() for text in chapter.sections.values())
    heading, amount = "Envy bonus" if named else "Each other player", table.wager_amount
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


def _beneath(chapter: Chapter, wager: Wager, table: Paytable, used: Answers, judgment: Judgment) -> Iterator[str]:
    """Yield the sentences that a player needs to read the table."""
    if not in_the_text(table):
        yield "These odds are in general use. They are not in the available text."
    own = [sentence for key, sentence in words_of(chapter).guide.beneath if key == wager.key]
    said = [_filled(sentence, chapter, used, judgment) for sentence in own if holds(sentence.condition, used)]
    yield from said
    if any(pay.per == "for" for row in table.rows for pay in row.pays) and not any("For 1" in words for words in said):
        yield FOR_ONE


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
    """Yield the answers about the bet and the meter."""
    names = words_of(chapter).labels.progressive
    for option in chapter.options:
        answer = used.get(option.key)
        if option.key in names and answer is not None:
            words = in_words(chapter, option, answer)
            percent = f"{words.removesuffix(' %').removesuffix('.00')}% of the wager"
            yield names[option.key], percent if option.kind == "percent" else words


HEADING_LINES = 3  # that the name of a paytable takes, with the space above it


class GuideMissing(LookupError):
    """The chapter has no text for players; the message says why."""


def guide_content(chapter: Chapter, answers: Answers) -> dict[str, Any]:
    """Return the template's context of the guide; `GuideMissing` if the chapter's text is not available."""
    table = offer(chapter, answers)
    text = table.guide_text
    if text.object is None:
        raise GuideMissing(text.missing)
    paytables = sorted((wager for wager in table.wagers if wager.table), key=lambda wager: -wager.lines)
    return {
        "object": (table.fill_in(text.object), text.object.at),
        "steps": [(table.fill_in(step), step.at) for step in text.steps if holds(step.condition, table.used)],
        "wagers": table.wagers,
        "pairs": beside_each_other(paytables),
        "limit": table.limit,
        "notices": table.notices(),
        "at_this_table": at_this_table(table),
        "not_cleared_for_play": table.not_cleared_for_play,
    }


def beside_each_other(paytables: Sequence[WagerDisplay]) -> list[list[list[WagerDisplay]]]:
    """Return pairs of paytables of similar height, highest first; a last one joins the right side if it fits there."""
    pairs = [[[paytable] for paytable in paytables[place : place + 2]] for place in range(0, len(paytables), 2)]
    if len(pairs) > 1 and len(pairs[-1]) == 1:
        left_over = pairs[-1][0][0]
        (highest,), (beside,) = pairs[-2]
        if beside.lines + left_over.lines + HEADING_LINES <= highest.lines:
            pairs[-2][1].append(left_over)
            pairs.pop()
    return pairs


def at_this_table(table: Offer) -> list[tuple[str, str]]:
    """Return (sentence, citation) for the answers that matter to a player."""
    lines = {option.key: option.citation for option in table.chapter.options}
    applicable: dict[str, TableSentence] = {}
    for sentence in table.guide_text.at_this_table:
        if _applies(sentence, table.used):
            applicable.setdefault(sentence.option, sentence)
    return [(sentence.words.format_map(table.used), lines[key]) for key, sentence in applicable.items()]


def _applies(sentence: TableSentence, used: Answers) -> bool:
    """Return whether all its options are answered, its own as it says, and none Yes that rules it out."""
    if any(used.get(key) is None for key in {sentence.option} | named_options(sentence.words)):
        return False
    if any(used.get(key) is True for key in sentence.unless):
        return False
    return sentence.answer is None or used[sentence.option] is sentence.answer


def payout_sign_content(chapter: Chapter, answers: Answers) -> dict[str, Any]:
    """Return the template's context of the sign."""
    table = offer(chapter, answers)
    return {
        "fixed": [wager for wager in table.wagers if wager.fixed],
        "columns": in_columns([wager for wager in table.wagers if wager.table]),
        "limit": table.limit,
        "notices": table.notices(),
        "not_cleared_for_play": table.not_cleared_for_play,
    }


def in_columns(wagers: Sequence[WagerDisplay]) -> list[list[WagerDisplay]]:
    """Return the paytables in two columns of similar height, each in the order of the wagers; one column for one."""
    heights = [2.5 + wager.lines for wager in wagers]
    whole = sum(heights)

    def uneven(sides: tuple[int, ...]) -> float:
        return abs(whole - 2 * sum(height for height, side in zip(heights, sides, strict=True) if side == 0))

    best = min(product((0, 1), repeat=len(wagers)), key=uneven, default=())
    columns = [[wager for wager, side in zip(wagers, best, strict=True) if side == column] for column in (0, 1)]
    if columns[1] and wagers[0] in columns[1]:
        columns.reverse()
    return [column for column in columns if column]
