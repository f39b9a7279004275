"""The line of the log that names a signed document by its digest, so that a request can be followed to it."""

import logging
from functools import partial

from django.db import transaction

log = logging.getLogger(__name__)


def log_stored(name: str, sha256: str) -> None:
    """Write the line once the caller's transaction is committed. `name`: receipt or number; `sha256`: of the PDF."""
    transaction.on_commit(partial(log.info, "%s: signed document stored, SHA-256 %s", name, sha256))
