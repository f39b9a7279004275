"""A workbook as a file. The same content is the same file, whenever it is written: neither its properties nor the
entries of the archive state a time.
"""

import io
from datetime import datetime
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.writer.excel import ExcelWriter

NO_TIME = (1980, 1, 1, 0, 0, 0)  # the first that an archive can state


class _TimelessArchive(ZipFile):
    """Both `write` and `writestr` open the entry here, with the time of the file or of the clock, to two seconds."""

    def open(self, name: str | ZipInfo, mode: Any = "r", *args: Any, **options: Any) -> IO[bytes]:
        if isinstance(name, ZipInfo):
            name.date_time = NO_TIME
        return super().open(name, mode, *args, **options)


def workbook_file(book: Workbook) -> bytes:
    """The file's bytes. `Workbook.save` would write the present time into it, so that HEAD and GET could differ."""
    book.properties.created = book.properties.modified = datetime(*NO_TIME)
    content = io.BytesIO()
    with _TimelessArchive(content, "w", ZIP_DEFLATED, allowZip64=True) as archive:
        ExcelWriter(book, archive).save()
    return content.getvalue()
