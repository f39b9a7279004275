"""No variant of a drawing that breaks a rule is complete, and a harmless one is; docs/drawings.md shows the probes."""

from __future__ import annotations

import pytest

from tests.soak import SOAK
from tests.submissions.layouts.inspection.test_round_trip import inspected
from tests.submissions.layouts.probes.table import PAGE, page
from tests.submissions.layouts.probes.variants import Variant, variants

FAST = 13  # one of so many variants is inspected each time
CHOSEN = variants() if SOAK else variants()[::FAST]

pytestmark = pytest.mark.slow


def names(variant: Variant) -> str:
    return f"{variant.chapter}-{variant.kind}-{variant.name}"


@pytest.mark.parametrize("variant", [each for each in CHOSEN if each.breaks_rule], ids=names)
def test_a_drawing_that_breaks_a_rule_is_not_complete(variant: Variant) -> None:
    assert not inspected(variant.chapter, variant.content).complete


@pytest.mark.parametrize("variant", [each for each in CHOSEN if not each.breaks_rule], ids=names)
def test_a_harmless_drawing_is_complete_unless_it_needs_review(variant: Variant) -> None:
    result = inspected(variant.chapter, variant.content)
    assert result.complete is not variant.needs_review, [each.message for each in result.differences]


def test_the_page_of_the_probes_is_current() -> None:
    """Write it again: `python -m tests.submissions.layouts.probes.table`."""
    shown = page()
    assert "**0 are\ncomplete**" in shown
    assert PAGE.read_text(encoding="utf-8") == shown
