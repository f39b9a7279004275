"""The log, and reports of faults to an error tracker, without the secrets of credentials, webhooks and links.

They are removed from every record as it is made, its traceback too, so that no handler (Django's, Celery's, the web
server's, an operator's) can print them. Each record has the request and the job that it was written for. Not here:
passphrases and codes, which have no form to be recognized by; the portal logs no field of a form.

The error tracker speaks Sentry's protocol; `PORTAL_SENTRY_DSN` names it. A report has what a programmer needs to find
the fault, and nothing of a person: the exception and where it happened, the pattern of the address, the request and the
job. No body, address, header, cookie, user, local variable or other line of the log. Secrets and e-mail addresses are
struck out of the rest.
"""

import logging
import logging.config
import re
import time
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from pythonjsonlogger.json import JsonFormatter

from submissions.core.log_context import job_id, request_id, without_secrets

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint


JSON_FIELDS = (
    "time", "level", "logger", "message", "request_id", "job", "method", "route", "status_code", "seconds", "exc_info",
)  # fmt: skip
_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")  # they would begin another line
_plain = logging.Formatter()


class Record(logging.LogRecord):
    """A line of the log, without the secrets: one line, but for a traceback."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request_id, self.job = request_id.get(), job_id.get()
        known = (("request", self.request_id), ("job", self.job))
        words = " ".join(f"{name} {value}" for name, value in known if value)
        self.context = f" [{words}]" if words else ""
        if self.exc_info:  # a formatter that finds the text prints it as it is
            self.exc_text = without_secrets(_plain.formatException(self.exc_info))

    def getMessage(self) -> str:  # noqa: N802  the library's name
        return _CONTROLS.sub(_escaped, without_secrets(super().getMessage()))


def _escaped(control: re.Match[str]) -> str:
    return control[0].encode("unicode_escape").decode()


class JsonLine(JsonFormatter):
    """A record as one line of JSON with `JSON_FIELDS` only: Django's records contain the request, with its address."""

    def __init__(self) -> None:
        names = {"asctime": "time", "levelname": "level", "name": "logger"}
        super().__init__(
            "{asctime}{levelname}{name}{message}",
            "%Y-%m-%dT%H:%M:%S%z",
            "{",
            rename_fields=names,
            json_ensure_ascii=True,
        )

    def formatException(self, ei: Any) -> str:  # noqa: N802  the library's name
        """Return the traceback without secrets; the library does not use the text that the record has of it."""
        return without_secrets(str(super().formatException(ei)))

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Return the members of the line, as the library asks before it is written."""
        return {name: log_data[name] for name in JSON_FIELDS if log_data.get(name) not in (None, "")}


def configure(settings: dict[str, Any]) -> None:
    """Configure the log (Django's `LOGGING_CONFIG`) as `settings` say, and every record without secrets."""
    logging.config.dictConfig(settings)
    logging.setLogRecordFactory(Record)
    if settings["handlers"]["console"]["formatter"] == "json":
        logging.captureWarnings(True)  # Python prints them as two lines that are no JSON


def security_handler(target: str) -> dict[str, Any]:
    """Return the handler of the security log's lines: of a file (a rotation may move it away), "-", or "" for none."""
    if not target:
        return {"class": "logging.NullHandler"}
    if target == "-":
        return {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "bare"}
    return {"class": "logging.handlers.WatchedFileHandler", "filename": target, "delay": True, "formatter": "bare"}


class NotBusy(logging.Filter):
    """A filter of the lines for requests refused for their number or for lack of room: they would fill the disk."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", 0) not in (429, 503, 507)


class Seldom(logging.Filter):
    """A filter that passes a seldom line once a minute from each process, with any values.

    Such a line is marked with `log_context.SELDOM`, or is of Celery's wait for the broker or of the web server: what is
    away or full is asked again every few seconds, and would fill a disk with lines that say the same.
    """

    EVERY = 60.0  # seconds
    LOGGERS = ("celery.worker.consumer.consumer", "waitress")

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.printed: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not getattr(record, "seldom", False) and record.name not in self.LOGGERS:
            return True
        key, now = (record.name, str(record.msg)), time.monotonic()
        if now - self.printed.get(key, now - self.EVERY) < self.EVERY:
            return False
        self.printed[key] = now
        return True


REPORTED = ("event_id", "timestamp", "platform", "level", "logger", "transaction", "release", "environment", "sdk")
REPORTED_OF_FRAME = ("filename", "module", "function", "lineno", "in_app")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
LONGEST_REPORTED = 500  # characters of a text


def begin_error_reports() -> None:
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
    """Return the report with the members that are listed here, and no other that the library may add."""
    given = cast(dict[str, Any], event)
    sent = {name: given[name] for name in REPORTED if name in given}
    sent["exception"] = {"values": [_exception(each) for each in (given.get("exception") or {}).get("values", ())]}
    if message := (given.get("logentry") or {}).get("message"):  # the form of the line, without what was filled in
        sent["logentry"] = {"message": _clean(message)}
    known = {"request_id": request_id.get(), "job": job_id.get()}
    sent["tags"] = {name: str(value) for name, value in known.items() if value}
    return cast("Event", sent)


def _exception(value: dict[str, Any]) -> dict[str, Any]:
    frames = (value.get("stacktrace") or {}).get("frames", ())
    places = [{name: frame[name] for name in REPORTED_OF_FRAME if name in frame} for frame in frames]
    return {
        "type": value.get("type"),
        "module": value.get("module"),
        "value": _clean(str(value.get("value", ""))),
        "stacktrace": {"frames": places},
    }


def _clean(text: str) -> str:
    return _MAIL.sub("…@…", without_secrets(text))[:LONGEST_REPORTED]
