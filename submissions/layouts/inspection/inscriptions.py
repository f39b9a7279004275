"""Sentences that a drawing prints, compared with the law: inscriptions, and rules of play (`house_rules.toml`).

The law's words inside another sentence (“Only a suited Blackjack pays 3 to 2”) are for a person to judge, as are more
words than the law's, and its matter in other words (“Winning Insurance Wager pays 2 to 1”). Another figure on the
matter contradicts the law.

A rule of play is compared with the chapter and the answers. One that agrees adds nothing. One that does not is a
difference. One on which nothing was answered is neither: the words are then among those that a person decides.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from games.rules.evaluate import effective
from games.rules.model import Answers, Chapter
from games.rules.sections import cite
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText, TokenPlace, Trail, token_places
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding, drawing_says
from submissions.layouts.inspection.statements import (
    CHANGE_NOTHING,
    Said,
    Statement,
    paragraphs,
    sentences,
    statements_in,
    statements_of,
)
from submissions.layouts.inspection.surplus_text import Customary
from submissions.layouts.inspection.tokens import phrase
from submissions.layouts.required_elements import LIMIT, NAME_OR_LOGO, ElementStatus, RequiredElement


@dataclass(frozen=True, slots=True)
class _Sentence:
    places: tuple[TokenPlace, ...]
    statements: tuple[Statement, ...]


class Inscriptions:
    """The sentences of a drawing, compared with the inscriptions required.

    `trails`: where the words of inscriptions are. `separate`: segments that are part of no sentence: labels, odds.
    `customary`: text that states nothing.
    """

    def __init__(
        self,
        sheet: DrawingText,
        needed: Sequence[RequiredElement],
        trails: Collection[Trail],
        separate: Collection[int],
        customary: Customary,
    ) -> None:
        self.sheet = sheet
        self.trails = tuple(trails)
        self.customary = customary
        self.known = {place for trail in trails for place in token_places(trail)}
        self.paragraphs = paragraphs(sheet, separate)
        self.judged: set[TokenPlace] = set()  # words that the explanation of an element quotes
        self.law: dict[str, set[Said]] = {}
        self.requiring: dict[str, RequiredElement] = {}
        for element in needed:
            for statement in _law(element):
                self.law.setdefault(statement.matter, set()).update(statement.said)
                self.requiring.setdefault(statement.matter, element)

    def judge_finding(self, finding: ElementFinding, trails: Sequence[Trail]) -> ElementFinding:
        """Return the finding of an inscription whose words are at the trails: present only if nothing more is said."""
        element, matters = finding.required, {statement.matter for statement in _law(finding.required)}
        more = [around for trail in trails if (around := self._around(element, trail))]
        if element.key == NAME_OR_LOGO and len(more) < len(trails):  # the name may be in another sentence, too
            return finding
        more += [sentence.places for sentence in self._unsure(matters, trails)]
        if not more:
            return finding
        self.judged |= {place for places in more for place in places}
        return ElementFinding(
            element,
            ElementStatus.TO_BE_JUDGED,
            finding.places or tuple(self.sheet.place_at(places) for places in more),
            max(finding.times, 1),
            drawing_says(self.sheet.printed_text(more[0])),
        )

    def contradictions(self) -> Iterator[Difference]:
        """Yield a difference for each sentence that states something else on a matter of the law.

        Recognized letters may be wrong: what they state is for a person to judge.
        """
        for sentence in self._sentences:
            wrong = next(filter(self._contradicts, sentence.statements), None)
            if wrong and all(token.certain for token in self.sheet.tokens_at(sentence.places)):
                element = self.requiring[wrong.matter]
                wording = (element.suggested or element.phrases[0]).rstrip(".")
                text = self.sheet.printed_text(sentence.places).strip(" .,;")
                message = f"“{text}” is printed; “{wording}” is required"
                place = self.sheet.place_at(sentence.places)
                yield Difference(DifferenceKind.CONTRADICTS, message, element.citation, element.wager, place)

    @property
    def stating(self) -> set[TokenPlace]:
        """The words of all sentences on matters of the law."""
        on_law = (each for each in self._sentences if any(said.matter in self.law for said in each.statements))
        return {place for sentence in on_law for place in sentence.places}

    @cached_property
    def stated(self) -> dict[tuple[str, Said], PagePlace]:
        """Matter and what is said of it → where a sentence says this and nothing more."""
        return {
            (statement.matter, said): self.sheet.place_at(sentence.places)
            for sentence in self._sentences
            for statement in sentence.statements
            if not self._more(sentence, statement)
            for said in statement.said
        }

    def _contradicts(self, statement: Statement) -> bool:
        return not statement.said <= self.law.get(statement.matter, statement.said)

    @cached_property
    def _sentences(self) -> tuple[_Sentence, ...]:
        in_order = []
        for paragraph in self.paragraphs:
            for places in self._sentences_in(paragraph):
                words = [token.text for token in self.sheet.tokens_at(places)]
                is_customary = self.sheet.printed_text(places) in self.customary  # “Table limit $1,000”
                in_order.append(_Sentence(places, () if is_customary else tuple(statements_in(words))))
        return tuple(in_order)

    def _sentences_in(self, paragraph: Sequence[int]) -> Iterator[tuple[TokenPlace, ...]]:
        """Yield the paragraph's sentences; the law's one by one if it has only those, which may lack full stops."""
        inside = [trail for trail in self.trails if all(span.segment in paragraph for span in trail)]
        of_law = {place for trail in inside for place in token_places(trail)}
        words = {place for sentence in sentences(self.sheet, paragraph) for place in sentence}
        if of_law == words and sum(len(tuple(token_places(trail))) for trail in inside) == len(words):
            yield from (tuple(token_places(trail)) for trail in inside)
        else:
            yield from sentences(self.sheet, paragraph)

    def _around(self, element: RequiredElement, trail: Trail) -> tuple[TokenPlace, ...]:
        """Return all words of the text that the trail is in, if it has more than the trail; else nothing."""
        inside = {span.segment for span in trail}
        around = [segment for paragraph in self.paragraphs if inside & set(paragraph) for segment in paragraph]
        text = tuple(place for segment in around for place in self.sheet.places_in(segment))
        if element.key in LIMIT:  # an amount alone does not say that it is the limit
            return () if self._is_stated(element, trail) else text or tuple(token_places(trail))
        rest = [place for place in text if place not in self.known]
        says_more = any(token.text not in CHANGE_NOTHING for token in self.sheet.tokens_at(rest))
        return text if says_more and not self._is_stated(element, trail) else ()

    def _is_stated(self, element: RequiredElement, trail: Trail) -> bool:
        """Return whether the sentence that the trail is in states the law, and nothing more."""
        law = {statement.matter: statement.said for statement in _law(element)}
        inside = set(token_places(trail))
        return any(
            statement.said == law.get(statement.matter) and not self._more(sentence, statement)
            for sentence in self._sentences
            if inside & set(sentence.places)
            for statement in sentence.statements
        )

    def _unsure(self, matters: Collection[str], trails: Sequence[Trail]) -> Iterator[_Sentence]:
        """Yield the sentences on the matters that say something else or more; where no trail is, all of them."""
        inside = {place for trail in trails for place in token_places(trail)}
        for sentence in self._sentences:
            own = [statement for statement in sentence.statements if statement.matter in matters]
            more = any(self._more(sentence, each) or self._contradicts(each) for each in own)
            if own and (more or not trails) and not inside & set(sentence.places):
                yield sentence

    def _more(self, sentence: _Sentence, statement: Statement) -> bool:
        return any(sentence.places[place] not in self.known for place in statement.additional)


def _law(element: RequiredElement) -> list[Statement]:
    return [statement for text in (*element.phrases, element.suggested) for statement in statements_of(text)]


_FILE = Path(__file__).with_name("house_rules.toml")
_STOPS = (".", ";", "•", "|")
_NUMBER = "<number>"
_NUMBERS = range(2, 10)  # that a rule may print
Right = bool | int | None  # whether a rule is right, or its right number; None if nothing was answered


@dataclass(slots=True)
class HouseRules:
    """The house rules printed; `agreeing`: the words of rules that are right; `segments`: those of the differences."""

    agreeing: set[TokenPlace] = field(default_factory=set)
    differences: list[Difference] = field(default_factory=list)
    segments: set[int] = field(default_factory=set)


def compare_house_rules(sheet: DrawingText, chapter: Chapter, answers: Answers) -> HouseRules:
    counted, printed = effective(chapter, answers), HouseRules()
    for rule in _rules():
        if chapter.number not in rule["in"]:
            continue
        row = rule["in"][chapter.number]
        right, citation = _right(row, counted), cite(row["at"], chapter.number)
        for trail, number in _printed(sheet, rule) if right is not None else ():
            if right == number:
                printed.agreeing |= set(token_places(trail))
            else:
                text, law = sheet.printed_text(token_places(trail)), row.get("law", rule["law"]).format(right)
                message = f"“{text.strip(' .,;')}” is printed; {law}"
                place = sheet.place_of(trail)
                printed.differences.append(Difference(DifferenceKind.CONTRADICTS, message, citation, "", place))
                printed.segments |= {span.segment for span in trail}
    return printed


def _right(row: Mapping[str, Any], answers: Answers) -> Right:
    if "option" not in row:
        right: bool | int = row["is"]
        return right
    answer = answers.get(row["option"])
    if isinstance(answer, bool) or not isinstance(answer, int):
        return answer if isinstance(answer, bool) else None
    return answer + int(row.get("plus", 0))


def _printed(sheet: DrawingText, rule: Mapping[str, Any]) -> Iterator[tuple[Trail, Right]]:
    """Yield the places of the rule as a sentence of its own, with its number, or True for one without."""
    numbers: dict[tuple[str, ...], Right] = {
        phrase(words.replace(_NUMBER, str(number))): number
        for words in rule["words"]
        for number in (_NUMBERS if _NUMBER in words else (True,))
    }
    printed = {trail: number for need, number in numbers.items() for trail in sheet.find_phrase(need)}
    yield from ((trail, number) for trail, number in printed.items() if _is_alone(sheet, trail))


def _is_alone(sheet: DrawingText, trail: Trail) -> bool:
    """Return whether no other word is in its sentence."""
    for place, span in enumerate(trail):
        line = sheet.segments[span.segment].tokens
        begins = span.begin == 0 or (place == 0 and line[span.begin - 1].word.text.endswith(_STOPS))
        last = place == len(trail) - 1
        if not begins or not (span.end == len(line) or (last and line[span.end - 1].word.text.endswith(_STOPS))):
            return False
    return not _continued(sheet, trail)


def _continued(sheet: DrawingText, trail: Trail) -> bool:
    """Return whether its sentence begins a line above or ends a line below: “No surrender, / after a split”."""
    first, last = trail[0], trail[-1]
    whole = last.end == len(sheet.segments[last.segment].tokens)
    above = [line for line, under in sheet.below.items() if under == first.segment and not first.begin]
    below = [sheet.below[last.segment]] if whole and last.segment in sheet.below else []
    pairs = [*((line, first.segment) for line in above), *((last.segment, line) for line in below)]
    texts = [(sheet.text(line), sheet.text(after)) for line, after in pairs]
    return any(
        line.endswith((",", ":")) or (not line.endswith(_STOPS) and after[:1].islower()) for line, after in texts
    )


@cache
def _rules() -> tuple[Mapping[str, Any], ...]:
    return tuple(tomllib.loads(_FILE.read_text(encoding="utf-8"))["rule"])
