"""Triggers with which the database itself refuses to change or delete rows of the append-only tables.

For SQLite and PostgreSQL. Migrations create them; only the tests drop them, to empty the tables between two tests.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

FIRST = (  # of migration 0002
    "submissions_event",
    "submissions_revision",
    "submissions_decision",
    "submissions_block",
    "submissions_document",
    "submissions_storedfile",
)
WHOLE_LIFE = ("submissions_reply", "submissions_version", "submissions_checkpoint")  # of migration 0004
LAYOUTS = (  # of migration 0009
    "submissions_layoutdrawing",
    "submissions_layoutinspection",
    "submissions_layoutrevision",
    "submissions_layoutjudgement",
    "submissions_layoutdecision",
    "submissions_paper",
)
TABLES = FIRST + WHOLE_LIFE + LAYOUTS

_REFUSE = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$ LANGUAGE plpgsql
"""


def create(connection: BaseDatabaseWrapper, tables: tuple[str, ...] = TABLES) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_REFUSE)
        for table in tables:
            for statement in _statements(connection.vendor, table):
                cursor.execute(statement)


def drop(connection: BaseDatabaseWrapper, tables: tuple[str, ...] = TABLES) -> None:
    with connection.cursor() as cursor:
        for table in tables:
            is_postgresql = connection.vendor == "postgresql"
            for trigger in ("rows", "all") if is_postgresql else ("update", "delete"):
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{trigger}{f' ON {table}' if is_postgresql else ''}")


def _statements(vendor: str, table: str) -> list[str]:
    if vendor == "postgresql":
        return [
            f"CREATE TRIGGER {table}_rows BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION refuse_change()",
            f"CREATE TRIGGER {table}_all BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
        ]
    return [
        f"CREATE TRIGGER {table}_{verb} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for verb in ("update", "delete")
    ]
