"""Sessions in the database, as Django has them, but for a disk that is full or read-only.

When a view has answered, its step is done. A session that then cannot be saved has lost a message or a confirmation at
most, so the answer is sent all the same; Django would say that the session was deleted. Signing in, which needs a new
session, fails.
"""

import logging
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError

from submissions.core.database_faults import disk_fault
from submissions.core.log_context import SELDOM

log = logging.getLogger(__name__)


class SessionStore(db.SessionStore):
    """The name that Django asks for in `SESSION_ENGINE`."""

    def save(self, must_create: bool = False) -> Any:
        try:
            super().save(must_create)
        except UpdateError as error:
            if not (fault := disk_fault(error)):
                raise
            log.warning("sessions are not saved, %s", fault, extra=SELDOM)
