"""The lines of the log: one for each record, with the time and its offset."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client

from portal import logs
from submissions.core.log_context import SELDOM, job_context

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
    lines = [record.getMessage().splitlines() for record in caplog.records if record.name == "django.request"]
    assert lines == [[f"Not Found: /api/v1/nowhere\\n{FORGED}"]]


def test_secrets_and_controls_together() -> None:
    assert isinstance(logging.getLogRecordFactory(), type)
    assert logging.getLogRecordFactory() is logs.Record
    assert "whsec_…\\n" in line("whsec_abc\n")


def json_line(write: Callable[[logging.Logger], object]) -> dict[str, object]:
    """What the portal's handler prints of the record that `write` makes, with `PORTAL_LOG_FORMAT=json`."""
    printed, logger = io.StringIO(), logging.getLogger("portal.test")
    handler = logging.StreamHandler(printed)
    handler.setFormatter(logs.JsonLine())
    logger.addHandler(handler)
    try:
        write(logger)
    finally:
        logger.removeHandler(handler)
    (line,) = printed.getvalue().splitlines()
    return dict(json.loads(line))


def test_json_line_has_time_level_logger_and_message() -> None:
    content = json_line(lambda logger: logger.warning("it is %s", "late\nand “wet”"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}", str(content.pop("time")))
    assert content == {"level": "WARNING", "logger": "portal.test", "message": "it is late\\nand “wet”"}


def test_json_line_has_a_traceback_without_secrets_and_no_request() -> None:
    def fail(logger: logging.Logger) -> None:
        try:
            raise ValueError(f"whsec_{'s' * 40}")
        except ValueError:
            logger.exception("wrong", extra={"status_code": 500, "request": f"GET /invitations/{'s' * 40}/"})

    content = json_line(fail)
    assert "ValueError: whsec_…" in str(content["exc_info"])
    assert (content["status_code"], "request" in content, "s" * 40 in str(content)) == (500, False, False)


def test_lines_have_the_request_and_the_job() -> None:
    with job_context(17, "of-the-request"):
        content = json_line(lambda logger: logger.warning("done"))
        assert line("done").rstrip().endswith("portal.test: done [request of-the-request job 17]")
    assert (content["request_id"], content["job"]) == ("of-the-request", 17)
    assert line("done").rstrip().endswith("portal.test: done")


def test_line_that_says_the_same_again_is_printed_once_a_minute() -> None:
    seldom, now = logs.Seldom(), [0.0]
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr("portal.logs.time.monotonic", lambda: now[0])

        def is_printed(message: str, **extra: bool) -> bool:
            record = logging.LogRecord("portal.test", logging.WARNING, "", 1, message, (), None)
            record.__dict__.update(extra)
            return seldom.filter(record)

        assert [is_printed("away", **SELDOM), is_printed("away", **SELDOM), is_printed("full", **SELDOM)] == [
            True,
            False,
            True,
        ]
        assert [is_printed("every time"), is_printed("every time")] == [True, True]
        now[0] = 60.0
        assert is_printed("away", **SELDOM)
