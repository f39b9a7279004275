"""Two views of the database: the latest filing of each submission, and when each version stops being in effect.

A migration that alters a column that they read drops them before, and creates them again afterwards. No view has a
join: SQLite would work out the whole of it for each query.
"""

import django.db.models.deletion
from django.db import migrations, models

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
    ) AS revision_id,
    (
        SELECT organization.sandbox_of_id IS NULL
        FROM submissions_organisation AS organization
        WHERE organization.id = submission.organisation_id
    ) AS live
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
DO_NOTHING = django.db.models.deletion.DO_NOTHING


class Migration(migrations.Migration):
    dependencies = [("submissions", "0015_layout_judgment")]

    operations = [
        migrations.RunSQL(LATEST_FILING, "DROP VIEW submissions_latest_filing"),
        migrations.RunSQL(VERSION_PERIOD, "DROP VIEW submissions_version_period"),
        migrations.CreateModel(
            "LatestFiling",
            [
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=DO_NOTHING,
                        primary_key=True,
                        related_name="latest_filing",
                        serialize=False,
                        to="submissions.submission",
                    ),
                ),
                (
                    "revision",
                    models.OneToOneField(on_delete=DO_NOTHING, null=True, related_name="+", to="submissions.revision"),
                ),
                ("live", models.BooleanField()),
            ],
            {"db_table": "submissions_latest_filing", "managed": False},
        ),
        migrations.CreateModel(
            "VersionPeriod",
            [
                (
                    "version",
                    models.OneToOneField(
                        on_delete=DO_NOTHING,
                        primary_key=True,
                        related_name="period",
                        serialize=False,
                        to="submissions.version",
                    ),
                ),
                ("ends", models.DateField(null=True)),
                ("successor", models.CharField(max_length=30, null=True)),
            ],
            {"db_table": "submissions_version_period", "managed": False},
        ),
    ]
