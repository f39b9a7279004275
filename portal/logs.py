"""What never stands in a log: the secrets that links carry, an invitation's and that of a new passphrase."""

from __future__ import annotations

import logging
import re

SECRET = re.compile(r"(/invitations/|/password/reset/key/)[^/\s]+")


class NoSecrets(logging.Filter):
    """Every line passes, without the secret."""

    def filter(self, record: logging.LogRecord) -> bool:
        words = record.getMessage()
        if (clean := SECRET.sub(r"\1…", words)) != words:
            record.msg, record.args = clean, ()
        return True
