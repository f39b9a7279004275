"""An event seals the rows that its change wrote, and has a message authentication code.

SQLite writes the table anew for this and loses its triggers: they are created again.
"""

from django.db import migrations, models

from submissions.models import append_only

TABLES = ("submissions_event",)


def drop_triggers(apps, editor):
    append_only.drop(editor.connection, TABLES)


def create_triggers(apps, editor):
    append_only.create(editor.connection, TABLES)


class Migration(migrations.Migration):
    dependencies = [("submissions", "0017_confirmed_approvals")]
    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField("event", "rows", models.TextField(blank=True, default=""), preserve_default=False),
        migrations.AddField(
            "event", "mac", models.CharField(blank=True, default="", max_length=64), preserve_default=False
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
