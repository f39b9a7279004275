"""The request and the job that this thread works for, in every line of the log; and texts without the known secrets.

Set where a request or a job begins (`web.request_log`, `jobs.leases`), read where a line is written (`portal.logs`),
where a job is made, and where a page or the API says what went wrong. Secrets are recognized by their form, wherever a
caller puts them. Pure, and without Django. Not here: the log itself; passphrases and codes, which have no form.
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


_SECRETS = re.compile(
    r"""( rsp(?:_|%5f)(?:live|test)(?:_|%5f)[0-9a-f]{12}(?:_|%5f)   # an API key; its displayable part may stay
        | /invitations/ | /password/reset/key/
        ) [^/\s"'&<>?,;)\]}]+
        | (whsec_) [^\s"'&<>?,;)\]}]+                              # a webhook's: Base64, so it can contain slashes""",
    re.VERBOSE | re.IGNORECASE,
)
UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"


def without_secrets(text: str) -> str:
    """Return the text, with “…” in the place of each secret."""
    return _SECRETS.sub(r"\1\2…", text)


def storable_text(text: str, longest: int) -> str:
    """Return one printable line without secrets, as PostgreSQL stores it, of at most `longest` characters."""
    line = "".join(character if character.isprintable() else UNPRINTABLE for character in text)
    return without_secrets(line)[:longest]
