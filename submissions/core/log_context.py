"""The request and the job that this thread works for: both are part of every line of the log and go with a job.

Set where a request or a job begins (`web.request_log`, `jobs.leases`), read where a line is written (`portal.logs`),
where a job is made, and where a page or the API says what went wrong. Not here: the log itself.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LONGEST_REQUEST_ID = 64  # characters, as in the database
VALID_REQUEST_ID = re.compile(rf"[\w.:-]{{1,{LONGEST_REQUEST_ID}}}", re.ASCII)

SELDOM = {"seldom": True}  # `extra` of a line that would come every few seconds: `portal.logs` prints it once a minute
request_id: ContextVar[str] = ContextVar("request_id", default="")
job_id: ContextVar[int | None] = ContextVar("job_id", default=None)


@contextmanager
def job_context(job: int, request: str) -> Iterator[None]:
    """Name the job that this thread works for until the block ends, and the request it was made for ("" if none)."""
    job_token, request_token = job_id.set(job), request_id.set(request)
    try:
        yield
    finally:
        job_id.reset(job_token)
        request_id.reset(request_token)
