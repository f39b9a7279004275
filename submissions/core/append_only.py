"""Triggers with which the database itself refuses to change or delete rows of the append-only tables.

Migrations create them. A migration that must change a row drops them first and creates them again afterwards.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

SECURITY_LOG = ("submissions_accessrecord",)  # rows are deleted, but only old ones
TABLES = (
    "submissions_event",
    "submissions_checkpoint",
    "submissions_revision",
    "submissions_decision",
    "submissions_block",
    "submissions_document",
    "submissions_storedfile",
    "submissions_reply",
    "submissions_version",
    "submissions_layoutdrawing",
    "submissions_layoutinspection",
    "submissions_layoutrevision",
    "submissions_layoutjudgement",
    "submissions_layoutdecision",
    "submissions_paper",
    "submissions_sealcertificate",
    *SECURITY_LOG,
    "submissions_order",
    "submissions_orderend",
    "submissions_rulemaking",
    "submissions_rulemakingchange",
    "submissions_changeeffect",
    "submissions_tableentry",
    "submissions_handover",
    "submissions_linecomment",
    "submissions_standin",
    "submissions_standinend",
    "submissions_legalhold",
    "submissions_legalholdend",
)
YOUNGEST_DELETED = 90  # days: no row of the security log is deleted before, in any settings

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
_TRIGGERS_OF_SECURITY_LOG = {
    "postgresql": {
        "update": "BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_change()",
        "delete": "BEFORE DELETE ON {table} FOR EACH ROW WHEN (OLD.at > now() - interval '{days} days') "
        "EXECUTE FUNCTION refuse_change()",
        "all": _TRIGGERS["postgresql"]["all"],
    },
    "sqlite": {
        "update": _TRIGGERS["sqlite"]["update"],
        "delete": "BEFORE delete ON {table} WHEN OLD.at > datetime('now', '-{days} days') "
        "BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END",
    },
}


def _triggers(vendor: str, table: str) -> dict[str, str]:
    """Return the statement of each trigger, after CREATE TRIGGER and the name, by its name."""
    triggers = (_TRIGGERS_OF_SECURITY_LOG if table in SECURITY_LOG else _TRIGGERS)[vendor]
    values = {"table": table, "days": YOUNGEST_DELETED, "when": _ONLY_WHEN.get(table, "")}
    return {name: text.format(**values) for name, text in triggers.items()}


def create(connection: BaseDatabaseWrapper, tables: tuple[str, ...] = TABLES) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_REFUSE)
        for table in tables:
            for name, trigger in _triggers(connection.vendor, table).items():
                cursor.execute(f"CREATE TRIGGER {table}_{name} {trigger}")


def drop(connection: BaseDatabaseWrapper, tables: tuple[str, ...] = TABLES) -> None:
    with connection.cursor() as cursor:
        for table in tables:
            on_table = f" ON {table}" if connection.vendor == "postgresql" else ""
            for name in _triggers(connection.vendor, table):
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{name}{on_table}")
