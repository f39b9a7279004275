"""Triggers with which the database itself refuses to change or delete rows of the append-only tables, of some only once
they are published.

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
PUBLIC_LOG = ("submissions_logentry", "submissions_logtile", "submissions_logcheckpoint")  # of migration 0019
SEALS = ("submissions_sealcertificate",)  # of migration 0020
RULEMAKINGS = (  # of migration 0027
    "submissions_rulemaking",
    "submissions_rulemakingchange",
    "submissions_changeeffect",
)
TABLES = FIRST + WHOLE_LIFE + LAYOUTS + PUBLIC_LOG + SEALS + RULEMAKINGS

_ONLY_WHEN = {  # tables whose rows may change until then
    "submissions_rulemaking": "WHEN (OLD.state = 'published')",
    "submissions_rulemakingchange": "WHEN (OLD.published_at IS NOT NULL)",
}

_REFUSE = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$ LANGUAGE plpgsql
"""


_TRIGGERS = {  # vendor → name → when and what
    "postgresql": {
        "rows": "BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW {when} EXECUTE FUNCTION refuse_change()",
        "all": "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
    },
    "sqlite": {
        "update": "BEFORE update ON {table} {when} BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END",
        "delete": "BEFORE delete ON {table} {when} BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END",
    },
}


def create(connection: BaseDatabaseWrapper, tables: tuple[str, ...] = TABLES) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_REFUSE)
        for table in tables:
            for name, trigger in _TRIGGERS[connection.vendor].items():
                what = trigger.format(table=table, when=_ONLY_WHEN.get(table, ""))
                cursor.execute(f"CREATE TRIGGER {table}_{name} {what}")


def drop(connection: BaseDatabaseWrapper, tables: tuple[str, ...] = TABLES) -> None:
    with connection.cursor() as cursor:
        for table in tables:
            on_table = f" ON {table}" if connection.vendor == "postgresql" else ""
            for name in _TRIGGERS[connection.vendor]:
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{name}{on_table}")
