"""Reading a body: its numbers and keys, and that it costs time in proportion to its length."""

from __future__ import annotations

from time import process_time

import pytest

from submissions.api.framework.bodies import parse_json
from submissions.core.errors import Refusal


def test_key_given_twice_among_many_is_refused_without_comparing_each_with_each() -> None:
    """16,000 keys took 2.75 seconds of the processor when each was counted among all: 40,000 would take 17."""
    body = "{" + ",".join(f'"k{number}":0' for number in [*range(40_000), 39_999, 7]) + "}"
    begun = process_time()
    with pytest.raises(Refusal) as refusal:
        parse_json(body.encode())
    assert process_time() - begun < 1
    assert "key given twice: k39999, k7" in refusal.value.message


def test_each_level_is_asked_for_its_own_keys() -> None:
    assert parse_json(b'{"a":{"a":1},"b":[{"a":1},{"a":2}]}') == {"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}
    with pytest.raises(Refusal):
        parse_json(b'{"b":[{"a":1,"a":2}]}')


def test_number_without_a_fraction_is_an_integer_however_it_is_written() -> None:
    numbers = parse_json(b"[478.0, 4.78e2, -0.0, 478.5, 1e300, 9007199254740993.0, 478]")
    assert numbers == [478, 478, 0, 478.5, 1e300, 2**53, 478]
    assert [type(number) for number in numbers] == [int, int, int, float, float, int, int]
