import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0020_seal_certificates"),
    ]

    operations = [
        migrations.CreateModel(
            name="FileVerification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=43, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("sha256", models.CharField(db_index=True, max_length=64)),
                ("size", models.PositiveBigIntegerField()),
                ("content", models.BinaryField(null=True)),
                ("caller", models.CharField(max_length=64)),
                ("result", models.JSONField(null=True)),
                ("created_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(db_index=True, null=True)),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("simulate", "Simulation"),
                    ("document", "Signed document"),
                    ("mail", "Mail"),
                    ("inspect", "Inspection of a drawing"),
                    ("papers", "Signed layout, sign and guide"),
                    ("check", "Check of a batch"),
                    ("bulk", "Bulk update"),
                    ("webhook", "Webhook"),
                    ("analyze", "Exact figures of a chapter"),
                    ("replay", "Replayed round"),
                    ("verify", "Verification of a file"),
                    ("reverify", "Verification of a signed document again"),
                    ("draft", "Draft (PDF)"),
                ],
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="Reverification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("verification", models.JSONField(null=True)),
                ("verifier", models.CharField(blank=True, max_length=64)),
                ("verified_at", models.DateTimeField(null=True)),
                ("requested_at", models.DateTimeField()),
                (
                    "stored",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reverification",
                        to="submissions.storedfile",
                    ),
                ),
            ],
        ),
    ]
