"""Guides are plain: grade 7 at most, and the player is “you” or “they”. What the law words itself is left out."""

from __future__ import annotations

import re

import pytest

from games.registry import chapter
from games.rules.words import Sentence
from submissions.layouts.paper_content import offer
from tests.submissions.layouts.filled import WITH_GUIDE, alike

MOST_GRADE = 7.0
HE = re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE)
WHO = re.compile(r"(?:^|[.:;] )Who [a-z]")
_VOWELS = re.compile(r"[aeiouy]+")


def grade(text: str) -> float:
    """The Flesch-Kincaid grade: 0.39 words per sentence + 11.8 syllables per word - 15.59."""
    sentences = max(1, len(re.findall(r"[.!?](?=\s|$)", text)))
    words = re.findall(r"[A-Za-z0-9']+", text)
    return 0.39 * len(words) / sentences + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def syllables(word: str) -> int:
    """Groups of vowels; a last “e” is silent, but for “-le”."""
    plain = word.lower().strip("'")
    count = len(_VOWELS.findall(plain))
    if plain.endswith("e") and not plain.endswith(("le", "ee")) and count > 1:
        count -= 1
    return max(1, count)


def printed(number: str, answer: bool) -> list[str]:
    """What the guide says in words of its own: the object, the round, the rule of each wager, what is beneath."""
    table = offer(chapter(number), alike(number, answer))
    text = table.guide_text
    assert text.object
    sentences: list[Sentence] = [text.object, *text.steps]
    beneath = [words for wager in table.wagers if wager.table for words in wager.table.beneath]
    return [*map(table.fill_in, sentences), *(wager.size for wager in table.wagers), *beneath]


def test_grade_is_that_of_known_texts() -> None:
    assert grade("The cat sat on the mat.") == pytest.approx(-1.45, abs=0.05)  # 6 words of one syllable
    hard = "Notwithstanding any interpretation, certification necessitates administrative determination."
    assert grade(hard) > 20
    assert [syllables(word) for word in ("table", "wager", "are", "dealer", "higher", "equal")] == [2, 2, 1, 2, 2, 2]


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize("number", WITH_GUIDE)
def test_guide_is_read_at_grade_seven(number: str, answer: bool) -> None:
    assert grade(" ".join(printed(number, answer))) <= MOST_GRADE


@pytest.mark.parametrize("number", WITH_GUIDE)
def test_players_are_you_or_they(number: str) -> None:
    assert [words for words in printed(number, True) if HE.search(words) or WHO.search(words)] == []


@pytest.mark.parametrize("number", WITH_GUIDE)
def test_no_sentence_is_longer_than_forty_words(number: str) -> None:
    steps = printed(number, True)
    sentences = [sentence for words in steps for sentence in re.split(r"(?<=[.:;])\s", words)]
    assert [sentence for sentence in sentences if len(sentence.split()) > 40] == []
