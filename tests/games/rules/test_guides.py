"""The guide of every chapter: each sentence names a section that there is, each wager says what it pays."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.registry import chapter, folders, words
from games.rules.errors import RuleError
from games.rules.model import Chapter
from games.rules.words import CommonWords, read_guide, settles_play

EVERY = list(folders())
WITHOUT = ("655a", "657a")  # their texts are not at hand
WITH_GUIDE = [number for number in EVERY if number not in WITHOUT]
IN_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
ODDS = re.compile(r"[\d,]+ (?:to|for) \d+")


def minimal(chapter: Chapter) -> dict[str, Any]:
    at = [next(iter(chapter.sections))]
    return {
        "object": {"words": "Win.", "at": at},
        "fixed": [{"wager": wager.key, "pays": "1 to 1", "at": at} for wager in chapter.wagers],
        "no_sentence": [{"why": "It is a slip.", "readings": settling(chapter)}],
    }


def settling(chapter: Chapter) -> list[str]:
    return [note.id.partition(".")[2] for note in chapter.readings if settles_play(chapter, note)]


def test_every_chapter_has_words_but_those_whose_text_is_not_at_hand() -> None:
    assert [number for number in EVERY if not words(chapter(number)).guide.object] == list(WITHOUT)
    assert all(words(chapter(number)).guide.missing for number in WITHOUT)


@pytest.mark.parametrize("number", WITH_GUIDE)
def test_words_fit_their_chapter(number: str) -> None:
    guide = words(chapter(number)).guide
    assert len(guide.steps) >= 4
    assert guide.object
    for sentence in (guide.object, *guide.steps):
        assert sentence.at
        assert sentence.words.endswith(".")


@pytest.mark.parametrize("number", EVERY)
def test_fixed_odds_are_those_of_the_section(number: str) -> None:
    for fixed in words(chapter(number)).guide.fixed:
        text = " ".join(chapter(number).sections[citation] for citation in fixed.at)
        for odds in ODDS.findall(fixed.pays):
            assert odds in text


@pytest.mark.parametrize("number", WITH_GUIDE)
def test_multiples_and_totals_stand_in_the_sections(number: str) -> None:
    """A number of a sentence stands in one of its sections, as a figure or in words."""
    for sentence in words(chapter(number)).guide.steps:
        text = " ".join(chapter(number).sections[citation] for citation in sentence.at).lower()
        for figure in re.findall(r"(?<![\w{§.])\d+(?![\w}])", sentence.words):
            spelled = IN_WORDS[int(figure)] if int(figure) < len(IN_WORDS) else figure
            assert figure in text or spelled in text, (sentence.words, figure)


def test_smallest_file_is_read() -> None:
    guide = read_guide(chapter("682a"), minimal(chapter("682a")), "guide.toml", CommonWords())
    assert guide.steps == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"object": {"words": "Win.", "at": [".99(z)"]}}, "§ 682a.99"),
        ({"object": {"words": "Win.", "at": []}}, "`at` is empty; it must name a section"),
        ({"fixed": []}, "nothing says what these wagers pay: ante, raise"),
        ({"fixed": [{"wager": "blind", "pays": "1 to 1", "at": [".12(a)"]}]}, "blind"),
        ({"step": [{"words": "Sit.", "at": [".7(d)"], "if": {"jackpot": True}}]}, "the option `jackpot` is unknown"),
        ({"step": [{"words": "Pay {jackpot}.", "at": [".7(d)"]}]}, "the option `jackpot` is unknown"),
        ({"notice": [{"element": "nowhere", "words": "Yes.", "at": [".7(d)"]}]}, "nowhere"),
        ({"at_this_table": [{"option": "jackpot", "words": "Yes."}]}, "the option `jackpot` is unknown"),
        ({"at_this_table": [{"option": "payout_limit", "answer": "yes", "words": "Yes."}]}, "true or false"),
        ({"steps": []}, "unknown key `steps`"),
        ({"no_sentence": []}, "no sentence follows the interpretation note aces-bonus-four-cards, and `no_sentence`"),
        (
            {"step": [{"words": "Sit.", "at": [".7(d)"], "readings": ["ties-win"]}]},
            "a sentence follows the interpretat",
        ),
        (
            {"step": [{"words": "Sit.", "at": [".7(d)"], "readings": ["ties"]}]},
            "`readings` names ties, which is not an",
        ),
        ({"step": [{"words": "Win {from:bank}.", "at": [".7(d)"]}]}, "the wager with a paytable `bank` is unknown"),
        ({"step": [{"words": "Win {from:raise}.", "at": [".7(d)"]}]}, "the wager with a paytable `raise` is unknown"),
        ({"beneath": [{"wager": "bank", "words": "Yes.", "at": [".7(d)"]}]}, "bank"),
        ({"player_may": ["bank"]}, "the wager of `player_may` `bank` is unknown"),
        ({"no_sentence": [{"readings": ["ties-win"]}]}, "`why` is missing"),
    ],
)
def test_file_that_does_not_fit_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleError, match=re.escape(says)):
        read_guide(chapter("682a"), minimal(chapter("682a")) | change, "guide.toml", CommonWords())
