"""Lists read the latest filing of a submission and the period of a version from views of the database."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from submissions.models import database_views

DO_NOTHING = django.db.models.deletion.DO_NOTHING


def key(model: str, name: str) -> "models.OneToOneField[Any, Any]":
    """What a row of a view is about: one row of the model, which finds it under this name."""
    return models.OneToOneField(
        on_delete=DO_NOTHING, primary_key=True, related_name=name, serialize=False, to=f"submissions.{model}"
    )


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
                ("submission", key("submission", "latest_filing")),
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
                ("version", key("version", "period")),
                ("ends", models.DateField(null=True)),
                ("successor", models.CharField(max_length=30, null=True)),
            ],
            {"db_table": "submissions_version_period", "managed": False},
        ),
    ]
