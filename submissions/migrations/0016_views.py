"""Lists read the latest filing of a submission and the period of a version from views of the database."""

import django.db.models.deletion
from django.db import migrations, models

from submissions.models import database_views

DO_NOTHING = django.db.models.deletion.DO_NOTHING


class Migration(migrations.Migration):
    dependencies = [("submissions", "0015_layout_judgment")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: database_views.create(editor.connection),
            lambda apps, editor: database_views.drop(editor.connection),
        ),
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
