"""The exact figures that pages show: nothing is begun for a chapter that has no mathematics."""

from threading import enumerate as threads

from games.rules.registry import chapter, computed, folders
from submissions import analysis


def test_chapter_without_mathematics_has_no_figures_and_starts_nothing() -> None:
    found = next(chapter(number) for number in folders() if not computed(number))
    assert analysis.of_every_paytable(found) == {}
    assert f"analysis-of-{found.number}" not in [thread.name for thread in threads()]
