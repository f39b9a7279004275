"""The security log, a table that the database refuses to change, and its counters of failures."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0022_encrypted_factors"),
    ]

    operations = [
        migrations.CreateModel(
            name="FailureCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=130, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("sign-in", "Signed in"),
                            ("sign-in-failed", "Sign-in failed"),
                            ("sign-out", "Signed out"),
                            ("session-ended", "Session ended"),
                            ("factor-added", "Second factor added"),
                            ("factor-removed", "Second factor removed"),
                            ("passphrase-changed", "Passphrase changed"),
                            ("passphrase-reset-requested", "Passphrase reset requested"),
                            ("passphrase-reset", "Passphrase reset"),
                            ("recovery-codes-shown", "Recovery codes shown"),
                            ("recovery-codes-made", "Recovery codes made"),
                            ("recovery-code-used", "Recovery code used"),
                            ("confirmed", "Identity confirmed"),
                            ("confirmation-failed", "Confirmation failed"),
                            ("key-refused", "API key refused"),
                            ("access-denied", "Access denied"),
                            ("export", "Export"),
                            ("download", "Download"),
                        ],
                        max_length=32,
                    ),
                ),
                ("address", models.CharField(blank=True, max_length=64)),
                ("minute", models.DateTimeField(db_index=True)),
                ("count", models.PositiveBigIntegerField(default=0)),
                ("unrecorded", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="AccessRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reference", models.CharField(max_length=32, unique=True)),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("sign-in", "Signed in"),
                            ("sign-in-failed", "Sign-in failed"),
                            ("sign-out", "Signed out"),
                            ("session-ended", "Session ended"),
                            ("factor-added", "Second factor added"),
                            ("factor-removed", "Second factor removed"),
                            ("passphrase-changed", "Passphrase changed"),
                            ("passphrase-reset-requested", "Passphrase reset requested"),
                            ("passphrase-reset", "Passphrase reset"),
                            ("recovery-codes-shown", "Recovery codes shown"),
                            ("recovery-codes-made", "Recovery codes made"),
                            ("recovery-code-used", "Recovery code used"),
                            ("confirmed", "Identity confirmed"),
                            ("confirmation-failed", "Confirmation failed"),
                            ("key-refused", "API key refused"),
                            ("access-denied", "Access denied"),
                            ("export", "Export"),
                            ("download", "Download"),
                        ],
                        max_length=32,
                    ),
                ),
                ("outcome", models.CharField(choices=[("success", "Success"), ("failure", "Failure")], max_length=8)),
                ("reason", models.CharField(blank=True, max_length=60)),
                ("count", models.PositiveBigIntegerField(default=1)),
                ("credential", models.CharField(blank=True, max_length=24)),
                ("account_digest", models.CharField(blank=True, max_length=64)),
                ("account_masked", models.CharField(blank=True, max_length=260)),
                ("address", models.CharField(blank=True, max_length=64)),
                ("address_order", models.CharField(blank=True, max_length=32)),
                ("agent", models.CharField(blank=True, max_length=200)),
                ("session", models.CharField(blank=True, max_length=64)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("object_reference", models.CharField(blank=True, max_length=200)),
                ("details", models.JSONField(default=dict)),
                ("mac", models.CharField(max_length=64)),
                (
                    "organization",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="submissions.organization",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "indexes": [
                    models.Index(fields=["organization", "id"], name="access_of_organization"),
                    models.Index(fields=["person", "id"], name="access_of_person"),
                ],
            },
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.SECURITY_LOG),
            lambda apps, editor: append_only.drop(editor.connection, append_only.SECURITY_LOG),
        ),
    ]
