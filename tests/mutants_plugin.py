"""A pytest plugin for `make mutants`: one migrated database for all mutants, and no result kept from test to test."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Accept `--randomly-seed`, which pyproject.toml passes. pytest-randomly, which defines it, is turned off here."""
    parser.addoption("--randomly-seed")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Make this session one process of many of a run, so that it copies the database that the first one migrated."""
    process = f"mutant-{os.getpid()}"
    config.workerinput = {"workerid": process}  # type: ignore[attr-defined]
    sessions = Path("sessions").absolute()
    sessions.mkdir(exist_ok=True)
    config.option.basetemp = str(sessions / process)


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.option.basetemp, ignore_errors=True)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Empty the caches of the product: else only the first test that needs a cached result calls what made it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("submissions."):
            for each in list(vars(module).values()):
                if hasattr(each, "cache_clear"):
                    each.cache_clear()
    return (yield)
