"""The database refuses to change what was filed and decided about layouts, signs and guides."""

from django.db import migrations

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [("submissions", "0008_layouts")]
    operations = [
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.LAYOUTS),
            lambda apps, editor: append_only.drop(editor.connection, append_only.LAYOUTS),
        )
    ]
