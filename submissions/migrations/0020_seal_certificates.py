"""The seal certificates of this portal, a table that the database refuses to change."""

from django.db import migrations, models

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [("submissions", "0019_public_log")]

    operations = [
        migrations.CreateModel(
            name="SealCertificate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sha256", models.CharField(db_index=True, max_length=64)),
                ("subject", models.TextField()),
                ("pem", models.TextField()),
                ("valid_from", models.DateTimeField()),
                ("valid_until", models.DateTimeField()),
                ("introduced_at", models.DateTimeField()),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.SEALS),
            lambda apps, editor: append_only.drop(editor.connection, append_only.SEALS),
        ),
    ]
