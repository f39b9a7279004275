"""Collecting the tests computes nothing: no chapter is loaded, no kernel called, no process or database opened."""

from __future__ import annotations

from tests import collection


def test_collection_touches_nothing() -> None:
    """Of the modules that this run collected; `make test` collects all."""
    assert collection.touched == []
