"""The lines of the log: one for each record, with the time and its offset."""

from __future__ import annotations

import io
import logging
import re

import pytest
from django.conf import settings
from django.test import Client

from portal import logs

FORGED = "2026-11-24T00:00:00-0500 INFO portal: all is well"


def line(message: str, *arguments: object) -> str:
    """What the portal's handler prints of this record."""
    options = settings.LOGGING["formatters"]["line"]
    printed, logger = io.StringIO(), logging.getLogger("portal.test")
    handler = logging.StreamHandler(printed)
    handler.setFormatter(logging.Formatter(options["format"], options["datefmt"], options["style"]))
    logger.addHandler(handler)
    try:
        logger.warning(message, *arguments)
    finally:
        logger.removeHandler(handler)
    return printed.getvalue()


@pytest.mark.parametrize("control", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1b[2K", "\x85", "\u2028"])
def test_caller_writes_no_line_of_its_own(control: str) -> None:
    printed = line("%s was asked for", f"/page{control}{FORGED}")
    assert len(printed.splitlines()) == 1
    assert FORGED in printed
    assert printed.rstrip("\n").isprintable()


def test_line_says_its_time_with_the_offset() -> None:
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]00 WARNING portal\.test: words$", line("words"))


@pytest.mark.django_db
def test_address_with_a_line_break_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    Client().get("/api/v1/nowhere%0A" + FORGED)
    assert [record.getMessage().splitlines() for record in caplog.records] == [
        [f"Not Found: /api/v1/nowhere\\n{FORGED}"]
    ]


def test_secrets_and_controls_together() -> None:
    assert isinstance(logging.getLogRecordFactory(), type)
    assert logging.getLogRecordFactory() is logs.Record
    assert "whsec_…\\n" in line("whsec_abc\n")
