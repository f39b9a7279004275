"""Public keys of clients that sign in with their own key, and the assertions that they used."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0039_queue_indexes"),
    ]

    operations = [
        migrations.AddField(
            model_name="credential",
            name="public_key",
            field=models.JSONField(null=True),
        ),
        migrations.CreateModel(
            name="UsedAssertion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("jti_sha256", models.CharField(max_length=64)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "credential",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="submissions.credential",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("credential", "jti_sha256"), name="one_use_per_assertion")
                ],
            },
        ),
    ]
