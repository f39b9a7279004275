"""Media types beside JSON. The view writes the content itself; a refusal is JSON as everywhere."""

from rest_framework.renderers import JSONRenderer

from submissions.api.framework.bodies import CSV, PDF, WORKBOOK


class CsvRenderer(JSONRenderer):
    """A table."""

    media_type = CSV


class WorkbookRenderer(JSONRenderer):
    """A table as a workbook."""

    media_type = WORKBOOK


class PdfRenderer(JSONRenderer):
    """A signed document."""

    media_type = PDF
