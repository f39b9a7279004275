"""What a licensee's or the Board's own systems call the portal with."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0009_append_only_layouts"),
    ]

    operations = [
        migrations.CreateModel(
            name="Credential",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                ("scopes", models.JSONField(default=list)),
                ("live", models.BooleanField()),
                ("prefix", models.CharField(max_length=12, unique=True)),
                ("secret_sha256", models.CharField(max_length=64)),
                ("networks", models.JSONField(default=list)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                ("last_used_at", models.DateTimeField(null=True)),
                ("overlap_until", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="credentials",
                        to="submissions.organisation",
                    ),
                ),
                (
                    "replaced_by",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaces",
                        to="submissions.credential",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
    ]
