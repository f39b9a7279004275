"""A workbook as a file. The same content is the same file: its properties state no time."""

import io
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.writer.excel import ExcelWriter


def workbook_file(book: Workbook) -> bytes:
    """The file's bytes. `Workbook.save` would write the present time into it, so that HEAD and GET could differ."""
    book.properties.created = book.properties.modified = None
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED, allowZip64=True) as archive:
        ExcelWriter(book, archive).save()
    return content.getvalue()
