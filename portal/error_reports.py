"""Reports faults to an error tracker that speaks Sentry's protocol, if `PORTAL_SENTRY_DSN` names one.

A report has what a programmer needs to find the fault, and nothing of a person: the exception and where it happened,
the pattern of the address, the request and the job. No body, address, header, cookie, user, local variable or other
line of the log. Secrets and e-mail addresses are struck out of the rest.
"""

import re
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings

from submissions.core.log_context import job_id, request_id
from submissions.core.secret_texts import without_secrets

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

SENT = ("event_id", "timestamp", "platform", "level", "logger", "transaction", "release", "environment", "sdk")
OF_FRAME = ("filename", "module", "function", "lineno", "in_app")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
LONGEST = 500  # characters of a text


def begin() -> None:
    """Report from now on, in this process and those that are forked from it; nothing without the setting."""
    if not settings.SENTRY_DSN:
        return
    import sentry_sdk  # Start-up cost: 0.1 s of each process, for those that report

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        before_send=_without_persons,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        traces_sample_rate=None,
        environment="demonstration" if settings.DEMO else "service",
        server_name="",
    )


def _without_persons(event: "Event", _hint: "Hint") -> "Event | None":
    """The report with the members that are listed here, and no other that the library may add."""
    given = cast(dict[str, Any], event)
    sent = {name: given[name] for name in SENT if name in given}
    sent["exception"] = {"values": [_exception(each) for each in (given.get("exception") or {}).get("values", ())]}
    if message := (given.get("logentry") or {}).get("message"):  # the form of the line, without what was filled in
        sent["logentry"] = {"message": _clean(message)}
    known = {"request_id": request_id.get(), "job": job_id.get()}
    sent["tags"] = {name: str(value) for name, value in known.items() if value}
    return cast("Event", sent)


def _exception(value: dict[str, Any]) -> dict[str, Any]:
    frames = (value.get("stacktrace") or {}).get("frames", ())
    places = [{name: frame[name] for name in OF_FRAME if name in frame} for frame in frames]
    return {
        "type": value.get("type"),
        "module": value.get("module"),
        "value": _clean(str(value.get("value", ""))),
        "stacktrace": {"frames": places},
    }


def _clean(text: str) -> str:
    return _MAIL.sub("…@…", without_secrets(text))[:LONGEST]
