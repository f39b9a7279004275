"""The name and the size of an uploaded file, before its content is looked at (`upload_scan`)."""

import re
import unicodedata
from pathlib import PurePath

from django.conf import settings

from submissions.core.errors import Refusal


def check_size(name: str, size: int) -> None:
    """Refuse what is too large; a page calls this before it reads the file."""
    limit = settings.ATTACHMENT_LIMIT
    if size > limit:
        raise Refusal("attachment-too-large/bytes", name=name, megabytes=size / 1e6, limit=limit / 2**20)
    if size == 0:
        raise Refusal("attachment-empty", name=name)


def clean_file_name(name: str) -> str:
    """The last part of the name, without anything that could mislead a reader or a file system."""
    last = PurePath(name.replace("\\", "/")).name
    printable = "".join(sign for sign in unicodedata.normalize("NFC", last) if unicodedata.category(sign)[0] != "C")
    return re.sub(r'[<>:"|?*]', "_", printable)[-200:] or "file"
