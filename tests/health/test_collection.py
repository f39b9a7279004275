"""Collecting the tests computes nothing: no chapter is loaded, no kernel called, no process or database opened."""

from __future__ import annotations

import pytest

from tests import collection


def test_collection_touches_nothing() -> None:
    """Of the modules that this run collected: `make test` collects all, and then chooses."""
    assert collection.touched == []


@pytest.mark.xdist_group("kept-together")
def test_groups_reach_the_processes_that_share_the_suite(request: pytest.FixtureRequest, worker_id: str) -> None:
    """Without them what a module computes once is computed by each process; nothing else would show it."""
    if worker_id != "master":
        assert request.node.nodeid.endswith("@kept-together")
