"""Guide and sign of answers drawn at random: they speak of what these answers offer, in plain words, and leave no gap.

Not here: whether a sentence is true (`test_guide_settlement`, `test_guide_statements`).

Not found here: answers that none of the three seeds draws.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from games.registry import chapter
from games.rules.evaluate import judge
from games.rules.model import Answers
from games.rules.phrases import AMOUNT_OF_ITS_PAYTABLE, HAND_OF_ITS_PAYTABLE, NOT_ANSWERED
from submissions.layouts.paper_content import NOT_CHOSEN, guide_content, payout_sign_content
from tests.submissions.layouts.filled import NUMBERS, WITH_GUIDE, alike, legal
from tests.submissions.layouts.test_guide_reading_level import HE, MOST_GRADE, grade

pytestmark = pytest.mark.proof
SEEDS = (101, 102, 103)
GAPS = (AMOUNT_OF_ITS_PAYTABLE, HAND_OF_ITS_PAYTABLE, NOT_ANSWERED, NOT_CHOSEN, "None", "{", "}")
MOST_GRADE_OF_A_SENTENCE = 12.5  # a short one with “original”, “additional” and “community” is at 12
NOT_PLAIN = re.compile(r"\b(?:told|tell|besides|whoever|whatever|anew|as filed)\b", re.IGNORECASE)
NOT_FILLED_IN = re.compile(r"amounts? that the casino has filed|\$1 or \$5", re.IGNORECASE)


def guide_words(number: str, answers: Answers) -> Iterator[str]:
    """Every sentence of the guide that is not an answer of the licensee or the law's own inscription."""
    content = guide_content(chapter(number), answers)
    yield content["object"][0]
    yield from (words for words, _ in content["steps"])
    yield from (wager.size for wager in content["wagers"])
    yield from (words for wager in content["wagers"] if wager.table for words in wager.table.beneath)
    yield from (words for words, _ in content["at_this_table"])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", NUMBERS)
def test_answers_drawn_at_random_can_be_filed(number: str, seed: int) -> None:
    assert not judge(chapter(number), legal(number, seed)).blocking


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", WITH_GUIDE)
def test_guide_is_plain_and_has_no_gap(number: str, seed: int) -> None:
    sentences = list(guide_words(number, legal(number, seed)))
    assert [words for words in sentences if any(gap in words for gap in GAPS)] == []
    assert [words for words in sentences if HE.search(words) or NOT_PLAIN.search(words)] == []
    assert [words for words in sentences if NOT_FILLED_IN.search(words)] == []
    assert grade(" ".join(sentences)) <= MOST_GRADE


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", WITH_GUIDE)
def test_guide_does_not_speak_of_wagers_that_are_not_offered(number: str, seed: int) -> None:
    answers = legal(number, seed)
    offered = {wager.wager: wager for wager in guide_content(chapter(number), answers)["wagers"]}
    absent = [wager.name for wager in chapter(number).wagers if wager.key not in offered]
    names = re.compile("|".join(sorted((re.escape(wager.name) for wager in offered.values()), key=len, reverse=True)))
    sentences = [names.sub("", words) for words in guide_words(number, answers)]  # of “Straight Flush Bonus Wager”, too
    assert [(name, words) for name in absent for words in sentences if name in words] == []
    if not any(wager.optional for wager in offered.values()):
        assert [words for words in sentences if "optional wager" in words.lower()] == []


@pytest.mark.parametrize("number", WITH_GUIDE)
def test_guide_without_optional_wagers_does_not_speak_of_them(number: str) -> None:
    none = {option.key: False for option in chapter(number).options if option.key in offering_lines(number)}
    answers = {**legal(number, SEEDS[0]), **none}
    assert [words for words in guide_words(number, answers) if "optional wager" in words.lower()] == []


def offering_lines(number: str) -> set[str]:
    return {wager.offered_by for wager in chapter(number).wagers if wager.offered_by}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", NUMBERS)
def test_sign_has_the_paytables_of_the_answers_and_no_other(number: str, seed: int) -> None:
    answers = legal(number, seed)
    content = payout_sign_content(chapter(number), answers)
    shown = {board.wager: board.table.name for column in content["columns"] for board in column}
    assert shown == judge(chapter(number), answers).paytables
    assert not [paid.name for paid in content["fixed"] if NOT_CHOSEN in paid.fixed]


@pytest.mark.parametrize("number", WITH_GUIDE)
def test_no_sentence_is_much_harder_than_the_guide(number: str) -> None:
    """The guide as a whole is read at grade 7; a list of amounts in one sentence was at 17."""
    said = " ".join(guide_words(number, alike(number, True)))
    sentences = [words for words in re.split(r"(?<=[.!?])\s(?=[A-Z])", said) if len(words.split()) > 5]
    assert [words for words in sentences if grade(words) > MOST_GRADE_OF_A_SENTENCE] == []
