"""Words for people: a wager named with the parts that every player must make too."""

import pytest

from games.registry import chapter
from games.rules.phrases import with_required_parts


@pytest.mark.parametrize(
    ("number", "wager", "words"),
    [
        ("687a", "ante", "Ante, Blind and Raise Wagers"),
        ("686a", "ante", "Ante, Over 23 and Under 18 Wagers"),
        ("687a", "trips", "Trips Bonus Wager"),
    ],
)
def test_wager_is_named_with_its_required_parts(number: str, wager: str, words: str) -> None:
    assert with_required_parts(chapter(number), wager) == words
