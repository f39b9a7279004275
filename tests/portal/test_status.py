"""`manage.py status`: each check on a line, and an exit status that a monitor can use."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from submissions.models import Job
from submissions.operations.work_checks import report_process
from tests.portal.broker import real_broker
from tests.submissions.operations.rows import stopped_job

pytestmark = pytest.mark.django_db


def status(*options: str) -> tuple[int, str]:
    """Exit status and what was printed, with a broker and all processes at work."""
    printed, code = StringIO(), 0
    for process in ("sweeper", "worker"):
        report_process(process, timezone.now())
    with real_broker():
        try:
            call_command("status", *options, stdout=printed)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, printed.getvalue()


def test_portal_that_works_ends_with_0() -> None:
    code, printed = status()
    assert (code, "WRONG" in printed) == (0, False)
    assert "ok     database: answers; limit: answers" in printed


def test_wrong_line_says_what_and_what_to_do() -> None:
    stopped_job()
    code, printed = status()
    assert code == 1
    (wrong,) = [line for line in printed.splitlines() if line.startswith("WRONG")]
    assert wrong == "WRONG  jobs stopped by an error: 1; limit: 0"
    assert "manage.py run_again" in printed


def test_json_has_the_same() -> None:
    Job.objects.create(kind="mail", subject=1, state=Job.State.ERRORED, not_before=timezone.now())
    code, printed = status("--json")
    content = json.loads(printed)
    assert (code, content["is_good"]) == (1, False)
    assert [check["name"] for check in content["checks"] if not check["is_good"]] == ["jobs stopped by an error"]
    assert {tuple(check) for check in content["checks"]} == {("name", "is_good", "value", "limit", "fix")}
