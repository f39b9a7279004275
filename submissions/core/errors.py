"""Refusals: a stable code, what happened, and what to do next.

Here are also the catalog of all codes (`error_codes.toml`, `messages.toml`) and the problem details (RFC 9457) that
programs get, with the same codes and words as people.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from games.rules.export import finding_data
from games.rules.model import Finding
from submissions.core.log_context import request_id

SHOWN_REFUSAL = "portal.refusal"  # key of a WSGI environment: the code of the refusal that the response shows


class Refusal(Exception):
    """An action that was not carried out. Nothing was changed.

    `key`: the code, or `code/case` where a code has several texts in `messages.toml`; `values` fill in its names. Where
    the text is computed elsewhere, it is passed as `message`. `code` is stable (other programs rely on it); `message`
    says what and why; `fix` the next step; `option` the line concerned; `citation` the section, where there is one.
    `further`: what would have been refused next in the same form.
    """

    status = 400
    further: "tuple[Refusal, ...]" = ()

    def __init__(
        self,
        key: str,
        message: str = "",
        *,
        fix: str | None = None,
        option: str = "",
        citation: str = "",
        findings: Sequence[Finding] = (),
        **values: object,
    ) -> None:
        text = Message(message) if message else messages()[key]
        self.code, self.message = key.partition("/")[0], text.message if message else text.message.format(**values)
        self.fix = text.fix.format(**values) if fix is None else fix
        self.option, self.citation, self.findings = option, citation, tuple(findings)
        super().__init__(self.message)


class Forbidden(Refusal):
    """The person may see this but not do that."""

    status = 403


class NotFound(Refusal):
    """There is no such thing, or not for this person: nobody says which."""

    status = 404


class Conflict(Refusal):
    """Someone was faster: what is on the screen is no longer what is stored. `theirs` is what they stored."""

    status = 409

    def __init__(self, key: str, message: str = "", *, theirs: object = None, **values: Any) -> None:
        super().__init__(key, message, **values)
        self.theirs = theirs


class Busy(Refusal):
    """Too much of this is under way. The same request can be made again after `retry_after` seconds."""

    status = 503

    def __init__(self, key: str, *, retry_after: int, **values: Any) -> None:
        super().__init__(key, retry_after=retry_after, **values)
        self.retry_after = retry_after


class StorageFault(Busy):
    """A disk is full or read-only. Nothing was stored; the same request can be made again when there is room."""

    status = 507


class TooManyAtOnce(Busy):
    """The caller has too much under way; other callers are served."""

    status = 429


FILE = Path(__file__).with_name("error_codes.toml")
MESSAGES = Path(__file__).with_name("messages.toml")


@dataclass(frozen=True, slots=True)
class ErrorCode:
    code: str
    status: int
    title: str
    fix: str


@cache
def error_groups() -> Mapping[str, tuple[ErrorCode, ...]]:
    """Return the codes under each heading, in the order of the file."""
    groups = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {heading: tuple(ErrorCode(code, *row) for code, row in rows.items()) for heading, rows in groups.items()}


@cache
def error_codes() -> Mapping[str, ErrorCode]:
    """Return every code by its name, in the order of the file."""
    codes = [code for group in error_groups().values() for code in group]
    by_name = {code.code: code for code in codes}
    if len(by_name) < len(codes):
        raise ValueError(f"{FILE.name}: a code is under two headings")
    return by_name


@dataclass(frozen=True, slots=True)
class Message:
    """The text of a refusal: what happened and why; the next step. Names in braces are filled in when it is raised."""

    message: str
    fix: str = ""


@cache
def messages() -> Mapping[str, Message]:
    """Return the texts by key: an error code, or `code/case` where a code has several."""
    return {key: Message(**row) for key, row in tomllib.loads(MESSAGES.read_text(encoding="utf-8")).items()}


MEDIA_TYPE = "application/problem+json"


def problem_details(refusal: Refusal, path: str) -> dict[str, Any]:
    """Return the members of RFC 9457, and ours; what does not apply is left out."""
    known = error_codes().get(refusal.code)
    optional = {
        "fix": refusal.fix,
        "section": refusal.citation,
        "option": refusal.option,
        "findings": [finding_data(finding) for finding in refusal.findings],
        "request_id": request_id.get(),
    }
    return {
        "type": f"{settings.PUBLIC_URL}/api/v1/errors/{refusal.code}/",
        "title": known.title if known else "Refused",
        "status": refusal.status,
        "detail": refusal.message,
        "instance": path,
        "code": refusal.code,
        **{name: value for name, value in optional.items() if value},
    }
