"""Two views of the database: the latest filing of each submission, and when each version stops being in effect.

Migrations create them; the models `LatestFiling` and `VersionPeriod` read them. A migration that alters one of the
tables below drops them first and creates them again at the end: SQLite and PostgreSQL refuse it otherwise. No view has
a join: SQLite would work out the whole of it for each query.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

LATEST_FILING = """
CREATE VIEW submissions_latest_filing AS
SELECT
    submission.id AS submission_id,
    (
        SELECT revision.id
        FROM submissions_revision AS revision
        WHERE revision.submission_id = submission.id
        ORDER BY revision.number DESC
        LIMIT 1
    ) AS revision_id
FROM submissions_submission AS submission
"""
# Of versions of one day, the one made later counts.
VERSION_PERIOD = """
CREATE VIEW submissions_version_period AS
SELECT
    version.id AS version_id,
    (
        SELECT later.from_day
        FROM submissions_version AS later
        WHERE later.organisation_id = version.organisation_id
            AND later.chapter = version.chapter
            AND (later.from_day, later.id) > (version.from_day, version.id)
        ORDER BY later.from_day, later.id
        LIMIT 1
    ) AS ends,
    (
        SELECT revision.receipt
        FROM submissions_version AS later
        LEFT JOIN submissions_revision AS revision ON revision.id = later.revision_id
        WHERE later.organisation_id = version.organisation_id
            AND later.chapter = version.chapter
            AND (later.from_day, later.id) > (version.from_day, version.id)
        ORDER BY later.from_day, later.id
        LIMIT 1
    ) AS successor
FROM submissions_version AS version
"""
VIEWS = {"submissions_latest_filing": LATEST_FILING, "submissions_version_period": VERSION_PERIOD}


def create(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for view in VIEWS.values():
            cursor.execute(view)


def drop(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for name in VIEWS:
            cursor.execute(f"DROP VIEW {name}")
