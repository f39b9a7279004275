"""Filters of lists: a text that a filter does not take is refused by the filter's name."""

from __future__ import annotations

import pytest
from django_filters import CharFilter

from submissions.core.errors import Refusal
from submissions.core.parameters import RefusalFilterSet
from submissions.models import Submission


class NumberFilterSet(RefusalFilterSet):
    number = CharFilter()


def test_text_that_cannot_be_stored_is_a_fault_of_its_filter() -> None:
    with pytest.raises(Refusal) as refused:
        NumberFilterSet.narrow({"number": "12\x0034"}, Submission.objects.none())
    assert (refused.value.code, refused.value.option) == ("field-shape", "number")
    assert "number" in refused.value.message
