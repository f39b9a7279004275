"""What the database says while the cluster works: how far each filing is, and when anything last went forward.

Asked directly, by no relay, four times a second. Progress is an event written, a job ended, a block of a simulation
dealt, or a document stored. Without the database there is none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import NamedTuple

import psycopg

EVERY = 0.25  # seconds
COUNTS = """select (select count(*) from submissions_event),
    (select count(*) from submissions_job where state in ('done', 'failed', 'errored')),
    (select count(*) from submissions_block), (select count(*) from submissions_document),
    (select count(*) from submissions_job where state in ('due', 'running', 'divided'))"""
FILINGS = """select s.number, s.status, s.version, coalesce(bool_and(i.passed), false), count(d.id) > 0
    from submissions_submission s left join submissions_revision r on r.submission_id = s.id
    left join submissions_simulation i on i.revision_id = r.id left join submissions_document d on d.revision_id = r.id
    group by s.id"""


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
    counts: tuple[int, ...] = ()
    progress: list[float] = field(default_factory=lambda: [0.0])
    work: list[float] = field(default_factory=lambda: [0.0])

    def now(self) -> float:
        return time.monotonic() - self.began

    @property
    def blocks(self) -> int:
        return self.counts[2] if self.counts else 0

    @property
    def documents(self) -> int:
        return self.counts[3] if self.counts else 0

    @property
    def open_jobs(self) -> int:
        return self.counts[4] if self.counts else 0

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

    def _look(self, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        counts = tuple(int(str(value)) for value in connection.execute(COUNTS.encode()).fetchone() or ())
        self.filings = {str(row[0]): Filing(*row[1:]) for row in connection.execute(FILINGS.encode())}  # type: ignore[arg-type]
        now = self.now()
        if counts[:4] != self.counts[:4]:
            self.progress.append(now)
        if counts[1:4] != self.counts[1:4] or not counts[4]:  # without an open job nobody waits for a worker
            self.work.append(now)
        self.counts = counts
