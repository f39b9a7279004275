"""Words for people: a wager named with the parts that every player must make too."""

import pytest

from games.rules.phrases import together
from games.rules.registry import chapter


@pytest.mark.parametrize(
    ("number", "wager", "words"),
    [
        ("687a", "ante", "Ante, Blind and Raise Wagers"),
        ("686a", "ante", "Ante, Over 23 and Under 18 Wagers"),
        ("687a", "trips", "Trips Bonus Wager"),
    ],
)
def test_wager_is_named_with_its_required_parts(number: str, wager: str, words: str) -> None:
    assert together(chapter(number), wager) == words
