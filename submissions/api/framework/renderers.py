"""Media types beside JSON. The view writes the content itself; a refusal is JSON as everywhere."""

from rest_framework.renderers import JSONRenderer

from submissions.api.framework.bodies import CSV, NDJSON, PDF, WORKBOOK


class CsvRenderer(JSONRenderer):
    """A table."""

    media_type = CSV


class WorkbookRenderer(JSONRenderer):
    """A table as a workbook."""

    media_type = WORKBOOK


class NdjsonRenderer(JSONRenderer):
    """A list as a stream: a line of JSON for each row (`row_streams`)."""

    media_type = NDJSON


class PdfRenderer(JSONRenderer):
    """A signed document."""

    media_type = PDF
