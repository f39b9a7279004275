"""Filings from the draft to the signed PDF, over HTTP, and the watch over how far each is.

Requests go to the web of either machine, as a balancer would choose. The casino's system creates the draft through the
API; people do the rest on the pages. Who gets no answer looks again how far the filing is, and tries again. The watch
asks the database directly. Progress is an event written, a job ended, a block dealt, or a document stored.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from typing import Any, NamedTuple
from urllib.parse import urlencode

import psycopg

from bench.load import SECRET

AT_ONCE = 8  # filings on their way
TIMEOUT, AGAIN = 20.0, 1.0  # seconds until there is no answer, and before the next attempt
MANAGER, ANALYST, DIRECTOR = "manager", "analyst", "director"


@dataclass(slots=True)
class People:
    """`world` as `parts.world` made it. `answers`: how often each status was answered, and how often nothing."""

    watch: Watch
    ports: Sequence[int]
    world: dict[str, Any]
    passphrase: str
    chance: random.Random
    answers: Counter[str] = field(default_factory=Counter)
    ended: bool = False

    @contextmanager
    def filing(self, count: int) -> Iterator[Callable[[], bool]]:
        """Send that many filings their way in threads; yield the function that says whether all have their PDF."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            carried = [pool.submit(self._carry, place) for place in range(count)]
            try:
                yield lambda: all(future.done() and future.result() for future in carried)
            finally:
                self.ended = True

    def _carry(self, place: int) -> bool:
        number = self._draft(place)
        while number and not self.ended:
            filing = self.watch.filings.get(number)
            if filing and filing.documented:
                return True
            if filing and self._step(number, filing):
                self._await_change(number, filing)
            else:
                time.sleep(AGAIN / 4)
        return False

    def _draft(self, place: int) -> str:
        body = json.dumps(self.world["draft"])
        headers = {
            "Authorization": f"Bearer {self.world['key']}",
            "Content-Type": "application/json",
            "Idempotency-Key": f"filing-{place}",
        }
        while not self.ended:
            status, content = self._ask("/api/v1/submissions/", body, headers)
            if status in (200, 201):
                return str(json.loads(content)["made"]["submission"])
            time.sleep(AGAIN)
        return ""

    def _step(self, number: str, filing: Filing) -> bool:
        """Take the next step of a person, if it is time for one; whether it was taken."""
        match filing.status:
            case "draft":
                return self._post(MANAGER, f"/submissions/{number}/file/", filing, attested="yes")
            case "filed" if filing.simulated:
                return self._post(ANALYST, f"/submissions/{number}/recommend/", filing)
            case "recommended":
                return self._post(DIRECTOR, f"/submissions/{number}/approve/", filing, confirmed="yes")
        return False

    def _post(self, person: str, path: str, filing: Filing, **fields: str) -> bool:
        """Return whether the form was accepted: the answer leads to another page."""
        form = {"csrfmiddlewaretoken": SECRET, "version": filing.version, "confirm_password": self.passphrase, **fields}
        session = self.world["sessions"][person]
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"csrftoken={SECRET}; sessionid={session}",
        }
        status, _ = self._ask(path, urlencode(form), headers)
        if status != 302:
            time.sleep(AGAIN)
        return status == 302

    def _await_change(self, number: str, filing: Filing) -> None:
        end = time.monotonic() + TIMEOUT
        while self.watch.filings.get(number) == filing and time.monotonic() < end and not self.ended:
            time.sleep(0.1)

    def _ask(self, path: str, body: str, headers: dict[str, str]) -> tuple[int, bytes]:
        """Return status and content; 0 without an answer."""
        connection = HTTPConnection("127.0.0.1", self.chance.choice(self.ports), timeout=TIMEOUT)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            status, content = answer.status, answer.read()
        except (OSError, HTTPException) as error:
            status, content = 0, type(error).__name__.encode()
        finally:
            connection.close()
        self.answers[f"{status or content.decode()}"] += 1
        return status, content


EVERY = 0.25  # seconds
COUNTS = """select (select count(*) from submissions_event),
    (select count(*) from submissions_job where state in ('done', 'failed', 'errored')),
    (select count(*) from submissions_block), (select count(*) from submissions_document),
    (select count(*) from submissions_job where state in ('due', 'running', 'divided'))"""
FILINGS = """select s.number, s.status, s.version, coalesce(bool_and(i.passed), false), count(d.id) > 0
    from submissions_submission s left join submissions_revision r on r.submission_id = s.id
    left join submissions_simulation i on i.revision_id = r.id left join submissions_document d on d.revision_id = r.id
    group by s.id"""


class Counts(NamedTuple):
    """Rows of a moment, as `COUNTS` asks for them."""

    events: int = 0
    ended_jobs: int = 0
    blocks: int = 0
    documents: int = 0
    open_jobs: int = 0


class Filing(NamedTuple):
    status: str
    version: int
    simulated: bool
    documented: bool


@dataclass(slots=True)
class Watch:
    """`progress`: when anything went forward, in seconds since the start; `work`: when a worker did, and no page."""

    url: str
    began: float = field(default_factory=time.monotonic)
    filings: dict[str, Filing] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    progress: list[float] = field(default_factory=lambda: [0.0])
    work: list[float] = field(default_factory=lambda: [0.0])

    def now(self) -> float:
        return time.monotonic() - self.began

    @contextmanager
    def running(self) -> Iterator[Watch]:
        stop = Event()
        thread = Thread(target=self._watch, args=(stop,), name="watch", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            stop.set()
            thread.join(10)

    def _watch(self, stop: Event) -> None:
        while not stop.is_set():
            try:
                with psycopg.connect(self.url, autocommit=True, connect_timeout=2) as connection:
                    while not stop.wait(EVERY):
                        self._look(connection)
            except psycopg.Error:  # it is away
                stop.wait(EVERY)

    def _look(self, connection: psycopg.Connection[Any]) -> None:
        counts = Counts(*connection.execute(COUNTS.encode()).fetchone() or ())
        self.filings = {str(row[0]): Filing(*row[1:]) for row in connection.execute(FILINGS.encode())}
        now = self.now()
        if counts[:4] != self.counts[:4]:
            self.progress.append(now)
        if counts[1:4] != self.counts[1:4] or not counts.open_jobs:  # without an open job nobody waits for a worker
            self.work.append(now)
        self.counts = counts
