"""The database refuses to change what was written once."""

from django.db import migrations

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [("submissions", "0001_initial")]
    operations = [
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.FIRST),
            lambda apps, editor: append_only.drop(editor.connection, append_only.FIRST),
        )
    ]
