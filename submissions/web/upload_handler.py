"""Files on their way in: one that is too large is dropped while it arrives, and never held in memory or on disk.

The rest of the form goes on to the view, so that what was typed is saved. What a file may be is
`submissions.filings.attachments`.
"""

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest


class LimitedUpload(FileUploadHandler):
    """The handler before the others that stops a file where it, and those before it in the form, reach the limit."""

    received = 0  # bytes that were let through; the portal asks for one file at a time

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        if self.received + len(raw_data) > settings.ATTACHMENT_LIMIT:
            oversize(self.request).append((self.field_name, self.file_name or ""))
            raise SkipFile
        self.received += len(raw_data)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def oversize(request: HttpRequest | None) -> list[tuple[str, str]]:
    """Return the (field, name) of each file of this request that was too large and dropped."""
    dropped_files: list[tuple[str, str]] = request.__dict__.setdefault("oversize_files", [])
    return dropped_files
