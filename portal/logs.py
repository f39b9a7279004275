"""What never appears in a log: the secrets of credentials and webhooks, and those that links carry.

They are removed from every record as it is made, its traceback too, so that no handler (Django's, Celery's, gunicorn's,
an operator's) can print them. Not here: passphrases and codes, which have no form to be recognized by; the portal logs
no field of a form.
"""

import logging
import logging.config
import re
from typing import Any

from submissions.core.secret_texts import without_secrets

_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")  # they would begin another line
_plain = logging.Formatter()


class Record(logging.LogRecord):
    """A line of the log, without the secrets: one line, but for a traceback."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.exc_info:  # a formatter that finds the text prints it as it is
            self.exc_text = without_secrets(_plain.formatException(self.exc_info))

    def getMessage(self) -> str:  # noqa: N802  the library's name
        return _CONTROLS.sub(_escaped, without_secrets(super().getMessage()))


def _escaped(control: re.Match[str]) -> str:
    return control[0].encode("unicode_escape").decode()


def configure(settings: dict[str, Any]) -> None:
    """Django's `LOGGING_CONFIG`: as `settings` say, and every record without secrets."""
    logging.config.dictConfig(settings)
    logging.setLogRecordFactory(Record)


def security_handler(target: str) -> dict[str, Any]:
    """The handler of the security log's lines: of the file (which a rotation may move away), "-" or "" for nowhere."""
    if not target:
        return {"class": "logging.NullHandler"}
    if target == "-":
        return {"class": "logging.StreamHandler", "stream": "ext://sys.stdout", "formatter": "bare"}
    return {"class": "logging.handlers.WatchedFileHandler", "filename": target, "delay": True, "formatter": "bare"}


class NotBusy(logging.Filter):
    """No line for each request that is refused because there are too many: they would fill the disk."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", 0) not in (429, 503)
