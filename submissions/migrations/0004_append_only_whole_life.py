"""The database refuses to change what was said in reply, which version holds, and what was sealed each day."""

from django.db import migrations

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [("submissions", "0003_whole_life")]
    operations = [
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.WHOLE_LIFE),
            lambda apps, editor: append_only.drop(editor.connection, append_only.WHOLE_LIFE),
        )
    ]
