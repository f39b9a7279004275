"""Views for lists, and the triggers of the tables whose rows never change."""

from django.db import migrations

from submissions.core import append_only, database_views


class Migration(migrations.Migration):
    dependencies = [("submissions", "0001_initial")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: database_views.create(editor.connection),
            lambda apps, editor: database_views.drop(editor.connection),
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection),
            lambda apps, editor: append_only.drop(editor.connection),
        ),
    ]
