"""A workbook as a file. The same content is the same file all day: its properties state the day, not the time."""

import io
from datetime import datetime, time
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils import timezone
from openpyxl import Workbook
from openpyxl.writer.excel import ExcelWriter


def workbook_file(book: Workbook) -> bytes:
    """The file's bytes. `Workbook.save` would write the present time into it, so that HEAD and GET could differ."""
    book.properties.created = book.properties.modified = datetime.combine(timezone.localdate(), time.min)
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED, allowZip64=True) as archive:
        ExcelWriter(book, archive).save()
    return content.getvalue()
