"""The time between two moments as a whole number that the database computes: no row needs a datetime in Python."""

from typing import Any

from django.db.models import BigIntegerField, FloatField, Func
from django.db.models.sql.compiler import SQLCompiler

MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000


class MillisecondsBetween(Func):
    """From one moment to another, rounded; negative where the second is earlier. Moments are stored in UTC, so that a
    day has 24 hours also where the clocks change."""

    arity = 2
    arg_joiner = " - "
    output_field = BigIntegerField()

    def __init__(self, start: Any, end: Any) -> None:
        super().__init__(end, start)

    def as_sqlite(self, compiler: SQLCompiler, connection: Any, **context: Any) -> Any:
        days = self.copy()
        moments = self.get_source_expressions()
        days.set_source_expressions(
            [Func(each, function="JULIANDAY", output_field=FloatField()) for each in moments]  # of a text: days
        )
        template = f"CAST(ROUND((%(expressions)s) * {MILLISECONDS_OF_DAY}) AS INTEGER)"
        return days.as_sql(compiler, connection, template=template, **context)

    def as_postgresql(self, compiler: SQLCompiler, connection: Any, **context: Any) -> Any:
        template = "CAST(ROUND(EXTRACT(EPOCH FROM (%(expressions)s)) * 1000) AS BIGINT)"
        return self.as_sql(compiler, connection, template=template, **context)
