"""Inscriptions judged as sentences: one that says more than the law's words, or something else on the same matter.

The law's words inside another sentence (“Only a suited Blackjack pays 3 to 2”) are for a person to judge, as are its
matter in other words (“Winning Insurance Wager pays 2 to 1”). Another figure on the matter contradicts the law.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.element_status import ElementStatus
from submissions.layouts.inspection.customary_text import Customary
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding, drawing_says
from submissions.layouts.inspection.phrases import TokenPlace, Trail, token_places
from submissions.layouts.inspection.sentences import (
    page_place,
    paragraphs,
    printed_text,
    sentences,
    tokens_at,
)
from submissions.layouts.inspection.statements import Said, Statement, changes_nothing, statements_in, statements_of
from submissions.layouts.required_elements import LIMIT, NAME_OR_LOGO, RequiredElement


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
        """The finding of an inscription whose words are at the trails: present only if nothing more is said."""
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
            finding.places or tuple(page_place(self.sheet, places) for places in more),
            max(finding.times, 1),
            drawing_says(printed_text(self.sheet, more[0])),
        )

    def contradictions(self) -> Iterator[Difference]:
        """A difference for each sentence that states something else on a matter of the law.

        Recognized letters may be wrong: what they state is for a person to judge.
        """
        for sentence in self._sentences:
            for statement in sentence.statements:
                if self._contradicts(statement) and self._is_certain(sentence):
                    element = self.requiring[statement.matter]
                    text = printed_text(self.sheet, sentence.places).strip(" .,;")
                    message = f"“{text}” is printed; “{_wording(element)}” is required"
                    place = page_place(self.sheet, sentence.places)
                    yield Difference(DifferenceKind.CONTRADICTS, message, element.citation, element.wager, place)
                    break

    @property
    def stating(self) -> set[TokenPlace]:
        """The words of all sentences on matters of the law."""
        return {
            place
            for sentence in self._sentences
            if any(statement.matter in self.law for statement in sentence.statements)
            for place in sentence.places
        }

    @cached_property
    def stated(self) -> dict[tuple[str, Said], PagePlace]:
        """Matter and what is said of it → where a sentence says this and nothing more."""
        return {
            (statement.matter, said): page_place(self.sheet, sentence.places)
            for sentence in self._sentences
            for statement in sentence.statements
            if not self._more(sentence, statement)
            for said in statement.said
        }

    def _contradicts(self, statement: Statement) -> bool:
        return not statement.said <= self.law.get(statement.matter, statement.said)

    def _is_certain(self, sentence: _Sentence) -> bool:
        return all(token.certain for token in tokens_at(self.sheet, sentence.places))

    @cached_property
    def _sentences(self) -> tuple[_Sentence, ...]:
        in_order = []
        for paragraph in self.paragraphs:
            for places in self._sentences_in(paragraph):
                words = [token.text for token in tokens_at(self.sheet, places)]
                is_customary = printed_text(self.sheet, places) in self.customary  # “Table limit $1,000”
                in_order.append(_Sentence(places, () if is_customary else tuple(statements_in(words))))
        return tuple(in_order)

    def _sentences_in(self, paragraph: Sequence[int]) -> Iterator[tuple[TokenPlace, ...]]:
        """The paragraph's sentences; each of the law's, if it has no other words: such may stand without full stops."""
        inside = [trail for trail in self.trails if all(span.segment in paragraph for span in trail)]
        of_law = {place for trail in inside for place in token_places(trail)}
        words = {place for sentence in sentences(self.sheet, paragraph) for place in sentence}
        if of_law == words and sum(len(tuple(token_places(trail))) for trail in inside) == len(words):
            yield from (tuple(token_places(trail)) for trail in inside)
        else:
            yield from sentences(self.sheet, paragraph)

    def _around(self, element: RequiredElement, trail: Trail) -> tuple[TokenPlace, ...]:
        """All words of the text that the trail is in, if it says more than the trail; else nothing."""
        inside = {span.segment for span in trail}
        text = [
            (segment, place)
            for paragraph in self.paragraphs
            if inside & set(paragraph)
            for segment in paragraph
            for place in range(len(self.sheet.segments[segment].tokens))
        ]
        if element.key in LIMIT:  # an amount alone does not say that it is the limit
            return () if self._is_stated(element, trail) else tuple(text) or tuple(token_places(trail))
        rest = [place for place in text if place not in self.known]
        says_more = any(not changes_nothing(token.text) for token in tokens_at(self.sheet, rest))
        return tuple(text) if says_more and not self._is_stated(element, trail) else ()

    def _is_stated(self, element: RequiredElement, trail: Trail) -> bool:
        """Whether the sentence that the trail is in says what the law says, and nothing more."""
        law = {statement.matter: statement.said for statement in _law(element)}
        inside = set(token_places(trail))
        return any(
            statement.said == law.get(statement.matter) and not self._more(sentence, statement)
            for sentence in self._sentences
            if inside & set(sentence.places)
            for statement in sentence.statements
        )

    def _unsure(self, matters: Collection[str], trails: Sequence[Trail]) -> Iterator[_Sentence]:
        """The sentences on the matters that say something else or more; where no trail is, all of them."""
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


def _wording(element: RequiredElement) -> str:
    return (element.suggested or element.phrases[0]).rstrip(".")
