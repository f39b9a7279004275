"""Casinos start, judge, file and simulate their games through bulk, from nothing, while worker and web are killed.

Every item is answered once, none twice, none lost; the history has one event for each. `make soak` does it with 17
casinos and every game, the suite with a few.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.db import connections
from django.utils import timezone

from games.registry import folders
from submissions.accounts import api_credentials
from submissions.audit.chain import verify_chain
from submissions.bulk import intake
from submissions.filings import attachments
from submissions.models import (
    Batch,
    Block,
    Event,
    Item,
    Job,
    KeyedCall,
    Organization,
    Person,
    Role,
    Simulation,
    Submission,
)
from tests.cast import person
from tests.games.chapters.examples import example
from tests.portal.running import Running, until
from tests.soak import SOAK
from tests.submissions import files

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("programs"), pytest.mark.django_db(transaction=True)]

CASINOS = 17 if SOAK else 2
GAMES = list(folders()) if SOAK else ["585", "593", "657a"]
COUNT = CASINOS * len(GAMES)
LONGEST = 2_400 if SOAK else 240  # seconds for each wait
STEPS = ("started", "saved", "filed", "simulated")
DRAFTS, GROUPS, KILLS = (2_000, 40, 6) if SOAK else (300, 20, 3)  # of an all-or-nothing batch
NOTHING = [{"action": "nothing"}] * 5_000


@dataclass(frozen=True, slots=True)
class Office:
    """A casino, its program, and who confirms what the program sends."""

    manager: Person
    token: str

    def call(self, portal: Running, path: str, body: object = None, key: str = "") -> tuple[int, dict[str, Any]]:
        """As a careful program calls: the same again while nobody answers, or the same call is still under way."""
        answered: list[tuple[int, dict[str, Any]]] = []

        def one() -> bool:
            answer = self.once(portal, path, body, key)
            if answer and answer[1].get("code") != "idempotency-in-flight":
                answered.append(answer)
            return bool(answered)

        until(one, LONGEST)
        return answered[0]

    def once(self, portal: Running, path: str, body: object = None, key: str = "") -> tuple[int, dict[str, Any]] | None:
        """The answer, or None where there was none."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": f'"{key}"'} if key else {}
        data = json.dumps(body).encode() if body is not None else None
        request = Request(f"http://127.0.0.1:{portal.port}/api/v1/{path}", data, headers)
        try:
            with urlopen(request, timeout=90) as answer:  # noqa: S310
                status, text = answer.status, answer.read()
        except HTTPError as error:
            status, text = error.code, error.read()
        except (OSError, HTTPException):
            return None
        assert status < 500, (text, portal.log.read_text())
        return status, json.loads(text)


def office(place: int) -> Office:
    casino = Organization.objects.create(kind="licensee", name=f"Casino {place}", slug=f"casino-{place}")
    manager = person(casino, Role.MANAGER, f"Manager {place}")
    administrator = person(casino, Role.READER, f"Administrator {place}")
    administrator.administrator = True
    administrator.save()
    expires_at = timezone.now() + timedelta(days=30)
    scopes = ["read", "prepare", "file"]
    made = api_credentials.issue_credential(
        administrator, name="Loader", scopes=scopes, live=True, expires_at=expires_at
    )
    return Office(manager, made.token)


def creating(game: str) -> dict[str, object]:
    """With every line that is no file: those are attached on a page."""
    answers = {key: answer for key, answer in example(game).items() if not isinstance(answer, dict)}
    return {"action": "create", "chapter": game, "answers": answers}


ITEMS = [creating(game) for game in GAMES]


def filing(draft: Submission) -> dict[str, object]:
    return {"action": "file", "submission": draft.number, "version": draft.version}


def batch_of(items: list[dict[str, object]], mode: str = "live", *, atomic: bool = False) -> dict[str, object]:
    return {"mode": mode, "all_or_nothing": atomic, "items": items}


def send_all(portal: Running, offices: list[Office], bodies: list[object], key: str) -> list[str]:
    """From all casinos at once; the numbers of their batches."""

    def send(one: Office, body: object) -> str:
        try:
            status, told = one.call(portal, "bulk/", body, key)
        finally:
            connections.close_all()
        assert status == 202, told
        return str(told["number"])

    with ThreadPoolExecutor(len(offices)) as pool:
        return list(pool.map(send, offices, bodies))


def kill(portal: Running, name: str) -> None:
    """Without warning; what it started dies with it."""
    for found in portal.named(name):
        os.kill(found.pid, signal.SIGKILL)


def attach_files(offices: list[Office]) -> None:
    for one in offices:
        for draft in Submission.objects.filter(organization=one.manager.organization):
            for key in (key for key, answer in example(draft.chapter).items() if isinstance(answer, dict)):
                attachments.attach_file(one.manager, draft, key, "house rules.pdf", files.pdf())


def states(numbers: list[str]) -> Counter[tuple[str, str]]:
    return Counter(Item.objects.filter(batch__number__in=numbers).values_list("state", "code"))


def batches(numbers: list[str]) -> Counter[str]:
    return Counter(Batch.objects.filter(number__in=numbers).values_list("state", flat=True))


def test_games_of_all_casinos_are_loaded_whatever_is_killed(portal: Running) -> None:
    offices = [office(place) for place in range(CASINOS)]
    judge(portal, offices)
    loaded = load(portal, offices)
    attach_files(offices)
    file_all(portal, offices)
    until(lambda: not Job.objects.exclude(state=Job.State.DONE).exists(), LONGEST, lambda: str(Job.objects.values()))
    assert_each_once()
    assert_same_key_changes_nothing(portal, offices, loaded)
    assert_two_at_once_are_one(portal, offices[0])


def test_all_or_nothing_batches_are_never_seen_in_part_however_often_the_worker_is_killed(portal: Running) -> None:
    """Drafts that are created and changed, then groups that are added to some of them one by one."""
    one = office(0)
    change = {"action": "update", "submission": "#1", "version": 2, "answers": {"minimum_wager": "25.00"}}
    creates = [creating("678a") for _ in range(DRAFTS)]
    seen = kill_until_done(portal, one, [*creates, change], "together")
    assert seen <= {(0, 0), (DRAFTS, DRAFTS + 1)}
    numbers = list(Submission.objects.order_by("pk").values_list("number", flat=True))[:GROUPS]
    group = {"action": "add-group", "version": 1, "name": "Pit 3", "tables": "12-15"}
    groups = [group | {"submission": number} for number in numbers]
    kill_until_done(portal, one, [creating("678a"), *groups], "grouped")
    assert (happened("started"), happened("grouped"), Submission.objects.count()) == (DRAFTS + 1, GROUPS, DRAFTS + 1)
    assert verify_chain() == (Event.objects.count(), None)


def kill_until_done(portal: Running, one: Office, items: list[dict[str, object]], key: str) -> set[tuple[int, int]]:
    """Kill the worker of short jobs again and again; how many drafts and how many saves were seen while it worked."""
    [number] = send_all(portal, [one], [batch_of(items, atomic=True)], key)
    seen, kills = set(), 0

    def done() -> bool:
        nonlocal kills
        counts = Counter(Event.objects.values_list("verb", flat=True))  # at the same moment
        seen.add((counts["started"], counts["saved"]))
        running_now = Job.objects.filter(kind=Job.Kind.BULK, state=Job.State.RUNNING).exists()
        if running_now and kills < KILLS:
            kill(portal, "short")
            kills += 1
        return batches([number]) == {"done": 1}

    until(done, LONGEST, portal.log.read_text)
    assert (kills > 0, states([number])) == (True, {("done", ""): len(items)})
    return seen


def judge(portal: Running, offices: list[Office]) -> None:
    judged = send_all(portal, offices, [batch_of(ITEMS, "validate")] * CASINOS, "judge")
    until(lambda: batches(judged) == {"done": CASINOS}, LONGEST, portal.log.read_text)
    assert (states(judged), Submission.objects.count()) == ({("passed", ""): COUNT}, 0)


def load(portal: Running, offices: list[Office]) -> list[str]:
    killing = threading.Thread(target=kill_once_begun, args=(portal,))
    killing.start()
    loaded = send_all(portal, offices, [batch_of(ITEMS)] * CASINOS, "load")
    killing.join()
    until(lambda: batches(loaded) == {"done": CASINOS}, LONGEST, portal.log.read_text)
    assert states(loaded) == {("done", ""): COUNT}
    return loaded


def kill_once_begun(portal: Running) -> None:
    """The web while batches come in, the worker while others are carried out."""
    try:
        until(lambda: KeyedCall.objects.filter(key="load").count() >= (1 if SOAK else CASINOS), LONGEST)
        if not SOAK:  # whose call was not answered waits a minute
            until(lambda: not KeyedCall.objects.filter(status=None).exists(), LONGEST)
        kill(portal, "web")
        until(lambda: happened("started") > 0, LONGEST)
        kill(portal, "worker")
    finally:
        connections.close_all()


def file_all(portal: Running, offices: list[Office]) -> None:
    drafts = [list(Submission.objects.filter(organization=one.manager.organization)) for one in offices]
    filed = send_all(portal, offices, [batch_of(list(map(filing, rows))) for rows in drafts], "file")
    until(lambda: batches(filed) == {"waiting": CASINOS}, LONGEST, portal.log.read_text)
    assert (states(filed), happened("filed")) == ({("passed", ""): COUNT}, 0)
    for one, number in zip(offices, filed, strict=True):
        intake.confirm_batch(one.manager, Batch.objects.get(number=number), attested=True)
    until(lambda: happened("filed") > 0, LONGEST, portal.log.read_text)
    kill(portal, "worker")
    kill(portal, "web")
    until(lambda: batches(filed) == {"done": CASINOS}, LONGEST, portal.log.read_text)
    assert states(filed) == {("done", ""): COUNT}


def assert_same_key_changes_nothing(portal: Running, offices: list[Office], loaded: list[str]) -> None:
    """The same batch again is answered as it was; another body is refused."""
    before = Event.objects.count(), Batch.objects.count(), Item.objects.count()
    assert send_all(portal, offices, [batch_of(ITEMS)] * CASINOS, "load") == loaded
    status, told = offices[0].call(portal, "bulk/", batch_of(ITEMS[:1]), "load")
    assert (status, told["code"]) == (422, "idempotency-key-reused")
    assert (Event.objects.count(), Batch.objects.count(), Item.objects.count()) == before
    answers = offices[0].call(portal, f"bulk/{loaded[0]}/items/")[1]["results"]
    numbers = Submission.objects.filter(organization=offices[0].manager.organization).values_list("number", flat=True)
    assert {one["made"]["submission"] for one in answers} == set(numbers)


def happened(verb: str) -> int:
    return Event.objects.filter(verb=verb).count()


def assert_each_once() -> None:
    """The history has one event for each item, and each item is there once."""
    assert Counter(Submission.objects.values_list("status", flat=True)) == {"filed": COUNT}
    told = Counter(Event.objects.exclude(submission=None).exclude(verb="attached").values_list("submission", "verb"))
    assert Counter(verb for _, verb in told) == dict.fromkeys(STEPS, COUNT)
    assert set(told.values()) == {1}
    made = [one["submission"] for one in Item.objects.filter(state="done").values_list("made", flat=True)]
    assert Counter(Counter(made).values()) == {2: COUNT}  # once started, once filed
    for simulation in Simulation.objects.all():
        assert simulation.finished_at is not None
        indexes = Block.objects.filter(simulation=simulation).order_by("index").values_list("index", flat=True)
        assert list(indexes) == list(range(simulation.blocks_needed))
    assert Simulation.objects.count() == COUNT
    assert verify_chain() == (Event.objects.count(), None)


def assert_two_at_once_are_one(portal: Running, one: Office) -> None:
    """The one that comes while the other is taken in is told so, and gets the same answer afterwards."""
    before = Batch.objects.count()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(one.call, portal, "bulk/", batch_of(NOTHING), "twice")
        until(lambda: KeyedCall.objects.filter(key="twice").exists(), LONGEST)
        second = one.once(portal, "bulk/", batch_of(NOTHING), "twice")
        status, told = first.result()
    assert (status, second and (second[0], second[1].get("code"))) == (202, (409, "idempotency-in-flight"))
    assert one.call(portal, "bulk/", batch_of(NOTHING), "twice") == (202, told)
    assert Batch.objects.count() == before + 1
    until(lambda: batches([told["number"]]) == {"done": 1}, LONGEST, portal.log.read_text)
    assert states([told["number"]]) == {("refused", "unknown-action"): len(NOTHING)}
