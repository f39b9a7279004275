"""What people, programs and balancers get while no database answers: a real portal with an address where none is."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

pytestmark = [pytest.mark.service("transactions"), pytest.mark.xdist_group("database away")]

PROGRAM = """
import json, django
django.setup()
from django.test import Client
answers = {}
for address in ("/", "/games/", "/accounts/login/", "/api/v1/submissions/", "/api/v1/chapters/", "/health/live",
                "/health/ready"):
    key = "rsp_live_" + "0" * 12 + "_" + "a" * 64
    client = Client(raise_request_exception=False, headers={"Authorization": "Bearer " + key})
    client.cookies["sessionid"] = "x" * 32
    answer = client.get(address)
    answers[address] = (answer.status_code, dict(answer.headers), answer.content.decode())
print("ANSWERS" + json.dumps(answers))
"""
Answers = dict[str, tuple[int, dict[str, str], str]]


@pytest.fixture(scope="module")
def answers() -> Answers:
    """Status, headers and content by address."""
    nowhere = {"DATABASE_URL": "postgresql://portal:secret-of-the-database@127.0.0.1:1/none"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "portal.settings", **nowhere},
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return dict(json.loads(done.stdout.rpartition("ANSWERS")[2]))


def test_pages_say_when_to_try_again_with_the_request_id(answers: Answers) -> None:
    for address in ("/", "/games/", "/accounts/login/"):
        status, headers, page = answers[address]
        assert (status, headers.get("Retry-After")) == (503, "5"), address
        assert "Try again in a moment" in page
        assert headers["X-Request-ID"] in page
        assert "no-store" in headers["Cache-Control"]


def test_programs_get_problem_details(answers: Answers) -> None:
    status, headers, content = answers["/api/v1/submissions/"]
    problem = json.loads(content)
    assert (status, headers["Retry-After"], problem["code"]) == (503, "5", "database-away")
    assert problem["request_id"] == headers["X-Request-ID"]


def test_machine_is_live_but_not_ready(answers: Answers) -> None:
    assert answers["/health/live"][0] == 200
    status, _, content = answers["/health/ready"]
    assert (status, json.loads(content)["checks"]["database"]) == (503, "failed")


def test_no_answer_has_a_secret_or_a_traceback(answers: Answers) -> None:
    text = "".join(content for _, _, content in answers.values())
    assert [part for part in ("secret-of-the-database", "Traceback", "127.0.0.1:1") if part in text] == []
