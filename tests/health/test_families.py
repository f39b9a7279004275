"""The families of `games.maths` name no game: sections, numbers and titles of chapters are in the chapters' folders.

So a second game of a family is one folder more, and what is said of the first is not said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from games.registry import chapters, folders
from tests.health.files import ROOT, modules

FAMILIES = ROOT / "games" / "maths"
BETWEEN = r"[\s_#-]*"  # words: also over lines of a comment
FIELD_WORDS = {"poker", "blackjack"}  # titles that are also what a kind of game is called


@cache
def _numbers() -> re.Pattern[str]:
    """The number of any chapter as a whole word, not as a part of a longer number."""
    return re.compile(rf"(?<![a-z0-9.,])(?:{'|'.join(folders())})(?![a-z0-9]|,\d)", re.IGNORECASE)


@cache
def _titles() -> re.Pattern[str]:
    """The title of any chapter, also as the name of a module or broken over lines."""
    titles = (_plain(chapter.title) for chapter in chapters())
    patterns = (_pattern(title) for title in titles if title.lower() not in FIELD_WORDS)
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(patterns)})(?![a-z0-9])", re.IGNORECASE)


def _pattern(title: str) -> str:
    """Between two words anything the title has there, or what joins words in text and in names."""
    words = re.findall(r"\w+|[^\w\s-]", title)
    signs = {"&": rf"(?:&|and){BETWEEN}"}
    parts = (
        signs.get(word, rf"(?:{re.escape(word)}{BETWEEN})?") if not word.isalnum() else word + BETWEEN for word in words
    )
    return "".join(parts).removesuffix(BETWEEN)


def _plain(text: str) -> str:
    """Without apostrophes, of which there are several."""
    return re.sub("['’]", "", text)


def _named(text: str) -> list[str]:
    """The sections, numbers and titles of chapters in the text."""
    return [*re.findall("§", text), *_numbers().findall(text), *_titles().findall(_plain(text))]


def _family_modules() -> Iterator[Path]:
    for path in modules("games"):
        if path.is_relative_to(FAMILIES):
            yield path


def test_no_module_of_a_family_names_a_game() -> None:
    offenders = []
    for path in _family_modules():
        name, text = str(path.relative_to(FAMILIES)), path.read_text(encoding="utf-8")
        offenders += [f"{path.relative_to(ROOT)}: {found}" for found in (*_named(name), *_named(text))]
    assert offenders == []


def test_there_are_modules_to_look_at() -> None:
    packages = {path.relative_to(FAMILIES).parts[0] for path in _family_modules()}
    assert {
        "dice",
        "exchange",
        "first_cards",
        "heads_up",
        "longest_flush",
        "blackjack",
        "showdown",
        "staged_raises",
        "two_hands",
        "results.py",
    } <= packages


@pytest.mark.parametrize(
    "text",
    [
        "# § 678a.12(d)",
        "of the 589 and of others",
        "as in Chapter 687A",
        "Spanish 21 without tens",
        "rounds of free bet blackjack",
        "a hand of Face Up\n    Pai Gow Poker",
        "flop_poker.py",
        "FlopPoker",
        "props_and_hops",
        "over_under.py",
        "heads_up/world_poker_tour_heads_up_hold_em.py",
        "World Poker Tour Heads-Up Hold 'Em",
        "Props & Hops",
        "Over/Under",
        "CRAZY 4 POKER",
    ],
)
def test_names_of_games_are_found(text: str) -> None:
    assert _named(text)


@pytest.mark.parametrize(
    "text",
    [
        "the 7,462 hands of poker",
        "a natural blackjack",
        "5890 deals",
        "1.589",
        "heads_up/rounds.py",
        "a high card",
        "over or under",
    ],
)
def test_words_of_the_field_are_not_taken_for_games(text: str) -> None:
    assert _named(text) == []
