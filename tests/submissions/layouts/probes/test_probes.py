"""No variant of a drawing that breaks a rule is complete, and a harmless one is.

Not found here: a violation that nobody has thought of; without `PORTAL_SOAK` most variants are left out.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.soak import SOAK
from tests.submissions.layouts.inspection.test_round_trip import inspected
from tests.submissions.layouts.probes.variants import Variant, variants

FAST = 13  # one of so many variants is inspected each time, and all probes
PROBES = tomllib.loads(Path(__file__).with_name("probes.toml").read_text(encoding="utf-8"))["probes"]
CHOSEN = [
    variant
    for place, variant in enumerate(variants())
    if SOAK or place % FAST == 0 or [variant.chapter, variant.name] in PROBES
]

pytestmark = pytest.mark.proof


def names(variant: Variant) -> str:
    return f"{variant.chapter}-{variant.kind}-{variant.name}"


@pytest.mark.parametrize("variant", [each for each in CHOSEN if each.breaks_rule], ids=names)
def test_a_drawing_that_breaks_a_rule_is_not_complete(variant: Variant) -> None:
    assert not inspected(variant.chapter, variant.content).complete


@pytest.mark.parametrize("variant", [each for each in CHOSEN if not each.breaks_rule], ids=names)
def test_a_harmless_drawing_is_complete_unless_it_needs_review(variant: Variant) -> None:
    result = inspected(variant.chapter, variant.content)
    assert result.complete is not variant.needs_review, [each.message for each in result.differences]


def test_every_probe_is_a_variant_that_breaks_a_rule() -> None:
    breaking = [[variant.chapter, variant.name] for variant in variants() if variant.breaks_rule]
    assert [probe for probe in PROBES if probe not in breaking] == []
