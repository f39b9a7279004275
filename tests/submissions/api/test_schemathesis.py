"""The API against its own description: schemathesis makes the calls by lot, and every check that it has looks at the
answers. As anybody, as a licensee, as the Board, and in a licensee's sandbox, where batches are confirmed by programs.

The server is Django's own beside the test, on the test's database, with a worker; `make soak` makes thousands of calls
of each caller, the suite some hundred as a licensee's sandbox. `-rP` shows how many cases and calls there were in
which phase.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.request import Request, urlopen

import pytest
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from submissions.accounts import api_credentials
from submissions.api.framework.authentication import RequestThrottle
from submissions.models import Job, Organization, Person
from submissions.tasks import run_task
from tests.soak import SOAK, also
from tests.submissions.api.clients import made
from tests.submissions.api.world import World, approved, build

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.service("transactions", "JSON", only=True),
]

LEAST = 2_000 if SOAK else 100  # calls of each caller
CALLERS = also(["sandbox"], ["anonymous", "licensee", "board"])
OPTIONS = ("--max-examples", "25") if SOAK else ("--max-examples", "2", "--phases", "examples,fuzzing,stateful")
SEED = os.environ.get("PORTAL_SEED", "601")
# What no schema can say of a call that has its shape: which licensees and chapters there are; that one filter belongs
# to another; whether a chapter has such a line, and a line such an answer; whether a step is possible just now; whether
# everybody can reach an address; that a parameter says of a raw body what a form has in a field. There a 400 with its
# code is an answer, too.
BEYOND = (
    "readSubmissions", "readRegister", "readOrders", "readTables", "readInForce",
    "sendBatch", "doCreate", "doUpdate", "doAmend", "doAddGroup",
    "doRemoveGroup", "doAnswer", "doFile", "doWithdraw", "doRemark", "doRecommend", "doReturn", "makeWebhook",
    "uploadAttachment", "uploadDrawing", "changeTables",
)  # fmt: skip
ACCEPTED = ["2xx", "304", "401", "403", "404", "409", "422"]  # 422: a key that was drawn before, for another call
# A batch is accepted with any items: each has its own answer. Any answers can be judged: what is wrong is a finding.
ACCEPTED_AMISS = {"sendBatch": ["202", "4xx"], "judge": ["200", "4xx"]}
HOOKS = """
import atexit
import json
from collections import Counter
from pathlib import Path

import schemathesis

phases, operations, seconds = Counter(), Counter(), Counter()  # calls by phase, by operation; seconds by operation


@schemathesis.hook
def after_call(context, case, response):
    phases[case.meta.phase.name.value if case.meta else "without phase"] += 1
    operations[case.operation.label] += 1
    seconds[case.operation.label] += response.elapsed
    if not phases.total() % 100:  # a run that is stopped leaves them, too
        save()


@atexit.register
def save():
    slowest = {name: f"{spent:.0f} s, {operations[name]} calls" for name, spent in seconds.most_common(5)}
    Path("calls.json").write_text(json.dumps({"phases": phases, "slowest": slowest}))
"""
CONFIG = """
hooks = "portal_hooks"
seed = {seed}
request-timeout = 60.0
[generation]
database = "none"
[output.truncation]
enabled = false
[dictionaries]
numbers = {{ values = {numbers} }}
licensees = {{ values = ["east"] }}
chapters = {{ values = ["687a", "585"] }}
[parameters]
number = {{ dictionary = "numbers", probability = 0.8 }}
licensee = {{ dictionary = "licensees", probability = 1.0 }}
chapter = {{ dictionary = "chapters", probability = 0.8 }}
[headers]
{headers}
[checks.positive_data_acceptance]
expected-statuses = {accepted}
"""
EXCEPTION = """
[[operations]]
include-operation-id = "{operation}"
checks.positive_data_acceptance.expected-statuses = {accepted}
"""
NEGATIVE = """
[[operations]]
include-operation-id = "{operation}"
checks.negative_data_rejection.expected-statuses = {accepted}
"""


@pytest.fixture(autouse=True)
def _as_often_as_one_likes(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Limits are counted by the minute."""
    for scope in ("credential", "address"):
        monkeypatch.setitem(RequestThrottle.THROTTLE_RATES, scope, "1000000/minute")
    settings.SIMULATION_ROUNDS = 1_000


@pytest.fixture
def _worker() -> Iterator[None]:
    """Does what is due until the test is over, but the figures of the chapters shown."""
    over = Event()

    def work() -> None:
        while not over.wait(0.2):
            for job in Job.objects.filter(state=Job.State.DUE).exclude(kind=Job.Kind.ANALYZE).order_by("pk")[:20]:
                run_task(job)
        connection.close()

    thread = Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()


class Callers:
    """Who calls, each with something of every kind to call for."""

    def __init__(self, manager: Person, analyst: Person, casino: Organization, board: Organization) -> None:
        self.people, self.casino, self.board = (manager, analyst), casino, board

    def config(self, who: str) -> str:
        """As schemathesis reads it."""
        token = self.token(who)
        given = self.world(who).arguments
        numbers = [*[given["number"]] * 4, given["layout"], *[given["batch"]] * 3, "687a", "585"]
        whole = CONFIG.format(
            seed=SEED,
            numbers=json.dumps(numbers),
            headers=f'Authorization = "Bearer {token}"' if token else "",
            accepted=json.dumps(ACCEPTED),
        )
        whole += "".join(
            NEGATIVE.format(operation=name, accepted=json.dumps(statuses)) for name, statuses in ACCEPTED_AMISS.items()
        )
        return whole + "".join(
            EXCEPTION.format(operation=one, accepted=json.dumps([*ACCEPTED, "400"])) for one in BEYOND
        )

    def token(self, who: str) -> str:
        if who == "anonymous":
            return ""
        if who == "board":
            return made(self.board, scopes=("read", "review")).token
        return made(self.casino, scopes=("read", "prepare", "file"), live=who == "licensee").token

    def world(self, who: str) -> World:
        """Where the caller is; public lists have a row of the life for callers of a sandbox, too."""
        if who != "sandbox":
            return build(*self.people)
        approved(self.people[0])
        return build(*self.sandbox_signers())

    def sandbox_signers(self) -> list[Person]:
        """Of the casino and of the Board, whose sandbox begins with its first test key."""
        made(self.board, scopes=("read", "review"), live=False)
        sandboxes_of_both = [Organization.objects.get(sandbox_of=one) for one in (self.casino, self.board)]
        return [api_credentials.sandbox_signer(one) for one in sandboxes_of_both]


def description_at(address: str) -> dict[str, Any]:
    """As the portal serves it, without `fields`: an answer to it lacks members that the description requires, as its
    words say.
    """
    request = Request(f"{address}/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})  # noqa: S310
    with urlopen(request, timeout=120) as answer:  # noqa: S310 the first one takes some seconds
        description: dict[str, Any] = json.load(answer)
    for operations in description["paths"].values():
        for operation in operations.values():
            operation["parameters"] = [row for row in operation.get("parameters", []) if row.get("name") != "fields"]
    return description


@pytest.fixture
def callers(manager: Person, analyst: Person, casino: Organization, board: Organization) -> Callers:
    return Callers(manager, analyst, casino, board)


@pytest.mark.parametrize("who", CALLERS)
@pytest.mark.usefixtures("_worker")
def test_answers_are_as_described(who: str, callers: Callers, live_server: LiveServer, tmp_path: Path) -> None:
    (tmp_path / "schemathesis.toml").write_text(callers.config(who), encoding="utf-8")
    (tmp_path / "portal_hooks.py").write_text(HOOKS, encoding="utf-8")
    (tmp_path / "openapi.json").write_text(json.dumps(description_at(live_server.url)), encoding="utf-8")
    address = ("--url", live_server.url)
    command = (sys.executable, "-m", "schemathesis.cli", "--no-color", "run", "openapi.json", *address)
    report = ("--report", "json", "--report-json-path", "report.json")
    output = tmp_path / "output.txt"  # a file, so that a run that is stopped leaves what it saw
    with output.open("w") as lines:
        ran = subprocess.run(
            [*command, "--checks", "all", "--continue-on-failure", *OPTIONS, *report],
            cwd=tmp_path,
            stdout=lines,
            stderr=subprocess.STDOUT,
        )
    assert ran.returncode == 0, output.read_text()
    found = json.loads((tmp_path / "report.json").read_text())
    calls = json.loads((tmp_path / "calls.json").read_text())
    print(f"{who}: {found['test_cases']['generated']} cases in {found['running_time']:.0f} s; calls: {calls}")
    assert (found["failures"], found["errors"], found["complete"]) == ([], [], True)
    assert found["test_cases"]["generated"] >= LEAST
