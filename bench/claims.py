"""How many jobs without work a second are claimed and completed, by 1 to 8 processes on one database."""

from __future__ import annotations

from collections.abc import Iterator

from bench import job_processes

TITLE = "Jobs claimed and completed (wall clock; wants an idle machine; DATABASE_URL for PostgreSQL)"
JOBS = 1_000


def rows() -> Iterator[tuple[str, str]]:
    with job_processes.database() as environment:
        for count in (1, 2, 4, 8):
            job_processes.part(environment, "enqueue", str(JOBS))
            doing = job_processes.together(environment, count, "work", "short")
            label = f"{job_processes.engine()}, {count} process{'es' if count > 1 else ''}"
            yield label, f"{JOBS / doing.seconds:.0f}/s"
            yield "  processor time of one job", f"{sum(doing.processor) / JOBS * 1000:.1f} ms"
